/** The checkpoint of a log in the table. Decision 115. */
import type { StoredCheckpoint } from '../port/logs.ts';
import type { Scope } from '../port/ports.ts';
import { checkpointKeyOf } from './keys.ts';
import type { Item, ItemAction, Table } from './request.ts';
import { tryTo } from './try-to.ts';

/** Stores a checkpoint in place of one of a smaller size. */
export async function keepCheckpoint(
  table: Table,
  scope: Scope,
  checkpoint: StoredCheckpoint,
): Promise<void> {
  await tryTo(table, [keepAction(table, scope, checkpoint)]);
}

/** The same as an action of a transaction. */
export function keepAction(
  { tableName }: Table,
  scope: Scope,
  { size, note }: StoredCheckpoint,
): ItemAction {
  return {
    Put: {
      TableName: tableName,
      Item: { ...checkpointKeyOf(scope), size, note },
      ConditionExpression: 'attribute_not_exists(pk) OR #size < :size',
      ExpressionAttributeNames: { '#size': 'size' },
      ExpressionAttributeValues: { ':size': size },
    },
  };
}

/** The checkpoint that an item holds. */
export function checkpointIn(item: Item | undefined): StoredCheckpoint | undefined {
  return item && { size: Number(item['size']), note: String(item['note']) };
}
