/**
 * The outbox as the relay sees it, with the search index, the books and the log behind it. Entries are indexed, booked
 * and logged while they are published, and deleted only after all of it: so the outbox holds every version that may not be indexed yet.
 * While index entries cannot be written, publishing waits, or the same events would be published again and again.
 * Ruling 23, Decisions 32, 90 and 115.
 */

import { logOf } from '../log/leaf.ts';
import type { Books } from '../port/books.ts';
import type { Catalog, EntryVersion } from '../port/catalog.ts';
import type { Outbox, OutboxEntry } from '../port/outbox.ts';
import type { Clock } from '../port/ports.ts';
import { nameOf } from './entry-name.ts';
import type { WriteMetric } from './relay.ts';
import type { Sequencer } from './sequencing.ts';

export interface IndexPorts {
  readonly outbox: Outbox;
  readonly catalog: Pick<Catalog, 'keep'>;
  readonly books: Pick<Books, 'keep'>;
  readonly log: Sequencer;
  readonly clock: Clock;
  readonly metric: WriteMetric;
  /** Receives the reason why a record can never be indexed. */
  readonly report: (why: string) => void;
}

/** Limit of the memory of indexed entries that wait for the bus, which need not be indexed again. */
const writeCountMax = 10_000;
/** The most versions that wait until they are on the bus. */
const heldCountMax = 2_000;

/** A write of index entries that is running, or has ended. */
interface IndexWrite {
  /** The names of the entries whose versions are in a log by then. */
  readonly done: Promise<ReadonlySet<string>>;
  state: 'running' | 'done' | 'failed';
}

/** Wraps an outbox: its entries are indexed before they are deleted. */
export function indexing(ports: IndexPorts): Outbox {
  const { outbox } = ports;
  const writes = new Map<string, IndexWrite>();
  /** Versions that are indexed once they are on the bus, by the names of their entries. */
  const held = new Map<string, EntryVersion>();
  let hasFailed = false;

  /** Begins to index the versions that were not yet, or not successfully. */
  const indexNew = (versions: readonly EntryVersion[]): void => {
    const fresh = versions.filter(
      ({ entry }) => (writes.get(nameOf(entry))?.state ?? 'failed') === 'failed',
    );
    for (const { entry } of versions) held.delete(nameOf(entry));
    if (fresh.length === 0) return;
    const write: IndexWrite = { done: indexed(ports, fresh), state: 'running' };
    const end = (state: 'done' | 'failed') => {
      write.state = state;
      hasFailed = state === 'failed';
    };
    // The errors reach the caller that deletes the entries, through `settled`.
    write.done.then(
      () => end('done'),
      () => end('failed'),
    );
    forgetSome(writes);
    for (const { entry } of fresh) writes.set(nameOf(entry), write);
  };
  const settled = async (entries: readonly OutboxEntry[]): Promise<OutboxEntry[]> => {
    const all = await Promise.all(entries.map((entry) => writes.get(nameOf(entry))?.done));
    return entries.map((entry, index) =>
      all[index]?.has(nameOf(entry)) ? { ...entry, isLogged: true } : entry,
    );
  };

  return {
    ...outbox,
    versions: async (entries, when) => {
      const versions = await outbox.versions(entries);
      const found = entries.flatMap((entry, index) => {
        const version = versions[index];
        return version ? [{ entry, version }] : [];
      });
      const mayWait = when === 'later' && !hasFailed && held.size < heldCountMax;
      if (mayWait) for (const one of found) held.set(nameOf(one.entry), one);
      if (mayWait) return versions;
      const hadFailed = hasFailed;
      indexNew(found);
      if (hadFailed) await settled(entries);
      return versions;
    },
    markPublished: async (entries) => {
      indexNew(entries.flatMap((entry) => held.get(nameOf(entry)) ?? []));
      await outbox.markPublished(await settled(entries));
      for (const entry of entries) writes.delete(nameOf(entry));
    },
    setAside: async (entry, why) => {
      const before = [...held.values()].filter((one) => one.entry.luid === entry.luid);
      if (before.length > 0) {
        // An older version that is indexed behind a newer one would stay.
        await Promise.all([...writes.values()].map(({ done }) => done));
        indexNew(before);
      }
      await settled([entry]);
      await outbox.setAside(entry, why);
    },
  };
}

/** Forgets finished writes when there are too many: indexing an entry twice does no harm. */
function forgetSome(writes: Map<string, IndexWrite>): void {
  if (writes.size <= writeCountMax) return;
  for (const [name, { state }] of writes) if (state === 'done') writes.delete(name);
}

/**
 * Writes index entries, books and the log; returns the names of the entries that a log has. A version that can never be
 * indexed is published all the same, and counted.
 */
async function indexed(
  { catalog, books, log, clock, metric, report }: IndexPorts,
  versions: Parameters<Catalog['keep']>[0],
): Promise<ReadonlySet<string>> {
  if (versions.length === 0) return new Set();
  const [unkept, logs] = await Promise.all([
    Promise.all([catalog.keep(versions), books.keep(versions, clock())]),
    log.keep(versions),
  ]);
  for (const { entry, why } of unkept.flat()) {
    metric('OutboxSetAside', 1);
    report(`${entry.luid} cannot be indexed: ${why}`);
  }
  const logged = versions.filter(({ entry, version }) => logs.has(logOf(entry.scope, version)));
  return new Set(logged.map(({ entry }) => nameOf(entry)));
}
