/**
 * The start of a page far behind the newest, by the counts of its list (`count-lists.ts`). Spans that have no count, or may
 * have changed since, are counted now: so a page shows what was published, and what waits in the outbox. Decision 140.
 */
import { timeOfLuid } from '../crypto/luid.ts';
import { keepsPlace } from '../ledger/kind.ts';
import type { Listing } from '../port/catalog.ts';
import type { OutboxEntry } from '../port/outbox.ts';
import { movesOf, tail, tailLength } from './catalog.ts';
import { timesOf } from './count-lists.ts';
import { countWithin } from './count-range.ts';
import { boundsOfSpans, isAmong, type Span, spansIn } from './counted-spans.ts';
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
  const spans = changed && (await allSpans(table, listing, deadline));
  if (!spans) return { skip: count };
  const newestMs = spans[0]?.startMs ?? 0;
  const late = changed.filter((ms) => ms < newestMs);
  const known = (span: Span): number | undefined => (isAmong(span, late) ? undefined : span.count);
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

/** The spans of a list, the newest first, with those that have no item; undefined where nothing is counted. */
async function allSpans(
  table: Table,
  listing: Listing,
  deadline: Deadline,
): Promise<Span[] | undefined> {
  const range = { pk: spansPartitionOf(listing) };
  const items = await itemsIn(table, range, deadline, { newestFirst: true });
  if (items.length === 0) return undefined;
  const all: Span[] = [];
  let endMs = endMsMax;
  for (const counted of items.flatMap((item) => spansIn(item) ?? [])) {
    const bounds = boundsOfSpans(counted);
    if (bounds.endMs < endMs) all.push({ startMs: bounds.endMs, endMs });
    all.push(...[...counted.spans].reverse());
    endMs = bounds.startMs;
  }
  return endMs > 0 ? [...all, { startMs: 0, endMs }] : all;
}

/** The times at which entries were put or removed that may not be counted; undefined for too many to know. */
async function changedTimes(
  table: Table,
  { scope, kind }: Listing,
  deadline: Deadline,
): Promise<number[] | undefined> {
  const entries = await tail(table, scope);
  const lengths = new Map<number, number>();
  for (const { shard } of entries) lengths.set(shard, (lengths.get(shard) ?? 0) + 1);
  if ([...lengths.values()].some((length) => length >= tailLength)) return undefined;
  const own = entries.filter((entry) => entry.kind === kind);
  const isPlain = ({ change }: OutboxEntry) => keepsPlace(kind) || change === 1;
  const moves = await movesOf(
    table,
    own.filter((entry) => !isPlain(entry)),
    deadline,
  );
  return moves && [...own.filter(isPlain).map(placedMs), ...timesOf(moves)];
}

/** The place of a record that is new or never moves, as its outbox entry tells it. */
function placedMs({ kind, luid, momentMs }: OutboxEntry): number {
  return keepsPlace(kind) ? timeOfLuid(luid) : momentMs;
}
