/**
 * The outbox as the relay sees it, where transactions share a sync of the disk: while few versions wait, all that follows
 * them is one write, with the end of their entries. Otherwise, and whenever more is to be done, it is the outbox of
 * `indexing.ts`, which writes step by step. Decision 143.
 */
import type { EntryVersion } from '../port/catalog.ts';
import type { Following } from '../port/following.ts';
import type { CheckpointOf } from '../port/logs.ts';
import type { Outbox, OutboxEntry } from '../port/outbox.ts';
import type { Clock, Scope, Store } from '../port/ports.ts';
import { nameOf } from './indexing.ts';
import { areWatched } from './monitoring.ts';

/** Checkpoints of logs, in a process that may sign them. */
export interface Checkpoints {
  readonly checkpointOf: CheckpointOf;
  /** Called once a checkpoint of a log is stored. */
  readonly signed: (scope: Scope) => void;
}

export interface AtOncePorts {
  readonly outbox: Pick<Outbox, 'versions'>;
  /** The outbox that writes step by step. */
  readonly stepwise: Outbox;
  readonly following: Following;
  readonly store: Pick<Store, 'indexed'>;
  readonly checkpoints?: Checkpoints | undefined;
  readonly clock: Clock;
  /** Receives the reason why a checkpoint could not be signed; a later one includes its leaves. */
  readonly report: (error: unknown) => void;
}

/** The most versions of one reading that one write takes in the ordinary case. */
const fewMax = 25;
/** The most versions that wait until they are published. */
const heldCountMax = 1_000;
/** Limit of the memory of entries that wait for the bus. */
const steppedCountMax = 10_000;

/** Wraps both outboxes: few versions are written at once when they are published. */
export function atOnce(ports: AtOncePorts): Outbox {
  const { outbox, stepwise } = ports;
  const held = new Map<string, EntryVersion>();
  /** The names of entries that are or were indexed step by step, and not yet published. */
  const stepped = new Set<string>();
  /** True after an error, until a step by step write has succeeded: while nothing can be written, publishing waits. */
  let isTroubled = false;

  /** Ends the waiting of all versions of these records: an older one that is indexed alone behind a newer one would stay. */
  const release = (entries: readonly OutboxEntry[]): EntryVersion[] => {
    const luids = new Set(entries.map(({ luid }) => luid));
    const released = [...held.values()].filter(({ entry }) => luids.has(entry.luid));
    for (const { entry } of released) held.delete(nameOf(entry));
    return released;
  };
  /** Indexes entries step by step, as they are until they are published. */
  const stepping = (entries: readonly OutboxEntry[]) => {
    if (stepped.size > steppedCountMax) stepped.clear();
    for (const entry of entries) stepped.add(nameOf(entry));
    return stepwise.versions(entries);
  };
  const forget = (entries: readonly OutboxEntry[]): void => {
    for (const entry of entries) stepped.delete(nameOf(entry));
  };
  /** Does something that fails while nothing can be written. */
  const trying = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      isTroubled = true;
      throw error;
    }
  };

  return {
    ...stepwise,
    versions: async (entries) => {
      // An entry that comes again was not published, and is indexed without waiting for that any longer.
      const isAgain =
        release(entries).length > 0 || entries.some((entry) => stepped.has(nameOf(entry)));
      const isFull = entries.length > fewMax || held.size + entries.length > heldCountMax;
      if (isTroubled || isAgain || isFull) return stepping(entries);
      const versions = await outbox.versions(entries);
      for (const [index, entry] of entries.entries()) {
        const version = versions[index];
        if (version) held.set(nameOf(entry), { entry, version });
      }
      return versions;
    },
    markPublished: (entries) =>
      trying(async () => {
        const isHeld = entries.every((entry) => held.has(nameOf(entry)));
        const own = release(entries);
        const areAll = isHeld && own.length === entries.length;
        if (areAll && (await isWrittenAtOnce(ports, own))) return;
        if (own.length > 0) await stepping(own.map(({ entry }) => entry));
        await stepwise.markPublished(entries);
        forget(entries);
        isTroubled = false;
      }),
    setAside: async (entry, why) => {
      const own = release([entry]);
      if (own.length > 0) await stepping(own.map((one) => one.entry));
      await stepwise.setAside(entry, why);
      forget([entry]);
    },
  };
}

async function isWrittenAtOnce(
  { following, store, checkpoints, clock, report }: AtOncePorts,
  versions: readonly EntryVersion[],
): Promise<boolean> {
  const entries = versions.map(({ entry }) => entry);
  // A monitor looks at the books before the entries end.
  if (await areWatched(store, entries)) return false;
  const signed = new Set<Scope>();
  const checkpointOf: CheckpointOf = async (scope, tree) => {
    try {
      const checkpoint = await checkpoints?.checkpointOf(scope, tree);
      if (checkpoint) signed.add(scope);
      return checkpoint;
    } catch (error) {
      report(error);
      return undefined;
    }
  };
  const isWritten = await following.writeAtOnce(versions, { nowMs: clock(), checkpointOf });
  if (isWritten) for (const scope of signed) checkpoints?.signed(scope);
  return isWritten;
}
