/**
 * Sums of books: totals by symbol, or by the domain or schema of the wallets. The balances of all wallets and the supply
 * of a symbol come to zero, since the supply gives what wallets are issued. Ruling 85.
 */
import { type BookTotals, bookedOf } from './book.ts';
import type { LedgerRecord } from './record.ts';

/** The ways in which balances are summed. */
export const sumGroups = ['symbol', 'domain', 'schema'] as const;
export type SumGroup = (typeof sumGroups)[number];

/** A book with its totals. */
export interface SummedBook {
  /** Absent for the supply of the symbol. */
  readonly wallet?: string;
  readonly symbol: string;
  readonly totals: BookTotals;
  /** The record of the wallet; absent for the supply, and for a wallet that has been dropped. */
  readonly record?: LedgerRecord;
}

/** One sum. Amounts are in the smallest unit of the symbol. */
export interface Sum {
  readonly symbol: string;
  /** The books that it sums: the supply, wallets, or wallets that have been dropped since. */
  readonly of: 'supply' | 'wallets' | 'dropped-wallets';
  /** The domain or the schema of the wallets; absent for those that have none. */
  readonly domain?: string;
  readonly schema?: string;
  /** The number of wallets; absent for a supply. */
  readonly wallets?: number;
  readonly debits: bigint;
  readonly credits: bigint;
  /** All credits less all debits, with what is reserved. */
  readonly balance: bigint;
  readonly reserved: bigint;
}

/** The sums of books by a group, in the order of symbols, supplies first. */
export function sumsOf(books: readonly SummedBook[], group: SumGroup): Sum[] {
  const sums = new Map<string, Sum>();
  for (const book of books.filter(isOpened)) {
    const head = headOf(book, group);
    const name = [head.symbol, orderOf[head.of], head.domain ?? '', head.schema ?? ''].join('\n');
    sums.set(name, withBook(sums.get(name) ?? { ...head, ...nothing }, book));
  }
  const inOrder = [...sums].sort(([one], [other]) => (one < other ? -1 : 1));
  return inOrder.map(([, sum]) => sum);
}

/** True for a book that has entries: a sum of the past counts no wallet that came later. */
function isOpened({ totals: { moves, holds } }: SummedBook): boolean {
  return moves + holds > 0;
}

const orderOf = { supply: 0, wallets: 1, 'dropped-wallets': 2 } as const;
const nothing = { debits: 0n, credits: 0n, balance: 0n, reserved: 0n } as const;

type SumHead = Pick<Sum, 'symbol' | 'of' | 'domain' | 'schema'>;

function headOf({ wallet, symbol, record }: SummedBook, group: SumGroup): SumHead {
  if (wallet === undefined) return { symbol, of: 'supply' };
  if (group === 'symbol') return { symbol, of: 'wallets' };
  if (!record) return { symbol, of: 'dropped-wallets' };
  const value = group === 'domain' ? record.meta.domain : record.data.schema;
  return { symbol, of: 'wallets', ...(value !== undefined && { [group]: value }) };
}

function withBook(sum: Sum, { wallet, totals }: SummedBook): Sum {
  return {
    ...sum,
    ...(wallet !== undefined && { wallets: (sum.wallets ?? 0) + 1 }),
    debits: sum.debits + totals.debits,
    credits: sum.credits + totals.credits,
    balance: sum.balance + bookedOf(totals),
    reserved: sum.reserved + totals.reserved,
  };
}

/** The sum of all books of a symbol: zero when each move is in both books that it belongs to. */
export function trialBalanceOf(books: readonly Pick<SummedBook, 'totals'>[]): bigint {
  return books.reduce((sum, { totals }) => sum + bookedOf(totals), 0n);
}

/** The supply of a symbol. */
export interface Supply {
  readonly symbol: string;
  readonly issued: bigint;
  readonly destroyed: bigint;
  readonly outstanding: bigint;
}

/** The supply that the totals of its book state: an issue takes from it, and a destroy gives back. */
export function supplyOf(symbol: string, { debits, credits }: BookTotals): Supply {
  return { symbol, issued: debits, destroyed: credits, outstanding: debits - credits };
}

/** The parts of a supply that are reserved, and that lie in wallets at bridges. */
export function partsOf(books: readonly SummedBook[]): { reserved: bigint; atBridges: bigint } {
  const bridged = books.filter(({ record }) => record?.data['bridge'] !== undefined);
  return {
    reserved: books.reduce((sum, { totals }) => sum + totals.reserved, 0n),
    atBridges: trialBalanceOf(bridged),
  };
}
