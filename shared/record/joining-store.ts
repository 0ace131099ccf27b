/**
 * A store for several decisions in a row: it keeps their commits, shows each decision what those before it leave behind,
 * and stores all of them in one transaction. What was read is read once. Decision 128.
 */
import DataLoader from 'dataloader';
import { assert } from '../ledger/assert.ts';
import { nameOfVersion, type Version } from '../ledger/record.ts';
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
import { newToken } from './commit.ts';
import { balanceAfter, joinedMove, mayJoin } from './joined-moves.ts';

export interface JoiningStore {
  /** A commit always succeeds, or throws `NotJoined`. */
  readonly store: Store;
  /** Stores everything. False, and nothing is stored, when something has changed since it was read. */
  readonly flush: () => Promise<boolean>;
}

/** Thrown by a commit that does not go together with those before it. */
export class NotJoined extends Error {}

interface Kept {
  commit: Required<Pick<Commit, 'writes' | 'moves' | 'unchanged'>>;
  readonly openings: Map<string, BalanceOpening>;
  /** Intents and balances as they will be, by name. */
  readonly intents: Map<string, Version>;
  readonly balances: Map<string, Balance>;
}

type BalanceName = Pick<Move, 'scope' | 'wallet' | 'symbol'>;

/** A store in front of another one. `fits` tells whether a commit is small enough for one transaction. */
export function joiningStore(
  store: Store,
  fits: (commit: Omit<Commit, 'token'>) => boolean,
): JoiningStore {
  const kept: Kept = {
    commit: { writes: [], moves: [], unchanged: [] },
    openings: new Map(),
    intents: new Map(),
    balances: new Map(),
  };
  const reading = readOnce(store);
  const load: Store['load'] = async <const W extends readonly Want[]>(wants: W) => {
    const read = await reading.load(wants);
    return wants.map((want, index) => afterwards(kept, want) ?? read[index]) as {
      [I in keyof W]: Found<W[I]>;
    };
  };
  const joining: Store = {
    ...store,
    load,
    indexed: reading.indexed,
    open: async (openings) => {
      for (const opening of openings) keepOpening(kept, opening);
      return true;
    },
    commit: async (commit) => {
      const all = joined(kept.commit, commit);
      if (!all || !fits(all)) throw new NotJoined();
      await keep(kept, commit, load);
      kept.commit = all;
      return [];
    },
  };
  return { store: joining, flush: () => flush(store, kept) };
}

async function flush(store: Store, { commit, openings }: Kept): Promise<boolean> {
  if (commit.writes.length === 0) return true;
  const isOpen = openings.size === 0 || (await store.open([...openings.values()]));
  return isOpen && (await store.commit({ token: newToken(), ...commit })).length === 0;
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
    indexed: (scope, kind, value) => {
      const name = nameOf(scope, kind, value);
      const versions = found.get(name) ?? store.indexed(scope, kind, value);
      found.set(name, versions);
      return versions;
    },
  };
}

/** The item as the kept commits leave it; undefined where they leave it alone. */
function afterwards({ intents, balances }: Kept, want: Want): Version | Balance | undefined {
  if (want.what === 'balance') return balances.get(nameOfBalance(want));
  return want.what === 'record' && want.kind === 'intent'
    ? intents.get(nameOf(want.scope, want.handle))
    : undefined;
}

/** Both as one commit; undefined unless the second is of new intents, with moves that go together with the others. */
function joined(first: Kept['commit'], second: Commit): Kept['commit'] | undefined {
  const { writes, moves = [], unchanged = [] } = second;
  const areNew = writes.every(({ next, previous }) => next.kind === 'intent' && !previous);
  const before = new Map(first.moves.map((move) => [nameOfBalance(move), move]));
  if (!areNew || !moves.every((move) => mayJoin(before.get(nameOfBalance(move)), move)))
    return undefined;
  for (const move of moves) {
    const one = before.get(nameOfBalance(move));
    before.set(nameOfBalance(move), one ? joinedMove(one, move) : move);
  }
  const versions = [...first.unchanged, ...unchanged];
  return {
    writes: [...first.writes, ...writes],
    moves: [...before.values()],
    unchanged: [...new Map(versions.map((one) => [one.version.record.luid, one])).values()],
  };
}

/** Shows what a commit leaves behind to the decisions after it. */
async function keep(
  kept: Kept,
  { writes, moves = [] }: Commit,
  load: Store['load'],
): Promise<void> {
  for (const { scope, next } of writes) kept.intents.set(nameOf(scope, nameOfVersion(next)), next);
  for (const move of moves) {
    const { scope, wallet, symbol } = move;
    const [balance] = await load([{ what: 'balance', scope, wallet, symbol }]);
    assert(balance, 'a balance that moves was read or opened');
    kept.balances.set(nameOfBalance(move), balanceAfter(balance, move));
  }
}

function keepOpening({ openings, balances }: Kept, opening: BalanceOpening): void {
  const name = nameOfBalance(opening);
  const { luid, wallet, walletLuid, symbol } = opening;
  openings.set(name, opening);
  balances.set(name, { luid, wallet, walletLuid, symbol, available: 0n, isActive: false });
}

function nameOfBalance({ scope, wallet, symbol }: BalanceName): string {
  return nameOf(scope, wallet, symbol);
}

/** No handle holds a line break. */
function nameOf(scope: Scope, ...parts: readonly string[]): string {
  return [scope, ...parts].join('\n');
}
