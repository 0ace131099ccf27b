/** Reads the two sides of a reconciliation: the external CSV, and a file or the entries of a wallet of the ledger. */

import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { unguarded } from '../../shared/ledger/statement.ts';
import { entriesOf } from './reconcile-fetch.ts';
import type { ReconcileRequest, SideColumns } from './reconcile-request.ts';
import { type AmountFormat, amountOf, type DateOrder, dayOf } from './reconcile-values.ts';
import type { ReconcileRow } from './reconciliation.ts';

/** The texts of a row by column. */
type Cells = ReadonlyMap<string, string>;

/** The rows of a file, each with its line or number. */
interface FieldTable {
  readonly path: string;
  /** The columns; undefined for an empty list of objects, which names none. */
  readonly names: readonly string[] | undefined;
  readonly rows: readonly { readonly line: number; readonly cells: Cells }[];
}

/** The columns of dates in the files of the ledger. */
const ledgerDates = ['moment', 'completed'];
/** The rows of a statement that state a balance, and move nothing. */
const balanceTypes: ReadonlySet<string> = new Set(['opening', 'closing']);

/**
 * The rows of both sides. Throws for a file that cannot be read, a column that is missing or there twice, and a value that
 * is none.
 */
export async function sidesOf(request: ReconcileRequest): Promise<{
  external: ReconcileRow[];
  ledger: ReconcileRow[];
}> {
  const { format, order, isNegated, columns } = request;
  const external = externalTableOf(request);
  const source = request.ledger;
  const ledger =
    typeof source === 'string'
      ? ledgerTableOf(source)
      : tableOfObjects(`Wallet ${source.wallet}`, await entriesOf(source, request));
  const ledgerColumns = withDate(columns.ledger, ledger);
  assertColumns(external, columns.external);
  assertColumns(ledger, ledgerColumns);
  return {
    external: rowsOf(external, columns.external, request, {
      ...{ format, order, isNegated },
      isOfLedger: false,
    }),
    ledger: rowsOf(ledger, ledgerColumns, request, {
      format: { hasDecimalComma: false },
      order: 'ymd',
      isNegated: false,
      isOfLedger: true,
    }),
  };
}

/** The ledger's column of dates, where the command names none. */
function withDate(columns: SideColumns, { path, names }: FieldTable): SideColumns {
  if (columns.date !== '' || names === undefined) return columns;
  const date = ledgerDates.find((name) => names.includes(name));
  if (date === undefined)
    throw new Error(
      `${path} has no column ${ledgerDates.join(' or ')}; name one: --date <column>=<column>.`,
    );
  return { ...columns, date };
}

interface SideFormat {
  readonly format: AmountFormat;
  readonly order: DateOrder;
  readonly isNegated: boolean;
  readonly isOfLedger: boolean;
}

function rowsOf(
  table: FieldTable,
  columns: SideColumns,
  { isUnsigned, period }: ReconcileRequest,
  { format, order, isNegated, isOfLedger }: SideFormat,
): ReconcileRow[] {
  const kept = table.rows.filter(
    ({ cells }) =>
      !(isOfLedger && balanceTypes.has(cells.get('type') ?? '')) &&
      columns.where.every(([name, value]) => cells.get(name) === value),
  );
  return kept.map(({ line, cells }) => {
    const at = `${table.path}, row ${line}`;
    const found = amountIn(cells, columns, format, at);
    const amount = (isUnsigned ? found < 0n : isNegated) ? -found : found;
    const key = columns.keys.map((name) => (cells.get(name) ?? '').trim());
    if (columns.date === undefined) return { line, key, amount };
    const day = dayIn(cells.get(columns.date) ?? '', order, at);
    const { from = -Infinity, to = Infinity } = period;
    return { line, key, amount, day, isOutside: day < from || day > to };
  });
}

function assertColumns({ path, names }: FieldTable, columns: SideColumns): void {
  if (names === undefined) return;
  if (names.length === 0) throw new Error(`${path} is empty: it does not even name columns.`);
  const { keys, amount, debit, credit, date, where } = columns;
  const named = [...keys, amount, debit, credit, date, ...where.map(([name]) => name)];
  for (const name of named) {
    if (name === undefined) continue;
    const count = names.filter((one) => one === name).length;
    if (count === 0)
      throw new Error(`${path} has no column '${name}'. It has: ${names.join(', ')}.`);
    if (count > 1) throw new Error(`${path} has ${count} columns '${name}': which is meant?`);
  }
}

function amountIn(cells: Cells, columns: SideColumns, format: AmountFormat, at: string): bigint {
  const { amount, debit, credit } = columns;
  if (amount !== undefined) return exactAmount(cells.get(amount) ?? '', format, at);
  const [out, into] = [debit, credit].map((name) => (name && cells.get(name)?.trim()) || '0');
  return exactAmount(into ?? '', format, at) - exactAmount(out ?? '', format, at);
}

function exactAmount(text: string, format: AmountFormat, at: string): bigint {
  const amount = amountOf(text, format);
  if (amount !== undefined) return amount;
  const unit =
    format.digits === undefined
      ? 'of the smallest unit (--factor for others)'
      : `with up to ${format.digits} decimals${format.hasDecimalComma ? ' after a comma' : ''}`;
  throw new Error(`${at}: '${text}' is no amount ${unit}.`);
}

function dayIn(text: string, order: DateOrder, at: string): number {
  const day = dayOf(text, order);
  if (day === undefined) throw new Error(`${at}: '${text}' is no date in the order ${order}.`);
  return day;
}

function externalTableOf({ external, delimiter, encoding, skipped }: ReconcileRequest): FieldTable {
  return csvTableOf(external, textIn(external, encoding), { delimiter, skipped });
}

function ledgerTableOf(path: string): FieldTable {
  const text = textIn(path, 'utf8');
  const isJson = /^\s*[[{]/.test(text);
  return isJson ? jsonTableOf(path, text) : withoutGuards(csvTableOf(path, text));
}

function textIn(path: string, encoding: BufferEncoding): string {
  try {
    return readFileSync(path === '-' ? 0 : path, encoding);
  } catch (error) {
    throw new Error(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

function csvTableOf(
  path: string,
  text: string,
  { delimiter = ',', skipped = 0 }: { delimiter?: string; skipped?: number } = {},
): FieldTable {
  let lines: { record: string[]; info: { lines: number } }[];
  try {
    lines = parse(withoutLines(text, skipped), {
      bom: true,
      delimiter,
      info: true,
      skipEmptyLines: true,
    }) as unknown as typeof lines;
  } catch (error) {
    throw new Error(`${path} is no CSV: ${(error as Error).message}.`, { cause: error });
  }
  const [head, ...rest] = lines;
  const names = (head?.record ?? []).map((name) => name.trim());
  const rows = rest.map(({ record, info }) => ({
    line: skipped + info.lines,
    cells: new Map(names.map((name, index) => [name, record[index] ?? ''])),
  }));
  return { path, names, rows };
}

/** A text without its first lines, which are no CSV and may have any quotes. */
function withoutLines(text: string, count: number): string {
  const linePattern = /[^\r\n]*(?:\r\n|\r|\n|$)/y;
  for (let index = 0; index < count; index += 1) linePattern.exec(text);
  return text.slice(linePattern.lastIndex);
}

/** Without the apostrophes that the ledger puts before what a spreadsheet would take for a formula. */
function withoutGuards(table: FieldTable): FieldTable {
  const rows = table.rows.map(({ line, cells }) => ({
    line,
    cells: new Map([...cells].map(([name, text]) => [name, unguarded(text)])),
  }));
  return { ...table, rows };
}

/** The rows of a JSON file: a list of records, the entries of a statement, or the intents of a report with their claims. */
function jsonTableOf(path: string, text: string): FieldTable {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is no JSON: ${(error as Error).message}.`, { cause: error });
  }
  const list = listIn(value);
  if (!list) throw new Error(`${path} has no list of entries, as the ledger gives it.`);
  return tableOfObjects(path, list);
}

function tableOfObjects(path: string, list: readonly JsonObject[]): FieldTable {
  const objects = list.flatMap(claimsIn).map(withSign);
  const rows = objects.map((object, index) => ({
    line: index + 1,
    cells: new Map(cellsOf(object)),
  }));
  const names = [...new Set(rows.flatMap(({ cells }) => [...cells.keys()]))];
  return { path, names: rows.length === 0 ? undefined : names, rows };
}

type JsonObject = Readonly<Record<string, unknown>>;

function listIn(value: unknown): JsonObject[] | undefined {
  const { data, entries } = (value ?? {}) as JsonObject;
  const list = [value, data, entries, (data as JsonObject | undefined)?.['entries']].find(
    Array.isArray,
  ) as unknown[] | undefined;
  return list?.every(isObject)
    ? list.map((one) => (isObject(one['data']) ? one['data'] : one))
    : undefined;
}

/** An entry of a wallet with the sign of its amount, which `schema` states. Ruling 82. */
function withSign(object: JsonObject): JsonObject {
  const { schema, amount, balance } = object;
  const isDebit = schema === 'debit' && typeof amount === 'number' && balance !== undefined;
  return isDebit ? { ...object, amount: -amount } : object;
}

/** An object for each claim of an intent. */
function claimsIn(object: JsonObject): JsonObject[] {
  const { claims, ...rest } = object;
  return Array.isArray(claims)
    ? claims.filter(isObject).map((claim) => ({ ...rest, ...claim }))
    : [object];
}

/** The members of an object by path, as `custom.reference`; a reference `{handle}` is its handle. */
function cellsOf(object: JsonObject, lead = ''): [string, string][] {
  return Object.entries(object).flatMap(([name, value]): [string, string][] => {
    const at = `${lead}${name}`;
    if (isObject(value)) {
      const inner = cellsOf(value, `${at}.`);
      return typeof value['handle'] === 'string' ? [[at, value['handle']], ...inner] : inner;
    }
    // `JSON.parse` rounds it, so it must not be read as an amount.
    const isRounded = typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
    const text = isRounded ? `about ${value}` : String(value);
    return value === null || Array.isArray(value) ? [] : [[at, text]];
  });
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
