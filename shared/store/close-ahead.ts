/** Balances that end with their wallet: before its transaction, each is one item, and there are no more than it takes. */

import { isDropped } from '../ledger/record.ts';
import type { Conflict, Write } from '../port/ports.ts';
import { foldShards } from './fold-shards.ts';
import { balanceKeyOf, usageKeyOf } from './keys.ts';
import { planOfClosing } from './plan-balance.ts';
import type { Table } from './request.ts';
import type { Deadline } from './retry.ts';
import { tryTo } from './try-to.ts';

/** The balances that are closed together with their wallet; more would not fit into its transaction. */
const closeCountMax = 30;

/** Folds the shards of balances that end, so that each is one item. */
export async function foldClosed(
  table: Table,
  writes: readonly Write[],
  deadline: Deadline,
): Promise<void> {
  for (const { scope, closes = [] } of writes)
    for (const { wallet, symbol, shards } of closes) {
      const known = table.shards?.countOf(balanceKeyOf(scope, wallet, symbol)) ?? 1;
      const hasShards = shards !== undefined || known > 1;
      if (hasShards)
        await foldShards(table, { scope, wallet, symbol }, { staysUndivided: true }, deadline);
    }
}

/**
 * Closes the balances that would not fit into the transaction of a drop. If the drop then fails, nothing is lost: an
 * empty balance means the same as none.
 */
export async function closeAhead(
  table: Table,
  writes: readonly Write[],
  deadline: Deadline,
): Promise<{ writes: readonly Write[]; conflicts: readonly Conflict[] }> {
  const lighter: Write[] = [];
  for (const [index, write] of writes.entries()) {
    const closes = [...(write.closes ?? [])];
    while (isDropped(write.next) && closes.length > closeCountMax) {
      const chunk = closes.splice(0, closeCountMax);
      const isClosed = await closeChunk(table, { ...write, closes: chunk }, index, deadline);
      if (!isClosed) return { writes, conflicts: [{ what: 'closing', write: index }] };
    }
    lighter.push(write.closes ? { ...write, closes } : write);
  }
  return { writes: lighter, conflicts: [] };
}

async function closeChunk(
  table: Table,
  { scope, next, closes = [] }: Write,
  index: number,
  deadline: Deadline,
): Promise<boolean> {
  const wallet = next.record.data.handle;
  const plan = planOfClosing(table.tableName, { scope, index, wallet }, closes);
  const counting = {
    Update: {
      TableName: table.tableName,
      Key: usageKeyOf(scope, next.kind, wallet),
      UpdateExpression: 'SET balances = balances - :count',
      ConditionExpression: 'balances >= :count',
      ExpressionAttributeValues: { ':count': closes.length },
    },
  };
  return tryTo(table, [...plan.map(({ action }) => action), counting], deadline);
}
