/**
 * Readings of the last second, of what many requests read of a ledger: its record, its rulebook, symbols, effects. A process
 * uses them without asking again, so that the partitions in which these lie are not asked by each request. Whoever changes
 * one answers once no process uses what was before: so who has the answer finds the change in force everywhere. Decision 129.
 */
import { indexedValueOf, type Kind } from '../ledger/kind.ts';
import { isDropped, type Version } from '../ledger/record.ts';
import { countersOf, governed, isGoverning } from '../ledger/rulebook.ts';
import type { Deliveries } from '../port/deliveries.ts';
import type { Clock, Commit, Found, Scope, Store, Want, Write } from '../port/ports.ts';
import { indexPartitionOf, textOf, wantKeyOf } from './keys.ts';

/** The time for which a process uses what it has read, in milliseconds. */
export const recentMs = 1_000;
/** The wait of a change until no process uses what was before: some more, for clocks that run at different speeds. */
export const settlingMs = 1_100;
/**
 * A change is stored and answered within this time after the moment that it states, in milliseconds, also by the clock of
 * another process.
 */
const answeredMs = 60_000;
/** Bounds on all that a process remembers; what was read first goes first. */
const countMax = 1_000;
const bytesMax = 8 * 1024 * 1024;

export interface RecentOptions {
  readonly clock?: Clock;
  /** Counts the changes that were made by all threads that share it. */
  readonly changes?: Int32Array;
  /** Resolves once no process uses what was before; absent where all of them share `changes`. */
  readonly settled?: () => Promise<void>;
  /** The most bytes to remember. */
  readonly bytesMax?: number;
}

/** The state before a reading: nothing that was changed later may be taken for what it has read. */
interface ReadingStart {
  readonly atMs: number;
  readonly change: number;
}

/** All that this process has read of late. */
export interface RecentReads {
  readonly start: () => ReadingStart;
  /** The reading of that name, if it is of the last second and this process has changed nothing since. */
  readonly get: (name: string) => { readonly thing: unknown } | undefined;
  readonly keep: (name: string, thing: unknown, start: ReadingStart) => void;
  /** Forgets everything. */
  readonly drop: () => void;
  /** Resolves once no other process uses what was before a change that is stored. */
  readonly settled: () => Promise<void>;
}

interface Recent extends ReadingStart {
  readonly thing: unknown;
  readonly bytes: number;
}

export function recentReads(options: RecentOptions = {}): RecentReads {
  const { clock = Date.now, changes = new Int32Array(1), settled = async () => {} } = options;
  const { bytesMax: most = bytesMax } = options;
  const known = new Map<string, Recent>();
  let bytes = 0;
  const start = (): ReadingStart => ({ atMs: clock(), change: Atomics.load(changes, 0) });
  const forget = (name: string): void => {
    bytes -= known.get(name)?.bytes ?? 0;
    known.delete(name);
  };
  const isRecent = (then: ReadingStart): boolean => {
    const now = start();
    const ageMs = now.atMs - then.atMs;
    return then.change === now.change && ageMs >= 0 && ageMs < recentMs;
  };
  return {
    start,
    get: (name) => {
      const found = known.get(name);
      if (found && isRecent(found)) return found;
      forget(name);
      return undefined;
    },
    keep: (name, thing, then) => {
      forget(name);
      const own = name.length + bytesOf(thing);
      if (!isRecent(then) || own > most) return;
      known.set(name, { ...then, thing, bytes: own });
      bytes += own;
      for (const first of known.keys()) {
        if (bytes <= most && known.size <= countMax) break;
        forget(first);
      }
    },
    drop: () => {
      // A reading that is under way is not kept either.
      Atomics.add(changes, 0, 1);
      known.clear();
      bytes = 0;
    },
    settled,
  };
}

/** A store that answers wants that `mayBeRecent` from what was read of late, and forgets that when it is changed. */
export function withRecent(store: Store, recent: RecentReads): Store {
  return {
    ...store,
    load: (wants) => loadRecent(store, recent, wants),
    indexed: (scope, kind, value, how) => {
      const read = () => store.indexed(scope, kind, value);
      return how === 'recent' ? listRecent(recent, { scope, kind, value }, read) : read();
    },
    open: async (openings) => {
      const isOpen = await store.open(openings);
      // A symbol may have ended: the next decision must not rest on it.
      if (!isOpen) recent.drop();
      return isOpen;
    },
    commit: async (commit) => {
      const isChange = commit.writes.some(isRead);
      const conflicts = await committed(store, recent, commit, isChange);
      if (conflicts.some(({ what }) => what === 'changed')) recent.drop();
      if (isChange && conflicts.length === 0) await recent.settled();
      return conflicts;
    },
    inForce: async ({ kind, steps }) => {
      const ageMs = recent.start().atMs - Date.parse(steps.at(-1)?.moment ?? '');
      const mayBeRead = readByName.has(kind) || readByValue.has(kind);
      if (mayBeRead && ageMs < answeredMs) await recent.settled();
    },
  };
}

/** Deliveries that take the effects of a signal from what was read of late. */
export function withRecentEffects(deliveries: Deliveries, recent: RecentReads): Deliveries {
  return {
    ...deliveries,
    subscribers: (scope, value) =>
      listRecent(recent, { scope, kind: 'effect', value }, () =>
        deliveries.subscribers(scope, value),
      ),
  };
}

/** The records with an indexed value. That there are none is remembered, too: who adds one waits. */
async function listRecent(
  recent: RecentReads,
  { scope, kind, value }: { readonly scope: Scope; readonly kind: Kind; readonly value: string },
  read: () => Promise<Version[]>,
): Promise<Version[]> {
  const name = indexPartitionOf(scope, kind, value);
  const known = recent.get(name);
  if (known) return known.thing as Version[];
  const start = recent.start();
  const found = await read();
  recent.keep(name, found, start);
  return found;
}

async function committed(store: Store, recent: RecentReads, commit: Commit, isChange: boolean) {
  try {
    return await store.commit(commit);
  } finally {
    // Also after an error: it may be stored.
    if (isChange) recent.drop();
  }
}

async function loadRecent<const W extends readonly Want[]>(
  store: Store,
  recent: RecentReads,
  wants: W,
): Promise<{ [I in keyof W]: Found<W[I]> }> {
  const start = recent.start();
  const known = wants.map((want) => (mayBeRecent(want) ? recent.get(nameOf(want)) : undefined));
  const missing = wants.filter((_, index) => !known[index]);
  const read: unknown[] = missing.length > 0 ? await store.load(missing) : [];
  for (const [index, want] of missing.entries())
    if (mayBeRecent(want) && isLasting(want, read[index]))
      recent.keep(nameOf(want), read[index], start);
  const rest = read.values();
  const all = known.map((one) => (one ? one.thing : rest.next().value));
  return all as { [I in keyof W]: Found<W[I]> };
}

function mayBeRecent(want: Want): boolean {
  return 'mayBeRecent' in want && want.mayBeRecent === true;
}

/** A record that is not there may be created at any time; a rulebook without counts is one as well. */
function isLasting({ what }: Want, found: unknown): boolean {
  return found !== undefined || what === 'rulebook';
}

function nameOf(want: Want): string {
  return textOf(wantKeyOf(want));
}

/** The kinds of records that are read for requests of others by name. None is taken to be missing. */
const readByName: ReadonlySet<Kind> = new Set([
  ...(['ledger', 'symbol', 'bridge', 'effect'] as const),
  ...(['circle', 'domain', 'policy'] as const),
]);
/** The kinds of which lists are read for them, by an indexed value. */
const readByValue: ReadonlySet<Kind> = new Set(['circle', 'effect', 'policy', 'schema']);

/** True for a write of what may have been read of late. */
function isRead({ next, previous }: Write): boolean {
  // Nobody has asked for anything of a ledger that begins.
  if (!previous && next.kind === 'ledger') return false;
  if (previous && readByName.has(next.kind)) return true;
  const isListed = [next, previous].some(
    (version) => version && indexedValueOf(next.kind, version.record.data) !== undefined,
  );
  if (isListed && readByValue.has(next.kind)) return true;
  return countedOf(next) !== countedOf(previous);
}

/** All that a version adds to its rulebook, as a text. */
function countedOf(version: Version | undefined): string {
  if (!version || isDropped(version)) return '';
  const { kind, record } = version;
  return [...countersOf(kind, record), ...(isGoverning(version) ? [governed] : [])].join();
}

/** About the bytes of a thing in memory, by its text. */
function bytesOf(thing: unknown): number {
  const text = JSON.stringify(thing, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  return text?.length ?? 0;
}
