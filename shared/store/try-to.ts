/** One transaction with conditions, repeated until it is known to be stored or refused. */
import { randomUUID } from 'node:crypto';
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

/**
 * Updates one item, or nothing when the condition fails. It is sent again when the answer was lost, so it is for updates
 * that may be done twice, and where nobody asks whether this one was done.
 */
export async function updateOne(
  table: Table,
  action: NonNullable<ItemAction['Update']>,
  deadline: Deadline,
): Promise<void> {
  try {
    await repeating(deadline, () => update(table, action));
  } catch (error) {
    if (natureOf(error) !== 'refused') throw error;
  }
}
