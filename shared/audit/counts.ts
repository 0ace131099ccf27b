/**
 * Invariant 3, for the counts of lists: each is the number of the entries in its span. The relay may have yet to count again
 * where changes wait in the outbox. Decision 140.
 */
import { timeOfLuid } from '../crypto/luid.ts';
import { keepsPlace } from '../ledger/kind.ts';
import type { Listing } from '../port/catalog.ts';
import {
  boundsOfSpans,
  type CountedSpans,
  type Span,
  unpackSpans,
} from '../store/counted-spans.ts';
import {
  type Key,
  keyOfItem,
  listPartitionsOf,
  msOfPlace,
  outboxPartitionOf,
  outboxPlaceOf,
  outboxShardsOf,
  placeBefore,
  rulebookKeyOf,
  spreadCounts,
  textOf,
} from '../store/keys.ts';
import { layoutIn, layoutOfList } from '../store/known-layouts.ts';
import type { Item } from '../store/request.ts';
import { type AuditRun, lastingIn } from './run.ts';
import type { AuditSource, NamedItem } from './source.ts';
import { type AuditViolation, violationOf } from './violation.ts';

/** Notes counts. Memory grows with them: a list of a million entries has ten items. */
export function noteCounts(run: AuditRun, { name, item }: NamedItem): void {
  if (name.item === 'spans') run.counts.push({ listing: name, key: keyOfItem(item) });
}

/** Counts the entries of all spans. */
export async function* auditCounts(run: AuditRun): AsyncGenerator<AuditViolation, void, undefined> {
  for (const { listing, key } of run.counts)
    yield* await lastingIn(run, () => miscounted(run, listing, key));
}

async function miscounted(run: AuditRun, listing: Listing, key: Key): Promise<AuditViolation[]> {
  const { source } = run;
  const { scope, kind } = listing;
  const rulebookKey = rulebookKeyOf(scope);
  const items = await source.at([key, rulebookKey]);
  const item = items.get(textOf(key));
  if (!item) return [];
  const counted = spansIn(item);
  if (typeof counted === 'string')
    return [violationOf(3, { scope }, `The counts at '${textOf(key)}' cannot be read: ${counted}`)];
  // A list may have begun to spread since the audit has passed it; one that is damaged is spread further than is stored.
  const layout = layoutOfList(layoutIn(items.get(textOf(rulebookKey))), kind);
  const countMax = run.spread.has(`${scope}#${kind}`) ? Math.max(...spreadCounts) : layout.count;
  const pks = listPartitionsOf(scope, kind, countMax, listing.within);
  const found = await countsIn(source, pks, counted.spans, boundsOfSpans(counted));
  const isRight = counted.spans.every(
    ({ count }, at) => count === undefined || count === found[at],
  );
  // Only the outbox entries of intents lie in as many partitions as their list.
  const shards = outboxShardsOf(keepsPlace(kind) ? countMax : 1);
  if (isRight || (await isWaiting(run, listing, shards, boundsOfSpans(counted)))) return [];
  return counted.spans.flatMap(({ count, startMs }, index) => {
    if (count === undefined || count === found[index]) return [];
    const from = new Date(startMs).toISOString();
    const fact = `The list of kind '${kind}' is counted wrongly from ${from} on; "countersign reindex" mends it.`;
    const [expected, stated] = [String(found[index]), String(count)];
    return [violationOf(3, { scope }, fact, { expected, found: stated })];
  });
}

/** The spans of an item, or the reason why they cannot be read. */
function spansIn(item: Item): CountedSpans | string {
  try {
    return unpackSpans(item);
  } catch (error) {
    return String(error);
  }
}

/** True when the relay has yet to count again: a record that moved waits, or an intent that came late. */
async function isWaiting(
  { source }: AuditRun,
  { scope, kind }: Listing,
  shards: readonly number[],
  { endMs }: { readonly endMs: number },
): Promise<boolean> {
  for (const shard of shards) {
    const range = { pk: outboxPartitionOf(scope, shard), from: placeBefore(0), to: '~' };
    for await (const items of source.pages(range))
      for (const item of items) {
        const { luid } = outboxPlaceOf(String(item['sk']));
        const isLate = !keepsPlace(kind) || timeOfLuid(luid) < endMs;
        if (item['kind'] === kind && isLate) return true;
      }
  }
  return false;
}

/** The entries in each of these spans, which follow each other. */
async function countsIn(
  source: AuditSource,
  pks: readonly string[],
  spans: readonly Span[],
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): Promise<number[]> {
  const counts = spans.map(() => 0);
  const range = { from: placeBefore(startMs), to: placeBefore(endMs) };
  for (const pk of pks) {
    let position = 0;
    for await (const entries of source.pages({ pk, ...range }))
      for (const { sk } of entries) {
        position = positionOf(spans, msOfPlace(String(sk)), position);
        counts[position] = (counts[position] ?? 0) + 1;
      }
  }
  return counts;
}

/** The span of a moment, looked for near another one: entries of a block come at the newest of their places. */
function positionOf(spans: readonly Span[], ms: number, near: number): number {
  let position = near;
  while (ms < (spans[position]?.startMs ?? ms)) position -= 1;
  while (ms >= (spans[position]?.endMs ?? Number.POSITIVE_INFINITY)) position += 1;
  return position;
}
