/**
 * More shards for a busy balance. Each new shard begins with a share of what another one has, in the same transaction, so
 * that the sum stays. Only a balance without limits gets shards: whatever needs its whole would have to read them all.
 * Decision 125.
 */

import { randomUUID } from 'node:crypto';
import { balanceKeyOf, type Key, shardKeyOf, textOf } from './keys.ts';
import { itemsAt } from './read.ts';
import { type BalanceName, shardCountOf } from './read-shards.ts';
import { type Item, type ItemAction, type Table, transact } from './request.ts';
import { type Deadline, natureOf } from './retry.ts';
import type { ShardBook } from './shard-book.ts';

const isAbsent = 'attribute_not_exists(pk)';
const mayHaveShards = 'attribute_not_exists(limitsChange) AND attribute_not_exists(undivided)';
const hasOne = 'attribute_not_exists(shards)';
const hasSoMany = 'shards = :count';
const isOfWallet = 'wallet = :wallet';
const isUnfenced = 'attribute_not_exists(fenced)';
const isFencedSo = 'fenced = :fenced';
const hasShares = 'available >= :given';

/** Adds shards to a balance that may have more; tries once, since the next busy request tries again. */
export async function growShards(
  table: Table & { readonly shards: ShardBook },
  name: BalanceName,
  deadline: Deadline,
  most: number = table.shards.most,
): Promise<void> {
  const { shards, tableName } = table;
  const key = balanceKeyOf(name.scope, name.wallet, name.symbol);
  const donorKey = shardOfDonor(shards, name);
  const found = await itemsAt(table, [key, donorKey], deadline);
  const [item, donor] = [found.get(textOf(key)), found.get(textOf(donorKey))];
  const count = shardCountOf(item);
  shards.noteCount(key, count);
  const next = Math.min(most, count === 1 ? shards.step : count + shards.step);
  const added = next - count;
  if (!item || !donor || added <= 0 || !mayGrow(item)) return;
  const growth = { tableName, name, item, donor, donorKey, count, added, nowMs: shards.nowMs() };
  try {
    await transact(table, randomUUID(), planOfGrowth(growth));
    shards.noteCount(key, count + added);
  } catch (error) {
    if (natureOf(error) === 'broken') throw error;
  }
}

/** The shard that gives shares: any of those that are known. */
function shardOfDonor(shards: ShardBook, { scope, wallet, symbol }: BalanceName): Key {
  const count = shards.countOf(balanceKeyOf(scope, wallet, symbol));
  return shardKeyOf(scope, wallet, symbol, Math.floor(shards.random() * count));
}

function mayGrow({ limitsChange, undivided, available }: Item): boolean {
  return limitsChange === undefined && undivided === undefined && (available as bigint) >= 0n;
}

interface Growth {
  readonly tableName: string;
  readonly name: BalanceName;
  readonly item: Item;
  readonly donor: Item;
  readonly donorKey: Key;
  readonly count: number;
  readonly added: number;
  readonly nowMs: number;
}

function planOfGrowth(growth: Growth): ItemAction[] {
  const { tableName, name, item, donor, donorKey, count, added } = growth;
  const share = (donor['available'] as bigint) / BigInt(added + 1);
  const given = share * BigInt(added);
  const { luid, wallet, fenced } = item;
  const isOwnDonor = donor === item || donorKey.pk === item['pk'];
  const content = {
    ...{ luid, wallet, available: share },
    // No moment that was answered as final is open again in a new shard. Decision 92.
    ...(fenced !== undefined && { fenced }),
  };
  const puts = Array.from({ length: added }, (_, index): ItemAction => {
    const key = shardKeyOf(name.scope, name.wallet, name.symbol, count + index);
    const Item = { ...key, ...content };
    return { Put: { TableName: tableName, Item, ConditionExpression: isAbsent } };
  });
  const giving = {
    Update: {
      TableName: tableName,
      Key: donorKey,
      UpdateExpression: 'SET available = available - :given',
      ConditionExpression: `${isOfWallet} AND ${hasShares}`,
      ExpressionAttributeValues: { ':given': given, ':wallet': wallet },
    },
  };
  const counting = countingOf(growth, isOwnDonor ? given : 0n);
  return [...puts, counting, ...(isOwnDonor ? [] : [giving])];
}

/** The new count of shards, which shard 0 knows. */
function countingOf(
  { tableName, name, item, count, added, nowMs }: Growth,
  given: bigint,
): ItemAction {
  const { wallet, fenced, moves = 0n } = item;
  const key = balanceKeyOf(name.scope, name.wallet, name.symbol);
  return {
    Update: {
      TableName: tableName,
      Key: key,
      UpdateExpression:
        'SET available = available - :given, shards = :next, looked = :now, lookedMoves = :moves',
      ConditionExpression: [
        isOfWallet,
        mayHaveShards,
        count === 1 ? hasOne : hasSoMany,
        fenced === undefined ? isUnfenced : isFencedSo,
        hasShares,
      ].join(' AND '),
      ExpressionAttributeValues: {
        ...{ ':given': given, ':wallet': wallet, ':next': count + added, ':now': nowMs },
        ':moves': moves,
        ...(count > 1 && { ':count': count }),
        ...(fenced !== undefined && { ':fenced': fenced }),
      },
    },
  };
}
