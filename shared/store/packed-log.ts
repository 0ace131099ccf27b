/** The form of the leaves and places that a log gets now. Decisions 141 and 142. */
import type { Layout } from '../port/layouts.ts';
import type { Scope } from '../port/ports.ts';
import { logKeyOf } from './keys.ts';
import { isDense, layoutOf, markDense } from './layout.ts';
import type { StoredLog } from './pack-log.ts';
import type { Table } from './request.ts';
import type { Deadline } from './retry.ts';
import { updateOne } from './try-to.ts';

/**
 * True where leaves and places are packed. The head of a log that is not dense says so before any of them is there, so
 * that whoever reads it looks for them.
 */
export async function isPackedNow(
  table: Table,
  scope: Scope,
  log: StoredLog,
  how: 'together' | undefined,
  deadline: Deadline,
): Promise<boolean> {
  if (isDense(await markedLayout(table, scope, deadline))) return true;
  if (how === 'together' && !log.isPacked) await markPacked(table, scope, deadline);
  return how === 'together';
}

async function markPacked(table: Table, scope: Scope, deadline: Deadline): Promise<void> {
  const action = {
    TableName: table.tableName,
    Key: logKeyOf(scope),
    UpdateExpression: 'SET packed = :packed',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':packed': true },
  };
  await updateOne(table, action, deadline);
}

/** The layout of a ledger, which says from when on it is dense: the first change by this release sets that. */
async function markedLayout(table: Table, scope: Scope, deadline: Deadline): Promise<Layout> {
  const layout = await layoutOf(table, scope, deadline);
  if (layout.denseMs === undefined) await markDense(table, scope, deadline);
  return layout;
}
