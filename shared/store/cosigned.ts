/** The answers of the witnesses of a log, as one item. It changes by conditional writes alone. Decision 117. */
import { canonicalOf } from '../crypto/canonical.ts';
import type { CosignedLog } from '../port/logs.ts';
import type { Scope } from '../port/ports.ts';
import { put } from './item-action.ts';
import { cosignedKeyOf, textOf } from './keys.ts';
import { itemsAt } from './read.ts';
import type { Item, Table } from './request.ts';
import { deadlineIn } from './retry.ts';
import { tryTo } from './try-to.ts';

export async function readCosigned(table: Table, scope: Scope): Promise<CosignedLog | undefined> {
  const key = cosignedKeyOf(scope);
  const found = await itemsAt(table, [key], deadlineIn(table.deadlineMs));
  const item = found.get(textOf(key));
  return item && unpackCosigned(item);
}

/** The answers in an item. */
export function unpackCosigned(item: Item): CosignedLog {
  const { change, size, note, progress } = item;
  return {
    change: Number(change),
    ...(note !== undefined && { checkpoint: { size: Number(size), note: String(note) } }),
    progress: JSON.parse(String(progress)) as CosignedLog['progress'],
  };
}

/** Stores the answers behind those of the change before; false when another process has done so. */
export async function keepCosigned(
  table: Table,
  scope: Scope,
  { change, checkpoint, progress }: CosignedLog,
): Promise<boolean> {
  const item = { change, ...checkpoint, progress: canonicalOf(progress) };
  const condition = change === 1 ? 'attribute_not_exists(pk)' : 'change = :before';
  const values = change === 1 ? undefined : { ':before': change - 1 };
  return tryTo(table, [put(table.tableName, cosignedKeyOf(scope), item, condition, values)]);
}
