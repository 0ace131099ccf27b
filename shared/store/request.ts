/**
 * The five requests that this layer makes of the database, each one round trip. What each consumed
 * is told to whoever wants to know; DynamoDB is asked to count only then.
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
} from '@aws-sdk/lib-dynamodb';
import type { Key, KeyRange } from './keys.ts';

/** What a request took. A request that failed is told too, without units. */
export interface Consumed {
  readonly operation:
    | 'BatchGetItem'
    | 'BatchWriteItem'
    | 'GetItem'
    | 'Query'
    | 'TransactWriteItems';
  readonly readUnits: number;
  readonly writeUnits: number;
}

interface SendOptions {
  readonly requestTimeout?: number;
}

/** What this layer needs of a document client; a test may stand in between. */
export interface TableClient {
  send(command: TransactWriteCommand, options?: SendOptions): Promise<TransactWriteCommandOutput>;
  send(command: BatchGetCommand, options?: SendOptions): Promise<BatchGetCommandOutput>;
  send(command: BatchWriteCommand, options?: SendOptions): Promise<BatchWriteCommandOutput>;
  send(command: QueryCommand, options?: SendOptions): Promise<QueryCommandOutput>;
  send(command: GetCommand, options?: SendOptions): Promise<GetCommandOutput>;
}

/** The table, and how to speak to it. */
export interface Table {
  readonly client: TableClient;
  readonly tableName: string;
  /** How long one call of the store may take, with all its attempts. */
  readonly deadlineMs: number;
  readonly onConsumed: ((what: Consumed) => void) | undefined;
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
  const command = new TransactWriteCommand({
    ClientRequestToken: token,
    TransactItems: [...items],
    ...counted(table),
  });
  await telling(table, 'TransactWriteItems', () => table.client.send(command));
}

/** Deletes up to 25 items, there or not; says which ones the database left for another time. */
export async function batchDelete(table: Table, keys: readonly Key[]): Promise<readonly Key[]> {
  const { tableName } = table;
  const command = new BatchWriteCommand({
    RequestItems: { [tableName]: keys.map((key) => ({ DeleteRequest: { Key: key } })) },
    ...counted(table),
  });
  const output = await telling(table, 'BatchWriteItem', () => table.client.send(command));
  const left = output.UnprocessedItems?.[tableName] ?? [];
  return left.flatMap(({ DeleteRequest }) => (DeleteRequest ? [DeleteRequest.Key as Key] : []));
}

/** Reads up to 100 items; says which ones the database left for another time. */
export async function batchGet(
  table: Table,
  keys: readonly Key[],
): Promise<{ readonly items: readonly Item[]; readonly left: readonly Key[] }> {
  const { tableName } = table;
  const command = new BatchGetCommand({
    RequestItems: { [tableName]: { Keys: [...keys], ConsistentRead: true } },
    ...counted(table),
  });
  const output = await telling(table, 'BatchGetItem', () => table.client.send(command));
  const left: Unprocessed = output.UnprocessedKeys?.[tableName]?.Keys;
  return { items: output.Responses?.[tableName] ?? [], left: (left ?? []) as Key[] };
}

/** Reads a stretch of a partition, or the first part of it; `next` continues. */
export async function query(
  table: Table,
  range: KeyRange | { readonly pk: string },
  options: { readonly limit: number; readonly newestFirst: boolean; readonly start?: Item },
): Promise<{ readonly items: readonly Item[]; readonly next: Item | undefined }> {
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
    ConsistentRead: true,
    ScanIndexForward: !options.newestFirst,
    Limit: options.limit,
    ...(options.start && { ExclusiveStartKey: options.start }),
    ...counted(table),
  });
  const output = await telling(table, 'Query', () => table.client.send(command));
  return { items: output.Items ?? [], next: output.LastEvaluatedKey };
}

/** Reads one item, or fails within the time given. */
export async function get(table: Table, key: Key, timeoutMs: number): Promise<Item | undefined> {
  const command = new GetCommand({ TableName: table.tableName, Key: key, ...counted(table) });
  const options = { requestTimeout: timeoutMs };
  const output = await telling(table, 'GetItem', () => table.client.send(command, options));
  return output.Item;
}

interface Answer {
  readonly ConsumedCapacity?: Units | readonly Units[] | undefined;
}
interface Units {
  readonly CapacityUnits?: number | undefined;
}

async function telling<Output extends Answer>(
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
    const isWrite = operation === 'TransactWriteItems' || operation === 'BatchWriteItem';
    onConsumed({ operation, readUnits: isWrite ? 0 : units, writeUnits: isWrite ? units : 0 });
  }
}

function counted({ onConsumed }: Table): { ReturnConsumedCapacity?: 'TOTAL' } {
  return onConsumed ? { ReturnConsumedCapacity: 'TOTAL' } : {};
}
