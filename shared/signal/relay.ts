/**
 * The relay: publishes entries of the outbox on the bus, and only then deletes them. A crash in between publishes an
 * event twice, but loses none. The events of a record are offered one after the other, so that they keep their order; an
 * entry that cannot be published is set aside and does not hold up the rest. Ruling 58.
 */

import { timeOfLuid } from '../crypto/luid.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import { messageOf } from '../ledger/thrown.ts';
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
}

/** The entries of each shard that are read at a time; a few shards have as many as four. */
const entryCountMin = 50;
const entryCountOfFew = 4 * entryCountMin;
/**
 * The time for which an entry waits for its version, in milliseconds. Queries and batches are read-committed: they may
 * see one item of a transaction and not yet another. A version that is missing for longer is lost.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html
 */
const missingMsMax = 5 * 60_000;
/**
 * An older one whose version is missing is looked at so many times more, since the version may be superseded at this
 * moment; and the time between two looks, in milliseconds.
 */
const looks = { count: 8, everyMs: 50 };

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
  const { scope, shards } = span;
  // Records with an event that could not be published: later events of theirs must not overtake it.
  const waiting = new Set<string>();
  const after = new Map<number, string>();
  let open = shards;
  while (open.length > 0) {
    const limit = Math.max(entryCountMin, Math.floor(entryCountOfFew / open.length));
    const pages = await Promise.all(
      open.map((shard) => ports.outbox.oldest(scope, shard, limit, after.get(shard))),
    );
    const entries = pages.flat().filter(({ luid }) => !waiting.has(luid));
    for (const luid of await publish(ports, entries, span)) waiting.add(luid);
    open = open.filter((_, index) => (pages[index]?.length ?? 0) >= limit);
    // Waiting entries stay at the head of the outbox, so the next pages are read behind them.
    if (waiting.size > 0)
      for (const { shard, place, block } of pages.flatMap((page) => page.at(-1) ?? []))
        after.set(shard, block?.place ?? place);
  }
  return waiting.size === 0;
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

/** Publishes entries, those of a record in order; returns the records with events that have to wait. */
async function publish(
  ports: RelayPorts,
  entries: readonly OutboxEntry[],
  span: RelaySpan,
): Promise<string[]> {
  if (entries.length === 0) return [];
  const { lines, silent, missing } = await linesOf(ports, entries);
  if (lines.length + silent.length === 0) return [...missing];
  const counts = lines.length > 0 ? await offer(ports, lines.map(eventsIn)) : [];
  for (const count of counts) span.published += count;
  const published = [
    ...silent,
    ...lines.flatMap((line, index) => publishedOf(line, counts[index] ?? 0)),
  ];
  if (published.length > 0) await forget(ports, published);
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
): Promise<{
  readonly lines: RecordEntries[];
  readonly silent: OutboxEntry[];
  readonly missing: ReadonlySet<string>;
}> {
  const [versions, records] = await Promise.all([
    versionsOf(ports, entries),
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

/** The versions of entries, after some looks where one would be lost. All are read again: an outbox indexes what it reads. */
async function versionsOf(
  ports: RelayPorts,
  entries: readonly OutboxEntry[],
): Promise<readonly (Version | undefined)[]> {
  for (let left = looks.count; ; left -= 1) {
    const versions = await ports.outbox.versions(entries);
    const isLost = entries.some((entry, index) => !versions[index] && !isYoung(ports, entry));
    if (!isLost || left === 0) return versions;
    await new Promise((resolve) => setTimeout(resolve, looks.everyMs));
  }
}

/** True for an entry so young that its version may not be visible yet. The writer's clock may be ahead of ours. */
function isYoung({ clock }: RelayPorts, { momentMs }: OutboxEntry): boolean {
  return Math.abs(clock() - momentMs) < missingMsMax;
}

/** The wallets and symbols that the signals of each entry name. */
type EntryRecords = ReadonlyMap<OutboxEntry, SignalRecords>;

/** Reads what the signals of entries name, as it stood at the change of each; nothing for a record that is gone by now. */
async function namedRecordsOf(
  { reader, clock }: RelayPorts,
  entries: readonly OutboxEntry[],
): Promise<EntryRecords> {
  const named = entries.flatMap((entry) =>
    wantsNamedBy(entry).map((want) => {
      const name = recordName(want.scope, want.kind, want.handle);
      return { entry, want, name };
    }),
  );
  // Many name the same symbol.
  const wants = new Map(named.map(({ name, want }) => [name, want]));
  const found = wants.size > 0 ? await reader.load([...wants.values()]) : [];
  const versions = new Map([...wants.keys()].map((name, index) => [name, found[index]]));
  const records = new Map<OutboxEntry, Map<string, LedgerRecord>>();
  await Promise.all(
    named.map(async ({ entry, want: { scope }, name }) => {
      const version = versions.get(name);
      if (!version || isMadeSince(version, entry, clock())) return;
      const own = records.get(entry) ?? new Map<string, LedgerRecord>();
      records.set(entry, own);
      own.set(name, await recordBy(reader, scope, version, entry.momentMs));
    }),
  );
  return records;
}

/**
 * True for a record that was made after the change of an entry: the one that the change meant has ended. A record of the
 * future was made by a clock that was set back since. Decision 87.
 */
function isMadeSince({ record }: Version, { momentMs }: OutboxEntry, nowMs: number): boolean {
  const madeMs = timeOfLuid(record.luid);
  return momentMs < madeMs && madeMs <= nowMs;
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
    await outbox.setAside(entry, messageOf(error));
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
  published: OutboxEntry[],
): Promise<void> {
  await outbox.markPublished(published);
  // The age of the oldest entry is the lag of the relay.
  const oldestMs = Math.min(...published.map(({ momentMs }) => momentMs));
  metric('OutboxLag', clock() - oldestMs);
}
