/**
 * Fencing: what was answered about a moment stays true. A move that states the moment of a fence or an earlier one fails,
 * and is decided anew for a later moment. The wallet's count of balances is fenced first, and a balance that is opened
 * later begins with that fence; so none is left out. Decision 92.
 */
import type { Balance, FencedWallet, Scope } from '../port/ports.ts';
import { balanceKeyOf, headKeyOf, usageKeyOf } from './keys.ts';
import { balances } from './read.ts';
import type { ItemAction, Table } from './request.ts';
import { deadlineIn } from './retry.ts';
import { tryTo } from './try-to.ts';

/** The updates that are sent at a time. */
const atOnceMax = 25;

const isBefore = '(attribute_not_exists(fenced) OR fenced < :at)';
const isThere = 'attribute_exists(pk)';

/** Fences the balances of a wallet at a millisecond, and returns them. A later fence stays. */
export async function fence(
  table: Table,
  scope: Scope,
  { handle, luid }: FencedWallet,
  atMs: number,
): Promise<Balance[]> {
  const deadline = deadlineIn(table.deadlineMs);
  const wallet = isStill(table, scope, { handle, luid });
  await tryTo(table, [wallet, ofCount(table, scope, handle, atMs)], deadline);
  const held = await balances(table, scope, handle);
  const open = held.filter(
    ({ walletLuid, fencedMs = -1 }) => walletLuid === luid && fencedMs < atMs,
  );
  for (let start = 0; start < open.length; start += atOnceMax) {
    const some = open.slice(start, start + atOnceMax);
    await Promise.all(
      some.map((balance) => tryTo(table, [ofBalance(table, scope, balance, atMs)], deadline)),
    );
  }
  return held;
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
  { tableName }: Table,
  scope: Scope,
  { wallet, symbol }: Balance,
  atMs: number,
): ItemAction {
  return {
    Update: {
      TableName: tableName,
      Key: balanceKeyOf(scope, wallet, symbol),
      UpdateExpression: 'SET fenced = :at',
      ConditionExpression: `${isThere} AND ${isBefore}`,
      ExpressionAttributeValues: { ':at': atMs },
    },
  };
}
