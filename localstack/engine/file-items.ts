/**
 * The items of a table in a file of LMDB. An item lies at its partition key, a zero byte and its sort key, so that the
 * file has partitions, and the items in them, in the order of their bytes in UTF-8, as DynamoDB has.
 */
import type { Database } from 'lmdb';
import { Packr } from 'msgpackr';
import type { Key } from '../../shared/store/keys.ts';
import { ValidationException } from './expression.ts';
import type { Direction, ItemStore } from './items.ts';
import { compareTexts, type StoredItem, type StoredValue } from './value.ts';

/** A database of a file, with keys and values in bytes. */
export type FileDatabase = Database<Buffer, Buffer>;

/** LMDB takes no longer keys. Those of records are at most half as long: a handle has 256 characters. */
const keyBytesMax = 1978;
/** Before the sort key, and behind the last item of a partition. */
const [between, behind] = [0, 1];

const packr = new Packr({ useRecords: false, moreTypes: true, useBigIntExtension: true });

/** The items of a database; `wrote` is told the bytes of what is written. */
export function fileItems(
  database: FileDatabase,
  wrote: (bytes: number) => void = () => {},
): ItemStore {
  const read = (range: Parameters<FileDatabase['getRange']>[0]): Iterable<StoredItem> =>
    database.getRange(range).map(({ key, value }) => unpacked(keyOf(key), value));
  return {
    get: (key) => {
      const bytes = bytesOf(key);
      const value = bytes.length > keyBytesMax ? undefined : database.get(bytes);
      return value && unpacked(key, value);
    },
    put: (key, item) => {
      const bytes = bytesOf(key);
      if (bytes.length > keyBytesMax) throw new ValidationException('The key is too long.');
      const value = item && packed(item);
      wrote(bytes.length + (value?.length ?? 0));
      if (value) database.putSync(bytes, value);
      else database.removeSync(bytes);
    },
    within: (pk, direction) => read(rangeOf(pk, direction)),
    all: (after) => read(after ? startAt(bytesOf(after), true, true) : {}),
  };
}

function rangeOf(pk: string, direction: Direction) {
  const [first, end] = [edgeOf(pk, between), edgeOf(pk, behind)];
  const { isForward } = direction;
  const { at, isOut } = startOf(direction);
  const start = at === undefined ? undefined : bytesOf({ pk, sk: at });
  if (isForward) return { ...startAt(start ?? first, isOut, true), end };
  return { ...startAt(start ?? end, isOut, false), end: first, reverse: true };
}

/** The sort key at which reading begins, the later of two; `isOut` when the item there is not read. */
function startOf({ isForward, from, after }: Direction) {
  const isFrom =
    from !== undefined &&
    (after === undefined || compareTexts(from, after) * (isForward ? 1 : -1) > 0);
  return { at: isFrom ? from : after, isOut: !isFrom && after !== undefined };
}

/** A start that LMDB takes. No key is longer than the longest: one of the first bytes of a longer start lies before it. */
function startAt(start: Buffer, isOut: boolean, isForward: boolean) {
  if (start.length <= keyBytesMax) return { start, exclusiveStart: isOut };
  return { start: start.subarray(0, keyBytesMax), exclusiveStart: isForward };
}

/** The bytes of a key. */
function bytesOf({ pk, sk }: Key): Buffer {
  return Buffer.from(`${checked(pk)}\0${sk}`);
}

/** The bytes before or behind all keys of a partition. One that is too long for a file has none. */
function edgeOf(pk: string, byte: number): Buffer {
  return Buffer.concat([Buffer.from(checked(pk)), Buffer.of(byte)]).subarray(0, keyBytesMax);
}

/** A partition key with a zero byte could be taken for a shorter one. */
function checked(pk: string): string {
  if (pk.includes('\0')) throw new ValidationException('The key pk holds a zero byte.');
  return pk;
}

function keyOf(bytes: Buffer): Key {
  const end = bytes.indexOf(between);
  return { pk: bytes.toString('utf8', 0, end), sk: bytes.toString('utf8', end + 1) };
}

/** The attributes of an item beside its key. */
function packed({ pk: _, sk: __, ...attributes }: StoredItem): Buffer {
  return packr.pack(attributes);
}

function unpacked({ pk, sk }: Key, { buffer, byteOffset, length }: Buffer): StoredItem {
  // Of plain bytes, so that the binaries among the attributes are plain bytes, too.
  const attributes = packr.unpack(new Uint8Array(buffer, byteOffset, length)) as Record<
    string,
    StoredValue
  >;
  return { pk, sk, ...attributes };
}
