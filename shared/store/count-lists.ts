/**
 * Counting lists, so that a page far behind the newest is found without reading all before it. Spans of time are counted
 * once they are over, by the relay that publishes new records. A record may still come late into a span, or leave it. The
 * order of the steps keeps wrong counts from staying:
 *
 * - a span is stored without a count first, and counted then;
 * - whoever publishes a record that came late or left waits until queries see that, and then counts its span again;
 * - a count is stored only if nobody has replaced the item since it was read, before counting. Decision 140.
 */
import { chanceIn, spanMs } from '../crypto/luid.ts';
import { type Kind, keepsPlace, kinds, lineOf, withinOf } from '../ledger/kind.ts';
import { isDropped, nameOfVersion, type Version } from '../ledger/record.ts';
import type { Listing } from '../port/catalog.ts';
import type { Scope } from '../port/ports.ts';
import { countWithin } from './count-range.ts';
import {
  boundsOfSpans,
  type CountedSpans,
  isAmong,
  keyOfSpans,
  newSpans,
  packSpans,
  type Span,
  spanCountMax,
  spanLength,
  spansIn,
} from './counted-spans.ts';
import { distinctBy } from './distinct.ts';
import {
  headKeyOf,
  type Key,
  keyOfItem,
  listKeyOf,
  msOfPlace,
  placeBefore,
  spansPartitionOf,
  textOf,
} from './keys.ts';
import { listPartitionsIn } from './layout.ts';
import { blockedIn, oldestWithin } from './list-entries.ts';
import { itemsAt, itemsIn } from './read.ts';
import { type Item, type Table, update } from './request.ts';
import { type Deadline, deadlineIn, natureOf, pause, repeating } from './retry.ts';
import { remove } from './write-all.ts';

/** The time for which a commit may be on its way, in milliseconds: a shorter one makes more records late. */
const closingDelayMs = 10_000;
/** The age of a place from which on its span may be counted, by any clock, in milliseconds. */
const settledMs = closingDelayMs / 2;
/** One of so many new records makes its relay look whether the list can be counted further. */
const lookEvery = 256;
/** The looks for a change, of which one is enough but for a moment. */
export const seeCountMax = 8;
/** The lists of which a process remembers where their spans end, and the last millisecond of a luid. */
const endCountMax = 10_000;
const timeMsMax = 2 ** 48 - 1;
/** The spans of one step, so that an old list is counted in many. */
const stepSpanCount = 16;

/** A version that was stored, and the one before. */
export interface ListMove {
  readonly scope: Scope;
  readonly version: Version;
  readonly previous: Version | undefined;
}

/** An entry that a version has put into a list, or removed. */
interface ListChange {
  readonly listing: Listing;
  readonly key: Key;
  readonly isThere: boolean;
  readonly version: Version;
}

/** Counts again where versions have changed spans that are counted, and further where lists have grown. */
export async function countMoves(
  table: Table,
  moves: readonly ListMove[],
  nowMs: number,
  deadline: Deadline,
): Promise<void> {
  const changes = moves.flatMap(changesOf);
  const ends = await endsAt(table, changes, nowMs, deadline);
  const late = changes.filter((one) => isLate(one, nowMs, ends));
  if (late.length > 0) await seen(table, late, deadline);
  for (const listing of listingsOf(late)) {
    const own = late.filter((one) => isOf(listing, one));
    const timesMs = new Set(own.map(({ key }) => msOfPlace(key.sk)));
    await countAgain(table, listing, timesMs, deadline);
  }
  const looking = changes.filter(
    ({ isThere, version: { record, change } }) =>
      isThere && (chanceIn(record.luid) + change) % lookEvery === 0,
  );
  for (const listing of listingsOf(looking)) await countOn(table, listing, nowMs, deadline);
}

/** True where versions may have changed spans that are counted. */
export async function touchSpans(
  table: Table,
  moves: readonly ListMove[],
  nowMs: number,
  deadline: Deadline,
): Promise<boolean> {
  const changes = moves.flatMap(changesOf);
  const ends = await endsAt(table, changes, nowMs, deadline);
  return changes.some((one) => isLate(one, nowMs, ends));
}

/** True for a place that may be counted: it is old, or a clock that was set back since had counted so far. */
function isLate({ key, listing }: ListChange, nowMs: number, ends: ReadEnds['ends']): boolean {
  const ms = msOfPlace(key.sk);
  const endMs = ends.get(spansPartitionOf(listing)) ?? Number.POSITIVE_INFINITY;
  return ms <= nowMs - settledMs || ms < endMs;
}

/** The ends of the spans of lists as this process has read them, by list, and the latest time at which it asked. */
interface ReadEnds {
  readonly ends: Map<string, number>;
  latestMs: number;
}

/** By the client of the database. */
const readEnds = new WeakMap<object, ReadEnds>();

/** The ends that are read. They are forgotten when the clock is set back: more may be counted than that clock says. */
function readEndsOf({ client }: Table, nowMs: number): ReadEnds {
  const read = readEnds.get(client) ?? { ends: new Map(), latestMs: nowMs };
  readEnds.set(client, read);
  const isSetBack = nowMs < read.latestMs - settledMs;
  if (isSetBack || read.ends.size > endCountMax) read.ends.clear();
  read.latestMs = isSetBack ? nowMs : Math.max(read.latestMs, nowMs);
  return read;
}

/** The ends of the spans of these lists, each read once until the clock is set back. */
async function endsAt(
  table: Table,
  changes: readonly ListChange[],
  nowMs: number,
  deadline: Deadline,
): Promise<ReadEnds['ends']> {
  const { ends } = readEndsOf(table, nowMs);
  const unread = listingsOf(changes).filter((listing) => !ends.has(spansPartitionOf(listing)));
  for (const listing of unread) {
    const newest = await spansUpTo(table, listing, timeMsMax, deadline);
    ends.set(spansPartitionOf(listing), newest ? boundsOfSpans(newest).endMs : 0);
  }
  return ends;
}

/** The entries that a version has put and removed, where it has another place than the version before. */
function changesOf({ scope, version, previous }: ListMove): ListChange[] {
  const within = withinOf(version.kind, version.record.data);
  const listing = { scope, kind: version.kind, ...(within !== undefined && { within }) };
  const now = isDropped(version) ? undefined : listKeyOf(scope, version);
  const before = previous && listKeyOf(scope, previous);
  if (now && before && textOf(now) === textOf(before)) return [];
  return [
    ...(now ? [{ listing, key: now, isThere: true, version }] : []),
    ...(before ? [{ listing, key: before, isThere: false, version }] : []),
  ];
}

/** Times of changes to entries that are not yet counted, in milliseconds; they may be so. */
export function timesOf(moves: readonly ListMove[]): number[] {
  return moves.flatMap(changesOf).map(({ key }) => msOfPlace(key.sk));
}

/** Waits until queries see the changes: of a transaction they may see one item and not yet another. */
async function seen(
  table: Table,
  changes: readonly ListChange[],
  deadline: Deadline,
): Promise<void> {
  let left = changes;
  for (let attempt = 0; left.length > 0 && attempt < seeCountMax; attempt += 1) {
    if (attempt > 0) await pause(attempt, deadline);
    const heads = left.map(headKeyOfChange);
    const found = await entriesAt(table, left, heads, deadline);
    left = left.filter((one) => {
      const head = found.get(textOf(headKeyOfChange(one)));
      const isThere = found.has(textOf(one.key));
      // Of a record that went on, or has ended, a later change tells.
      const isCurrent =
        head?.['luid'] === one.version.record.luid && Number(head['change']) === one.version.change;
      return isThere !== one.isThere && (isCurrent || !one.isThere);
    });
  }
}

/** The items of changes, also those of entries in blocks. */
async function entriesAt(
  table: Table,
  changes: readonly ListChange[],
  heads: readonly Key[],
  deadline: Deadline,
): Promise<ReadonlyMap<string, Item>> {
  const keys = changes.map(({ key }) => key);
  const alone = await itemsAt(table, [...keys, ...heads], deadline);
  const missing = keys.filter((key) => !alone.has(textOf(key)));
  const blocked = await blockedIn(table, missing, deadline);
  return new Map([...alone, ...blocked]);
}

function headKeyOfChange({ listing: { scope, kind }, version }: ListChange): Key {
  return headKeyOf(scope, kind, nameOfVersion(version));
}

function listingsOf(changes: readonly ListChange[]): Listing[] {
  return distinctBy(
    changes.map(({ listing }) => listing),
    spansPartitionOf,
  );
}

function isOf(listing: Listing, change: ListChange): boolean {
  return spansPartitionOf(change.listing) === spansPartitionOf(listing);
}

/** Counts the spans with these moments again, as far as there are any. */
async function countAgain(
  table: Table,
  listing: Listing,
  timesMs: ReadonlySet<number>,
  deadline: Deadline,
): Promise<void> {
  let current: CountedSpans | undefined;
  const met = new Map<string, CountedSpans>();
  for (const ms of [...timesMs].sort((one, other) => other - one)) {
    if (!current || ms < boundsOfSpans(current).startMs)
      current = await spansUpTo(table, listing, ms, deadline);
    // No span begins before.
    if (!current) break;
    if (ms < boundsOfSpans(current).endMs) met.set(textOf(keyOfSpans(listing, current)), current);
  }
  for (const spans of met.values())
    await countThose(table, listing, spans, (span) => isAmong(span, timesMs), deadline);
}

/** Counts spans of a list that are over and follow those that it has; false when there are none, or others count. */
export async function countOn(
  table: Table,
  listing: Listing,
  nowMs: number,
  deadline: Deadline,
): Promise<boolean> {
  const newest = await spansUpTo(table, listing, nowMs, deadline);
  if (newest?.spans.some(isUncounted)) {
    await countThose(table, listing, newest, isUncounted, deadline);
    return true;
  }
  const startMs = newest ? boundsOfSpans(newest).endMs : 0;
  const next = await nextSpans(table, listing, startMs, nowMs - closingDelayMs, deadline);
  if (next.length === 0) return false;
  const before = newest && newest.spans.length + next.length <= spanCountMax ? newest : undefined;
  const spans = newSpans([...(before?.spans ?? []), ...next]);
  if (!(await replace(table, listing, before?.tag, spans, deadline))) return false;
  await countThose(table, listing, spans, isUncounted, deadline);
  return true;
}

/** Counts all lists of a ledger as far as they go, but for those within a record. */
export async function countKinds(table: Table, scope: Scope, nowMs: number): Promise<void> {
  for (const kind of Object.keys(kinds) as Kind[]) {
    if (lineOf(kind).within !== undefined) continue;
    while (await countOn(table, { scope, kind }, nowMs, deadlineIn(table.deadlineMs)));
  }
}

/** Counts all spans of an item again; one that cannot be read is removed, and what it counted is walked. */
export async function countAll(table: Table, listing: Listing, item: Item): Promise<void> {
  const deadline = deadlineIn(table.deadlineMs);
  const spans = spansIn(item);
  if (spans) await countThose(table, listing, spans, () => true, deadline);
  else await remove(table, [keyOfItem(item)], deadline);
}

/** The spans of a list that begin at a moment or before it, the last of them. */
async function spansUpTo(
  table: Table,
  listing: Listing,
  ms: number,
  deadline: Deadline,
): Promise<CountedSpans | undefined> {
  const range = { pk: spansPartitionOf(listing), from: placeBefore(0), to: placeBefore(ms) };
  const options = { newestFirst: true, countMax: 1 };
  const [item] = await itemsIn(table, range, deadline, options);
  return spansIn(item);
}

/** Spans of so many entries each, without their counts, from one moment to another. */
async function nextSpans(
  table: Table,
  listing: Listing,
  startMs: number,
  untilMs: number,
  deadline: Deadline,
): Promise<Span[]> {
  if (startMs >= untilMs) return [];
  const range = { from: placeBefore(startMs), to: placeBefore(untilMs) };
  const pks = await listPartitionsIn(table, listing, deadline);
  const ranges = pks.map((pk) => ({ pk, ...range }));
  const entries = await oldestWithin(table, ranges, spanLength * stepSpanCount, deadline);
  const times = entries.map(({ sk }) => msOfPlace(String(sk)));
  const spans: Span[] = [];
  for (let last = spanLength - 1; last < times.length; ) {
    const begin = spans.at(-1)?.endMs ?? startMs;
    const endMs = endOfSpan(listing, times[last] ?? begin);
    if (endMs > untilMs) break;
    spans.push({ startMs: begin, endMs });
    const next = times.findIndex((ms) => ms >= endMs);
    if (next < 0) break;
    last = next + spanLength - 1;
  }
  return spans;
}

/** The end of a span with its last entry: no block of intents lies on both sides of it. Decision 142. */
function endOfSpan({ kind }: Listing, ms: number): number {
  return keepsPlace(kind) ? ms - (ms % spanMs) + spanMs : ms + 1;
}

/** Counts some of these spans. When others have replaced them meanwhile, it reads and counts anew. */
async function countThose(
  table: Table,
  listing: Listing,
  known: CountedSpans,
  isWanted: (span: Span) => boolean,
  deadline: Deadline,
): Promise<void> {
  const key = keyOfSpans(listing, known);
  const pks = await listPartitionsIn(table, listing, deadline);
  let current = known;
  for (let attempt = 0; ; attempt += 1) {
    const spans: Span[] = [];
    for (const span of current.spans) {
      const most = Number.POSITIVE_INFINITY;
      const counted = async () => ({
        ...span,
        count: await countWithin(table, pks, span, most, deadline),
      });
      spans.push(isWanted(span) ? await counted() : span);
    }
    if (await replace(table, listing, current.tag, newSpans(spans), deadline)) return;
    await pause(attempt, deadline);
    const item = (await itemsAt(table, [key], deadline)).get(textOf(key));
    const replaced = spansIn(item);
    if (!replaced) return;
    current = replaced;
  }
}

/** Stores spans in place of those with a tag, or of none; false when others are there. */
async function replace(
  table: Table,
  listing: Listing,
  tag: string | undefined,
  next: CountedSpans,
  deadline: Deadline,
): Promise<boolean> {
  const packed = packSpans(next);
  const action = {
    TableName: table.tableName,
    Key: keyOfSpans(listing, next),
    UpdateExpression: 'SET spans = :spans, tag = :next',
    ConditionExpression: tag === undefined ? 'attribute_not_exists(pk)' : 'tag = :tag',
    ExpressionAttributeValues: {
      ...{ ':spans': packed.spans, ':next': packed.tag },
      ...(tag !== undefined && { ':tag': tag }),
    },
  };
  try {
    await repeating(deadline, () => update(table, action));
    return true;
  } catch (error) {
    if (natureOf(error) !== 'refused') throw error;
    return false;
  }
}

function isUncounted({ count }: Span): boolean {
  return count === undefined;
}
