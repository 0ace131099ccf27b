/**
 * A store for several decisions in a row: it keeps their commits, shows each decision what those before it leave behind,
 * and stores all of them in one transaction. What was read is read once. Decision 128.
 */
import DataLoader from 'dataloader';
import { type LedgerRecord, nameOfVersion, type Version } from '../ledger/record.ts';
import type { Services } from '../port/action.ts';
import type {
  Balance,
  BalanceOpening,
  Commit,
  Found,
  Move,
  Scope,
  Store,
  Want,
} from '../port/ports.ts';
import { isLate, newToken } from './commit.ts';
import { balanceAfter, joinedMove, mayJoin } from './joined-moves.ts';
import { bytesOfCommit, commitBytesMax } from './size.ts';

export interface JoiningStore {
  /** A commit always succeeds, or throws `NotJoined`. */
  readonly store: Store;
  /**
   * Stores everything, each record as `finished`. False, and nothing is stored, when something has changed since it was
   * read, it meets others, or it was decided too long ago.
   */
  readonly flush: (finished: (record: LedgerRecord) => LedgerRecord) => Promise<boolean>;
}

/** Thrown by a commit that does not go together with those before it. */
class NotJoined extends Error {}

type JoinedCommit = Required<Pick<Commit, 'writes' | 'moves' | 'unchanged'>>;

interface Kept {
  commit: JoinedCommit;
  /** The size of the commits, which bounds that of the one they become. */
  bytes: number;
  /** Intents as they will be, balances to open, and the moves of the commit, by name. */
  readonly intents: Map<string, Version>;
  readonly openings: Map<string, BalanceOpening>;
  moves: ReadonlyMap<string, Move>;
}

type NamedBalance = Pick<Move, 'scope' | 'wallet' | 'symbol'>;

/** A store in front of that of the services. `fits` tells whether one transaction takes the actions of a commit. */
export function joiningStore(
  services: Pick<Services, 'store' | 'clock'>,
  fits: (commit: JoinedCommit) => boolean,
): JoiningStore {
  const { store } = services;
  const kept: Kept = {
    commit: { writes: [], moves: [], unchanged: [] },
    bytes: 0,
    intents: new Map(),
    openings: new Map(),
    moves: new Map(),
  };
  const reading = readOnce(store);
  const load: Store['load'] = async <const W extends readonly Want[]>(wants: W) => {
    const read: readonly unknown[] = await reading.load(wants);
    return wants.map((want, index) => afterwards(kept, want, read[index])) as {
      [I in keyof W]: Found<W[I]>;
    };
  };
  const joining: Store = {
    ...store,
    load,
    indexed: reading.indexed,
    open: async (openings) => {
      for (const opening of openings) kept.openings.set(nameOfBalance(opening), opening);
      return true;
    },
    commit: async (commit) => {
      const all = isJoinable(kept, commit) ? joined(kept.commit, commit) : undefined;
      const bytes = kept.bytes + bytesOfCommit(commit);
      if (!all || bytes > commitBytesMax || !fits(all)) throw new NotJoined();
      kept.commit = all;
      kept.bytes = bytes;
      kept.moves = byName(all.moves);
      for (const { scope, next } of commit.writes)
        kept.intents.set(nameOf(scope, nameOfVersion(next)), next);
      return [];
    },
  };
  return { store: joining, flush: (finished) => flush(services, kept, finished) };
}

async function flush(
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  { commit, openings }: Kept,
  finished: (record: LedgerRecord) => LedgerRecord,
): Promise<boolean> {
  if (commit.writes.length === 0) return true;
  const isOpen = openings.size === 0 || (await store.open([...openings.values()]));
  if (isLate({ clock }, commit)) return false;
  const writes = commit.writes.map((write) => ({
    ...write,
    next: { ...write.next, record: finished(write.next.record) },
  }));
  const all = { token: newToken(), ...commit, writes, isDivisible: true, isBatch: true } as const;
  return isOpen && (await store.commit(all)).length === 0;
}

/** Reads each item once, all that is asked for at the same time in one round trip. */
function readOnce(store: Store): Pick<Store, 'load' | 'indexed'> {
  const loader = new DataLoader<Want, unknown, string>((wants) => store.load(wants), {
    cacheKeyFn: (want) => JSON.stringify(want),
  });
  const found = new Map<string, Promise<Version[]>>();
  return {
    load: async <const W extends readonly Want[]>(wants: W) =>
      (await Promise.all(wants.map((want) => loader.load(want)))) as {
        [I in keyof W]: Found<W[I]>;
      },
    indexed: (scope, kind, value, how) => {
      const name = nameOf(scope, kind, value);
      const versions = found.get(name) ?? store.indexed(scope, kind, value, how);
      found.set(name, versions);
      return versions;
    },
  };
}

/** An item as the kept commits leave it; `read` is as it was before them. */
function afterwards({ intents, openings, moves }: Kept, want: Want, read: unknown): unknown {
  if (want.what === 'record' && want.kind === 'intent')
    return intents.get(nameOf(want.scope, want.handle)) ?? read;
  if (want.what !== 'balance') return read;
  const name = nameOfBalance(want);
  const opening = openings.get(name);
  const balance = (read as Balance | undefined) ?? (opening && emptyBalanceOf(opening));
  const move = moves.get(name);
  return balance && move ? balanceAfter(balance, move) : balance;
}

function emptyBalanceOf({ luid, wallet, walletLuid, symbol }: BalanceOpening): Balance {
  return { luid, wallet, walletLuid, symbol, available: 0n, isActive: false };
}

/**
 * True for a commit of new intents. One that fails is not judged by what those before it are about to move: others may
 * put that back before all of it is stored. It follows once that is stored.
 */
function isJoinable({ commit }: Kept, { writes }: Commit): boolean {
  const areNew = writes.every(({ next, previous }) => next.kind === 'intent' && !previous);
  const fails = writes.some(({ next }) => next.record.meta.status === 'rejected');
  return areNew && !(fails && commit.moves.length > 0);
}

/** Both as one commit; undefined when two moves of one balance do not go together. */
function joined(first: JoinedCommit, second: Commit): JoinedCommit | undefined {
  const { writes, moves = [], unchanged = [] } = second;
  const all = new Map(byName(first.moves));
  for (const move of moves) {
    const before = all.get(nameOfBalance(move));
    if (!mayJoin(before, move)) return undefined;
    all.set(nameOfBalance(move), before ? joinedMove(before, move) : move);
  }
  const versions = [...first.unchanged, ...unchanged];
  return {
    writes: [...first.writes, ...writes],
    moves: [...all.values()],
    unchanged: [...new Map(versions.map((one) => [one.version.record.luid, one])).values()],
  };
}

function byName(moves: readonly Move[]): ReadonlyMap<string, Move> {
  return new Map(moves.map((move) => [nameOfBalance(move), move]));
}

function nameOfBalance({ scope, wallet, symbol }: NamedBalance): string {
  return nameOf(scope, wallet, symbol);
}

/** No handle holds a line break. */
function nameOf(scope: Scope, ...parts: readonly string[]): string {
  return [scope, ...parts].join('\n');
}
