/** The items that a request writes to the table, with their bytes. */
import { itemOf } from '../../shared/store/keys.ts';
import type { Traffic } from './here.ts';

/** An item that a transaction writes or deletes. */
export interface StoredItem {
  readonly name: string;
  readonly bytes: number;
  /** In a transaction: two units for each kilobyte begun. */
  readonly writeUnits: number;
}

/** An attribute value as DynamoDB's JSON has it, of the types that the ledger uses. */
type Value = { readonly S: string } | { readonly N: string } | { readonly B: string };
type WireItem = Readonly<Record<string, Value>>;

interface SentTransaction {
  readonly TransactItems: readonly {
    readonly Put?: { readonly Item: WireItem };
    readonly Update?: { readonly Key: WireItem };
    readonly Delete?: { readonly Key: WireItem };
  }[];
}
interface ReadAnswer {
  readonly Responses: Readonly<Record<string, readonly WireItem[]>>;
}

/**
 * The items of the transaction of a request. An updated or deleted item has the size with which it was read, and an
 * unknown size if it was not read.
 */
export function storedItemsOf({ exchanges }: Pick<Traffic, 'exchanges'>): StoredItem[] {
  const write = exchanges.find(({ operation }) => operation === 'TransactWriteItems');
  if (!write) return [];
  const before = exchanges
    .filter(({ operation }) => operation === 'BatchGetItem')
    .flatMap(({ answered }) => Object.values((JSON.parse(answered) as ReadAnswer).Responses))
    .flat();
  const { TransactItems } = JSON.parse(write.sent) as SentTransaction;
  return TransactItems.map(({ Put, Update, Delete }) => {
    const key = (Update ?? Delete)?.Key ?? {};
    const item = Put?.Item ?? before.find((one) => keyOf(one) === keyOf(key));
    const bytes = item ? bytesOf(item) : Number.NaN;
    return { name: nameOf(item ?? key), bytes, writeUnits: 2 * Math.ceil(bytes / 1024) };
  });
}

function keyOf({ pk, sk }: WireItem): string {
  return JSON.stringify([pk, sk]);
}

function nameOf({ pk, sk }: WireItem): string {
  const textOf = (value: Value | undefined) => (value && 'S' in value ? value.S : '');
  return itemOf(textOf(pk), textOf(sk))?.item ?? 'unknown';
}

/** The size by the rules of DynamoDB: names and texts in UTF-8, raw bytes, a byte for two digits and one more. */
function bytesOf(item: WireItem): number {
  const sizes = Object.entries(item).map(([name, value]) => {
    const nameBytes = Buffer.byteLength(name);
    if ('S' in value) return nameBytes + Buffer.byteLength(value.S);
    if ('B' in value) return nameBytes + Buffer.from(value.B, 'base64').length;
    return nameBytes + Math.ceil(value.N.replace('-', '').length / 2) + 1;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}
