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
  Write,
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

type UnchangedVersion = NonNullable<Commit['unchanged']>[number];

/** The commits that are kept, as one. */
interface Kept {
  readonly writes: Write[];
  /** By the names of their balances, and of the records. */
  readonly moves: Map<string, Move>;
  readonly unchanged: Map<string, UnchangedVersion>;
  /** The size of the commits, which bounds that of the one they become. */
  bytes: number;
  /** Intents as they will be, and balances to open, by name. */
  readonly intents: Map<string, Version>;
  readonly openings: Map<string, BalanceOpening>;
  /** True after a commit that was not kept. */
  isFull: boolean;
}

/** Adds new intents to a transaction; false when it does not take them, with so many other actions. */
type IntentRoom = (writes: readonly Write[], otherCount: number) => boolean;

type NamedBalance = Pick<Move, 'scope' | 'wallet' | 'symbol'>;

/** A store in front of that of the services. `room` is that of one transaction. */
export function joiningStore(
  services: Pick<Services, 'store' | 'clock'>,
  room: IntentRoom,
): JoiningStore {
  const { store } = services;
  const kept: Kept = {
    writes: [],
    moves: new Map(),
    unchanged: new Map(),
    bytes: 0,
    intents: new Map(),
    openings: new Map(),
    isFull: false,
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
      kept.isFull ||= !keep(kept, commit, room);
      if (kept.isFull) throw new NotJoined();
      return [];
    },
  };
  return { store: joining, flush: (finished) => flush(services, kept, finished) };
}

async function flush(
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  kept: Kept,
  finished: (record: LedgerRecord) => LedgerRecord,
): Promise<boolean> {
  if (kept.writes.length === 0) return true;
  const [openings, moves] = [[...kept.openings.values()], [...kept.moves.values()]];
  const isOpen = openings.length === 0 || (await store.open(openings));
  if (isLate({ clock }, { moves })) return false;
  const writes = kept.writes.map((write) => ({
    ...write,
    next: { ...write.next, record: finished(write.next.record) },
  }));
  const unchanged = [...kept.unchanged.values()];
  const commit = {
    token: newToken(),
    writes,
    moves,
    unchanged,
    isDivisible: true,
    isBatch: true,
  } as const;
  return isOpen && (await store.commit(commit)).length === 0;
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

/** Keeps a commit; false, and all is as before, when it does not go together with those that are kept. */
function keep(kept: Kept, commit: Commit, room: IntentRoom): boolean {
  const { writes, moves = [], unchanged = [] } = commit;
  const moved = joinedMoves(kept.moves, moves);
  const bytes = kept.bytes + bytesOfCommit(commit);
  if (!moved || !isJoinable(kept, commit) || bytes > commitBytesMax) return false;
  const checked = [...new Map(unchanged.map((one) => [one.version.record.luid, one]))];
  if (!room(writes, countWith(kept.moves, moved) + countWith(kept.unchanged, checked)))
    return false;
  kept.writes.push(...writes);
  kept.bytes = bytes;
  for (const [name, move] of moved) kept.moves.set(name, move);
  for (const [luid, one] of checked) kept.unchanged.set(luid, one);
  for (const { scope, next } of writes) kept.intents.set(nameOf(scope, nameOfVersion(next)), next);
  return true;
}

/**
 * True for a commit of new intents. One that fails is not judged by what those before it are about to move: others may
 * put that back before all of it is stored. It follows once that is stored.
 */
function isJoinable({ moves }: Kept, { writes }: Commit): boolean {
  const areNew = writes.every(({ next, previous }) => next.kind === 'intent' && !previous);
  const fails = writes.some(({ next }) => next.record.meta.status === 'rejected');
  return areNew && !(fails && moves.size > 0);
}

/** Moves with those of the same balances before them; undefined when two do not go together. */
function joinedMoves(
  before: ReadonlyMap<string, Move>,
  moves: readonly Move[],
): (readonly [name: string, move: Move])[] | undefined {
  const named = moves.map((move) => ({ move, name: nameOfBalance(move) }));
  if (!named.every(({ move, name }) => mayJoin(before.get(name), move))) return undefined;
  return named.map(({ move, name }) => {
    const first = before.get(name);
    return [name, first ? joinedMove(first, move) : move] as const;
  });
}

function countWith(
  kept: ReadonlyMap<string, unknown>,
  added: readonly (readonly [name: string, unknown])[],
): number {
  return kept.size + added.filter(([name]) => !kept.has(name)).length;
}

function nameOfBalance({ scope, wallet, symbol }: NamedBalance): string {
  return nameOf(scope, wallet, symbol);
}

/** No handle holds a line break. */
function nameOf(scope: Scope, first: string, second = ''): string {
  return `${scope}\n${first}\n${second}`;
}
