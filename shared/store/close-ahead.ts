/** Balances that end with their wallet: before its transaction, each is one item, and there are no more than it takes. */

import { isDropped, nameOfVersion } from '../ledger/record.ts';
import type { Balance, Commit, Write } from '../port/ports.ts';
import { foldShards } from './fold-shards.ts';
import { isCurrent, isCurrentAndOpen } from './gates.ts';
import { type ConflictName, keyOfAction, type PlannedAction } from './item-action.ts';
import { balanceKeyOf, type Key, textOf, usageKeyOf } from './keys.ts';
import { planOf } from './plan.ts';
import { planOfClosing } from './plan-balance.ts';
import type { Table } from './request.ts';
import type { Deadline } from './retry.ts';
import { refusedBy } from './try-to.ts';

/** The balances that are closed together with their wallet; more would not fit into its transaction. */
const closeCountMax = 30;

/** Folds the shards of balances that end, so that each is one item. It may get some again if the drop is rejected. */
export async function foldClosed(
  table: Table,
  writes: readonly Write[],
  deadline: Deadline,
): Promise<void> {
  for (const { scope, closes = [] } of writes)
    for (const { wallet, symbol, shards } of closes) {
      const known = table.shards?.countOf(balanceKeyOf(scope, wallet, symbol)) ?? 1;
      const hasShards = shards !== undefined || known > 1;
      if (hasShards) await foldShards(table, { scope, wallet, symbol }, {}, deadline);
    }
}

/**
 * Closes the balances that would not fit into the transaction of a drop, where its other conditions hold: a drop that is
 * rejected takes none away. Those with limits come last. If others are faster than what follows, an empty balance without
 * limits means the same as none. Of more than thirty with limits, the first lose theirs then.
 */
export async function closeAhead(
  table: Table,
  wanted: Commit,
  deadline: Deadline,
): Promise<{ writes: readonly Write[]; conflicts: readonly ConflictName[] }> {
  const { writes } = wanted;
  const lighter: Write[] = [];
  for (const [index, write] of writes.entries()) {
    const closes = [...(write.closes ?? [])].sort(limitedLast);
    while (isDropped(write.next) && closes.length > closeCountMax) {
      const chunk = closes.splice(0, Math.min(closeCountMax, closes.length - closeCountMax));
      const checks = checksBeside(table, wanted, write);
      const own = { ...write, closes: chunk };
      const conflicts = await closeChunk(table, own, index, checks, deadline);
      if (conflicts.length > 0) return { writes, conflicts };
    }
    lighter.push(write.closes ? { ...write, closes } : write);
  }
  return { writes: lighter, conflicts: [] };
}

function limitedLast(one: Balance, other: Balance): number {
  return Number(one.limitsChange !== undefined) - Number(other.limitsChange !== undefined);
}

/** The other conditions of a commit that ends a wallet. The gates of the wallet are closed later. */
function checksBeside(
  { tableName: TableName }: Table,
  wanted: Commit,
  { scope, next }: Write,
): PlannedAction[] {
  const usage = textOf(usageKeyOf(scope, next.kind, nameOfVersion(next)));
  const writes = wanted.writes.map((write) => ({ ...write, closes: [] }));
  return planOf(TableName, { ...wanted, writes }).flatMap(({ action, ...named }) => {
    const { pk, sk } = keyOfAction(action);
    const { ConditionExpression: condition, ExpressionAttributeValues } =
      action.Put ?? action.Delete ?? action.ConditionCheck ?? {};
    if (condition === undefined || textOf({ pk, sk }) === usage) return [];
    const ConditionExpression = condition === isCurrentAndOpen ? isCurrent : condition;
    const values = ExpressionAttributeValues && { ExpressionAttributeValues };
    const Key: Key = { pk, sk };
    const check = { ConditionCheck: { TableName, Key, ConditionExpression, ...values } };
    return { action: check, ...named };
  });
}

/** Closes some balances of a wallet; returns the conditions that do not hold, and then it has closed none. */
async function closeChunk(
  table: Table,
  { scope, next, closes = [] }: Write,
  index: number,
  checks: readonly PlannedAction[],
  deadline: Deadline,
): Promise<readonly ConflictName[]> {
  const wallet = next.record.data.handle;
  const closing = { what: 'closing', write: index } as const;
  const counting = {
    Update: {
      TableName: table.tableName,
      Key: usageKeyOf(scope, next.kind, wallet),
      // Those that are opened later see by it that they may have been there before.
      UpdateExpression: 'SET balances = balances - :count ADD closed :one',
      ConditionExpression: 'balances >= :count',
      ExpressionAttributeValues: { ':count': closes.length, ':one': 1 },
    },
  };
  const plan = [
    ...checks,
    ...planOfClosing(table.tableName, { scope, index, wallet }, closes),
    { action: counting, conflict: closing },
  ];
  const actions = plan.map(({ action }) => action);
  const refused = await refusedBy(table, actions, deadline);
  return refused.map((place) => plan[place]?.conflict ?? closing);
}
