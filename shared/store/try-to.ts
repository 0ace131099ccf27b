/** Writes with conditions, repeated until each is known to be stored or refused. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Key, textOf } from './keys.ts';
import { itemsAt } from './read.ts';
import { type ItemAction, type Table, transact, update } from './request.ts';
import { type Deadline, deadlineIn, failedIndexesOf, natureOf, repeating } from './retry.ts';

/** Writes all of it, or nothing when a condition fails; returns the indexes of the actions that were refused. */
export async function refusedBy(
  table: Table,
  actions: readonly ItemAction[],
  deadline: Deadline,
): Promise<readonly number[]> {
  // A lost answer is asked for again by the same token.
  const token = randomUUID();
  try {
    await repeating(deadline, () => transact(table, token, actions));
    return [];
  } catch (error) {
    if (natureOf(error) !== 'refused') throw error;
    return failedIndexesOf(error);
  }
}

/** Writes all of it, or nothing when a condition fails; true when it is written. */
export async function tryTo(
  table: Table,
  actions: readonly ItemAction[],
  deadline: Deadline = deadlineIn(table.deadlineMs),
): Promise<boolean> {
  return (await refusedBy(table, actions, deadline)).length === 0;
}

/** An update of one item. */
type Updating = NonNullable<ItemAction['Update']>;

/**
 * Updates one item, or nothing when the condition fails; false when it was refused. It is sent again when the answer was
 * lost, so it is for updates that may be done twice, and one that was done may be refused then. Where transactions share
 * one sync, it joins, unless it is made anew for each attempt.
 */
export async function updateOne(
  table: Table,
  action: Updating | (() => Updating),
  deadline: Deadline,
): Promise<boolean> {
  if (table.groupCommit && typeof action !== 'function')
    return (await refusedBy(table, [{ Update: action }], deadline)).length === 0;
  const actionNow = typeof action === 'function' ? action : () => action;
  try {
    await repeating(deadline, () => update(table, actionNow()));
    return true;
  } catch (error) {
    if (natureOf(error) !== 'refused') throw error;
    return false;
  }
}

/**
 * Puts one item where there is none, without a transaction; true when it is written. A request whose answer was lost may
 * refuse its own repetition, so the item that is there then is compared.
 */
export async function putNew(
  table: Table,
  key: Key,
  attributes: object,
  deadline: Deadline,
): Promise<boolean> {
  const members = Object.entries(attributes);
  const action = {
    TableName: table.tableName,
    Key: key,
    UpdateExpression: `SET ${members.map((_, index) => `#m${index} = :m${index}`).join(', ')}`,
    ConditionExpression: 'attribute_not_exists(pk)',
    ExpressionAttributeNames: Object.fromEntries(
      members.map(([name], index) => [`#m${index}`, name]),
    ),
    ExpressionAttributeValues: Object.fromEntries(
      members.map(([, value], index) => [`:m${index}`, value]),
    ),
  };
  let isLost = false;
  const send = async (): Promise<void> => {
    try {
      await update(table, action);
    } catch (error) {
      isLost ||= natureOf(error) === 'unknown';
      throw error;
    }
  };
  try {
    await repeating(deadline, send);
    return true;
  } catch (error) {
    if (natureOf(error) !== 'refused') throw error;
  }
  if (!isLost) return false;
  const found = (await itemsAt(table, [key], deadline)).get(textOf(key));
  return members.every(([name, value]) => isSame(found?.[name], value));
}

/** Compares a stored value: numbers arrive as bigints, and bytes as another class. */
function isSame(stored: unknown, value: unknown): boolean {
  if (stored instanceof Uint8Array && value instanceof Uint8Array)
    return Buffer.compare(stored, value) === 0;
  return typeof value === 'number' ? Number(stored) === value : isDeepStrictEqual(stored, value);
}
