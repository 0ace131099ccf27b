/**
 * The shards that the moves of a commit take: one of those that were read where it has enough, otherwise several of all.
 * A move that needs the whole of a balance folds its shards first. Decision 125.
 */
import { isPartial, partsOf, type SeenShards, type ShardPart } from '../ledger/shards.ts';
import type { Move } from '../port/ports.ts';
import { foldShards } from './fold-shards.ts';
import { growShards } from './grow-shards.ts';
import { balanceKeyOf, type Key, textOf } from './keys.ts';
import { needsWhole } from './plan-balance.ts';
import { type BalanceName, balanceAmong, shardItems } from './read-shards.ts';
import { type Table, update } from './request.ts';
import { type Deadline, natureOf } from './retry.ts';
import type { ShardBook } from './shard-book.ts';

/** Balances that move less often than this need no shards. */
const quietPerSecond = 10n;

/** The parts of each move; undefined for one that changes the balance as one item. */
export type Spread = readonly (readonly ShardPart[] | undefined)[];

/** Divides the moves of a commit among the shards of their balances. */
export function spreadOf(
  table: Table,
  moves: readonly Move[],
  deadline: Deadline,
): Promise<Spread> {
  return Promise.all(moves.map((move) => partsOfMove(table, move, deadline)));
}

async function partsOfMove(
  table: Table,
  move: Move,
  deadline: Deadline,
): Promise<readonly ShardPart[] | undefined> {
  const { shards } = table;
  if (!shards || (!move.shards && shards.countOf(keyOf(move)) === 1)) return undefined;
  if (needsWhole(move)) {
    await foldShards(table, move, { staysUndivided: true }, deadline);
    return undefined;
  }
  const { random } = shards;
  const parts = move.shards && partsOf(move, move.shards, random);
  if (parts || (move.shards && !isPartial(move.shards))) return parts;
  const all = await seenShards(table, move, deadline);
  return all && partsOf(move, all, random);
}

async function seenShards(
  table: Table,
  move: Move,
  deadline: Deadline,
): Promise<SeenShards | undefined> {
  return balanceAmong(table, move, await shardItems(table, move, deadline))?.shards;
}

/**
 * Notes that transactions met on these balances. True when one of them has shards, or has got more, so that the same moves
 * are to be divided anew.
 */
export async function makeRoom(
  table: Table,
  moves: readonly Move[],
  deadline: Deadline,
): Promise<boolean> {
  const { shards } = table;
  if (!shards) return false;
  for (const move of moves)
    if (shards.noteCrowd(keyOf(move)) && !needsWhole(move))
      await growShards({ ...table, shards }, move, deadline);
  return moves.some((move) => shards.countOf(keyOf(move)) > 1);
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
  const moves = [...items.values()].reduce(
    (sum, item) => sum + ((item['moves'] ?? 0n) as bigint),
    0n,
  );
  const nowMs = shards.nowMs();
  const seconds = BigInt(Math.max(1, Math.floor((nowMs - Number(looked)) / 1000)));
  if (moves - (lookedMoves as bigint) < quietPerSecond * seconds) {
    await foldShards(table, name, { staysUndivided: false, attemptCountMax: 1 }, deadline);
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
