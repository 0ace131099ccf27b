/** Answers for people: lists as tables, records as blocks of their members and proofs, amounts in whole units. */

import type { Ledger } from '../../shared/client/client.ts';
import { printable } from '../../shared/ledger/printable.ts';
import type { Proof } from '../../shared/shape/proof.ts';
import { print } from '../cli/output.ts';
import { tableOf } from '../cli/table.ts';
import { amountText, factorsOf, type KnownFactors } from './amounts.ts';
import type { AnyAnswer, AnyRecord } from './connection.ts';
import { listed } from './delivery.ts';
import { lineOf } from './printable.ts';

/** Members that are amounts, where the symbol stands beside them. */
const amountNames = [
  ...['amount', 'balance', 'reserved', 'available', 'debits', 'credits'],
  ...['issued', 'destroyed', 'outstanding', 'atBridges'],
];
/** Members of `data` that say what a row of a list is, in the order of its columns. */
const plainNames = [
  ...['handle', 'wallet', 'symbol', 'of', 'schema', 'metric', 'signal', 'signer'],
  ...['subject', 'public', 'record', 'bridge', 'counterparty', 'status', 'last answer'],
];

/** A column of lists. It is shown when a row has a text in it. */
interface Column {
  readonly head: string;
  readonly isNumber?: true;
  readonly textOf: (record: AnyRecord, factors: KnownFactors) => string;
}

const columns: readonly Column[] = [
  ...plainNames.map((name) => ({
    head: name,
    textOf: ({ data, meta }: AnyRecord) =>
      lineOf(data[name] ?? (name === 'status' ? meta['status'] : undefined)),
  })),
  { head: 'claims', textOf: ({ data }, factors) => claimsText(data, factors) },
  { head: 'action', textOf: ({ meta }) => lineOf(meta['action']) },
  {
    head: 'moment (UTC)',
    textOf: ({ data, meta }) => momentText(data['moment'] ?? meta['moment']),
  },
  ...['factor', 'attempts'].map((name) => ({
    head: name,
    isNumber: true as const,
    textOf: ({ data }: AnyRecord) => lineOf(data[name]),
  })),
  ...amountNames.map((name) => ({
    head: name,
    isNumber: true as const,
    textOf: ({ data }: AnyRecord, factors: KnownFactors) => memberText(data, name, factors),
  })),
];

/** Prints an answer: a list as a table, a record as a block. */
export async function showAnswer(ledger: Ledger, answer: AnyAnswer): Promise<void> {
  const records = Array.isArray(answer.data) ? (answer.data as readonly AnyRecord[]) : undefined;
  if (records) return showRecords(ledger, records);
  const record = answer as AnyRecord;
  print(blockOf(record, await factorsOf(ledger, symbolsIn(record.data))));
}

/** Prints records as a table of the columns in which they have texts. */
export async function showRecords(ledger: Ledger, found: readonly AnyRecord[]): Promise<void> {
  if (found.length === 0) return print('There are none.');
  const records = found.map(listed);
  const factors = await factorsOf(
    ledger,
    records.flatMap(({ data }) => symbolsIn(data)),
  );
  const shown = columns
    .map((column) => ({ ...column, texts: records.map((one) => column.textOf(one, factors)) }))
    .filter(({ texts }) => texts.some((text) => text !== ''));
  const heads = shown.map(({ head }) => head);
  const rows = records.map((_, index) => shown.map(({ texts }) => texts[index] ?? ''));
  print(tableOf(heads, rows, shown.filter(({ isNumber }) => !isNumber).length));
}

/** The members of a record, a line each, and its proofs. */
function blockOf({ luid, hash, data, meta }: AnyRecord, factors: KnownFactors): string {
  const { proofs, status, moment, ...more } = meta;
  const names = new Set(['handle', ...Object.keys(data)]);
  const members = [...names].map((name) => [name, memberText(data, name, factors)] as const);
  const others = Object.entries(more).map(([name, value]) => [name, lineOf(value)] as const);
  const rows = [
    ...members,
    ['status', lineOf(status)] as const,
    ['changed', momentText(moment)] as const,
    ...others,
    ['luid', lineOf(luid)] as const,
    ['hash', lineOf(hash)] as const,
  ].filter(([, text]) => text !== '' && text !== '[]');
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, text]) => `${printable(name).padEnd(width)}  ${text}`);
  const given = (proofs ?? []) as readonly Proof[];
  return [...lines, 'proofs', ...given.map((proof) => proofLine(proof))].join('\n');
}

/** A proof as a line: time, signer, status and reason. `you` is the signer with the key `own`. */
export function proofLine(proof: Proof, timeOf = momentText, own?: string): string {
  const { moment, status, handle, schema, wallet, reason, detail } = proof.custom ?? {};
  const signer = proof.signer ?? (proof.public === own ? 'you' : `${proof.public.slice(0, 8)}…`);
  const entry = schema === undefined ? '' : `${lineOf(schema)} of wallet ${lineOf(wallet)}`;
  const why = reason === undefined ? '' : `${lineOf(reason)}: ${lineOf(detail)}`;
  const rest = [entry, lineOf(handle), why].filter(Boolean).join(' ');
  const said = `${printable(signer).padEnd(9)} ${lineOf(status ?? '').padEnd(10)} ${rest}`;
  return `  ${timeOf(moment)}  ${said}`.trimEnd();
}

/** A moment as `2026-11-21 00:21:11.916`; of anything else its text. */
export function momentText(moment: unknown): string {
  const [, day, time] =
    /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d(?:\.\d+)?)Z$/.exec(String(moment)) ?? [];
  return day === undefined ? lineOf(moment) : `${day} ${time}`;
}

/** A moment of today as `00:21:11.916`. */
export function timeText(moment: unknown): string {
  return momentText(moment).replace(/^\S+ /, '');
}

/** The text of a member: an amount in whole units, claims as sentences, and anything else as it is. */
function memberText(data: AnyRecord['data'], name: string, factors: KnownFactors): string {
  const value = data[name];
  if (name === 'claims') return claimsText(data, factors);
  const isAmount = amountNames.includes(name) && typeof data['symbol'] === 'string';
  return isAmount && (typeof value === 'number' || typeof value === 'bigint')
    ? amountText(value, String(data['symbol']), factors)
    : lineOf(value);
}

function claimsText({ claims }: AnyRecord['data'], factors: KnownFactors): string {
  return Array.isArray(claims) ? claims.map((claim) => claimText(claim, factors)).join('; ') : '';
}

/** A claim as a sentence: `transfer 25.50 usd from alice to bob`. */
function claimText(claim: Readonly<Record<string, unknown>>, factors: KnownFactors): string {
  const { action, source, target, wallet, symbol, amount, metric } = claim;
  const isAmount = typeof amount === 'number' || typeof amount === 'bigint';
  const words = [
    lineOf(action),
    ...(metric === undefined ? [] : [lineOf(metric)]),
    isAmount ? amountText(amount, String(symbol), factors) : lineOf(amount),
    lineOf(symbol),
    ...(source === undefined ? [] : ['from', addressText(source)]),
    ...(target === undefined ? [] : ['to', addressText(target)]),
    ...(wallet === undefined ? [] : ['of', addressText(wallet)]),
  ];
  return words.filter(Boolean).join(' ');
}

function addressText(address: unknown): string {
  const { handle } = (typeof address === 'object' && address ? address : {}) as {
    handle?: unknown;
  };
  return lineOf(handle ?? address);
}

/** The symbols whose amounts are in some data. */
function symbolsIn(data: AnyRecord['data']): string[] {
  const claims = Array.isArray(data['claims']) ? (data['claims'] as AnyRecord['data'][]) : [];
  return [data, ...claims].flatMap(({ symbol }) => (typeof symbol === 'string' ? [symbol] : []));
}
