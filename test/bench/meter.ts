/**
 * A meter between a store and its database: the write and read units that each partition key is charged, by the rules
 * of AWS. A write is charged for the greater of the item before and after, by the kilobyte begun, and twice in a
 * transaction, also for a condition check. https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */
import type { AddressInfo } from 'node:net';
import { bytesOf, keyOf, type WireItem } from './stored.ts';
import { type Ask, type Listener, listenIn } from './wire.ts';

export interface Units {
  writeUnits: number;
  readUnits: number;
}

export interface Meter {
  readonly endpoint: string;
  /** The units of each partition key since the last call of `clear`. */
  readonly units: ReadonlyMap<string, Units>;
  /** The write units that the database counted for the same requests; they show whether the meter is right. */
  readonly countedByDatabase: () => number;
  readonly clear: () => void;
  readonly close: () => void;
}

const writeBytes = 1024;
const readBytes = 4096;
/** A transaction prepares and commits each item. */
const transactionFactor = 2;

interface Write {
  readonly key: WireItem;
  readonly item?: WireItem;
}

interface Keyed {
  readonly Keys: readonly WireItem[];
  readonly ConsistentRead?: boolean;
}

/** A request or an answer, with the members that this file reads. */
interface Sent {
  readonly TableName?: string;
  readonly TransactItems?: readonly Record<string, Partial<Record<'Item' | 'Key', WireItem>>>[];
  readonly RequestItems?: Readonly<Record<string, unknown>>;
  readonly Responses?: Readonly<Record<string, readonly WireItem[]>>;
  readonly Key?: WireItem;
  readonly Item?: WireItem;
  readonly ConsistentRead?: boolean;
  readonly ExpressionAttributeValues?: WireItem;
  readonly ConsumedCapacity?: Capacity | readonly Capacity[];
}

interface Capacity {
  readonly CapacityUnits?: number;
}

/** Opens a meter in front of a database. */
export async function openMeter(database: string): Promise<Meter> {
  const units = new Map<string, Units>();
  let counted = 0;
  const charge = ({ pk }: WireItem, name: keyof Units, amount: number): void => {
    const partition = pk && 'S' in pk ? pk.S : '';
    const sum = units.get(partition) ?? { writeUnits: 0, readUnits: 0 };
    sum[name] += amount;
    units.set(partition, sum);
  };
  const listener: Listener = async (operation, sent, ask) => {
    const request = JSON.parse(sent) as Sent;
    const factor = operation === 'TransactWriteItems' ? transactionFactor : 1;
    const [table, writes] = writesOf(operation, request);
    const before = await sizesOf(ask, table, writes);
    return async (answered) => {
      const answer = JSON.parse(answered) as Sent;
      if (writes.length === 0) {
        for (const [key, amount] of readsOf(operation, request, answer))
          charge(key, 'readUnits', amount);
        return;
      }
      counted += capacityOf(answer);
      const after = await sizesOf(ask, table, writes);
      for (const write of writes) {
        const bytes = Math.max(...[before, after].map((sizes) => bytesIn(sizes, write)));
        charge(write.key, 'writeUnits', factor * Math.ceil(bytes / writeBytes));
      }
    };
  };
  const server = await listenIn(database, () => {}, listener);
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    units,
    countedByDatabase: () => counted,
    clear: () => {
      units.clear();
      counted = 0;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The items that a request writes or checks, and their table. */
function writesOf(operation: string, request: Sent): [table: string, writes: Write[]] {
  const { TransactItems = [], RequestItems = {}, TableName = '', Key } = request;
  if (operation === 'TransactWriteItems') {
    const parts = TransactItems.flatMap((item) => Object.values(item));
    const [{ TableName: table = '' } = {}] = parts as { TableName?: string }[];
    return [table, parts.map(writeOf)];
  }
  if (operation === 'BatchWriteItem') {
    const [[table, list] = ['', []]] = Object.entries(RequestItems);
    const parts = (list as Record<string, Partial<Record<'Item' | 'Key', WireItem>>>[]).flatMap(
      (item) => Object.values(item),
    );
    return [table, parts.map(writeOf)];
  }
  return operation === 'UpdateItem' && Key ? [TableName, [{ key: Key }]] : [TableName, []];
}

function writeOf({ Item, Key }: Partial<Record<'Item' | 'Key', WireItem>>): Write {
  const { pk, sk } = Item ?? Key ?? {};
  const key = { ...(pk && { pk }), ...(sk && { sk }) };
  return Item ? { key, item: Item } : { key };
}

/** The bytes of an item that is written or checked, at least one. */
function bytesIn(sizes: ReadonlyMap<string, number>, { key, item }: Write): number {
  return Math.max(1, sizes.get(keyOf(key)) ?? 0, item ? bytesOf(item) : 0);
}

/** The bytes of the items as they are stored, by their keys. */
async function sizesOf(
  ask: Ask,
  table: string,
  writes: readonly Write[],
): Promise<Map<string, number>> {
  if (writes.length === 0) return new Map();
  const Keys = writes.map(({ key }) => key);
  const request = { RequestItems: { [table]: { Keys, ConsistentRead: true } } };
  const { Responses } = JSON.parse(await ask('BatchGetItem', request)) as Sent;
  return new Map((Responses?.[table] ?? []).map((item) => [keyOf(item), bytesOf(item)]));
}

/** The read units of a request by item; those of a query all by the partition that it asks. */
function readsOf(operation: string, request: Sent, answer: Sent): [WireItem, number][] {
  const { Key, ConsistentRead, RequestItems = {}, ExpressionAttributeValues = {} } = request;
  if (operation === 'GetItem' && Key) {
    return [[Key, readUnitsOf(answer.Item, ConsistentRead)]];
  }
  if (operation === 'Query') {
    const [pk] = Object.values(ExpressionAttributeValues);
    return pk ? [[{ pk }, capacityOf(answer)]] : [];
  }
  if (operation !== 'BatchGetItem') return [];
  return Object.entries(RequestItems).flatMap(([table, keyed]) => {
    const found = new Map((answer.Responses?.[table] ?? []).map((item) => [keyOf(item), item]));
    const { Keys, ConsistentRead: isConsistent } = keyed as Keyed;
    return Keys.map((key): [WireItem, number] => [
      key,
      readUnitsOf(found.get(keyOf(key)), isConsistent),
    ]);
  });
}

function readUnitsOf(item: WireItem | undefined, isConsistent = false): number {
  return Math.ceil(Math.max(1, item ? bytesOf(item) : 0) / readBytes) * (isConsistent ? 1 : 0.5);
}

function capacityOf({ ConsumedCapacity: capacity }: Sent): number {
  const list = Array.isArray(capacity) ? (capacity as readonly Capacity[]) : [capacity as Capacity];
  return list.reduce((sum, one) => sum + (one?.CapacityUnits ?? 0), 0);
}
