/** The two sides of `countersign reconcile` and how they are compared, out of the words of the command line. */
import { variable } from '../runtime/variables.ts';
import {
  type AmountFormat,
  amountOf,
  type DateOrder,
  dateOrders,
  dayOf,
} from './reconcile-values.ts';
import type { ReconcileBounds } from './reconciliation.ts';

/** The columns of one side. */
export interface SideColumns {
  readonly keys: readonly string[];
  /** One column of amounts; absent for one of debits and one of credits. */
  readonly amount?: string;
  readonly debit?: string;
  readonly credit?: string;
  /** Absent where dates are not compared. */
  readonly date?: string;
  /** The values that a row must have in order to be compared, by column. */
  readonly where: readonly (readonly [column: string, value: string])[];
}

/** A wallet of a running ledger. */
export interface WalletSource {
  readonly server: string;
  /** Handle of the ledger; the default one without it. */
  readonly ledger?: string;
  readonly wallet: string;
  readonly symbol: string;
  /** The file of the key that may read the wallet; absent for an open ledger. */
  readonly keyPath?: string;
}

export interface ReconcileRequest {
  /** The external file, and its form. */
  readonly external: string;
  readonly delimiter: string;
  readonly encoding: BufferEncoding;
  /** The lines before the names of the columns. */
  readonly skipped: number;
  readonly format: AmountFormat;
  readonly order: DateOrder;
  readonly isNegated: boolean;
  /** The file of the ledger's side, or the wallet whose entries are fetched. */
  readonly ledger: string | WalletSource;
  readonly columns: { readonly external: SideColumns; readonly ledger: SideColumns };
  readonly isUnsigned: boolean;
  readonly bounds: ReconcileBounds;
  /** The days of the period, both included. */
  readonly period: { readonly from?: number; readonly to?: number };
  /** The file to write all rows to. */
  readonly csv?: string;
  readonly isAll: boolean;
}

/** The options of the command, as they are given. */
export interface ReconcileOptions {
  readonly with?: string;
  readonly wallet?: string;
  readonly symbol?: string;
  readonly server?: string;
  readonly ledger?: string;
  readonly reader?: string;
  readonly delimiter?: string;
  readonly encoding?: string;
  readonly skip?: string;
  readonly where?: readonly string[];
  readonly ledgerWhere?: readonly string[];
  readonly key?: readonly string[];
  readonly amount?: string;
  readonly debit?: string;
  readonly credit?: string;
  readonly date?: string;
  readonly factor?: string;
  readonly decimalComma?: boolean;
  readonly negate?: true;
  readonly unsigned?: true;
  readonly dateOrder?: string;
  readonly tolerance?: string;
  readonly days?: string;
  readonly from?: string;
  readonly to?: string;
  readonly csv?: string;
  readonly all?: true;
}

/** The comparison that is meant; refuses, in one line, what cannot be. */
export function reconcileRequestOf(external: string, options: ReconcileOptions): ReconcileRequest {
  const { delimiter = ',', encoding = 'utf8', skip = '0', dateOrder = 'ymd', csv } = options;
  const format = formatOf(options);
  return {
    external,
    ledger: ledgerOf(options),
    delimiter: delimiter === 'tab' ? '\t' : delimiter,
    encoding: choice('--encoding', encoding, ['utf8', 'latin1'] as const),
    skipped: countOf('--skip', skip),
    format,
    order: choice('--date-order', dateOrder, dateOrders),
    isNegated: options.negate ?? false,
    columns: columnsOf(options),
    isUnsigned: options.unsigned ?? false,
    bounds: boundsOf(options, format),
    period: periodOf(options),
    isAll: options.all ?? false,
    ...(csv !== undefined && { csv }),
  };
}

/** The file of the ledger's side, or the wallet. */
function ledgerOf(values: ReconcileOptions): string | WalletSource {
  const { with: path, wallet, symbol, server, ledger, reader } = values;
  const isOfWallet = [wallet, symbol, server, ledger, reader].some((value) => value !== undefined);
  if ((path === undefined) !== isOfWallet)
    throw new Error("Name the ledger's side by --with, or by --wallet and --symbol.");
  if (path !== undefined) return path;
  if (wallet === undefined || symbol === undefined)
    throw new Error('A wallet takes both --wallet and --symbol.');
  return {
    ...{ server: server ?? variable('SERVER'), wallet, symbol },
    ...(ledger !== undefined && { ledger }),
    ...(reader !== undefined && { keyPath: reader }),
  };
}

function columnsOf(values: ReconcileOptions): ReconcileRequest['columns'] {
  const { key = [], amount, debit, credit, date } = values;
  if (key.length === 0) throw new Error('Name a column that tells rows apart by --key.');
  const isOne = amount !== undefined;
  const isTwo = debit !== undefined || credit !== undefined;
  if (isOne === isTwo)
    throw new Error('Name the column of amounts by --amount, or those of --debit and --credit.');
  const keys = key.map((text) => columnPairOf(text, 'intent'));
  const [external, ledger = 'amount'] = isOne ? columnPairOf(amount) : [];
  const dates = date === undefined ? undefined : columnPairOf(date, '');
  return {
    external: {
      keys: keys.map(([name]) => name),
      ...(external !== undefined && { amount: external }),
      ...(debit !== undefined && { debit }),
      ...(credit !== undefined && { credit }),
      ...(dates && { date: dates[0] }),
      where: (values.where ?? []).map((text) => conditionOf('--where', text)),
    },
    ledger: {
      keys: keys.map(([, name]) => name),
      amount: ledger,
      ...(dates && { date: dates[1] }),
      where: (values.ledgerWhere ?? []).map((text) => conditionOf('--ledger-where', text)),
    },
  };
}

/** The columns of the external file and of the ledger in `<column>[=<column>]`. */
function columnPairOf(text: string, usual = 'amount'): readonly [external: string, ledger: string] {
  const at = text.lastIndexOf('=');
  const pair =
    at < 0 ? ([text, usual] as const) : ([text.slice(0, at), text.slice(at + 1)] as const);
  if (pair[0] === '' || (at >= 0 && pair[1] === ''))
    throw new Error(`Columns are <column>[=<column>], not '${text}'.`);
  return pair;
}

function conditionOf(name: string, text: string): readonly [column: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1) throw new Error(`${name} is <column>=<value>, not '${text}'.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function formatOf({
  factor,
  decimalComma: hasDecimalComma = false,
}: ReconcileOptions): AmountFormat {
  if (factor === undefined) return { hasDecimalComma };
  if (!/^10{0,15}$/.test(factor))
    throw new Error(`--factor is a power of ten from 1 to 10^15, not '${factor}'.`);
  return { hasDecimalComma, digits: factor.length - 1 };
}

/** The tolerance is written as the external amounts are, with a point in any case. */
function boundsOf(
  { tolerance: text = '0', days, date }: ReconcileOptions,
  format: AmountFormat,
): ReconcileBounds {
  const tolerance = amountOf(text, { ...format, hasDecimalComma: false });
  if (tolerance === undefined || tolerance < 0n)
    throw new Error(
      `--tolerance is an amount of 0 or more, as exact as the symbol, not '${text}'.`,
    );
  if (days !== undefined && date === undefined)
    throw new Error('--days needs the columns of dates: --date.');
  return { tolerance, days: countOf('--days', days ?? '0') };
}

function periodOf({ from, to, date }: ReconcileOptions): ReconcileRequest['period'] {
  if (date === undefined && (from ?? to) !== undefined)
    throw new Error('--from and --to need the columns of dates: --date.');
  const [first, last] = [dateOf('--from', from), dateOf('--to', to)];
  if (first !== undefined && last !== undefined && last < first)
    throw new Error('--to is before --from.');
  return {
    ...(first !== undefined && { from: first }),
    ...(last !== undefined && { to: last }),
  };
}

function dateOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const day = dayOf(text, 'ymd');
  if (day === undefined) throw new Error(`${name} is a date, as 2026-11-30, not '${text}'.`);
  return day;
}

function countOf(name: string, text: string): number {
  if (!/^\d{1,6}$/.test(text))
    throw new Error(`${name} is a whole number of 0 or more, not '${text}'.`);
  return Number(text);
}

function choice<const One extends string>(name: string, text: string, known: readonly One[]): One {
  const found = known.find((value) => value === text);
  if (found === undefined) throw new Error(`${name} is one of ${known.join(', ')}, not '${text}'.`);
  return found;
}
