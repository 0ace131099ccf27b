/**
 * Counts the transfers of the last 24 hours for daily limits, in quarters of an hour. A transfer counts until its whole
 * quarter is more than 24 hours old. So no 24 hours ever exceed the limit, and a transfer stops counting at most 15
 * minutes late. At most 97 quarters are stored. Ruling 41, Decision 58.
 */
import type { Claim } from '../shape/intent.ts';
import { balanceKeyOf, type Entry } from './balance.ts';
import type { Limits } from './limit.ts';

/** Number and sum of some transfers. */
export interface TransferTally {
  readonly count: number;
  /** In the symbol's smallest unit, both directions together. */
  readonly amount: bigint;
}

/** The transfers of one quarter of an hour; quarters are numbered from 1970. */
export interface Quarter extends TransferTally {
  readonly quarter: number;
}

/** The quarters with transfers, oldest first. */
export type Counters = readonly Quarter[];

const quarterMs = 15 * 60_000;
const quartersOfDay = 96;

export const noTransfers: TransferTally = { count: 0, amount: 0n };

/** The transfers of each balance among claims, by its key. A transfer counts at its source and at its target. */
export function talliesOf(
  claims: readonly Claim[],
  entries: readonly Entry[],
): ReadonlyMap<string, TransferTally> {
  const tallies = new Map<string, TransferTally>();
  for (const { holder, symbol, amount, inputs } of entries) {
    const [first = 0] = inputs;
    if (holder === 'supply' || claims[first]?.action !== 'transfer') continue;
    const key = balanceKeyOf(holder.wallet, symbol);
    const own = { count: inputs.length, amount: amount < 0n ? -amount : amount };
    tallies.set(key, sumOf(tallies.get(key) ?? noTransfers, own));
  }
  return tallies;
}

export function sumOf(one: TransferTally, other: TransferTally): TransferTally {
  return { count: one.count + other.count, amount: one.amount + other.amount };
}

/** The transfers that count at a moment. */
export function tallyAt(counters: Counters, moment: string): TransferTally {
  return recent(counters, moment).reduce(sumOf, noTransfers);
}

/** The counters after transfers at a moment; unchanged when no limit counts them. */
export function counted(
  counters: Counters,
  limits: Limits,
  transfers: TransferTally,
  moment: string,
): Counters {
  const own = limitedOf(transfers, limits);
  if (isNone(own)) return counters;
  const quarter = quarterOf(moment);
  const found = counters.find((one) => one.quarter === quarter) ?? noTransfers;
  const others = counters.filter((one) => one.quarter !== quarter);
  const all = [...others, { quarter, ...sumOf(found, own) }];
  return recent(all, moment).toSorted((one, other) => one.quarter - other.quarter);
}

/**
 * The counters without transfers that were counted at `reservedAt` and are released. They leave the quarter in which
 * they were counted; unchanged when that quarter no longer counts.
 */
export function givenBack(
  counters: Counters,
  limits: Limits,
  transfers: TransferTally,
  { reservedAt, moment }: { readonly reservedAt: string; readonly moment: string },
): Counters {
  // A reservation from before a limit was set was not counted for it. ISO moments sort as texts.
  const then = Object.entries(limits).filter(([, { since }]) => since < reservedAt);
  const own = limitedOf(transfers, Object.fromEntries(then));
  const quarter = quarterOf(reservedAt);
  const found = counters.find((one) => one.quarter === quarter);
  if (isNone(own) || !found) return counters;
  const count = Math.max(0, found.count - own.count);
  const amount = found.amount > own.amount ? found.amount - own.amount : 0n;
  const all = counters.map((one) => (one === found ? { quarter, count, amount } : one));
  return recent(all, moment).filter((one) => !isNone(one));
}

/** The part of transfers that limits count. */
function limitedOf(
  { count, amount }: TransferTally,
  { dailyCount, dailyAmount }: Limits,
): TransferTally {
  return { count: dailyCount ? count : 0, amount: dailyAmount ? amount : 0n };
}

/** The quarters that still count. */
function recent(counters: Counters, moment: string): Counters {
  const oldest = quarterOf(moment) - quartersOfDay;
  return counters.filter(({ quarter }) => quarter >= oldest);
}

function quarterOf(moment: string): number {
  return Math.floor(Date.parse(moment) / quarterMs);
}

function isNone({ count, amount }: TransferTally): boolean {
  return count === 0 && amount === 0n;
}
