/**
 * More shards for a busy balance. One process claims the growth by a mark on the balance, and whoever reads the mark waits a
 * moment: a transaction on all shards would never find them free otherwise. Each new shard begins with its part of what
 * the others have, in the same transaction, so that the sum stays. Only a balance without limits gets shards: whatever needs
 * its whole would have to read them all. Decisions 125 and 131.
 */

import { randomUUID } from 'node:crypto';
import { undividedMs } from './fold-shards.ts';
import { balanceKeyOf, type Key, shardKeyOf, textOf } from './keys.ts';
import { type BalanceName, shardCountOf, shardItems, shardKeysOf } from './read-shards.ts';
import { type Item, type ItemAction, type Table, transact, update } from './request.ts';
import { type Deadline, natureOf, pause } from './retry.ts';
import { growth, markMsMax, type ShardBook } from './shard-book.ts';

const isThere = 'attribute_exists(pk)';
const isAbsent = 'attribute_not_exists(pk)';
const isFree =
  'attribute_not_exists(limits) AND attribute_not_exists(counters) AND attribute_not_exists(watched)';
// Releases before this one marked a balance for ever, by a 1.
const mayHaveShards = `${isFree} AND (attribute_not_exists(undivided) OR undivided < :now OR undivided > :last)`;
const isUnclaimed = '(attribute_not_exists(growing) OR growing < :now OR growing > :far)';
const hasOne = 'attribute_not_exists(shards)';
const hasSoMany = 'shards = :count';
const isOfWallet = 'wallet = :wallet';
const isUnfenced = 'attribute_not_exists(fenced)';
const isFencedSo = 'fenced = :fenced';
const isUnlimited = 'attribute_not_exists(limitsChange)';
const isLimitedSo = 'limitsChange = :limitsChange';
const hasShares = 'available >= :given';

/** The time for which others wait for more shards, in milliseconds. */
const claimMs = 1_000;
/** The time between two attempts of the one that makes them. */
const waits = { baseMs: 10, mostMs: 40 };

type GrowingTable = Table & { readonly shards: ShardBook };

/**
 * Gives more shards to a balance that may have some: at least `wanted`, `growth` times as many as it has, and `most` at most.
 * Where another process does so, or was faster, it does nothing. True where it has made some.
 */
export async function growShards(
  table: GrowingTable,
  name: BalanceName,
  deadline: Deadline,
  { wanted, most = table.shards.most }: { readonly wanted: number; readonly most?: number },
): Promise<boolean> {
  const { shards } = table;
  const key = balanceKeyOf(name.scope, name.wallet, name.symbol);
  const count = shards.countOf(key);
  const next = Math.min(most, Math.max(wanted, count === 1 ? 1 : growth * count));
  if (next <= count || shards.growingUntil(key) > 0) return false;
  const untilMs = shards.nowMs() + claimMs;
  if (!(await isClaimed(table, key, count, untilMs))) return false;
  for (let attempt = 0; shards.nowMs() < untilMs; attempt += 1) {
    // Others may change a shard while all give a part, so ever fewer give one.
    const donorCount = Math.max(1, count >> Math.floor(attempt / 2));
    if (await isGrown(table, name, { count, next, donorCount }, deadline))
      return shards.countOf(key) > count;
    await pause(attempt, deadline, waits);
  }
  return false;
}

function mayGrow(item: Item, nowMs: number): boolean {
  const { limits, counters, watched, undivided = 0n, available } = item;
  const isFree = (limits ?? counters ?? watched) === undefined;
  const untilMs = Number(undivided);
  const isUndivided = untilMs >= nowMs && untilMs <= lastUndividedMs(nowMs);
  return isFree && !isUndivided && (available as bigint) >= 0n;
}

/** The last moment until which a balance may be marked as undivided. The clock of a later one was set back. Decision 87. */
function lastUndividedMs(nowMs: number): number {
  return nowMs + undividedMs.mayOverdraw + markMsMax;
}

/** Marks a balance as growing; false where another process was faster, or transactions are on it. */
function isClaimed(
  { tableName, shards, ...table }: GrowingTable,
  key: Key,
  count: number,
  untilMs: number,
): Promise<boolean> {
  const nowMs = shards.nowMs();
  const action = {
    TableName: tableName,
    Key: key,
    UpdateExpression: 'SET growing = :until',
    ConditionExpression: [isThere, mayHaveShards, isCounted(count), isUnclaimed].join(' AND '),
    ExpressionAttributeValues: {
      ...{ ':until': untilMs, ':now': nowMs, ':far': nowMs + markMsMax },
      ':last': lastUndividedMs(nowMs),
      ...(count > 1 && { ':count': count }),
    },
  };
  return isDone(update({ tableName, ...table }, action));
}

function isCounted(count: number): string {
  return count === 1 ? hasOne : hasSoMany;
}

interface Step {
  /** The number of shards as it was when the growth was claimed. */
  readonly count: number;
  readonly next: number;
  /** The shards that give a part, at most. */
  readonly donorCount: number;
}

/** True once there are so many shards, or no more are to be made. */
async function isGrown(
  table: GrowingTable,
  name: BalanceName,
  { count, next, donorCount }: Step,
  deadline: Deadline,
): Promise<boolean> {
  const { shards, tableName } = table;
  const key = balanceKeyOf(name.scope, name.wallet, name.symbol);
  const items = await shardItems(table, name, deadline);
  const item = items.get(textOf(key));
  if (!item || shardCountOf(item) !== count || !mayGrow(item, shards.nowMs())) return true;
  const all = shardKeysOf(name, count).map((one) => items.get(textOf(one)));
  const there = all.filter((one) => one !== undefined);
  if (there.length < count) return false;
  const growth = { tableName, name, item, there, next, donorCount, nowMs: shards.nowMs() };
  if (!(await isDone(transact(table, randomUUID(), planOfGrowth(growth))))) return false;
  shards.noteCount(key, next);
  shards.noteGrowing(key, 0);
  shards.noteGrown(key);
  return true;
}

async function isDone(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (natureOf(error) === 'broken') throw error;
    return false;
  }
}

interface Growth {
  readonly tableName: string;
  readonly name: BalanceName;
  readonly item: Item;
  /** The shards that there are, in order. */
  readonly there: readonly Item[];
  readonly next: number;
  readonly donorCount: number;
  readonly nowMs: number;
}

function planOfGrowth(growth: Growth): ItemAction[] {
  const { tableName, name, item, there, next, donorCount } = growth;
  const amounts = there.map(({ available }) => available as bigint);
  const sum = amounts.reduce((before, one) => before + one, 0n);
  const share = sum > 0n ? sum / BigInt(next) : 0n;
  const spare = sparedBy(amounts, share, donorCount);
  const added = next - there.length;
  // Each new shard gets the same, and what those that have more than that can spare is enough.
  const each = spare.reduce((before, one) => before + one, 0n) / BigInt(added);
  const given = givenBy(spare, each * BigInt(added));
  const { luid, wallet, fenced, limitsChange } = item;
  const content = {
    ...{ luid, wallet, available: each },
    // It stays as it is while there are shards, so that a move has one condition on all of them.
    ...(limitsChange !== undefined && { limitsChange }),
    // No moment that was answered as final is open again in a new shard. Decision 92.
    ...(fenced !== undefined && { fenced }),
  };
  const puts = Array.from({ length: added }, (_, index): ItemAction => {
    const key = shardKeyOf(name.scope, name.wallet, name.symbol, there.length + index);
    const Item = { ...key, ...content };
    return { Put: { TableName: tableName, Item, ConditionExpression: isAbsent } };
  });
  const givings = given.flatMap((amount, shard): ItemAction[] => {
    if (shard === 0 || amount === 0n) return [];
    return [givingOf(tableName, there[shard] as Item, amount)];
  });
  return [...puts, countingOf(growth, given[0] ?? 0n), ...givings];
}

/** The amounts beyond its share that each shard can spare; only those with the most give something. */
function sparedBy(amounts: readonly bigint[], share: bigint, donorCount: number): bigint[] {
  const donors = amounts.toSorted((one, other) => (one < other ? 1 : -1)).slice(0, donorCount);
  const least = donors.at(-1) ?? 0n;
  return amounts.map((one) => (one > share && one >= least ? one - share : 0n));
}

/** The parts that shards give, none more than it can spare, which come to a sum. */
function givenBy(spare: readonly bigint[], sum: bigint): bigint[] {
  let rest = sum;
  return spare.map((most) => {
    const given = most < rest ? most : rest;
    rest -= given;
    return given;
  });
}

function givingOf(tableName: string, { pk, sk, wallet }: Item, given: bigint): ItemAction {
  return {
    Update: {
      TableName: tableName,
      Key: { pk, sk },
      UpdateExpression: 'SET available = available - :given',
      ConditionExpression: `${isOfWallet} AND ${hasShares}`,
      ExpressionAttributeValues: { ':given': given, ':wallet': wallet },
    },
  };
}

/** The new count of shards, which shard 0 knows. */
function countingOf(
  { tableName, name, item, there, next, nowMs }: Growth,
  given: bigint,
): ItemAction {
  const { wallet, fenced, limitsChange } = item;
  const count = there.length;
  const moves = there.reduce((sum, one) => sum + ((one['moves'] ?? 0n) as bigint), 0n);
  return {
    Update: {
      TableName: tableName,
      Key: balanceKeyOf(name.scope, name.wallet, name.symbol),
      UpdateExpression:
        'SET available = available - :given, shards = :next, looked = :now, lookedMoves = :moves REMOVE growing, undivided',
      ConditionExpression: [
        isOfWallet,
        mayHaveShards,
        isCounted(count),
        fenced === undefined ? isUnfenced : isFencedSo,
        limitsChange === undefined ? isUnlimited : isLimitedSo,
        hasShares,
      ].join(' AND '),
      ExpressionAttributeValues: {
        ...{ ':given': given, ':wallet': wallet, ':next': next, ':now': nowMs, ':moves': moves },
        ':last': lastUndividedMs(nowMs),
        ...(count > 1 && { ':count': count }),
        ...(fenced !== undefined && { ':fenced': fenced }),
        ...(limitsChange !== undefined && { ':limitsChange': limitsChange }),
      },
    },
  };
}
