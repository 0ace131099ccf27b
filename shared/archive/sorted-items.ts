/**
 * The items of an archive in a file of their own, sorted by their keys, so that each is found by reading a few
 * kilobytes. Memory holds the key of each piece of the file, and the pieces that were read last.
 */
import { createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Key } from '../store/keys.ts';
import type { Item } from '../store/request.ts';
import type { Derived } from './derive.ts';
import { ArchiveError } from './form.ts';
import { entryOf, newSorter, type SortedText, type Sorter } from './sorter.ts';

/** Sorted items. */
export interface SortedItems {
  /** The item at the key. */
  readonly at: (key: Key) => Promise<Item | undefined>;
  /** The items from a key on, by `pk` and `sk`, of the partitions that are wanted. */
  readonly from: (key?: Key, wants?: Wants) => AsyncGenerator<Item, void, undefined>;
  /** The number of items. */
  readonly count: number;
  readonly close: () => Promise<void>;
}

type Wants = (pk: string) => boolean;

/** A piece of the file: its first key and its position. */
interface Piece {
  readonly key: string;
  readonly start: number;
}

const pieceBytesMin = 16 * 1024;
const pieceCountMax = 512;
const apart = '\u0001';
const adding = '+';
const repeating = '?';
const item = '=';

/** Sorts items into a file in this folder. */
export async function shelve(
  folder: string,
  derived: AsyncIterable<readonly Derived[]>,
): Promise<SortedItems> {
  const sorter = newSorter(join(folder, 'runs'));
  for await (const some of derived) {
    for (const one of some) sorter.add(entryOfDerived(one));
    if (sorter.isFull()) await sorter.flush();
  }
  return finish(folder, sorter);
}

/** The reader of a sorted file. */
async function finish(folder: string, sorter: Sorter): Promise<SortedItems> {
  await sorter.flush();
  const path = join(folder, 'items');
  const pieces: Piece[] = [];
  let [count, start, pieceStart] = [0, 0, 0];
  const texts = async function* (): AsyncGenerator<string> {
    for await (const { key, text } of joined(sorter.sorted())) {
      if (pieces.length === 0 || start - pieceStart >= pieceBytesMin) {
        pieces.push({ key, start });
        pieceStart = start;
      }
      const line = `${key}\u0000${text}\n`;
      count += 1;
      start += Buffer.byteLength(line);
      yield line;
    }
  };
  await pipeline(texts, createWriteStream(path, { mode: 0o600 }));
  const file = await open(path);
  const read = reading(file, pieces, start);
  return {
    count,
    at: async (key) => {
      const wanted = textOfKey(key);
      const text = (await read(pieceOf(pieces, wanted))).get(wanted);
      return text === undefined ? undefined : itemOf(wanted, text);
    },
    from: (key, wants = () => true) => itemsFrom(read, pieces, key, wants),
    close: () => file.close(),
  };
}

async function* itemsFrom(
  read: ReturnType<typeof reading>,
  pieces: readonly Piece[],
  first: Key | undefined,
  wants: Wants,
): AsyncGenerator<Item> {
  const wanted = first ? textOfKey(first) : '';
  for (let index = pieceOf(pieces, wanted); index < pieces.length; index += 1) {
    for (const [key, text] of await read(index)) {
      const isWanted = key >= wanted && wants(key.slice(0, key.indexOf(apart)));
      if (isWanted) yield itemOf(key, text);
    }
  }
}

/** Reads pieces, with a cache of the last ones. */
function reading(file: FileHandle, pieces: readonly Piece[], fileBytes: number) {
  const known = new Map<number, Promise<ReadonlyMap<string, string>>>();
  const readPiece = async (index: number): Promise<ReadonlyMap<string, string>> => {
    const start = pieces[index]?.start ?? 0;
    const bytes = (pieces[index + 1]?.start ?? fileBytes) - start;
    const { buffer } = await file.read(Buffer.alloc(bytes), 0, bytes, start);
    const lines = buffer.toString('utf8').split('\n').slice(0, -1);
    return new Map(lines.map(entryOf).map(({ key, text }) => [key, text]));
  };
  return (index: number): Promise<ReadonlyMap<string, string>> => {
    const found = known.get(index) ?? readPiece(index);
    known.delete(index);
    known.set(index, found);
    if (known.size > pieceCountMax) known.delete(known.keys().next().value ?? index);
    return found;
  };
}

/** The only piece that may hold a key: the last one that does not begin behind it. */
function pieceOf(pieces: readonly Piece[], key: string): number {
  let [low, high] = [0, pieces.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((pieces[middle]?.key ?? '') <= key) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** One entry for each key: additions to counts are summed. */
async function* joined(entries: AsyncIterable<SortedText>): AsyncGenerator<SortedText> {
  let open: SortedText | undefined;
  for await (const entry of entries) {
    if (open && open.key !== entry.key) yield open;
    open = open?.key === entry.key ? both(open, entry) : entry;
  }
  if (open) yield open;
}

function both(one: SortedText, other: SortedText): SortedText {
  const [mark, otherMark] = [one.text.charAt(0), other.text.charAt(0)];
  if (mark === repeating && otherMark === repeating) return one;
  if (mark !== adding || otherMark !== adding) {
    const place = one.key.replace(apart, ' ');
    throw new ArchiveError(`Two lines say what is at '${place}'.`);
  }
  const sums = { ...(JSON.parse(one.text.slice(1)) as Record<string, number>) };
  const more = JSON.parse(other.text.slice(1)) as Record<string, number>;
  for (const [name, count] of Object.entries(more)) sums[name] = (sums[name] ?? 0) + count;
  return { key: one.key, text: `${adding}${JSON.stringify(sums)}` };
}

function entryOfDerived(derived: Derived): SortedText {
  const key = textOfKey(derived.key);
  if ('adds' in derived) return { key, text: `${adding}${JSON.stringify(derived.adds)}` };
  const mark = derived.mayRepeat ? repeating : item;
  return { key, text: `${mark}${JSON.stringify(derived.item, written)}` };
}

function textOfKey({ pk, sk }: Key): string {
  return `${pk}${apart}${sk}`;
}

/** An item as the table would return it. */
function itemOf(key: string, text: string): Item {
  const [pk = '', sk = ''] = key.split(apart);
  return { ...(JSON.parse(text.slice(1), parsed) as Item), pk, sk };
}

/** Values that JSON does not have. */
interface Packed {
  readonly $amount?: string;
  readonly $bytes?: string;
}

function written(this: unknown, name: string, value: unknown): unknown {
  // `value` is the result of `toJSON`; the member itself still has the original value.
  const own = (this as Record<string, unknown>)[name];
  if (typeof own === 'bigint') return { $amount: String(own) };
  if (own instanceof Uint8Array) return { $bytes: Buffer.from(own).toString('base64') };
  return value;
}

function parsed(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { $amount, $bytes } = value as Packed;
  if ($amount !== undefined) return BigInt($amount);
  return $bytes === undefined ? value : Buffer.from($bytes, 'base64');
}
