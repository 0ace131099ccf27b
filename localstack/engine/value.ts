/**
 * The values of attributes as the document client gives and takes them: how they are stored, compared and measured.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
import { assert } from '../../shared/ledger/assert.ts';

/** A value as it is stored: all numbers are bigints, as the store reads them. */
export type StoredValue =
  | string
  | bigint
  | boolean
  | null
  | Uint8Array
  | ReadonlySet<string>
  | readonly StoredValue[]
  | { readonly [name: string]: StoredValue };

export type StoredItem = Readonly<Record<string, StoredValue>>;

/** The value to store, frozen, so that no reader changes it. Undefined members are left out; others are refused. */
function storedOf(value: unknown): StoredValue {
  if (typeof value === 'string' || typeof value === 'bigint' || typeof value === 'boolean')
    return value;
  if (value === null) return value;
  if (typeof value === 'number') {
    assert(Number.isSafeInteger(value), `a number is whole, unlike ${value}`);
    return BigInt(value);
  }
  if (value instanceof Uint8Array) return Uint8Array.from(value);
  if (value instanceof Set) return setOf(value);
  if (Array.isArray(value)) return Object.freeze(value.filter(isThere).map(storedOf));
  assert(typeof value === 'object', `the type ${typeof value} can be stored`);
  return itemOf(value);
}

/** The members of an object as they are stored. */
export function itemOf(value: object): StoredItem {
  const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(value));
  assert(isPlain, 'only plain objects are stored');
  const entries = Object.entries(value).filter(([, member]) => isThere(member));
  return Object.freeze(Object.fromEntries(entries.map(([name, own]) => [name, storedOf(own)])));
}

function isThere(value: unknown): boolean {
  return value !== undefined;
}

function setOf(value: ReadonlySet<unknown>): ReadonlySet<string> {
  assert(value.size > 0, 'a set has members');
  const texts = [...value].filter((one) => typeof one === 'string');
  assert(texts.length === value.size, 'a set is one of texts');
  return new Set(texts);
}

/** The order of two texts by their bytes in UTF-8, as sort keys have it. */
export function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index += 1) {
    const [left, right] = [one.charCodeAt(index), other.charCodeAt(index)];
    if (left !== right) return rankOf(left) - rankOf(right);
  }
  return one.length - other.length;
}

/** Surrogates come after all other units: their characters have the longest bytes. */
function rankOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** The order of two values of one type; undefined for values that have none. */
export function orderOf(
  one: StoredValue | undefined,
  other: StoredValue | undefined,
): number | undefined {
  if (typeof one === 'bigint' && typeof other === 'bigint') {
    if (one === other) return 0;
    return one < other ? -1 : 1;
  }
  if (typeof one === 'string' && typeof other === 'string') return compareTexts(one, other);
  return undefined;
}

/** True for equal values of one type: texts, numbers, booleans or bytes. */
export function isSame(one: StoredValue | undefined, other: StoredValue | undefined): boolean {
  if (one instanceof Uint8Array && other instanceof Uint8Array)
    return Buffer.from(one).equals(other);
  assert(typeof one !== 'object' || one === null, 'an expression compares no list, map or set');
  return one !== undefined && one === other;
}

/** The bytes of an item, names and values. */
export function bytesOf(item: StoredItem): number {
  let sum = 0;
  for (const name in item) sum += Buffer.byteLength(name) + bytesOfValue(item[name] as StoredValue);
  return sum;
}

/** Texts in UTF-8, raw bytes, a byte for two digits and one more; lists and maps with three bytes, and one for each element. */
function bytesOfValue(value: StoredValue): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'bigint') return bytesOfNumber(value);
  if (typeof value === 'boolean' || value === null) return 1;
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof Set)
    return [...value].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (Array.isArray(value)) {
    const list: readonly StoredValue[] = value;
    return list.reduce((sum: number, one) => sum + bytesOfValue(one) + 1, 3);
  }
  const map = value as StoredItem;
  return bytesOf(map) + Object.keys(map).length + 3;
}

/** The significant digits count; zeros at the end do not. */
function bytesOfNumber(value: bigint): number {
  const digits = String(value).replace('-', '').replace(/0+$/, '');
  return Math.ceil(digits.length / 2) + 1;
}
