/** The statement of a wallet as CSV and JSON: the balance before its entries, a row for each, and the balance after. */
import type { BookEntry } from './book.ts';
import { csvRowOf, decimalOf } from './statement.ts';

/** The wallet, the symbol and the period of a statement. */
export interface StatementHead {
  readonly wallet: string;
  readonly symbol: string;
  readonly factor: number;
  /** ISO 8601 UTC: `start` included, `end` excluded. */
  readonly start: string;
  readonly end: string;
}

/** One entry with the balance after it. Amounts are in the smallest unit. */
export interface StatementEntry {
  readonly entry: BookEntry;
  readonly balance: bigint;
}

const columns = [
  'type',
  'moment',
  'intent',
  'luid',
  'counterparty',
  'wallet',
  'symbol',
  'amount',
  'decimal_amount',
  'balance',
  'decimal_balance',
];

/** The names of the columns and the row of the opening balance. */
export function openingCsvOf(head: StatementHead, balance: bigint): string {
  return csvRowOf(columns) + balanceRowOf('opening', head.start, head, balance);
}

/** The row of the closing balance. */
export function closingCsvOf(head: StatementHead, balance: bigint): string {
  return balanceRowOf('closing', head.end, head, balance);
}

function balanceRowOf(
  type: 'opening' | 'closing',
  moment: string,
  { wallet, symbol, factor }: StatementHead,
  balance: bigint,
): string {
  const shown = [String(balance), decimalOf(balance, factor)];
  return csvRowOf([type, moment, '', '', '', wallet, symbol, '', '', ...shown]);
}

/** The row of an entry. */
export function entryCsvOf(
  { wallet, symbol, factor }: StatementHead,
  { entry, balance }: StatementEntry,
): string {
  const { schema, moment, intent, counterparty = '' } = entry;
  const amount = signedAmountOf(entry);
  return csvRowOf([
    ...[schema, moment, intent.handle, intent.luid, counterparty, wallet, symbol],
    ...[String(amount), decimalOf(amount, factor), String(balance), decimalOf(balance, factor)],
  ]);
}

/** The members of the JSON before the entries, and the begin of their list. */
export function openingJsonOf(head: StatementHead, balance: bigint): string {
  const members = Object.entries(head).map(([name, value]) => `"${name}":${JSON.stringify(value)}`);
  return `{${members.join(',')},\n"opening":${balance},\n"entries":[`;
}

/** The end of the list of entries, and the closing balance. */
export function closingJsonOf(balance: bigint): string {
  return `\n],\n"closing":${balance}}\n`;
}

/** An entry as a JSON object. */
export function entryJsonOf({ factor }: StatementHead, { entry, balance }: StatementEntry): string {
  const { schema, moment, intent, counterparty, inputs } = entry;
  const amount = signedAmountOf(entry);
  const named = counterparty === undefined ? '' : `"counterparty":${JSON.stringify(counterparty)},`;
  const texts = [
    `"type":"${schema}","moment":"${moment}","intent":${JSON.stringify(intent.handle)}`,
    `"luid":"${intent.luid}",${named}"inputs":${JSON.stringify(inputs)}`,
    `"amount":${amount},"decimalAmount":"${decimalOf(amount, factor)}"`,
    `"balance":${balance},"decimalBalance":"${decimalOf(balance, factor)}"`,
  ];
  return `{${texts.join(',')}}`;
}

/** The amount of an entry: negative for a debit. */
export function signedAmountOf({ schema, amount }: BookEntry): bigint {
  return schema === 'debit' ? -amount : amount;
}
