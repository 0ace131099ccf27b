/**
 * The outbox as the relay sees it, with the search index, the books and the log behind it. Entries are indexed, booked
 * and logged while they are published, and deleted only after all of it: so the outbox holds every version that may not be indexed yet.
 * While index entries cannot be written, publishing waits, or the same events would be published again and again.
 * Ruling 23, Decisions 32, 90 and 115.
 */

import type { Version } from '../ledger/record.ts';
import { logOf } from '../log/leaf.ts';
import type { Books } from '../port/books.ts';
import type { Catalog } from '../port/catalog.ts';
import type { Outbox, OutboxEntry } from '../port/outbox.ts';
import type { Clock } from '../port/ports.ts';
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
  let hasFailed = false;

  /** Begins to index the entries that were not yet, or not successfully. */
  const indexNew = (
    entries: readonly OutboxEntry[],
    versions: readonly (Version | undefined)[],
  ) => {
    const fresh = entries.flatMap((entry, index) => {
      const version = versions[index];
      const state = writes.get(nameOf(entry))?.state ?? 'failed';
      return version && state === 'failed' ? [{ entry, version }] : [];
    });
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
    return write.done;
  };
  const settled = async (entries: readonly OutboxEntry[]): Promise<OutboxEntry[]> => {
    const all = await Promise.all(entries.map((entry) => writes.get(nameOf(entry))?.done));
    return entries.map((entry, index) =>
      all[index]?.has(nameOf(entry)) ? { ...entry, isLogged: true } : entry,
    );
  };

  return {
    ...outbox,
    versions: async (entries) => {
      const versions = await outbox.versions(entries);
      const hadFailed = hasFailed;
      const write = indexNew(entries, versions);
      if (hadFailed) await write;
      return versions;
    },
    markPublished: async (entries) => {
      await outbox.markPublished(await settled(entries));
      for (const entry of entries) writes.delete(nameOf(entry));
    },
    setAside: async (entry, why) => {
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

/** The name of an entry among all. */
export function nameOf({ scope, shard, place }: OutboxEntry): string {
  return `${scope} ${shard} ${place}`;
}
