/**
 * Places of changes in a log, several in an item: for a busy ledger the sequencer writes dozens at a time, and a unit then
 * serves as many. The key of an item has a hash of its content, so that two sequencers that settle the same leaves in
 * other parts overwrite nothing of each other. A place is the same in each of them. Decision 132.
 */
import { hash as nativeHash } from 'node:crypto';
import {
  isOfIntent,
  type Key,
  type KeyRange,
  loggedKeyOf,
  placesPartitionOf,
  textOf,
} from './keys.ts';
import type { Run } from './pack-log.ts';
import type { Item } from './request.ts';

/** A kilobyte is a write unit, so a larger item would not be cheaper. */
const bytesMax = 920;
const hashLength = 16;
/** The partitions that are read at a time. */
const readingCountMax = 16;

/** The ends of all sort keys of a partition: they are hashes. */
const whole = { from: '!', to: '~' };

type PackedPlace = readonly [luid: string, change: number, index: number, count: number];

/** The item with the place of a run, by which a change finds its leaf. */
export function placeItem(scope: string, { index, leaves }: Run): Item {
  const [{ luid = '', change = 0 } = {}] = leaves;
  return { ...loggedKeyOf(scope, luid, change), index, count: leaves.length };
}

/**
 * The items of the places of runs, many in one. A place that comes alone is an item as it always was, and so is one of a
 * later change of a record that may change for ever: all items with others are read to find one of them.
 */
export function packPlaces(scope: string, runs: readonly Run[]): Item[] {
  const groups = new Map<string, Run[]>();
  const alone = runs.filter((run) => !mayShare(run));
  for (const run of runs.filter(mayShare)) {
    const pk = placesPartitionOf(scope, run.leaves[0]?.luid ?? '');
    groups.set(pk, [...(groups.get(pk) ?? []), run]);
  }
  const shared = [...groups].flatMap(([pk, group]) =>
    chunksOf(group).map((chunk) => {
      const [only, ...others] = chunk;
      if (only && others.length === 0) return placeItem(scope, only);
      const places = JSON.stringify(chunk.map(packPlace));
      const sk = nativeHash('sha256', places, 'base64url').slice(0, hashLength);
      return { pk, sk, places };
    }),
  );
  return [...shared, ...alone.map((run) => placeItem(scope, run))];
}

/** True for a new record, and for an intent, which ends. */
function mayShare({ leaves: [first] }: Run): boolean {
  return first?.change === 1 || isOfIntent(first?.luid ?? '');
}

/** The places in an item, each as an item by itself. */
export function unpackPlaces(scope: string, { places }: Item): Item[] {
  return (JSON.parse(String(places)) as readonly PackedPlace[]).map(
    ([luid, change, index, count]) => ({ ...loggedKeyOf(scope, luid, change), index, count }),
  );
}

/** All places that items in partitions of these records have together, by the text of the key of each by itself. */
export async function placesAmong(
  pagesOf: (range: KeyRange) => AsyncIterable<readonly Item[]>,
  scope: string,
  luids: readonly string[],
): Promise<ReadonlyMap<string, Item>> {
  const pks = [...new Set(luids.map((luid) => placesPartitionOf(scope, luid)))];
  const found = new Map<string, Item>();
  for (let start = 0; start < pks.length; start += readingCountMax) {
    const some = pks.slice(start, start + readingCountMax);
    const items = await Promise.all(some.map((pk) => allOf(pagesOf({ pk, ...whole }))));
    for (const place of items.flat().flatMap((item) => unpackPlaces(scope, item)))
      found.set(textOf(place as unknown as Key), place);
  }
  return found;
}

async function allOf(pages: AsyncIterable<readonly Item[]>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const items of pages) all.push(...items);
  return all;
}

function chunksOf(runs: readonly Run[]): Run[][] {
  const chunks: Run[][] = [];
  let room = 0;
  for (const run of runs) {
    const bytes = JSON.stringify(packPlace(run)).length + 1;
    if (bytes > room) {
      chunks.push([]);
      room = bytesMax;
    }
    chunks.at(-1)?.push(run);
    room -= bytes;
  }
  return chunks;
}

function packPlace({ index, leaves }: Run): PackedPlace {
  const [{ luid = '', change = 0 } = {}] = leaves;
  return [luid, change, index, leaves.length];
}
