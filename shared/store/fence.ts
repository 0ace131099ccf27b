/**
 * Fencing: what was answered about a moment stays true. A move that states the moment of a fence or an earlier one fails,
 * and is decided anew for a later moment. The wallet's count of balances is fenced first, and a balance that is opened
 * later begins with that fence; so none is left out. Decision 92.
 */
import type { Balance, FencedWallet, Scope } from '../port/ports.ts';
import { balanceKeyOf, headKeyOf, type Key, usageKeyOf } from './keys.ts';
import { balances, load } from './load.ts';
import { shardKeysOf } from './read-shards.ts';
import type { ItemAction, Table } from './request.ts';
import { type Deadline, deadlineIn } from './retry.ts';
import { tryTo } from './try-to.ts';

/** The updates that are sent at a time. */
const atOnceMax = 25;

const isBefore = '(attribute_not_exists(fenced) OR fenced < :at)';
const isThere = 'attribute_exists(pk)';

/**
 * Fences the balances of a wallet at a millisecond, and returns them. A later fence stays. One that had not moved may have
 * moved for the first time before its own fence, so they are read again.
 */
export async function fence(
  table: Table,
  scope: Scope,
  { handle, luid }: FencedWallet,
  atMs: number,
): Promise<Balance[]> {
  const deadline = deadlineIn(table.deadlineMs);
  const wallet = isStill(table, scope, { handle, luid });
  await tryTo(table, [wallet, ofCount(table, scope, handle, atMs)], deadline);
  const held = await balances(table, scope, handle, 'rough');
  const own = held.filter(({ walletLuid }) => walletLuid === luid);
  for (let start = 0; start < own.length; start += atOnceMax) {
    const some = own.slice(start, start + atOnceMax);
    await Promise.all(some.map((balance) => fenceBalance(table, scope, balance, atMs, deadline)));
  }
  const haveMoved = own.every(({ isActive }) => isActive);
  return haveMoved ? held : balances(table, scope, handle, 'rough');
}

/**
 * Fences a balance and its shards. Shard 0 comes first, and only as it was read: a shard that is added later begins with its
 * fence. Decision 125.
 */
async function fenceBalance(
  table: Table,
  scope: Scope,
  read: Balance,
  atMs: number,
  deadline: Deadline,
): Promise<void> {
  const { wallet, symbol } = read;
  let balance: Balance | undefined = read;
  while (balance) {
    const { fencedMs = -1, shards } = balance;
    const count = shards?.count ?? 1;
    const isFenced =
      fencedMs >= atMs || (await tryTo(table, [ofBalance(table, scope, balance, atMs)], deadline));
    if (isFenced) {
      const further = shardKeysOf({ scope, wallet, symbol }, count).slice(1);
      await Promise.all(further.map((key) => tryTo(table, [ofShard(table, key, atMs)], deadline)));
      return;
    }
    balance = (await load(table, [{ what: 'balance', scope, wallet, symbol }]))[0];
  }
}

function isStill({ tableName }: Table, scope: Scope, { handle, luid }: FencedWallet): ItemAction {
  return {
    ConditionCheck: {
      TableName: tableName,
      Key: headKeyOf(scope, 'wallet', handle),
      ConditionExpression: 'luid = :luid',
      ExpressionAttributeValues: { ':luid': luid },
    },
  };
}

/** Fences the count of a wallet's balances; one that is made here counts none. */
function ofCount({ tableName }: Table, scope: Scope, wallet: string, atMs: number): ItemAction {
  return {
    Update: {
      TableName: tableName,
      Key: usageKeyOf(scope, 'wallet', wallet),
      UpdateExpression: 'SET fenced = :at ADD balances :zero',
      ConditionExpression: isBefore,
      ExpressionAttributeValues: { ':at': atMs, ':zero': 0 },
    },
  };
}

function ofBalance(
  table: Table,
  scope: Scope,
  { wallet, symbol, shards }: Balance,
  atMs: number,
): ItemAction {
  return ofShard(table, balanceKeyOf(scope, wallet, symbol), atMs, shards?.count ?? 1);
}

/** Fences an item; shard 0 while it has this many shards. */
function ofShard({ tableName }: Table, key: Key, atMs: number, count?: number): ItemAction {
  const isSame = count === 1 ? 'attribute_not_exists(shards)' : 'shards = :count';
  const conditions = [isThere, isBefore, ...(count === undefined ? [] : [isSame])];
  return {
    Update: {
      TableName: tableName,
      Key: key,
      UpdateExpression: 'SET fenced = :at',
      ConditionExpression: conditions.join(' AND '),
      ExpressionAttributeValues: {
        ':at': atMs,
        ...(count !== undefined && count > 1 && { ':count': count }),
      },
    },
  };
}
