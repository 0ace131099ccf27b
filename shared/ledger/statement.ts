/**
 * Writes the report of completed intents for accounting: as CSV one row for each claim that moves value, as JSON one
 * object for each intent. RFC 4180, Decision 25.
 */
import type { IntentData } from '../shape/intent.ts';
import { handleOf } from './address.ts';
import { assert } from './assert.ts';
import { movedClaimsOf } from './capture.ts';
import { isLimit } from './limit.ts';
import type { LedgerRecord } from './record.ts';

/** The factor of each symbol by handle: a power of ten, the number of smallest units in one unit. */
export type Factors = ReadonlyMap<string, number>;

/** A completed intent, with the moment of its completion. */
export interface Completed {
  readonly record: LedgerRecord;
  /** ISO 8601 UTC. */
  readonly moment: string;
}

/** One claim in the report. */
interface StatementLine {
  readonly claim: number;
  readonly action: string;
  readonly source?: string;
  readonly target?: string;
  readonly symbol: string;
  /** In the smallest unit of the symbol. */
  readonly amount: number;
  readonly decimalAmount: string;
}

const columns = [
  'completed',
  'intent',
  'luid',
  'hash',
  'status',
  'schema',
  'claim',
  'action',
  'source',
  'target',
  'symbol',
  'amount',
  'decimal_amount',
] as const;
const rowEnd = '\r\n';
const completed = 'completed';

/** The first row: the names of the columns. */
export const csvHeader: string = `${columns.join(',')}${rowEnd}`;

/** The moment at which the ledger stated the completion; undefined for other intents. */
export function completedMomentOf({ meta }: LedgerRecord): string | undefined {
  if (meta.status !== completed) return undefined;
  const said = meta.proofs.find(
    ({ origin, custom }) => origin === undefined && custom?.['status'] === completed,
  );
  return said?.custom?.['moment'] as string | undefined;
}

/** The symbols that an intent moves. */
export function symbolsOf({ data }: LedgerRecord): string[] {
  return claimsOf(data).flatMap((claim) => (isLimit(claim) ? [] : handleOf(claim.symbol)));
}

/** An intent as CSV rows, one for each claim. */
export function csvOf({ record, moment }: Completed, factors: Factors): string {
  const { luid, hash, data } = record;
  const rows = linesOf(record, factors).map((line) => [
    moment,
    data.handle,
    luid,
    hash,
    completed,
    data.schema ?? '',
    String(line.claim),
    line.action,
    line.source ?? '',
    line.target ?? '',
    line.symbol,
    String(line.amount),
    line.decimalAmount,
  ]);
  return rows.map(csvRowOf).join('');
}

/** An intent as one JSON object. */
export function jsonOf({ record, moment }: Completed, factors: Factors): string {
  const { luid, hash, data } = record;
  const { handle, schema, custom } = data;
  return JSON.stringify({
    completed: moment,
    intent: handle,
    luid,
    hash,
    status: completed,
    ...(schema !== undefined && { schema }),
    ...(custom && { custom }),
    claims: linesOf(record, factors),
  });
}

/** An amount in whole units: `-12.30` for -1230 of a symbol whose factor is 100. */
export function decimalOf(amount: number | bigint, factor: number): string {
  const digitCount = digitCountOf(factor);
  const sign = amount < 0 ? '-' : '';
  const digits = String(amount)
    .slice(sign.length)
    .padStart(digitCount + 1, '0');
  const whole = digits.slice(0, digits.length - digitCount);
  return sign + (digitCount === 0 ? whole : `${whole}.${digits.slice(-digitCount)}`);
}

/** The number of decimals that a factor gives. */
export function digitCountOf(factor: number): number {
  return String(factor).length - 1;
}

/** A CSV row. */
export function csvRowOf(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}${rowEnd}`;
}

/** The claims that moved value, with the amounts that were captured. */
function linesOf(record: LedgerRecord, factors: Factors): StatementLine[] {
  return movedClaimsOf(record).flatMap((claim, index) => {
    // A limit moves no value, so accounting has no use for it.
    if (isLimit(claim)) return [];
    const symbol = handleOf(claim.symbol);
    const factor = factors.get(symbol);
    assert(factor !== undefined, 'a symbol that moved is known');
    return {
      claim: index,
      action: claim.action,
      ...('source' in claim && { source: handleOf(claim.source) }),
      ...('target' in claim && { target: handleOf(claim.target) }),
      symbol,
      amount: claim.amount,
      decimalAmount: decimalOf(claim.amount, factor),
    };
  });
}

function claimsOf(data: LedgerRecord['data']): IntentData['claims'] {
  return (data as unknown as IntentData).claims;
}

/** The signs with which a spreadsheet may begin a formula, also in full width. */
const signs = '=+\\-@＝＋－＠';
/** The places at which a spreadsheet may begin one: at the start, and behind what parts cells where a comma is decimal. */
const formula = new RegExp(`^(?=[${signs}\\t\\r\\n])|(?<=[;\\t\\r\\n]"*)(?=[${signs}])`, 'g');
const guard = new RegExp(`^'(?=[${signs}\\t\\r\\n])|(?<=[;\\t\\r\\n]"*)'(?=[${signs}])`, 'g');

/**
 * Quotes a CSV cell. An apostrophe before a possible formula makes a spreadsheet read it as text; a number is none.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
function quoted(text: string): string {
  const safe = /^-\d+(?:\.\d+)?$/.test(text) ? text : text.replace(formula, "'");
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text of a CSV cell without the apostrophes that keep it from being a formula. */
export function unguarded(text: string): string {
  return text.replace(guard, '');
}

/** A book in an interval. Amounts are in the smallest unit. */
export interface BookPeriod {
  /** Absent for the supply of the symbol. */
  readonly wallet: string | undefined;
  readonly symbol: string;
  readonly factor: number;
  readonly opening: bigint;
  readonly debits: bigint;
  readonly credits: bigint;
}

/** The names of the columns of the opening and closing balances. */
export const balancesHeader: string = csvRowOf([
  ...['of', 'wallet', 'symbol', 'opening', 'debits', 'credits', 'closing'],
  ...['decimal_opening', 'decimal_closing'],
]);

/** The row of a book: its balance before the interval, what moved it, and its balance after. */
export function balancesRowOf(period: BookPeriod): string {
  const { wallet, symbol, factor, opening, debits, credits } = period;
  const closing = opening + credits - debits;
  return csvRowOf([
    ...[wallet === undefined ? 'supply' : 'wallet', wallet ?? '', symbol],
    ...[opening, debits, credits, closing].map(String),
    ...[decimalOf(opening, factor), decimalOf(closing, factor)],
  ]);
}
