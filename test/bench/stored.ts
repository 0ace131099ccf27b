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
type Value =
  | { readonly S: string }
  | { readonly N: string }
  | { readonly B: string }
  | { readonly BOOL: boolean }
  | { readonly SS: readonly string[] }
  | { readonly L: readonly Value[] }
  | { readonly M: Readonly<Record<string, Value>> };
export type WireItem = Readonly<Record<string, Value>>;

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

export function keyOf({ pk, sk }: WireItem): string {
  return JSON.stringify([pk, sk]);
}

function nameOf({ pk, sk }: WireItem): string {
  const textOf = (value: Value | undefined) => (value && 'S' in value ? value.S : '');
  return itemOf(textOf(pk), textOf(sk))?.item ?? 'unknown';
}

/** The size by the rules of DynamoDB. https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html */
export function bytesOf(item: WireItem): number {
  return Object.entries(item).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + bytesOfValue(value),
    0,
  );
}

/** Texts in UTF-8, raw bytes, a byte for two digits and one more; lists and maps with three bytes, and one for each element. */
function bytesOfValue(value: Value): number {
  if ('S' in value) return Buffer.byteLength(value.S);
  if ('B' in value) return Buffer.from(value.B, 'base64').length;
  if ('N' in value) return Math.ceil(value.N.replace('-', '').length / 2) + 1;
  if ('SS' in value) return value.SS.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if ('L' in value) return value.L.reduce((sum, one) => sum + bytesOfValue(one) + 1, 3);
  if ('M' in value) return bytesOf(value.M) + Object.keys(value.M).length + 3;
  return 1;
}
