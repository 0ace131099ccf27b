/** `countersign statement`: the entries of a wallet with its balance after each, and before and after all of them. */
import { LedgerUntrusted, verifyRecord } from '../../shared/client/client.ts';
import { printable } from '../../shared/ledger/printable.ts';
import { print } from '../cli/output.ts';
import { tableOf } from '../cli/table.ts';
import { misused } from '../runtime/failing.ts';
import { amountText, assertSymbol, factorsOf, type KnownFactors } from './amounts.ts';
import {
  type AnyAnswer,
  type AnyRecord,
  type ConnectionOptions,
  type Session,
  withLedger,
} from './connection.ts';
import { momentText } from './describe.ts';
import { lineOf, printAnswer } from './printable.ts';
import { collected } from './records.ts';

interface StatementOptions extends ConnectionOptions {
  /** A day in UTC, or a moment: the first of the statement. */
  readonly from?: string;
  /** The day or moment before which it ends. */
  readonly to?: string;
}

/** The entries of a wallet in a symbol, with the balances before and after them. */
interface StatementOfPeriod {
  readonly data: readonly AnyRecord[];
  readonly meta: { readonly opening: AnyRecord; readonly closing: AnyRecord };
}

const dayPattern = /^\d{4}-\d\d-\d\d$/;

/** Prints the statement of a symbol, or one for each symbol that the wallet has a balance in. */
export async function statement(
  wallet: string,
  symbol: string | undefined,
  { from, to, ...options }: StatementOptions,
): Promise<void> {
  const period = {
    ...(from !== undefined && { from: momentOf('--from', from) }),
    ...(to !== undefined && { to: momentOf('--to', to) }),
  };
  await withLedger(options, async (session) => {
    const symbols = await symbolsOf(session, wallet, symbol);
    const statements: StatementOfPeriod[] = [];
    for (const one of symbols)
      statements.push(await read(session, wallet, { ...period, symbol: one }));
    if (options.json) return printAnswer(symbol === undefined ? statements : statements[0]);
    if (symbols.length === 0) return print(`${printable(wallet)} has no balance.`);
    const factors = await factorsOf(session.ledger, symbols);
    print(statements.map((one, index) => tableIn(one, symbols[index] ?? '', factors)).join('\n\n'));
  });
}

/**
 * The symbol that is asked for, or all that the wallet has balances in. One that is not there is refused, since its
 * balance would look empty; one that may not be read has a statement.
 */
async function symbolsOf(
  { any, ledger }: Session,
  wallet: string,
  named: string | undefined,
): Promise<string[]> {
  if (named === undefined) {
    const rows = await collected(any, pathOf(wallet, 'balances'), {});
    return [...new Set(rows.map(({ data }) => String(data['symbol'])))];
  }
  await assertSymbol(ledger, named);
  return [named];
}

async function read(
  { ledger, any }: Session,
  wallet: string,
  query: Readonly<Record<string, string>>,
): Promise<StatementOfPeriod> {
  const path = pathOf(wallet, 'entries');
  const { meta }: AnyAnswer = await any.get(path, { query: { ...query, 'page.limit': 1 } });
  const { opening, closing } = meta as unknown as StatementOfPeriod['meta'];
  // They stand beside the data of the answer, and are signed one by one.
  for (const balance of [opening, closing]) {
    const { problems } = verifyRecord(balance, { trust: ledger.key });
    if (problems[0] !== undefined) throw new LedgerUntrusted(problems[0]);
  }
  // The same end for all pages, also while entries are added.
  const to = query['to'] ?? String(closing.data['moment']);
  const data = await collected(any, path, { ...query, to });
  return { data, meta: { opening, closing } };
}

function tableIn({ data, meta }: StatementOfPeriod, symbol: string, factors: KnownFactors): string {
  const amount = (value: unknown) => amountText(value as number | bigint, symbol, factors);
  const edge = (name: string, { data: balance }: AnyRecord) => [
    ...[momentText(balance['moment']), name, '', '', '', amount(balance['balance'])],
  ];
  const rows = data.map(({ data: entry }) => [
    momentText(entry['moment']),
    lineOf((entry['intent'] as { handle?: unknown } | undefined)?.handle),
    lineOf(entry['counterparty']),
    ...(entry['schema'] === 'debit'
      ? [amount(entry['amount']), '']
      : ['', amount(entry['amount'])]),
    amount(entry['balance']),
  ]);
  const head = ['moment (UTC)', 'intent', 'counterparty', 'debit', 'credit', printable(symbol)];
  const all = [
    edge('opening balance', meta.opening),
    ...rows,
    edge('closing balance', meta.closing),
  ];
  return tableOf(head, all, 3);
}

/** A day as its first moment in UTC, and any other text as it is, for the ledger to judge. */
function momentOf(option: string, text: string): string {
  const moment = dayPattern.test(text) ? `${text}T00:00:00Z` : text;
  if (Number.isNaN(Date.parse(moment)))
    throw misused(
      `${option} must be a day or a moment, such as 2026-11-01 or 2026-11-01T12:00:00Z, not '${printable(text)}'.`,
    );
  return moment;
}

function pathOf(wallet: string, list: string): string {
  return `/wallets/${encodeURIComponent(wallet)}/${list}`;
}
