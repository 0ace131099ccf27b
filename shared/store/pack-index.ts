/**
 * Index entries that came up together, several in one item: a unit then serves dozens of intents. Only those that never
 * end are packed, so no item is rewritten. The key has the newest place and a hash of the content, so that two relays
 * that pack the same entries differently do not overwrite each other; readers drop what they meet twice. Decision 126.
 */
import { hash as nativeHash } from 'node:crypto';
import { deflated, inflated } from './deflated.ts';
import {
  indexKeyBeside,
  isLastingIndexKey,
  keyOfItem,
  luidOfListSk,
  nameOfItem,
  packedIndexKeyOf,
  packedSpanOf,
  placeOfSk,
  textOf,
} from './keys.ts';
import type { Item } from './request.ts';

/** A kilobyte is a write unit, so a larger item would not be cheaper. */
const bytesMax = 1_024;
const hashLength = 12;
/** The names of attributes, the place, the sign and the hash. */
const frameBytes = 80;
const luidStart = '$int.'.length;

/**
 * The items that store these index entries. One alone, and one that ends, is an item as it is. Those beside the newest are
 * deflated where `isShort`, which the release before cannot read.
 */
export function packIndex(entries: readonly Item[], isShort = false): Item[] {
  const alone = entries.filter((entry) => !isLastingIndexKey(keyOfItem(entry)));
  const groups = new Map<string, Item[]>();
  for (const entry of entries.filter((one) => isLastingIndexKey(keyOfItem(one)))) {
    const span = packedSpanOf(keyOfItem(entry));
    const text = textOf({ pk: span.pk, sk: span.from });
    const group = groups.get(text);
    if (group) group.push(entry);
    else groups.set(text, [entry]);
  }
  return [...alone, ...[...groups.values()].flatMap((group) => packGroup(group, isShort))];
}

/** Packs entries of one partition and one span of time, the newest first, as many as a kilobyte takes. */
function packGroup(entries: readonly Item[], isShort: boolean): Item[] {
  const bySk = new Map(entries.map((entry) => [String(entry['sk']), entry]));
  const sorted = [...bySk].sort(([one], [other]) => (one < other ? 1 : -1)).map(([, one]) => one);
  const chunks = isShort ? shortChunksOf(sorted) : chunksOf(sorted);
  return chunks.flatMap((chunk) => packChunk(chunk, isShort));
}

/** As many chunks of the same length as it takes for each to be a kilobyte once it is deflated. */
function shortChunksOf(sorted: readonly Item[]): (readonly Item[])[] {
  const bytes = deflated(sorted.map(lineOf).join('\n')).byteLength;
  const count = Math.ceil(bytes / roomBeside(sorted[0]));
  const length = Math.ceil(sorted.length / Math.max(1, count));
  return Array.from({ length: Math.ceil(sorted.length / length) }, (_, index) =>
    sorted.slice(index * length, (index + 1) * length),
  );
}

function chunksOf(sorted: readonly Item[]): Item[][] {
  const chunks: Item[][] = [];
  let room = 0;
  for (const entry of sorted) {
    const bytes = bytesOf(entry);
    if (bytes > room || chunks.length === 0) {
      chunks.push([]);
      room = roomBeside(entry);
    }
    chunks.at(-1)?.push(entry);
    room -= bytes;
  }
  return chunks;
}

/** The bytes of a kilobyte that are left for entries of this partition. */
function roomBeside({ pk }: Item = {}): number {
  return Math.max(1, bytesMax - frameBytes - Buffer.byteLength(String(pk)));
}

function packChunk([first, ...rest]: readonly Item[], isShort: boolean): Item[] {
  if (!first) return [];
  if (rest.length === 0) return [first];
  const others = rest.map(lineOf).join('\n');
  const hash = nativeHash('sha256', `${lineOf(first)}\n${others}`, 'base64url');
  const key = packedIndexKeyOf(keyOfItem(first), hash.slice(0, hashLength));
  return [{ ...key, handle: first['handle'], others: isShort ? deflated(others) : others }];
}

/** The index entries that an item stores, the newest first. */
export function unpackIndex(item: Item): Item[] {
  const name = nameOfItem(item);
  if (name?.item !== 'mentions') return [item];
  const { pk, sk } = keyOfItem(item);
  const first = {
    ...indexKeyBeside({ pk, sk }, luidOfListSk(placeOfSk(sk))),
    handle: item['handle'],
  };
  const lines = othersIn(item).split('\n').filter(Boolean);
  const start = luidOfListSk(placeOfSk(sk)).slice(0, luidStart);
  const others = lines.map((line) => {
    const end = line.indexOf(' ');
    return {
      ...indexKeyBeside({ pk, sk }, `${start}${line.slice(0, end)}`),
      handle: line.slice(end + 1),
    };
  });
  return [first, ...others];
}

/** The lines beside the newest entry; none where they cannot be read, so that the audit misses them. */
function othersIn({ others = '' }: Item): string {
  try {
    return others instanceof Uint8Array ? inflated(others) : String(others);
  } catch {
    return '';
  }
}

/** An entry beside others: its luid without the prefix that all have, and its handle. */
function lineOf(entry: Item): string {
  const luid = luidOfListSk(placeOfSk(String(entry['sk'])));
  return `${luid.slice(luidStart)} ${String(entry['handle'])}`;
}

function bytesOf(entry: Item): number {
  return Buffer.byteLength(lineOf(entry)) + 1;
}
