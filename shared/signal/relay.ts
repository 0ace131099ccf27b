/**
 * The relay: from the outbox to the bus, and only then out of the outbox. A crash in between tells an
 * event twice, never not at all. The events of a record are offered one after the other, so that they
 * keep their order; an entry that cannot be told is put aside and does not hold up the rest. Ruling 58.
 */

import type { Version } from '../ledger/record.ts';
import type { Outbox, OutboxEntry } from '../port/outbox.ts';
import type { Clock, Scope, Store } from '../port/ports.ts';
import { eventsOf, type LedgerEvent, type Parties, partiesNamedBy, partyName } from './event.ts';

/** Events of one record, in the order in which they happened. */
export type EventLine = readonly LedgerEvent[];

/** Where events go. */
export interface Bus {
  /** Offers the lines, each in its order; answers how many events of each were taken, from the first. */
  publish(lines: readonly EventLine[]): Promise<readonly number[]>;
}

/** A figure for whoever watches: milliseconds, or a count. */
export type Metric = (
  name:
    | 'BridgeSilent'
    | 'CommitConflict'
    | 'DeliveryCancelled'
    | 'IntentForgotten'
    | 'OutboxLag'
    | 'OutboxSetAside',
  value: number,
) => void;

export interface RelayPorts {
  readonly outbox: Outbox;
  readonly reader: Pick<Store, 'load'>;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly metric: Metric;
}

/** How many entries are read at a time. */
const entryCountMax = 50;
/**
 * How long an entry waits for its version, in milliseconds. A query and a batch are read-committed: they
 * may see one item of a transaction and not yet another. What is then still missing is not on its way.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html
 */
const missingMsMax = 5 * 60_000;

/** The entries of one record that are still to be told, each with its events. */
interface Line {
  readonly luid: string;
  readonly parts: { readonly entry: OutboxEntry; readonly events: EventLine }[];
}

/**
 * Tells everything that waits in shards of a scope; false when some of it goes on waiting: the bus would
 * not take it, or its version cannot be seen yet.
 */
export async function drain(
  ports: RelayPorts,
  scope: Scope,
  shards: readonly number[],
): Promise<boolean> {
  // The records that wait since an event of theirs could not be told: what comes after must not overtake it.
  const waiting = new Set<string>();
  const after = new Map<number, string>();
  let open = shards;
  while (open.length > 0) {
    const pages = await Promise.all(
      open.map((shard) => ports.outbox.oldest(scope, shard, entryCountMax, after.get(shard))),
    );
    const entries = pages.flat().filter(({ luid }) => !waiting.has(luid));
    for (const luid of await tell(ports, entries)) waiting.add(luid);
    open = open.filter((_, index) => pages[index]?.length === entryCountMax);
    // What waits stays in the outbox, before all that is still to be read.
    if (waiting.size > 0)
      for (const { shard, place } of pages.flatMap((page) => page.at(-1) ?? []))
        after.set(shard, place);
  }
  return waiting.size === 0;
}

/** What draining many scopes needs beside what one needs. */
export interface SweepPorts extends RelayPorts {
  /** Whether there is time for one more scope. */
  readonly hasTime: () => boolean;
  /** Told of what went wrong with a scope. */
  readonly report: (error: unknown) => void;
}

/** Drains scope after scope; trouble with one does not keep the others waiting. */
export async function drainAll(
  ports: SweepPorts,
  scopes: AsyncIterable<Scope>,
  shards: readonly number[],
): Promise<void> {
  for await (const scope of scopes) {
    if (!ports.hasTime()) return;
    try {
      const isDrained = await drain(ports, scope, shards);
      if (!isDrained) ports.report(`Not all events of the scope '${scope}' could be told yet.`);
    } catch (error) {
      ports.report(error);
    }
  }
}

/** Tells the entries, each record's in order; answers the records of which an event goes on waiting. */
async function tell(ports: RelayPorts, entries: readonly OutboxEntry[]): Promise<string[]> {
  if (entries.length === 0) return [];
  const { lines, missing } = await linesOf(ports, entries);
  if (lines.length === 0) return [...missing];
  const counts = await ports.bus.publish(lines.map(eventsIn));
  const told = lines.flatMap((line, index) => toldOf(line, counts[index] ?? 0));
  if (told.length > 0) await forget(ports, told);
  const refused = lines.filter((line, index) => (counts[index] ?? 0) < eventsIn(line).length);
  return [...missing, ...refused.map(({ luid }) => luid)];
}

/**
 * The entries by record, in order, as far as their versions can be seen, and the records of which one
 * cannot. Those that cannot be told are put aside.
 */
async function linesOf(
  ports: RelayPorts,
  entries: readonly OutboxEntry[],
): Promise<{ readonly lines: Line[]; readonly missing: ReadonlySet<string> }> {
  const [versions, parties] = await Promise.all([
    ports.outbox.versions(entries),
    // Without them an event names its wallet and its symbol by handle. Decision 15.
    partiesOf(ports, entries).catch((): Parties => new Map()),
  ]);
  const lines = new Map<string, Line>();
  const missing = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    if (!versions[index] && isYoung(ports, entry)) missing.add(entry.luid);
    if (missing.has(entry.luid)) continue;
    const events = await eventsOrAside(ports, entry, versions[index], parties);
    if (events?.length === 0) await ports.outbox.told([entry]);
    if (!events?.length) continue;
    const line = lines.get(entry.luid) ?? { luid: entry.luid, parts: [] };
    line.parts.push({ entry, events });
    lines.set(entry.luid, line);
  }
  return { lines: [...lines.values()], missing };
}

/** Whether an entry was stored so short a time ago that its version may not be seen yet; by whichever clock it was. */
function isYoung({ clock }: RelayPorts, { momentMs }: OutboxEntry): boolean {
  return Math.abs(clock() - momentMs) < missingMsMax;
}

/** The wallets and symbols that the entries' signals name, as they stand now. */
async function partiesOf(
  { reader }: RelayPorts,
  entries: readonly OutboxEntry[],
): Promise<Parties> {
  const wants = entries.flatMap(partiesNamedBy);
  const found = wants.length > 0 ? await reader.load(wants) : [];
  return new Map(
    wants.flatMap(({ scope, kind, handle }, index) => {
      const version = found[index];
      return version ? [[partyName(scope, kind, handle), version.record] as const] : [];
    }),
  );
}

/** The events of an entry; undefined when it cannot be told and was put aside. */
async function eventsOrAside(
  { outbox, metric }: RelayPorts,
  entry: OutboxEntry,
  version: Version | undefined,
  parties: Parties,
): Promise<LedgerEvent[] | undefined> {
  try {
    if (!version) throw new Error('The version that it tells is not in the table.');
    return eventsOf(entry, version, parties);
  } catch (error) {
    await outbox.setAside(entry, error instanceof Error ? error.message : String(error));
    metric('OutboxSetAside', 1);
    return undefined;
  }
}

function eventsIn({ parts }: Line): LedgerEvent[] {
  return parts.flatMap(({ events }) => events);
}

/** The entries of a line all of whose events are among the first so many. */
function toldOf({ parts }: Line, count: number): OutboxEntry[] {
  let end = 0;
  return parts.flatMap(({ entry, events }) => {
    end += events.length;
    return end <= count ? [entry] : [];
  });
}

async function forget({ outbox, clock, metric }: RelayPorts, told: OutboxEntry[]): Promise<void> {
  await outbox.told(told);
  // The oldest of them says how far the relay is behind.
  const oldestMs = Math.min(...told.map(({ momentMs }) => momentMs));
  metric('OutboxLag', clock() - oldestMs);
}
