/**
 * Watching balances: moves that were decided before fail, and later ones depend on the version of the wallet. So a
 * freeze is exact, and intents about other wallets have no further condition. Decision 109.
 */
import type { Balance, Scope } from '../port/ports.ts';
import { foldShards, undividedMs } from './fold-shards.ts';
import { balanceKeyOf } from './keys.ts';
import { load } from './load.ts';
import type { Table } from './request.ts';
import { type Deadline, deadlineIn } from './retry.ts';
import { tryTo } from './try-to.ts';

/** The updates that are sent at a time. */
const atOnceMax = 25;

const isUndivided = 'attribute_exists(pk) AND attribute_not_exists(shards)';

type WatchedBalance = Pick<Balance, 'wallet' | 'symbol'>;

/** Marks the balances that are there. A lost answer is asked for again: to count twice does no harm. */
export async function watch(
  table: Table,
  scope: Scope,
  balances: readonly WatchedBalance[],
): Promise<void> {
  const deadline = deadlineIn(table.deadlineMs);
  for (let start = 0; start < balances.length; start += atOnceMax) {
    const some = balances.slice(start, start + atOnceMax);
    await Promise.all(some.map((balance) => mark(table, scope, balance, deadline)));
  }
}

async function mark(
  table: Table,
  scope: Scope,
  { wallet, symbol }: WatchedBalance,
  deadline: Deadline,
): Promise<void> {
  // A balance with shards is watched as one item, and gets no shards again. Decision 125.
  while (!(await isMarked(table, scope, { wallet, symbol }, deadline))) {
    const isLeft = await foldShards(
      table,
      { scope, wallet, symbol },
      { undividedMs: undividedMs.untilStored },
      deadline,
    );
    const [balance] = await load(table, [{ what: 'balance', scope, wallet, symbol }]);
    if (isLeft && !balance) return;
  }
}

/** Marks a balance that is one item; false where there is none. */
function isMarked(
  table: Table,
  scope: Scope,
  { wallet, symbol }: WatchedBalance,
  deadline: Deadline,
): Promise<boolean> {
  const update = {
    TableName: table.tableName,
    Key: balanceKeyOf(scope, wallet, symbol),
    UpdateExpression: 'SET watched = :one ADD limitsChange :one',
    ConditionExpression: isUndivided,
    ExpressionAttributeValues: { ':one': 1 },
  };
  return tryTo(table, [{ Update: update }], deadline);
}
