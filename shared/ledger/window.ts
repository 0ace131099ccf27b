/**
 * What is transferred in any 24 hours, counted by quarters of an hour: a transfer counts until its whole quarter is
 * more than 24 hours old. So no 24 hours ever hold more than the limit, and what was counted is let go at most
 * 15 minutes late. At most 97 quarters are kept. Ruling 41, Decision 58.
 */
import type { Claim } from '../shape/intent.ts';
import { cellOf, type Entry } from './balance.ts';
import type { Limits } from './limit.ts';

/** Transfers: how many, and how much. */
export interface Tally {
  readonly count: number;
  /** In the symbol's smallest unit, both directions together. */
  readonly amount: bigint;
}

/** What was counted in one quarter of an hour; quarters are numbered from 1970. */
export interface Quarter extends Tally {
  readonly quarter: number;
}

/** The quarters in which something was counted, oldest first. */
export type Counters = readonly Quarter[];

const quarterMs = 15 * 60_000;
const quartersOfDay = 96;

/** No transfers. */
export const noTransfers: Tally = { count: 0, amount: 0n };

/** How the transfers among claims touch balances, by cell: each counts where it takes and where it gives. */
export function talliesOf(
  claims: readonly Claim[],
  entries: readonly Entry[],
): ReadonlyMap<string, Tally> {
  const tallies = new Map<string, Tally>();
  for (const { holder, symbol, amount, inputs } of entries) {
    const [first = 0] = inputs;
    if (holder === 'supply' || claims[first]?.action !== 'transfer') continue;
    const cell = cellOf(holder.wallet, symbol);
    const own = { count: inputs.length, amount: amount < 0n ? -amount : amount };
    tallies.set(cell, sumOf(tallies.get(cell) ?? noTransfers, own));
  }
  return tallies;
}

/** Several transfers as one tally. */
export function sumOf(one: Tally, other: Tally): Tally {
  return { count: one.count + other.count, amount: one.amount + other.amount };
}

/** What counts at a moment. */
export function tallyAt(counters: Counters, moment: string): Tally {
  return recent(counters, moment).reduce(sumOf, noTransfers);
}

/** The counters after transfers at a moment; the same ones when nothing of that is limited. */
export function counted(
  counters: Counters,
  limits: Limits,
  transfers: Tally,
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
 * The counters after transfers are undone that were counted at an earlier moment: they are taken out of the
 * quarter that they were counted in. The same counters when they do not count any more.
 */
export function givenBack(
  counters: Counters,
  limits: Limits,
  transfers: Tally,
  { reservedAt, moment }: { readonly reservedAt: string; readonly moment: string },
): Counters {
  // What was reserved before a limit was set was not counted for it. Moments sort as the times they name.
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

/** What of transfers is counted: only what is limited. */
function limitedOf({ count, amount }: Tally, { dailyCount, dailyAmount }: Limits): Tally {
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

function isNone({ count, amount }: Tally): boolean {
  return count === 0 && amount === 0n;
}
