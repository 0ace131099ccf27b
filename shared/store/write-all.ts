/** Unconditional puts and deletes, many at a time and in no order. */
import { randomUUID } from 'node:crypto';
import { distinctBy } from './distinct.ts';
import { bytesOf } from './group-commit.ts';
import { type Key, textOf } from './keys.ts';
import {
  batchWrite,
  type Item,
  type ItemAction,
  type ItemWrite,
  type Table,
  transact,
} from './request.ts';
import { type Deadline, pause, repeating } from './retry.ts';
import { severalOf } from './several.ts';

/** The limit of DynamoDB for one batch, and the batches that are sent at a time. */
const batchLengthMax = 25;
const runningMax = 8;
/** The most bytes of a transaction of several writes. */
const partBytesMax = 512 * 1024;

/** Items to put, whatever lies at their keys, and other keys of items to delete. */
export interface Writes {
  readonly puts?: readonly Item[];
  readonly deletes?: readonly Key[];
}

/** Puts the items, whatever lies at their keys, and deletes what is at the other keys. */
export async function writeAll(table: Table, writes: Writes, deadline: Deadline): Promise<void> {
  if (table.groupCommit) return handIn(table, actionsOf(table, writes), batchLengthMax, deadline);
  const all = distinctIn(writes);
  const batches = Array.from({ length: Math.ceil(all.length / batchLengthMax) }, (_, index) =>
    all.slice(index * batchLengthMax, (index + 1) * batchLengthMax),
  );
  await severalOf(batches, runningMax, (batch) => writeBatch(table, batch, deadline));
}

/** The same as actions of a transaction. */
export function actionsOf(table: Table, writes: Writes): ItemAction[] {
  return distinctIn(writes).map((write) => actionOf(table, write));
}

/** Each item once: DynamoDB takes one write of it at a time. */
function distinctIn({ puts = [], deletes = [] }: Writes): ItemWrite[] {
  return distinctBy<ItemWrite>(
    [...puts.map((put) => ({ put })), ...deletes.map((key) => ({ delete: key }))],
    (write) => textOf('put' in write ? (write.put as unknown as Key) : write.delete),
  );
}

/**
 * Hands in writes as transactions of so many actions: a group takes more of them than a batch, and syncs once. Those of
 * fewer leave room for others in their group.
 */
export async function handIn(
  table: Table,
  actions: readonly ItemAction[],
  lengthMax: number,
  deadline: Deadline,
): Promise<void> {
  const written = partsOf(actions, lengthMax).map((part) => {
    const token = randomUUID();
    return repeating(deadline, () => transact(table, token, part));
  });
  await Promise.all(written);
}

function actionOf({ tableName }: Table, write: ItemWrite): ItemAction {
  return 'put' in write
    ? { Put: { TableName: tableName, Item: write.put } }
    : { Delete: { TableName: tableName, Key: write.delete } };
}

function partsOf(actions: readonly ItemAction[], lengthMax: number): ItemAction[][] {
  const parts: ItemAction[][] = [];
  let bytes = 0;
  for (const action of actions) {
    const own = bytesOf(action);
    const part = parts.at(-1);
    const isFitting = part && part.length < lengthMax && bytes + own <= partBytesMax;
    if (isFitting) part.push(action);
    else parts.push([action]);
    bytes = isFitting ? bytes + own : own;
  }
  return parts;
}

async function writeBatch(
  table: Table,
  writes: readonly ItemWrite[],
  deadline: Deadline,
): Promise<void> {
  let rest = writes;
  for (let attempt = 0; rest.length > 0; attempt += 1) {
    if (attempt > 0) await pause(attempt, deadline);
    rest = await repeating(deadline, () => batchWrite(table, rest));
  }
}

/** Deletes the items at the keys, there or not, in no order. */
export function remove(table: Table, keys: readonly Key[], deadline: Deadline): Promise<void> {
  return writeAll(table, { deletes: keys }, deadline);
}
