/**
 * The relay: publishes entries of the outbox on the bus, and only then deletes them. A crash in between publishes an
 * event twice, but loses none. The events of a record are offered one after the other, so that they keep their order; an
 * entry that cannot be published is set aside and does not hold up the rest. Ruling 58.
 */

import type { LedgerRecord, Version } from '../ledger/record.ts';
import type { Outbox, OutboxEntry } from '../port/outbox.ts';
import type { Clock, Scope, Store } from '../port/ports.ts';
import { type RelaySpan, spanned, spans } from '../port/trace.ts';
import {
  eventsOf,
  type LedgerEvent,
  recordName,
  type SignalRecords,
  wantsNamedBy,
} from './event.ts';
import { type Leaving, newLeaving } from './leaving.ts';
import { withReceivers } from './receivers.ts';
import { recordBy } from './stood.ts';

/** Events of one record, in the order in which they happened. */
export type EventLine = readonly LedgerEvent[];

export interface Bus {
  /** Offers the lines, each in its order; returns how many events of each were accepted, from the first. */
  publish(lines: readonly EventLine[]): Promise<readonly number[]>;
}

/** Writes a metric: milliseconds, or a count. */
export type WriteMetric = (
  name:
    | 'BridgeSilent'
    | 'CommitConflict'
    | 'DeliveryCancelled'
    | 'IntentForgotten'
    | 'LogContradicted'
    | 'OutboxLag'
    | 'OutboxSetAside'
    | 'WitnessFailed',
  value: number,
) => void;

export interface RelayPorts {
  readonly outbox: Outbox;
  readonly reader: Pick<Store, 'indexed' | 'load' | 'past'>;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly metric: WriteMetric;
  /** True for a drain that looks again while entries leave the outbox: one that shares a processor lets others have it. */
  readonly looksAgain?: boolean;
}

/** The entries of each shard that are read at a time; a few shards have as many as four. */
const entryCountMin = 50;
const entryCountOfFew = 4 * entryCountMin;
/** The time between two looks at an outbox whose entries are still leaving, in milliseconds. */
const lookMs = 50;
/** The time after which a drain looks no more: other outboxes may wait for it. */
const lookingMsMax = 1_000;
/**
 * The time for which an entry waits for its version, in milliseconds. Queries and batches are read-committed: they may
 * see one item of a transaction and not yet another. A version that is missing for longer is lost.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html
 */
const missingMsMax = 5 * 60_000;

/** The entries of one record that are to be published, each with its events. */
interface RecordEntries {
  readonly luid: string;
  readonly parts: { readonly entry: OutboxEntry; readonly events: EventLine }[];
}

/**
 * Publishes all entries in shards of a scope; false when some have to wait, because the bus did not accept them or their
 * version cannot be seen yet.
 */
export function drain(
  ports: RelayPorts,
  scope: Scope,
  shards: readonly number[],
): Promise<boolean> {
  const span: RelaySpan = { scope, shards, published: 0 };
  return spanned(spans.relay, span, () => drainShards(ports, span));
}

async function drainShards(ports: RelayPorts, span: RelaySpan): Promise<boolean> {
  const leaving = newLeaving((entries) => forget(ports, entries));
  const draining: Draining = { ports, span, leaving, waiting: new Set(), after: new Map() };
  try {
    return await publishAll(draining);
  } finally {
    // An error of theirs was thrown before, unless another one was.
    await leaving.ended().catch(() => undefined);
  }
}

interface Draining {
  readonly ports: RelayPorts;
  readonly span: RelaySpan;
  readonly leaving: Leaving;
  /** Records with an event that could not be published: later events of theirs must not overtake it. */
  readonly waiting: Set<string>;
  /** The place behind which each shard is read, if not from its beginning. */
  readonly after: Map<number, string>;
}

/**
 * Publishes what waits, and what comes while that leaves the outbox, which takes longest in a busy ledger. Each look
 * begins at the oldest entry, since one may come late. Decision 148.
 */
async function publishAll(draining: Draining): Promise<boolean> {
  const { ports, leaving, waiting } = draining;
  const endMs = performance.now() + lookingMsMax;
  let last: number | undefined;
  for (;;) {
    await publishPages(draining);
    if (performance.now() >= endMs) last ??= leaving.leftCount();
    const looksAgain = ports.looksAgain && waiting.size === 0;
    const isOver = await leaving.ended(looksAgain ? lookMs : undefined);
    // Entries that were published while the last ones left go behind them, without another look.
    if (last !== undefined && leaving.leftCount() > last) await leaving.ended();
    else if (!isOver) continue;
    return waiting.size === 0;
  }
}

/** Publishes what the shards have, page by page. */
async function publishPages(draining: Draining): Promise<void> {
  const { span, leaving, waiting, after } = draining;
  for (let open = span.shards; open.length > 0; ) {
    const pages = await pagesOf(draining, open);
    const entries = pages
      .flatMap((page) => page.entries)
      .filter((entry) => !waiting.has(entry.luid) && !leaving.has(entry));
    for (const luid of await publish(draining, entries)) waiting.add(luid);
    open = pages.filter(({ isFull }) => isFull).map(({ shard }) => shard);
    if (open.length > 0) await leaving.ended();
    // Waiting entries stay at the head of the outbox, so the next pages are read behind them.
    if (waiting.size > 0)
      for (const { shard, place, block } of pages.flatMap((page) => page.entries.at(-1) ?? []))
        after.set(shard, block?.place ?? place);
  }
}

interface OutboxPage {
  readonly shard: number;
  readonly entries: readonly OutboxEntry[];
  /** True where there may be more. */
  readonly isFull: boolean;
}

/** The oldest entries of some shards, so many of each beside those that are leaving. */
function pagesOf(
  { ports, span, leaving, after }: Draining,
  shards: readonly number[],
): Promise<OutboxPage[]> {
  const count = Math.max(entryCountMin, Math.floor(entryCountOfFew / shards.length));
  return Promise.all(
    shards.map(async (shard) => {
      const limit = count + leaving.count(shard);
      const entries = await ports.outbox.oldest(span.scope, shard, limit, after.get(shard));
      return { shard, entries, isFull: entries.length >= limit };
    }),
  );
}

export interface SweepPorts extends RelayPorts {
  /** True while there is time for one more scope. */
  readonly hasTime: () => boolean;
  /** Receives the error of a scope. */
  readonly report: (error: unknown) => void;
}

/** Drains scope after scope; an error in one does not hold up the others. */
export async function drainAll(ports: SweepPorts, scopes: AsyncIterable<Scope>): Promise<void> {
  for await (const scope of scopes) {
    if (!ports.hasTime()) return;
    try {
      const isDrained = await drain(ports, scope, await ports.outbox.shards(scope));
      if (!isDrained)
        ports.report(`Some events of the scope '${scope}' could not be published yet.`);
    } catch (error) {
      ports.report(error);
    }
  }
}

/**
 * Publishes entries, those of a record in order, and lets them leave the outbox; returns the records with events that have
 * to wait.
 */
async function publish(
  { ports, span, leaving }: Draining,
  entries: readonly OutboxEntry[],
): Promise<string[]> {
  if (entries.length === 0) return [];
  const when = leaving.count() > 0 ? 'later' : undefined;
  const { lines, silent, missing } = await linesOf(ports, entries, when);
  if (lines.length + silent.length === 0) return [...missing];
  const counts = lines.length > 0 ? await offer(ports, lines.map(eventsIn)) : [];
  for (const count of counts) span.published += count;
  leaving.add([
    ...silent,
    ...lines.flatMap((line, index) => publishedOf(line, counts[index] ?? 0)),
  ]);
  const refused = lines.filter((line, index) => (counts[index] ?? 0) < eventsIn(line).length);
  return [...missing, ...refused.map(({ luid }) => luid)];
}

async function offer({ reader, bus }: RelayPorts, lines: readonly EventLine[]) {
  return bus.publish(await withReceivers(reader, lines));
}

/**
 * Groups entries by record, in order, as far as their versions can be seen; `missing` are the records with a version
 * that cannot. `silent` entries have no events. Entries that can never be published are set aside.
 */
async function linesOf(
  ports: RelayPorts,
  entries: readonly OutboxEntry[],
  when: 'later' | undefined,
): Promise<{
  readonly lines: RecordEntries[];
  readonly silent: OutboxEntry[];
  readonly missing: ReadonlySet<string>;
}> {
  const [versions, records] = await Promise.all([
    ports.outbox.versions(entries, when),
    // When they cannot be read, an event names wallet and symbol by handle. Decision 15.
    namedRecordsOf(ports, entries).catch((): EntryRecords => new Map()),
  ]);
  const lines = new Map<string, RecordEntries>();
  const silent: OutboxEntry[] = [];
  const missing = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    if (!versions[index] && isYoung(ports, entry)) missing.add(entry.luid);
    if (missing.has(entry.luid)) continue;
    const events = await eventsOrAside(ports, entry, versions[index], records.get(entry));
    if (events?.length === 0) silent.push(entry);
    if (!events?.length) continue;
    const line = lines.get(entry.luid) ?? { luid: entry.luid, parts: [] };
    line.parts.push({ entry, events });
    lines.set(entry.luid, line);
  }
  return { lines: [...lines.values()], silent, missing };
}

/** True for an entry so young that its version may not be visible yet. The writer's clock may be ahead of ours. */
function isYoung({ clock }: RelayPorts, { momentMs }: OutboxEntry): boolean {
  return Math.abs(clock() - momentMs) < missingMsMax;
}

/** The wallets and symbols that the signals of each entry name. */
type EntryRecords = ReadonlyMap<OutboxEntry, SignalRecords>;

/** Reads what the signals of entries name, as it stood at the change of each. */
async function namedRecordsOf(
  { reader }: RelayPorts,
  entries: readonly OutboxEntry[],
): Promise<EntryRecords> {
  const named = entries.flatMap((entry) => wantsNamedBy(entry).map((want) => ({ entry, want })));
  const found = named.length > 0 ? await reader.load(named.map(({ want }) => want)) : [];
  const records = new Map<OutboxEntry, Map<string, LedgerRecord>>();
  await Promise.all(
    named.map(async ({ entry, want: { scope, kind, handle } }, index) => {
      const version = found[index];
      if (!version) return;
      const own = records.get(entry) ?? new Map<string, LedgerRecord>();
      records.set(entry, own);
      own.set(
        recordName(scope, kind, handle),
        await recordBy(reader, scope, version, entry.momentMs),
      );
    }),
  );
  return records;
}

/** The events of an entry; undefined when it can never be published and was set aside. */
async function eventsOrAside(
  { outbox, metric }: RelayPorts,
  entry: OutboxEntry,
  version: Version | undefined,
  records: SignalRecords | undefined,
): Promise<LedgerEvent[] | undefined> {
  try {
    if (!version) throw new Error('The version of the entry is not in the table.');
    return eventsOf(entry, version, records);
  } catch (error) {
    await outbox.setAside(entry, error instanceof Error ? error.message : String(error));
    metric('OutboxSetAside', 1);
    return undefined;
  }
}

function eventsIn({ parts }: RecordEntries): LedgerEvent[] {
  return parts.flatMap(({ events }) => events);
}

/** The entries of a line whose events all are among the first `count`. */
function publishedOf({ parts }: RecordEntries, count: number): OutboxEntry[] {
  let end = 0;
  return parts.flatMap(({ entry, events }) => {
    end += events.length;
    return end <= count ? [entry] : [];
  });
}

async function forget(
  { outbox, clock, metric }: RelayPorts,
  published: readonly OutboxEntry[],
): Promise<void> {
  await outbox.markPublished(published);
  // The age of the oldest entry is the lag of the relay.
  const oldestMs = Math.min(...published.map(({ momentMs }) => momentMs));
  metric('OutboxLag', clock() - oldestMs);
}
