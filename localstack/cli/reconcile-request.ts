/** Parses the command line of `npm run reconcile`: the two sides, and how they are compared. */

import { argumentsOf } from './arguments.ts';
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
  /** The file of the ledger's side. */
  readonly ledger: string;
  readonly columns: { readonly external: SideColumns; readonly ledger: SideColumns };
  readonly isUnsigned: boolean;
  readonly bounds: ReconcileBounds;
  /** The days of the period, both included. */
  readonly period: { readonly from?: number; readonly to?: number };
  /** The file to write all rows to. */
  readonly csv?: string;
  readonly isAll: boolean;
}

const usage =
  'Usage: npm run reconcile -- <external.csv> --with <file> --key <column>[=<column>] --amount <column>[=<column>] [options]; --help lists them.';
const help = `Usage: npm run reconcile -- <external.csv> --with <file> --key <column>[=<column>] --amount <column>[=<column>] [options]

Compares an external CSV with a statement or report of the ledger, row by row. In <column>[=<column>] the first is a
column of the external file, the second one of the ledger's.

The sides
  --with <file>         a statement or report of the ledger, CSV or JSON, as the ledger gives it
  --delimiter <sign>    between the columns of the external file: , without it; tab for a tabulator
  --encoding <name>     of the external file: utf8 without it, or latin1
  --skip <n>            lines of the external file before the names of its columns
  --where <column>=<value>           compares only these rows of the external file; may be repeated
  --ledger-where <column>=<value>    compares only these rows of the ledger; may be repeated

The columns
  --key <column>[=<column>]      equal in rows of the same money; may be repeated; =intent without a second column
  --amount <column>[=<column>]   =amount without a second column
  --debit <column>, --credit <column>   in place of --amount, an external file with two columns
  --date <column>[=<column>]     compares dates as days in UTC; =moment or =completed without a second column

The amounts and dates
  --factor <n>          the external amounts are in whole units of so many smallest units, as 100; without it they are in
                        the smallest unit. The ledger's are always in the smallest unit
  --decimal-comma       external amounts are written 1.234,56
  --negate              turns the signs of the external amounts
  --unsigned            compares amounts without their signs
  --date-order <order>  of the external dates: ymd without it, dmy or mdy
  --tolerance <amount>  amounts match when they differ by at most this much, as 0.05 with a factor of 100
  --days <n>            dates match when they are at most so many days apart; 0 without it
  --from <date>, --to <date>   the period, both days included, as 2026-11-30: a row outside of it can match one within, and
                        is not missed

The result
  --csv <file>          writes every row with its group, as CSV
  --all                 prints the rows that match, too

It ends with 0 when all rows match, with 1 when not, and with 2 when it cannot tell.`;

const one = { type: 'string' } as const;
const several = { type: 'string', multiple: true, default: [] as string[] } as const;
const flag = { type: 'boolean', default: false } as const;
const options = {
  with: one,
  delimiter: { type: 'string', default: ',' },
  encoding: { type: 'string', default: 'utf8' },
  skip: { type: 'string', default: '0' },
  where: several,
  'ledger-where': several,
  key: several,
  amount: one,
  debit: one,
  credit: one,
  date: one,
  factor: one,
  'decimal-comma': flag,
  negate: flag,
  unsigned: flag,
  'date-order': { type: 'string', default: 'ymd' },
  tolerance: { type: 'string', default: '0' },
  days: one,
  from: one,
  to: one,
  csv: one,
  all: flag,
  help: flag,
} as const;

type OptionValues = ReturnType<
  typeof argumentsOf<{ options: typeof options; allowPositionals: true }>
>['values'];

/** Parses the words of the command line; refuses, in one line, what they cannot mean. */
export function parseReconcileRequest(args: readonly string[]): ReconcileRequest {
  const { values, positionals } = argumentsOf(args, { options, allowPositionals: true }, usage);
  if (values.help) throw new Error(help);
  const [external, ...more] = positionals;
  if (external === undefined || more.length > 0) throw new Error(usage);
  if (values.with === undefined) throw new Error(`Name the ledger's side by --with. ${usage}`);
  const format = formatOf(values);
  return {
    external,
    ledger: values.with,
    delimiter: values.delimiter === 'tab' ? '\t' : values.delimiter,
    encoding: choice('--encoding', values.encoding, ['utf8', 'latin1'] as const),
    skipped: countOf('--skip', values.skip),
    format,
    order: choice('--date-order', values['date-order'], dateOrders),
    isNegated: values.negate,
    columns: columnsOf(values),
    isUnsigned: values.unsigned,
    bounds: boundsOf(values, format),
    period: periodOf(values),
    isAll: values.all,
    ...(values.csv !== undefined && { csv: values.csv }),
  };
}

function columnsOf(values: OptionValues): ReconcileRequest['columns'] {
  const { amount, debit, credit, date } = values;
  if (values.key.length === 0)
    throw new Error(`Name a column that tells rows apart by --key. ${usage}`);
  const isOne = amount !== undefined;
  const isTwo = debit !== undefined || credit !== undefined;
  if (isOne === isTwo)
    throw new Error('Name the column of amounts by --amount, or those of --debit and --credit.');
  const keys = values.key.map((text) => columnPairOf(text, 'intent'));
  const [external, ledger = 'amount'] = isOne ? columnPairOf(amount) : [];
  const dates = date === undefined ? undefined : columnPairOf(date, '');
  return {
    external: {
      keys: keys.map(([name]) => name),
      ...(external !== undefined && { amount: external }),
      ...(debit !== undefined && { debit }),
      ...(credit !== undefined && { credit }),
      ...(dates && { date: dates[0] }),
      where: values.where.map((text) => conditionOf('--where', text)),
    },
    ledger: {
      keys: keys.map(([, name]) => name),
      amount: ledger,
      ...(dates && { date: dates[1] }),
      where: values['ledger-where'].map((text) => conditionOf('--ledger-where', text)),
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

function formatOf({ factor, 'decimal-comma': hasDecimalComma }: OptionValues): AmountFormat {
  if (factor === undefined) return { hasDecimalComma };
  if (!/^10{0,15}$/.test(factor))
    throw new Error(`--factor is a power of ten from 1 to 10^15, not '${factor}'.`);
  return { hasDecimalComma, digits: factor.length - 1 };
}

/** The tolerance is written as the external amounts are, with a point in any case. */
function boundsOf(
  { tolerance: text, days, date }: OptionValues,
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

function periodOf({ from, to, date }: OptionValues): ReconcileRequest['period'] {
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
  if (!/^\d{1,6}$/.test(text)) throw new Error(`${name} is a number of 0 or more, not '${text}'.`);
  return Number(text);
}

function choice<const One extends string>(name: string, text: string, known: readonly One[]): One {
  const found = known.find((value) => value === text);
  if (found === undefined) throw new Error(`${name} is one of ${known.join(', ')}, not '${text}'.`);
  return found;
}
