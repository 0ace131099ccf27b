/**
 * The shards that the moves of a commit take: one of those that were read where it has enough, otherwise several of all.
 * A move that needs the whole of a balance folds its shards first. Decision 125.
 */
import { companions } from '../crypto/companions.ts';
import {
  isPartial,
  mayOverdraw,
  partsOf,
  type SeenShards,
  type ShardPart,
} from '../ledger/shards.ts';
import type { Move } from '../port/ports.ts';
import { foldShards, undividedMs } from './fold-shards.ts';
import { growShards } from './grow-shards.ts';
import { balanceKeyOf, type Key, textOf } from './keys.ts';
import { growAhead } from './layout.ts';
import { needsWhole } from './plan-balance.ts';
import { itemsAt } from './read.ts';
import {
  type BalanceName,
  balanceAmong,
  fewShardKeysOf,
  otherShards,
  shardItems,
} from './read-shards.ts';
import { type Table, update } from './request.ts';
import { type Deadline, natureOf, rest } from './retry.ts';
import type { ShardBook } from './shard-book.ts';

/** The longest wait for more shards until somebody looks again, in milliseconds. */
const growthMs = 200;
/** The time after it in which those who waited come. */
const afterMs = 50;
/** Balances that move less often than this need no shards. */
const quietPerSecond = 10n;

/**
 * The first shard that each move takes. Once it is stored, the process takes the same one for its next move: so processes that
 * met somewhere part, and soon each has a shard that no other one uses.
 */
const shardsOfMoves = companions<Move, number>();

/** The parts of each move; undefined for one that changes the balance as one item. */
export type Spread = readonly (readonly ShardPart[] | undefined)[];

/** The parts of a move; undefined where it changes the balance as one item, and `short` where all shards have too little. */
type Parts = readonly ShardPart[] | 'short' | undefined;

/** Divides the moves of a commit among the shards of their balances; some of them anew, since others were on their shards. */
export function spreadOf(
  table: Table,
  moves: readonly Move[],
  deadline: Deadline,
  anew: readonly Move[] = [],
): Promise<readonly Parts[]> {
  return Promise.all(moves.map((move) => partsOfMove(table, move, deadline, anew.includes(move))));
}

async function partsOfMove(
  table: Table,
  move: Move,
  deadline: Deadline,
  isAnew: boolean,
): Promise<Parts> {
  const { shards } = table;
  if (!shards) return undefined;
  if (needsWhole(move)) {
    const mayHaveShards = move.shards !== undefined || shards.countOf(keyOf(move)) > 1;
    if (mayHaveShards) await foldFor(table, move, deadline);
    return undefined;
  }
  const { random } = shards;
  const key = keyOf(move);
  // After a meeting, another one is drawn.
  const own = isAnew ? undefined : (shardsOfMoves.get(move) ?? shards.takeOwn(key));
  const some = await seenBy({ ...table, shards }, move, deadline, isAnew);
  if (!some) return undefined;
  const divided = (seen: SeenShards): readonly ShardPart[] | undefined => {
    const found = partsOf(move, seen, random, own);
    if (found?.[0]) shardsOfMoves.set(move, found[0].shard);
    return found;
  };
  const parts = divided(some);
  if (parts) return parts;
  if (!isPartial(some)) return 'short';
  const all = balanceAmong(table, move, await shardItems(table, move, deadline))?.shards;
  return all && (divided(all) ?? 'short');
}

/** Folds the shards of a balance for a move that needs its whole. */
async function foldFor(table: Table, move: Move, deadline: Deadline): Promise<void> {
  const forMs = mayOverdraw(move) ? undividedMs.mayOverdraw : undividedMs.untilStored;
  await foldShards(table, move, { undividedMs: forMs }, deadline);
}

/** Some shards of a balance: those that were read with it, or others; undefined where it has none. */
async function seenBy(
  table: Table & { readonly shards: ShardBook },
  move: Move,
  deadline: Deadline,
  isAnew: boolean,
): Promise<SeenShards | undefined> {
  const { shards } = table;
  const key = keyOf(move);
  const isGrowing = () => shards.growingUntil(key) > 0;
  const count = shards.countOf(key);
  const isUnread = !move.shards && count > 1;
  const isOld = isAnew && (takes(move) || count < shards.most);
  if (!isUnread && !isOld && !isGrowing() && !(takes(move) && isAlone(move.shards)))
    return move.shards;
  // No more are to come, and the partition of the first one has the reads of all requests.
  if (move.shards && count === shards.most && !isGrowing())
    return (await otherShards(table, move, move.shards, deadline)) ?? few(table, move, deadline);
  let seen: SeenShards | undefined;
  do {
    // Whoever is making more shards needs a moment in which nobody is on these.
    const leftMs = shards.growingUntil(key) - shards.nowMs();
    if (leftMs > 0) await rest(Math.min(growthMs, leftMs + afterMs), deadline);
    seen = await few(table, move, deadline);
  } while (isGrowing());
  return seen;
}

/** True for a move that depends on what a shard has. */
function takes({ needs = 0n, reserve = 0n, hold }: Move): boolean {
  return needs > 0n || reserve < 0n || hold === -1;
}

/** True where only the first of several shards was read, as by a process that knew of no others. */
function isAlone(shards: SeenShards | undefined): boolean {
  return shards !== undefined && shards.seen.length === 1 && shards.count > 1;
}

/** The first shard and a few others, drawn anew. */
async function few(
  table: Table,
  name: BalanceName,
  deadline: Deadline,
): Promise<SeenShards | undefined> {
  const keys = [keyOf(name), ...fewShardKeysOf(table, name)];
  return balanceAmong(table, name, await itemsAt(table, keys, deadline))?.shards;
}

/** Notes that transactions met on these balances, and gives more shards to those where they meet often. */
export async function makeRoom(
  table: Table,
  moves: readonly Move[],
  deadline: Deadline,
): Promise<void> {
  const { shards } = table;
  if (!shards) return;
  for (const move of moves) {
    const wanted = shards.noteCrowd(keyOf(move));
    const mayGrow = shards.countOf(keyOf(move)) < shards.most && !needsWhole(move);
    if (wanted === undefined || !mayGrow) continue;
    const isGrown = await growShards({ ...table, shards }, move, deadline, { wanted });
    // Whoever comes next tries again.
    if (isGrown && shards.countOf(keyOf(move)) === shards.most)
      await growAhead(table, move.scope).catch(() => undefined);
  }
}

/** Notes a stored commit, and folds shards that have become quiet. */
export async function afterStored(
  table: Table,
  moves: readonly Move[],
  deadline: Deadline,
): Promise<void> {
  const { shards } = table;
  if (!shards) return;
  for (const move of moves) {
    shards.noteStored(keyOf(move));
    const shard = shardsOfMoves.get(move);
    if (shard !== undefined) shards.giveOwn(keyOf(move), shard);
    const looked = move.shards?.lookedMs;
    if (looked === undefined || looked + shards.lookEveryMs > shards.nowMs()) continue;
    // The commit is stored, whatever becomes of the shards; a later one looks again.
    await look(table, shards, move, deadline).catch(() => undefined);
  }
}

/** Folds the shards of a balance that moves seldom, or notes that it is still busy; one process does. */
async function look(
  table: Table,
  shards: ShardBook,
  name: BalanceName,
  deadline: Deadline,
): Promise<void> {
  const items = await shardItems(table, name, deadline);
  const key = keyOf(name);
  const { looked = 0n, lookedMoves = 0n } = items.get(textOf(key)) ?? {};
  const nowMs = shards.nowMs();
  // Another one has looked since the shards were read, and hardly any moves are later than that.
  if (Number(looked) + shards.lookEveryMs > nowMs) return;
  const moves = [...items.values()].reduce(
    (sum, item) => sum + ((item['moves'] ?? 0n) as bigint),
    0n,
  );
  const seconds = BigInt(Math.max(1, Math.floor((nowMs - Number(looked)) / 1000)));
  if (moves - (lookedMoves as bigint) < quietPerSecond * seconds) {
    await foldShards(table, name, { attemptCountMax: 1 }, deadline);
    return;
  }
  await noteLook(table, key, { looked, nowMs, moves });
}

/** Notes when the shards were looked at, and how often they had moved. */
async function noteLook(
  table: Table,
  key: Key,
  { looked, nowMs, moves }: { looked: unknown; nowMs: number; moves: bigint },
): Promise<void> {
  const action = {
    TableName: table.tableName,
    Key: key,
    UpdateExpression: 'SET looked = :now, lookedMoves = :moves',
    ConditionExpression: 'looked = :looked',
    ExpressionAttributeValues: { ':now': nowMs, ':moves': moves, ':looked': looked },
  };
  try {
    await update(table, action);
  } catch (error) {
    // Another process looks at them, or the next one does.
    if (natureOf(error) === 'broken') throw error;
  }
}

function keyOf({ scope, wallet, symbol }: BalanceName): Key {
  return balanceKeyOf(scope, wallet, symbol);
}
