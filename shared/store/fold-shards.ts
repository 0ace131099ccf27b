/**
 * Fewer shards: each transaction deletes some of them, the last ones first, and adds all that they have to shard 0. The sum
 * stays, and a shard that has changed meanwhile is read again. Whoever needs the whole of a balance folds it first, and
 * marks it as undivided, so that it gets no shards for some time. Decision 125.
 */
import { randomUUID } from 'node:crypto';
import { balanceKeyOf, textOf } from './keys.ts';
import { type BalanceName, shardCountOf, shardItems, shardKeysOf } from './read-shards.ts';
import { type Item, type ItemAction, type Table, transact } from './request.ts';
import { type Deadline, natureOf, pause } from './retry.ts';

const hasSoMany = 'shards = :count';
/**
 * The times for which a balance stays undivided, in milliseconds. What is about to be stored with its whole, such as a limit,
 * keeps it so from then on. A wallet that may go below zero needs its whole for every debit, as long as it is at its bridge.
 */
export const undividedMs = { untilStored: 5 * 60_000, mayOverdraw: 24 * 60 * 60_000 } as const;

const counted = ['available', 'moves', 'reserved', 'holds'] as const;

interface FoldOptions {
  /** The time for which the balance gets no shards; none where it is absent. */
  readonly undividedMs?: number;
  /** The transactions that are tried; all that the time allows unless said. */
  readonly attemptCountMax?: number;
}

/** Puts all shards of a balance together; false when it did not come so far. */
export async function foldShards(
  table: Table,
  name: BalanceName,
  options: FoldOptions,
  deadline: Deadline,
): Promise<boolean> {
  const { undividedMs: forMs, attemptCountMax = Number.POSITIVE_INFINITY } = options;
  // Others may change a shard while all are put together, so ever fewer are taken at a time.
  let atOnce = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attemptCountMax; attempt += 1) {
    const nowMs = table.shards?.nowMs() ?? Date.now();
    const undividedUntil = forMs === undefined ? undefined : nowMs + forMs;
    const items = await shardItems(table, name, deadline);
    const item = items.get(textOf(balanceKeyOf(name.scope, name.wallet, name.symbol)));
    const count = shardCountOf(item);
    if (!item || count === 1) return true;
    const first = Math.max(1, count - atOnce);
    const shards = shardsFrom(name, items, first, count);
    const isStored =
      shards !== undefined &&
      (await tried(
        table,
        planOfFold(table.tableName, name, shards, { first, count, undividedUntil }),
      ));
    if (isStored) continue;
    atOnce = Math.max(1, Math.floor(Math.min(atOnce, count) / 2));
    await pause(attempt, deadline);
  }
  return false;
}

/** The shards from one on; undefined when one of them is gone by now. */
function shardsFrom(
  name: BalanceName,
  items: ReadonlyMap<string, Item>,
  first: number,
  count: number,
): Item[] | undefined {
  const keys = shardKeysOf(name, count).slice(first);
  const shards = keys.map((key) => items.get(textOf(key))).filter((shard) => shard !== undefined);
  return shards.length < keys.length ? undefined : shards;
}

/** Writes a plan; false when it has to be made anew. A lost answer shows in the next reading. */
async function tried(table: Table, actions: readonly ItemAction[]): Promise<boolean> {
  try {
    await transact(table, randomUUID(), actions);
    return true;
  } catch (error) {
    if (natureOf(error) === 'broken') throw error;
    return false;
  }
}

interface Fold {
  /** The first shard that goes, and the number of shards there are. */
  readonly first: number;
  readonly count: number;
  /** The time before which the balance gets no shards, in milliseconds. */
  readonly undividedUntil: number | undefined;
}

function planOfFold(
  tableName: string,
  { scope, wallet, symbol }: BalanceName,
  shards: readonly Item[],
  { first, count, undividedUntil }: Fold,
): ItemAction[] {
  const isLast = first === 1;
  const sums = counted.flatMap((name) => {
    const values = shards.flatMap((shard) => (shard[name] as bigint | undefined) ?? []);
    return values.length === 0 ? [] : [[name, values.reduce((sum, one) => sum + one)] as const];
  });
  const set = [
    ...(isLast ? [] : ['shards = :first']),
    ...(undividedUntil === undefined ? [] : ['undivided = :until']),
  ];
  const fewer: ItemAction = {
    Update: {
      TableName: tableName,
      Key: balanceKeyOf(scope, wallet, symbol),
      UpdateExpression: [
        ...(set.length > 0 ? [`SET ${set.join(', ')}`] : []),
        `ADD ${sums.map(([name]) => `${name} :${name}`).join(', ')}`,
        ...(isLast ? ['REMOVE shards, looked, lookedMoves, growing'] : []),
      ].join(' '),
      ConditionExpression: hasSoMany,
      ExpressionAttributeValues: {
        ':count': count,
        ...(!isLast && { ':first': first }),
        ...(undividedUntil !== undefined && { ':until': undividedUntil }),
        ...Object.fromEntries(sums.map(([name, sum]) => [`:${name}`, sum])),
      },
    },
  };
  return [fewer, ...shards.map((shard) => deleteAsRead(tableName, shard))];
}

/** Deletes a shard that still has what was read. */
function deleteAsRead(tableName: string, shard: Item): ItemAction {
  const there = counted.filter((name) => shard[name] !== undefined);
  const conditions = counted.map((name) =>
    shard[name] === undefined ? `attribute_not_exists(${name})` : `${name} = :${name}`,
  );
  return {
    Delete: {
      TableName: tableName,
      Key: { pk: shard['pk'], sk: shard['sk'] },
      ConditionExpression: conditions.join(' AND '),
      ExpressionAttributeValues: Object.fromEntries(there.map((name) => [`:${name}`, shard[name]])),
    },
  };
}
