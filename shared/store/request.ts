/**
 * The six requests of this layer to the database, each one round trip. The consumed capacity is asked for and reported
 * only where `onConsumed` is given.
 */
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  type BatchGetCommandOutput,
  BatchWriteCommand,
  type BatchWriteCommandOutput,
  GetCommand,
  type GetCommandOutput,
  QueryCommand,
  type QueryCommandOutput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  type TransactWriteCommandOutput,
  UpdateCommand,
  type UpdateCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import type { Key, KeyRange } from './keys.ts';
import type { Pressure } from './pressure.ts';
import type { ShardBook } from './shard-book.ts';

/** The capacity that a request consumed. A failed request is reported too, without units. */
export interface Consumed {
  readonly operation:
    | 'BatchGetItem'
    | 'BatchWriteItem'
    | 'GetItem'
    | 'Query'
    | 'TransactWriteItems'
    | 'UpdateItem';
  readonly readUnits: number;
  readonly writeUnits: number;
}

interface RequestOptions {
  readonly requestTimeout?: number;
}

/** The part of a document client that this layer uses; a test may wrap it. */
export interface TableClient {
  send(
    command: TransactWriteCommand,
    options?: RequestOptions,
  ): Promise<TransactWriteCommandOutput>;
  send(command: BatchGetCommand, options?: RequestOptions): Promise<BatchGetCommandOutput>;
  send(command: BatchWriteCommand, options?: RequestOptions): Promise<BatchWriteCommandOutput>;
  send(command: QueryCommand, options?: RequestOptions): Promise<QueryCommandOutput>;
  send(command: GetCommand, options?: RequestOptions): Promise<GetCommandOutput>;
  send(command: UpdateCommand, options?: RequestOptions): Promise<UpdateCommandOutput>;
}

/** Items that a batch found, and the keys that the database did not process. */
export interface BatchRead {
  readonly items: readonly Item[];
  readonly left: readonly Key[];
}

/** Takes transactions, each to be done whole or not at all, and reads. */
export interface GroupCommit {
  /** Resolves once the transaction is stored; throws the error that it would have had alone. */
  readonly transact: (token: string, actions: readonly ItemAction[]) => Promise<void>;
  /** Reads what is stored by now, or later; throws the error that it would have had alone. */
  readonly read: (keys: readonly Key[]) => Promise<BatchRead>;
}

/** The table, and how to speak to it. */
export interface Table {
  readonly client: TableClient;
  readonly tableName: string;
  /** The time limit of one call of the store, with all its attempts, in milliseconds. */
  readonly deadlineMs: number;
  readonly onConsumed: ((what: Consumed) => void) | undefined;
  /** Called for each attempt to commit that conflicted with another transaction. */
  readonly onConflict?: (() => void) | undefined;
  /** Absent where balances get no shards. */
  readonly shards?: ShardBook;
  /** Absent where nobody keeps count of what was turned away. */
  readonly pressure?: Pressure;
  /** Called with an attempt to write that failed, and its error, which is thrown afterwards. */
  readonly onFailed?: ((items: readonly ItemAction[], error: unknown) => Promise<void>) | undefined;
  /** Called with what a transaction has written. */
  readonly onWritten?: ((actions: readonly ItemAction[]) => void) | undefined;
  /** Joins all writes of this process, and its reads, for a database that takes one request at a time. */
  readonly groupCommit?: GroupCommit | undefined;
}

/** The attributes of an item, its key among them. */
export type Item = Readonly<Record<string, unknown>>;

/** One action of a transaction. */
export type ItemAction = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

type Unprocessed = NonNullable<BatchGetCommandInput['RequestItems']>[string]['Keys'];

/** Writes all of it or nothing. Sent again with the same token, it is still done once. */
export async function transact(
  table: Table,
  token: string,
  items: readonly ItemAction[],
): Promise<void> {
  await saying(table, items, async () => {
    if (table.groupCommit) await table.groupCommit.transact(token, items);
    else await transactAlone(table, token, items);
  });
  table.onWritten?.(items);
}

/** Writes, and says what could not be written. */
async function saying(
  { onFailed }: Table,
  items: readonly ItemAction[],
  write: () => Promise<unknown>,
): Promise<void> {
  try {
    await write();
  } catch (error) {
    await onFailed?.(items, error);
    throw error;
  }
}

async function transactAlone(
  table: Table,
  token: string,
  items: readonly ItemAction[],
): Promise<void> {
  const command = new TransactWriteCommand({
    ClientRequestToken: token,
    TransactItems: [...items],
    ...counted(table),
  });
  await reporting(table, 'TransactWriteItems', () => table.client.send(command));
}

/**
 * Adds to the points of an item that expires, unless it has more than `room` already. This is no transaction: those on
 * the same item would have to wait for each other.
 */
export async function add(
  table: Table,
  key: Key,
  { points, room, expires }: { points: number; room: number; expires: number },
): Promise<void> {
  await update(table, {
    TableName: table.tableName,
    Key: key,
    UpdateExpression: 'SET expires = :expires ADD points :points',
    ConditionExpression: 'attribute_not_exists(pk) OR points <= :room',
    ExpressionAttributeValues: { ':expires': expires, ':points': points, ':room': room },
  });
}

/** Updates one item, without a transaction, which would take twice the units. */
export async function update(
  table: Table,
  action: NonNullable<ItemAction['Update']>,
): Promise<void> {
  const command = new UpdateCommand({ ...action, ...counted(table) });
  const send = () => table.client.send(command);
  await saying(table, [{ Update: action }], () => reporting(table, 'UpdateItem', send));
}

/** An item to put in place of any other, or a key to delete, there or not. */
export type ItemWrite = { readonly put: Item } | { readonly delete: Key };

/** Writes up to 25 items; returns those that the database did not process. */
export async function batchWrite(
  table: Table,
  writes: readonly ItemWrite[],
): Promise<readonly ItemWrite[]> {
  const { tableName } = table;
  const requests = writes.map((write) =>
    'put' in write ? { PutRequest: { Item: write.put } } : { DeleteRequest: { Key: write.delete } },
  );
  const command = new BatchWriteCommand({
    RequestItems: { [tableName]: requests },
    ...counted(table),
  });
  const output = await reporting(table, 'BatchWriteItem', () => table.client.send(command));
  const left = output.UnprocessedItems?.[tableName] ?? [];
  return left.flatMap(({ PutRequest, DeleteRequest }): ItemWrite[] => {
    if (PutRequest) return [{ put: PutRequest.Item as Item }];
    return DeleteRequest ? [{ delete: DeleteRequest.Key as Key }] : [];
  });
}

/** Reads up to 100 items; returns also the keys that the database did not process. */
export function batchGet(table: Table, keys: readonly Key[]): Promise<BatchRead> {
  return table.groupCommit ? table.groupCommit.read(keys) : batchGetAlone(table, keys);
}

async function batchGetAlone(table: Table, keys: readonly Key[]): Promise<BatchRead> {
  const { tableName } = table;
  const command = new BatchGetCommand({
    RequestItems: { [tableName]: { Keys: [...keys], ConsistentRead: true } },
    ...counted(table),
  });
  const output = await reporting(table, 'BatchGetItem', () => table.client.send(command));
  const left: Unprocessed = output.UnprocessedKeys?.[tableName]?.Keys;
  return { items: output.Responses?.[tableName] ?? [], left: (left ?? []) as Key[] };
}

interface QueryOptions {
  readonly limit: number;
  readonly newestFirst: boolean;
  /** The item after which to begin. */
  readonly start?: Item;
  /** The attribute without which an item is counted and not returned. */
  readonly only?: string;
  /** True where a change of the last second may be missing, which halves the cost. */
  readonly isEventual?: true;
}

/** Reads a range of a partition, or the first part of it; `next` continues. */
export async function query(
  table: Table,
  range: KeyRange | { readonly pk: string },
  options: QueryOptions,
): Promise<{
  readonly items: readonly Item[];
  /** The items that were read: more than are returned where some are only counted. */
  readonly count: number;
  readonly next: Item | undefined;
}> {
  const inPartition = 'pk = :pk';
  const inRange = 'sk BETWEEN :from AND :to';
  const isWhole = !('from' in range);
  const command = new QueryCommand({
    TableName: table.tableName,
    KeyConditionExpression: isWhole ? inPartition : `${inPartition} AND ${inRange}`,
    ExpressionAttributeValues: {
      ':pk': range.pk,
      ...(!isWhole && { ':from': range.from, ':to': range.to }),
    },
    ConsistentRead: !options.isEventual,
    ScanIndexForward: !options.newestFirst,
    Limit: options.limit,
    ...(options.only !== undefined && {
      FilterExpression: 'attribute_exists(#only)',
      ExpressionAttributeNames: { '#only': options.only },
    }),
    ...(options.start && { ExclusiveStartKey: options.start }),
    ...counted(table),
  });
  const output = await reporting(table, 'Query', () => table.client.send(command));
  const { Items: items = [], ScannedCount: count = items.length, LastEvaluatedKey: next } = output;
  return { items, count, next };
}

/** Reads one item, or fails within the time given. */
export async function get(table: Table, key: Key, timeoutMs: number): Promise<Item | undefined> {
  const command = new GetCommand({ TableName: table.tableName, Key: key, ...counted(table) });
  const options = { requestTimeout: timeoutMs };
  const output = await reporting(table, 'GetItem', () => table.client.send(command, options));
  return output.Item;
}

interface CapacityAnswer {
  readonly ConsumedCapacity?: Units | readonly Units[] | undefined;
}
interface Units {
  readonly CapacityUnits?: number | undefined;
}

async function reporting<Output extends CapacityAnswer>(
  { onConsumed }: Table,
  operation: Consumed['operation'],
  send: () => Promise<Output>,
): Promise<Output> {
  if (!onConsumed) return send();
  let units = 0;
  try {
    const output = await send();
    for (const one of [output.ConsumedCapacity ?? []].flat()) units += one.CapacityUnits ?? 0;
    return output;
  } finally {
    const isWrite = /Write|Update/.test(operation);
    onConsumed({ operation, readUnits: isWrite ? 0 : units, writeUnits: isWrite ? units : 0 });
  }
}

function counted({ onConsumed }: Table): { ReturnConsumedCapacity?: 'TOTAL' } {
  return onConsumed ? { ReturnConsumedCapacity: 'TOTAL' } : {};
}
