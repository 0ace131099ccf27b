/** `countersign get | list | post | put | drop | prove`: any record of a ledger, by its path. */
import { readFileSync } from 'node:fs';
import { text as textOf } from 'node:stream/consumers';
import { parseExactly } from '../../shared/client/client.ts';
import { printable } from '../../shared/ledger/printable.ts';
import { print } from '../cli/output.ts';
import { newBar } from '../cli/progress.ts';
import { misused } from '../runtime/failing.ts';
import {
  type AnyAnswer,
  type AnyLedger,
  type AnyRecord,
  type ConnectionOptions,
  type Session,
  withLedger,
} from './connection.ts';
import { showAnswer, showRecords } from './describe.ts';
import { printAnswer } from './printable.ts';

const pageLengthMax = 100;

interface ReadOptions extends ConnectionOptions {
  /** `name=value`, as the parameters of the reference. */
  readonly query?: readonly string[];
}

interface ListOptions extends ReadOptions {
  readonly limit?: number;
  readonly all?: boolean;
}

interface ProveOptions extends ConnectionOptions {
  readonly status?: string;
  readonly custom?: string;
}

export async function get(words: string, { query, ...options }: ReadOptions): Promise<void> {
  const target = targetOf(words, query);
  await withLedger(options, async ({ ledger, any }) => {
    const answer = await any.get(target.path, target);
    if (options.json) return printAnswer(answer);
    await showAnswer(ledger, answer);
    showRest(answer);
  });
}

/** Lists a page, the first `limit` records, or all of them. */
export async function list(words: string, options: ListOptions): Promise<void> {
  const { query: given, limit, all, ...connection } = options;
  const { path, query } = targetOf(words, given);
  if (all && limit !== undefined) throw misused('--all and --limit exclude each other.');
  const isPage = !all && (limit ?? 0) <= pageLengthMax;
  await withLedger(connection, async ({ ledger, any }) => {
    if (isPage) {
      const page = limit === undefined ? {} : { 'page.limit': limit };
      return showPage(ledger, await any.get(path, { query: { ...query, ...page } }), options);
    }
    const records = await collected(any, path, query, limit);
    if (options.json) printAnswer({ data: records });
    else await showRecords(ledger, records);
  });
}

async function showPage(
  ledger: Session['ledger'],
  answer: AnyAnswer,
  { json }: ConnectionOptions,
): Promise<void> {
  if (!Array.isArray(answer.data)) throw misused('This is no list; see: countersign get');
  if (json) return printAnswer(answer);
  await showAnswer(ledger, answer);
  showRest(answer);
}

/** Makes a record of this data, or does what the path stands for. */
export async function post(words: string, data: string, options: ConnectionOptions): Promise<void> {
  const { path } = targetOf(words);
  const [last = ''] = path.split('/').slice(-1);
  if (last === 'proofs' || last === 'sign') throw misused('A proof is added by: countersign prove');
  if (last === 'drop') throw misused('A record is ended by: countersign drop');
  const body = await objectOf(data);
  await change(options, async ({ any }) =>
    makesNoRecord.test(decodeURIComponent(last)) ? any.post(path, body) : any.create(path, body),
  );
}

/** Paths that act, and make no record. */
const makesNoRecord = /^(!.*|activate|retry)$/;

interface PutOptions extends ConnectionOptions {
  readonly handOver?: boolean;
}

/** Replaces members of the data of a record. A member whose value is null is removed. */
export async function put(
  words: string,
  changes: string,
  { handOver = false, ...options }: PutOptions,
): Promise<void> {
  const { path } = targetOf(words);
  const given = Object.entries(await objectOf(changes));
  const members = Object.fromEntries(given.map(([name, value]) => [name, value ?? undefined]));
  if (handOver && typeof members['public'] !== 'string')
    throw misused('--hand-over needs the new key: name it in `public`.');
  const params = { handsOver: handOver };
  await change(options, async ({ any }) =>
    any.update(path, await recordAt(any, path), members, params),
  );
}

/** Ends a record. */
export async function drop(words: string, options: ConnectionOptions): Promise<void> {
  const { path } = targetOf(words);
  await withLedger(
    options,
    async ({ any }) => {
      await any.drop(`${path}/drop`, await recordAt(any, path));
      if (options.json) printAnswer(undefined);
      else print(`${printable(path.slice(1))} is dropped.`);
    },
    { needsKey: true },
  );
}

/** Adds a proof to a record. */
export async function prove(words: string, options: ProveOptions): Promise<void> {
  const { status, custom, ...connection } = options;
  if (status === undefined && custom === undefined)
    throw misused('A proof states something: name it by --status or --custom.');
  const { path } = targetOf(words);
  const said = custom === undefined ? {} : await objectOf(custom);
  await change(connection, async ({ any }) =>
    any.prove(`${path}/proofs`, await recordAt(any, path), {
      ...(status !== undefined && { status }),
      ...said,
    }),
  );
}

async function change(
  options: ConnectionOptions,
  work: (session: Session) => Promise<AnyAnswer | undefined>,
): Promise<void> {
  await withLedger(
    options,
    async (session) => {
      const answer = await work(session);
      if (options.json) printAnswer(answer);
      else if (answer) await showAnswer(session.ledger, answer);
      else print('Done.');
    },
    { needsKey: true },
  );
}

/** The record at a path. Throws an `ExitError` for a list. */
export async function recordAt(any: AnyLedger, path: string): Promise<AnyRecord> {
  const answer = await any.get(path);
  if (Array.isArray(answer.data)) throw misused(`${printable(path)} is a list, and no record.`);
  return answer as AnyRecord;
}

/** Reads a list to its end, or until it has so many records, with the count on a terminal. */
export async function collected(
  any: AnyLedger,
  path: string,
  query: Readonly<Record<string, unknown>>,
  limit = Number.POSITIVE_INFINITY,
): Promise<AnyRecord[]> {
  const records: AnyRecord[] = [];
  const bar = newBar();
  try {
    for await (const record of any.all(path, {
      query: { ...query, 'page.limit': pageLengthMax },
    })) {
      records.push(record);
      if (records.length > pageLengthMax) bar.show('reading', records.length);
      if (records.length >= limit) break;
    }
  } finally {
    bar.end();
  }
  return records;
}

/** Says that a page was not all of a list, as far as the answer tells. */
function showRest({ page, data }: AnyAnswer): void {
  if (!page || !Array.isArray(data)) return;
  const { next, total, limit } = page;
  const isMore =
    next !== undefined || (total === undefined ? data.length === limit : total > data.length);
  if (isMore) process.stderr.write('There may be more: --limit <number>, or --all.\n');
}

/** The path that some words name, with the parameters in them and in options. Throws an `ExitError` for others. */
export function targetOf(
  words: string,
  parameters: readonly string[] = [],
): { readonly path: string; readonly query: Readonly<Record<string, string[]>> } {
  const [place = '', search = ''] = words.replace(/^\/+/, '').split(/\?(.*)/s);
  const segments = place.split('/').map(decoded);
  if (segments.some((segment) => ['', '.', '..'].includes(segment)))
    throw misused(`'${printable(words)}' is no path, such as wallets/alice.`);
  const pairs = [...new URLSearchParams(search), ...parameters.map(pairOf)];
  const query = new Map<string, string[]>();
  for (const [name, value] of pairs) query.set(name, [...(query.get(name) ?? []), value]);
  const path = `/${segments.map(encodeURIComponent).join('/')}`;
  return { path, query: Object.fromEntries(query) };
}

function pairOf(text: string): [name: string, value: string] {
  const [name = '', value] = text.split(/=(.*)/s);
  if (name === '' || value === undefined)
    throw misused(`--query is name=value, such as data.schema=savings, not '${printable(text)}'.`);
  return [name, value];
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The JSON object that an argument means: itself, the content of `@file`, or standard input for `-`. */
export async function objectOf(argument: string): Promise<Readonly<Record<string, unknown>>> {
  const text = await contentOf(argument);
  let value: unknown;
  try {
    value = parseExactly(text);
  } catch (error) {
    throw misused(`This is no JSON: ${printable((error as Error).message)}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, unknown>>;
  throw misused('This is no JSON object, such as {"handle": "alice"}.');
}

async function contentOf(argument: string): Promise<string> {
  if (argument === '-') return textOf(process.stdin);
  return argument.startsWith('@') ? fileText(argument.slice(1)) : argument;
}

/** The text of a file. Throws an `ExitError` when it cannot be read. */
export function fileText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw misused(`${path} cannot be read: ${(error as Error).message}`);
  }
}
