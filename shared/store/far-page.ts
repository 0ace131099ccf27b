/**
 * Where a page far behind the newest begins, by the counts of its list (`count-lists.ts`). What is not counted, or may
 * have changed since, is counted now: so a page shows what was published, and what waits in the outbox. Decision 142.
 */
import type { Listing } from '../port/catalog.ts';
import { movesOf, tail, tailLength } from './catalog.ts';
import { timesOf } from './count-lists.ts';
import { countWithin } from './count-range.ts';
import { boundsOfSpans, isAmong, type Span, unpackSpans } from './counted-spans.ts';
import { placeBefore, spansPartitionOf } from './keys.ts';
import { itemsIn } from './read.ts';
import type { Table } from './request.ts';
import type { Deadline } from './retry.ts';

/** So few entries are counted one by one. */
const nearCount = 1_000;
const endMsMax = 2 ** 48 - 1;

/** A place in a list, newest first: after this sort key, and so many entries behind it. */
export interface FarStart {
  readonly after?: string;
  readonly skip: number;
}

/** The start of the page behind so many entries of these partitions. */
export async function farStart(
  table: Table,
  listing: Listing,
  pks: readonly string[],
  count: number,
  deadline: Deadline,
): Promise<FarStart> {
  if (count < nearCount) return { skip: count };
  // The changes are read before the counts: one that is not among them has been counted.
  const changed = await changedTimes(table, listing, deadline);
  const spans = changed && (await spansIn(table, listing, deadline));
  if (!spans) return { skip: count };
  const known = (span: Span): number | undefined =>
    isAmong(span, changed) ? undefined : span.count;
  let [skip, endMs] = [count, endMsMax];
  for (const span of spans) {
    const most = skip + 1;
    const found = known(span) ?? (await countWithin(table, pks, span, most, deadline));
    if (found > skip) break;
    skip -= found;
    endMs = span.startMs;
  }
  return { after: placeBefore(endMs), skip };
}

/** The spans of a list, the newest first, and before them what is newer; undefined where nothing is counted. */
async function spansIn(
  table: Table,
  listing: Listing,
  deadline: Deadline,
): Promise<Span[] | undefined> {
  const range = { pk: spansPartitionOf(listing) };
  const items = await itemsIn(table, range, deadline, { newestFirst: true });
  const all = items.map(unpackSpans);
  const [newest] = all;
  if (!newest) return undefined;
  const open = { startMs: boundsOfSpans(newest).endMs, endMs: endMsMax };
  return [open, ...all.flatMap(({ spans }) => [...spans].reverse())];
}

/** The times at which entries were put or removed that may not be counted; undefined for too many to know. */
async function changedTimes(
  table: Table,
  { scope, kind }: Listing,
  deadline: Deadline,
): Promise<Set<number> | undefined> {
  const entries = await tail(table, scope);
  const lengths = new Map<number, number>();
  for (const { shard } of entries) lengths.set(shard, (lengths.get(shard) ?? 0) + 1);
  if ([...lengths.values()].some((length) => length >= tailLength)) return undefined;
  const own = entries.filter((entry) => entry.kind === kind);
  const moves = await movesOf(table, own, deadline);
  return moves && new Set(timesOf(moves));
}
