/**
 * Places that lie in several rows at once: newest first, and reading of each row what it takes. As soon as
 * one row has come to its end, what remains of it is few: it leads, and the others say no only as far as
 * they are in hand anyway. So a rare word makes a search cheap, however broad the other words are.
 */
import type { Place } from '../port/catalog.ts';

/** A part of a row, and whether nothing follows. */
export interface Part {
  readonly places: readonly Place[];
  readonly isEnd: boolean;
}

/** Reads a row from its beginning or from a place, that one included; about as many places as asked for. */
export type Row = (upTo: string | undefined, limit: number) => Promise<Part>;

/** A row on its way down. */
interface Reading {
  readonly row: Row;
  readonly limitMin: number;
  /** What is in hand of it and was not passed yet. */
  places: readonly Place[];
  /** The last place that was read. */
  last: string | undefined;
  isEnd: boolean;
  limit: number;
}

const limitMax = 1_000;

/** The row of all places that are in any of the rows, each once. */
export function unionOf(rows: readonly Row[]): Row {
  const [only, ...more] = rows;
  if (only && more.length === 0) return only;
  return async (upTo, limit) => {
    const parts = await Promise.all(rows.map((row) => row(upTo, limit)));
    // Below the highest of their ends, not all of them are known.
    const ends = parts.flatMap(({ places, isEnd }) => (isEnd ? [] : (places.at(-1)?.at ?? [])));
    const end = ends.sort().at(-1) ?? '';
    const known = parts.flatMap(({ places }) => places.filter(({ at }) => at >= end));
    const places = [...new Map(known.map((place) => [place.at, place])).values()];
    return { places: places.sort(newestFirst), isEnd: ends.length === 0 };
  };
}

/**
 * The places that are in all of the rows, and perhaps some more: whoever reads the records finds out. At
 * first, `limit` places are read of each row.
 */
export async function* intersectionOf(rows: readonly Row[], limit: number): AsyncGenerator<Place> {
  const readings = rows.map(
    (row): Reading => ({ row, limitMin: limit, places: [], last: undefined, isEnd: false, limit }),
  );
  for (;;) {
    const start = startOf(readings);
    await Promise.all(readings.map((reading) => readOn(reading, start)));
    const [leader] = readings.filter(({ isEnd }) => isEnd).sort(fewestFirst);
    if (leader) return yield* leader.places.filter(allowedBy(readings));
    yield* shared(readings);
  }
}

/** Where to go on: nothing above the lowest of their first places is in all of them. */
function startOf(readings: readonly Reading[]): string | undefined {
  return readings.flatMap(({ places }) => places[0]?.at ?? []).sort()[0];
}

/** Reads on in a row of which nothing is in hand. */
async function readOn(reading: Reading, start: string | undefined): Promise<void> {
  const { row, places, last, limitMin, limit } = reading;
  if (places.length > 0) return;
  const leaps = last !== undefined && start !== undefined && start < last;
  // Whoever leaps needs little at each place.
  reading.limit = leaps ? Math.max(limitMin, limit >> 1) : Math.min(limitMax, limit * 2);
  // The last place comes once more when nothing is leaped over.
  const part = await row(leaps ? start : last, last === undefined ? limitMin : reading.limit + 1);
  reading.places = last === undefined ? part.places : part.places.filter(({ at }) => at < last);
  reading.isEnd = part.isEnd;
  reading.last = part.places.at(-1)?.at ?? last;
}

/** Takes what is in all rows, as far as all of them are in hand. */
function* shared(readings: readonly Reading[]): Generator<Place> {
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

/** Whether no row that is known at a place lacks it. */
function allowedBy(readings: readonly Reading[]): (place: Place) => boolean {
  const known = readings.map(({ places, isEnd, last = '' }) => ({
    ats: new Set(places.map(({ at }) => at)),
    end: isEnd ? '' : last,
  }));
  return ({ at }) => known.every(({ ats, end }) => at < end || ats.has(at));
}

function fewestFirst(one: Reading, other: Reading): number {
  return one.places.length - other.places.length;
}

function newestFirst(one: Place, other: Place): number {
  return one.at < other.at ? 1 : -1;
}
