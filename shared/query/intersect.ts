/**
 * Intersection of sorted lists, newest first, that reads little of each. As soon as one list is exhausted, its few
 * remaining places lead; the others only exclude what they have read already. A rare word thus keeps a search
 * cheap, however common the other words are.
 */
import type { ListPlace } from '../port/catalog.ts';

/** A chunk of a list, and true when nothing follows. */
export interface ListChunk {
  readonly places: readonly ListPlace[];
  readonly isEnd: boolean;
}

/** Reads a list from its start or from a place (inclusive), about `limit` places. */
export type SortedList = (upTo: string | undefined, limit: number) => Promise<ListChunk>;

/** The read position in a list. */
interface RowReading {
  readonly row: SortedList;
  readonly limitMin: number;
  /** Places that were read and not consumed. */
  places: readonly ListPlace[];
  /** The last place that was read. */
  last: string | undefined;
  isEnd: boolean;
  limit: number;
}

const limitMax = 1_000;

/** The union of lists, each place once. */
export function unionOf(rows: readonly SortedList[]): SortedList {
  const [only, ...more] = rows;
  if (only && more.length === 0) return only;
  return async (upTo, limit) => {
    const parts = await Promise.all(rows.map((row) => row(upTo, limit)));
    // Below the highest end of the chunks the union is incomplete.
    const ends = parts.flatMap(({ places, isEnd }) => (isEnd ? [] : (places.at(-1)?.at ?? [])));
    const end = ends.sort().at(-1) ?? '';
    const known = parts.flatMap(({ places }) => places.filter(({ at }) => at >= end));
    const places = [...new Map(known.map((place) => [place.at, place])).values()];
    return { places: places.sort(newestFirst), isEnd: ends.length === 0 };
  };
}

/**
 * Places in all of the lists, and possibly others: the caller checks the records. The first chunk of each list has
 * `limit` places.
 */
export async function* intersectionOf(
  rows: readonly SortedList[],
  limit: number,
): AsyncGenerator<ListPlace> {
  const readings = rows.map(
    (row): RowReading => ({
      row,
      limitMin: limit,
      places: [],
      last: undefined,
      isEnd: false,
      limit,
    }),
  );
  for (;;) {
    const start = startOf(readings);
    await Promise.all(readings.map((reading) => readOn(reading, start)));
    const [leader] = readings.filter(({ isEnd }) => isEnd).sort(fewestFirst);
    if (leader) return yield* leader.places.filter(allowedBy(readings));
    yield* shared(readings);
  }
}

/** The place to continue at: nothing above the lowest first place is in all lists. */
function startOf(readings: readonly RowReading[]): string | undefined {
  return readings.flatMap(({ places }) => places[0]?.at ?? []).sort()[0];
}

/** Reads the next chunk of a list with nothing left to consume. */
async function readOn(reading: RowReading, start: string | undefined): Promise<void> {
  const { row, places, last, limitMin, limit } = reading;
  if (places.length > 0) return;
  const leaps = last !== undefined && start !== undefined && start < last;
  // After a jump, few places are needed.
  reading.limit = leaps ? Math.max(limitMin, limit >> 1) : Math.min(limitMax, limit * 2);
  // Without a jump the last place comes again.
  const part = await row(leaps ? start : last, last === undefined ? limitMin : reading.limit + 1);
  reading.places = last === undefined ? part.places : part.places.filter(({ at }) => at < last);
  reading.isEnd = part.isEnd;
  reading.last = part.places.at(-1)?.at ?? last;
}

/** Yields the places in all lists, as far as each was read. */
function* shared(readings: readonly RowReading[]): Generator<ListPlace> {
  const positions = readings.map(() => 0);
  const firsts = () => readings.flatMap(({ places }, index) => places[positions[index] ?? 0] ?? []);
  let heads = firsts();
  while (heads.length === readings.length) {
    const lowest = heads.reduce((one, other) => (one.at < other.at ? one : other));
    if (heads.every(({ at }) => at === lowest.at)) yield lowest;
    const isShared = heads.every(({ at }) => at === lowest.at);
    for (const [index, { at }] of heads.entries())
      if (isShared || at > lowest.at) positions[index] = (positions[index] ?? 0) + 1;
    heads = firsts();
  }
  for (const [index, reading] of readings.entries())
    reading.places = reading.places.slice(positions[index]);
}

/** True when no list that was read at this place lacks it. */
function allowedBy(readings: readonly RowReading[]): (place: ListPlace) => boolean {
  const known = readings.map(({ places, isEnd, last = '' }) => ({
    ats: new Set(places.map(({ at }) => at)),
    end: isEnd ? '' : last,
  }));
  return ({ at }) => known.every(({ ats, end }) => at < end || ats.has(at));
}

function fewestFirst(one: RowReading, other: RowReading): number {
  return one.places.length - other.places.length;
}

function newestFirst(one: ListPlace, other: ListPlace): number {
  return one.at < other.at ? 1 : -1;
}
