/**
 * Compares an answer with what was asked. A ledger has signed many answers, and no signature names the request: whoever
 * stands between may answer with another one of the same ledger. Decision 156.
 */
import type { Proof } from '../shape/proof.ts';
import type { SignedAnswer } from './answer.ts';
import { isObject } from './envelope.ts';
import { LedgerUntrusted } from './errors.ts';

/** The answer to a path, as far as the path tells. */
interface Expected {
  /** A list, the changes of one record, a record, the receipt of one, or signed data that is neither. */
  readonly form: 'list' | 'changes' | 'record' | 'receipt' | 'data';
  /** The first letters of the luid; absent where there is none. */
  readonly prefix?: string;
  /** The luid of the record. */
  readonly luid?: string;
  /** Members of the data, with the text that each has. */
  readonly members: Readonly<Record<string, string>>;
  /** Members of the first row, which later ones need not have. */
  readonly first?: Readonly<Record<string, string>>;
  /** The number of the change. */
  readonly change?: string;
  /** The record whose other name has to be known, by its part of the path. */
  readonly unsure?: {
    readonly part: number;
    readonly other: 'handle' | 'luid';
    /** The names of the answer that leave no doubt. */
    readonly unless?: Readonly<Record<string, string>>;
  };
}

/** The kinds of records by the parts of their paths: the first letters of their luids. */
export const prefixesByPath: Readonly<Record<string, string>> = {
  ...{ ledgers: 'ldg', signers: 'snr', symbols: 'sym', wallets: 'wlt', intents: 'int' },
  ...{ effects: 'eff', circles: 'crc', bridges: 'brg', domains: 'dom', anchors: 'anc' },
  ...{ schemas: 'sch', policies: 'plc', reports: 'rep' },
  ...{ 'signers/factors': 'snf', 'circles/signers': 'csn' },
};
/** Those whose records keep their names. */
export const keepsNames: readonly string[] = ['ldg', 'int', 'csn', 'dom', 'sch', 'rep'];

/** The place of a record: its kind, its id, what it belongs to, and the rest of the path. */
interface RecordPlace {
  /** The first letters of luids of its kind. */
  readonly prefix: string;
  readonly id?: string | undefined;
  readonly owner: Readonly<Record<string, string>>;
  readonly rest: readonly string[];
}

type AnswerRow = Readonly<Record<'luid' | 'hash' | 'data' | 'meta', unknown>>;

/**
 * Refuses with `LedgerUntrusted` an answer that is not one to this path, with its query. `ledger` is the handle or luid of
 * the addressed ledger, where one was named.
 */
export function assertExpected(target: string, answer: SignedAnswer, ledger?: string): void {
  const expected = expectedAt(target, ledger);
  if (!expected || isOf(expected, answer)) return;
  throw new LedgerUntrusted(otherThan(target, answer));
}

/** A record that tells whether an answer is one to a path, and the same path with its other name. */
interface Aside {
  readonly path: string;
  readonly targetBy: (record: SignedAnswer) => string;
}

/**
 * The record to read before an answer is believed: rows name a wallet by its handle also where it was asked for by its
 * luid, and changes have the name that a record had then. Undefined where path and answer tell enough.
 */
export function asideOf(target: string, answer: SignedAnswer): Aside | undefined {
  const { unsure, form } = expectedAt(target) ?? {};
  if (!unsure) return undefined;
  const { data } = answer;
  const row = form === 'receipt' && isObject(data) ? data['record'] : answer;
  const shown = Array.isArray(data) ? data[0] : row;
  const { unless } = unsure;
  if (shown === undefined || (unless && hasMembers(shown, unless))) return undefined;
  const [path = '', search] = target.split('?');
  const parts = path.split('/');
  return {
    path: parts.slice(0, unsure.part + 1).join('/'),
    targetBy: ({ luid, data: own }) => {
      const name = unsure.other === 'luid' ? luid : Object(own)['handle'];
      const renamed = parts.map((part, at) =>
        at === unsure.part ? encodeURIComponent(String(name)) : part,
      );
      const other = renamed.join('/');
      return search === undefined ? other : `${other}?${search}`;
    },
  };
}

/** A change as it was sent; of an added proof, with the luid and the hash of its record. */
export interface SentChange {
  readonly luid?: string | undefined;
  readonly hash: string;
  readonly meta: { readonly proofs: readonly Proof[] };
}

/**
 * Refuses with `LedgerUntrusted` an answer that is not what this change has made: a record of the kind of the path, with
 * the hash and the proofs that were sent.
 */
export function assertMade(target: string, sent: SentChange, answer: SignedAnswer): void {
  const { prefix } = expectedAt(target.replace(/\/(proofs|sign)$/, '')) ?? {};
  const isHeld = sent.meta.proofs.every((own) =>
    answer.meta.proofs.some((one) => one.public === own.public && one.digest === own.digest),
  );
  const isMade =
    isHeld &&
    answer.hash === sent.hash.toLowerCase() &&
    hasPrefix(answer.luid, prefix ?? prefixOf(answer.luid)) &&
    (sent.luid === undefined || sent.luid === answer.luid);
  if (!isMade) throw new LedgerUntrusted(otherThan(target, answer));
}

/** Refuses with `LedgerUntrusted` the preview of another intent. */
export function assertPreviewed(target: string, data: unknown, answer: SignedAnswer): void {
  const { handle } = Object(data) as { readonly handle?: unknown };
  if (!isObject(answer.data) || answer.data['handle'] !== handle)
    throw new LedgerUntrusted(otherThan(target, answer));
}

/** Refuses with `LedgerUntrusted` a record, or the newest change of one, that is not the end of it. */
export function assertEnded(place: string, { data }: SignedAnswer): void {
  const [newest] = (Array.isArray(data) ? data : []) as readonly Partial<AnswerRow>[];
  const { status } = Object(newest?.meta) as { readonly status?: unknown };
  if (status !== 'dropped')
    throw new LedgerUntrusted(
      `The answer was that ${place} is dropped, and the ledger says otherwise.`,
    );
}

function otherThan(target: string, answer: SignedAnswer): string {
  return `The answer is not to what was asked, ${target}: the ledger has signed it, and it is ${nameOf(answer)}.`;
}

/** An answer in a few words. */
function nameOf({ luid, data }: Partial<AnswerRow>): string {
  if (Array.isArray(data)) {
    const [first] = data as readonly AnswerRow[];
    return first ? `a list of ${nameOf(first)} and others` : 'an empty list';
  }
  const { record, handle, reason, ...more } = isObject(data) ? data : {};
  if (isObject(record) && 'luid' in record) return `the receipt of ${nameOf(record)}`;
  const names = [handle, luid === undefined ? undefined : `(${luid})`].filter((one) => one);
  const of = ['wallet', 'symbol'].filter((name) => typeof more[name] === 'string');
  if (of.length > 0) names.push(`of ${of.map((name) => `${name} ${more[name]}`).join(', ')}`);
  return reason === undefined ? names.join(' ') || 'no record' : `the error ${reason}`;
}

/** The expected answer to a path; undefined for a path of which this client knows nothing. */
function expectedAt(target: string, ledger?: string): Expected | undefined {
  const [path = '', search = ''] = target.split('?');
  const [group = '', ...more] = path.split('/').slice(1).map(decoded);
  const query = new URLSearchParams(search);
  if (group === '' || group === 'health') return { form: 'data', members: {} };
  // Balances of all wallets, or their sums.
  if (group === 'balances')
    return { form: 'list', ...(more.length === 0 && { prefix: 'bal' }), members: symbolIn(query) };
  if (group === 'ledger') return at({ prefix: 'ldg', id: ledger, owner: {}, rest: more }, query);
  const place = placeOf(group, more);
  return (
    place &&
    (place.id === undefined
      ? { form: 'list', prefix: place.prefix, members: place.owner }
      : at(place, query))
  );
}

function symbolIn(query: URLSearchParams): Readonly<Record<string, string>> {
  const [symbol] = query.getAll('symbol');
  return symbol === undefined ? {} : { symbol };
}

/** The place in a path; undefined for a path that leads to no kind of records. */
function placeOf(
  group: string,
  [id, below = '', ...more]: readonly string[],
): RecordPlace | undefined {
  const nested = prefixAt(`${group}/${below}`);
  const [own, ...further] = more;
  // The owner is named by the member of its kind: signer, circle.
  if (nested)
    return { prefix: nested, id: own, owner: named(group.slice(0, -1), id), rest: further };
  const prefix = prefixAt(group);
  const rest = below === '' ? [] : [below, ...more];
  return prefix === undefined ? undefined : { prefix, id, owner: {}, rest };
}

function prefixAt(path: string): string | undefined {
  return Object.hasOwn(prefixesByPath, path) ? prefixesByPath[path] : undefined;
}

/** Lists of a record, by their part of the path: the first letters of the luids of their rows, if these have any. */
const lists: Readonly<Record<string, string | undefined>> = {
  balances: 'bal',
  limits: 'lmt',
  entries: undefined,
  anchors: 'anc',
  domains: 'dom',
  events: 'evd',
  access: undefined,
};
/** Lists of a wallet whose rows name it. */
const namesWallet = ['balances', 'limits', 'entries', 'anchors'];

/** The expected answer at a record, and below it. */
function at(place: RecordPlace, query: URLSearchParams): Expected | undefined {
  const { id, rest } = place;
  const [part, own] = rest;
  if (part === undefined) return recordAt(place, true);
  if (part === 'changes' || part === 'receipt') return changeAt(place, query);
  if (part === 'supply') return { form: 'data', ...ownedBy('symbol', id) };
  if (!Object.hasOwn(lists, part)) return undefined;
  if (part === 'events' && own !== undefined)
    return { form: 'record', prefix: 'evd', members: {}, ...luidIn('evd', own) };
  const prefix = lists[part];
  const list = { form: 'list', ...(prefix && { prefix }) } as const;
  if (place.prefix !== 'wlt' || !namesWallet.includes(part)) return { ...list, members: {} };
  const { members, ...more } = ownedBy('wallet', id);
  const symbol = part === 'entries' ? symbolIn(query) : {};
  return { ...list, ...more, members: { ...members, ...symbol } };
}

/** Data that names its owner by the handle, which has to be found where it was asked for by the luid. */
function ownedBy(member: string, id: string | undefined): Pick<Expected, 'members' | 'unsure'> {
  return {
    members: named(member, id),
    ...(isLuid(id) && { unsure: { part: 2, other: 'handle' } }),
  };
}

/** The record of a place, by the names that it has now, or that it has always had. */
function recordAt(place: RecordPlace, isNow: boolean): Expected {
  const { prefix, id, owner } = place;
  const names = { ...owner, ...named(prefix === 'csn' ? 'signer' : 'handle', id) };
  const record = { form: 'record', prefix, ...luidIn(prefix, id) } as const;
  if (isNow || keepsNames.includes(prefix)) return { ...record, members: names };
  const unsure = { part: prefix === 'snf' ? 4 : 2, other: 'luid', unless: names } as const;
  return { ...record, members: {}, ...(!isLuid(id) && { unsure }) };
}

/** A change of the record of a place, its receipt, or all of its changes. */
function changeAt(place: RecordPlace, query: URLSearchParams): Expected {
  const [part, change, below] = place.rest;
  const record = recordAt(place, false);
  if (part === 'receipt') return { ...record, form: 'receipt' };
  if (change !== undefined)
    return { ...record, change, form: below === 'receipt' ? 'receipt' : 'record' };
  const { members: first } = recordAt(place, true);
  return { ...record, form: 'changes', ...(isFromNewest(query) && { first }) };
}

/** True for the first page of a list without filters. */
function isFromNewest(query: URLSearchParams): boolean {
  return [...query].every(
    ([name, value]) => name === 'page.limit' || (name === 'page.cursor' && value === ''),
  );
}

/** A member that names a record, unless that was named by its luid. */
function named(member: string, id: string | undefined): Readonly<Record<string, string>> {
  return id === undefined || isLuid(id) ? {} : { [member]: id };
}

/** The luid, where the record was named by it: one of another kind may lead to it as well. */
function luidIn(prefix: string, id: string | undefined): { readonly luid?: string } {
  return id?.startsWith(`$${prefix}.`) ? { luid: id } : {};
}

function isLuid(id: string | undefined): boolean {
  return id !== undefined && /^\$[a-z]{3}\./.test(id);
}

function isOf(expected: Expected, answer: SignedAnswer): boolean {
  const { data } = answer;
  if (expected.form === 'list')
    return Array.isArray(data) && data.every((row) => isRow(expected, row));
  if (expected.form === 'changes') return Array.isArray(data) && areChangesOf(expected, data);
  if (expected.form === 'receipt')
    return isObject(data) && isObject(data['record']) && isRow(expected, data['record']);
  return isRow(expected, answer);
}

/** True for changes of one record, the newest first. */
function areChangesOf(expected: Expected, rows: readonly unknown[]): boolean {
  const [newest] = rows;
  if (newest === undefined) return true;
  const luid = expected.luid ?? (isObject(newest) ? String(newest['luid']) : '');
  return (
    rows.every((row) => isRow({ ...expected, luid }, row)) &&
    hasMembers(newest, expected.first ?? {})
  );
}

function isRow(expected: Expected, row: unknown): boolean {
  if (!isObject(row)) return false;
  const { change } = Object(row['meta']) as { readonly change?: unknown };
  return (
    hasPrefix(row['luid'], expected.prefix) &&
    (expected.luid === undefined || expected.luid === row['luid']) &&
    (expected.change === undefined || expected.change === String(change)) &&
    hasMembers(row, expected.members)
  );
}

function hasMembers(row: unknown, members: Readonly<Record<string, string>>): boolean {
  const { luid, data } = row as Partial<AnswerRow>;
  if (!isObject(data) || (luid === undefined && 'reason' in data)) return false;
  return Object.entries(members).every(([name, text]) => data[name] === text);
}

/** True for a luid that begins so; without a prefix there is none. */
function hasPrefix(luid: unknown, prefix: string | undefined): boolean {
  return prefix === undefined ? luid === undefined : prefixOf(luid) === prefix;
}

function prefixOf(luid: unknown): string | undefined {
  return typeof luid === 'string' ? /^\$([a-z]{3})\./.exec(luid)?.[1] : undefined;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
