/**
 * Search for records by filters and words, newest change first, within a time budget. Each candidate is checked
 * against its current record. When candidates come from the index, the newest outbox entries are checked too, so
 * that a search sees all earlier writes. Rulings 19 to 23, Decisions 31 and 32.
 */

import { isHandleText } from '../ledger/address.ts';
import { lengthOf, payForRow } from '../ledger/budget.ts';
import { LedgerError } from '../ledger/errors.ts';
import { withinOf } from '../ledger/kind.ts';
import { type LedgerRecord, nameOfVersion, type Version } from '../ledger/record.ts';
import { wordsOf } from '../ledger/term.ts';
import type { Call } from '../port/action.ts';
import type { ListPlace } from '../port/catalog.ts';
import type { Work } from '../port/request-budget.ts';
import { namesIn, rowsOf, type SearchRequest } from './candidates.ts';
import { inFairOrder } from './fair-queue.ts';
import { intersectionOf } from './intersect.ts';
import { fillingOf, type PageQuery } from './page.ts';

/** The time budget of a list or a search, in milliseconds. Ruling 22. */
const budgetMs = 20_000;
/** Records per read, and places in the first chunk when several lists are intersected. */
const batchLengthMax = 400;
/** Records in the first read, when their length is unknown, and the text length to aim at later. */
const firstLengthMax = 40;
const batchTextMax = 500_000;
const rowLength = 100;

interface Search extends SearchRequest {
  readonly services: Call['services'];
  /** The number of records to find. */
  readonly wanted: number;
  /** Throws once 20 seconds are over, by a clock that nobody sets. Decision 87. */
  readonly check: () => void;
  /** Pays for each record that is read. */
  readonly work: Work;
}

/**
 * One page of the matches that the caller may see; hidden records leave no gap. Ruling 22. An exact search is refused with
 * `api.request-timeout` where too many changes wait to be indexed.
 */
export async function search(
  call: Call,
  search: SearchRequest,
  { index, limit, after }: Omit<PageQuery, 'isByCursor'>,
  isShown: (record: LedgerRecord, version: Version) => Promise<boolean> = async () => true,
): Promise<Version[]> {
  const start = after === undefined ? index * limit : 0;
  const { services } = call;
  const { placeOf } = services.catalog;
  const found: Version[] = [];
  const isFilledBy = fillingOf();
  let count = 0;
  const bounds = { check: timeLimit(), work: call.work };
  const options = { services, wanted: start + limit, ...bounds };
  const place = after !== undefined && { after };
  for await (const version of all({ ...search, ...place, ...options })) {
    const isBefore = after !== undefined && placeOf(version) >= after;
    if (isBefore || !(await isShown(version.record, version))) continue;
    count += 1;
    if (count <= start) continue;
    found.push(version);
    if (found.length === limit || isFilledBy(version.record)) break;
  }
  return found;
}

/** Returns a function that refuses with `api.request-timeout` once 20 seconds are over, by a clock that nobody sets. Decision 87. */
export function timeLimit(): () => void {
  const endMs = performance.now() + budgetMs;
  return () => {
    if (performance.now() > endMs)
      throw new LedgerError(
        'api.request-timeout',
        'The search took too long. More filters or rarer words make it shorter.',
      );
  };
}

/** Yields all matches, newest first, and reads on demand. */
async function* all(search: Search): AsyncGenerator<Version> {
  const names = namesIn(search);
  if (names)
    return yield* newestFirst(search, (await named(search, names)).filter(matches(search)));
  const { rows, areTerms } = rowsOf(search.services.catalog, search, () => placesOfWords(search));
  // The list is written together with its records, so it has no tail.
  const tail = areTerms ? await tailOf(search) : { luids: new Set<string>(), versions: [] };
  const places = intersectionOf(rows, rows.length > 1 ? rowLength : firstLengthOf(search));
  yield* merged(search, tail.versions, matchingAt(search, places, tail.luids));
}

/** Changes whose index entries may not be written yet: the luids, and the matches among them. */
async function tailOf(
  search: Search,
): Promise<{ readonly luids: ReadonlySet<string>; readonly versions: Version[] }> {
  const { services, listing, isExact } = search;
  const entries = (await services.catalog.tail(listing.scope, isExact && 'whole'))
    .filter(({ kind }) => kind === listing.kind)
    .sort((one, other) => one.change - other.change);
  const latest = [...new Map(entries.map((entry) => [entry.luid, entry])).values()];
  const heads = await named(
    search,
    latest.map(({ handle }) => handle),
  );
  for (const { record } of heads) payForRow(search.work, record);
  const luids = new Set(latest.map(({ luid }) => luid));
  const versions = heads.filter(({ record }) => luids.has(record.luid)).filter(matches(search));
  return { luids, versions: newestFirst(search, versions) };
}

/** Yields the matches among the places, each checked on its current record. */
async function* matchingAt(
  search: Search,
  places: AsyncIterable<ListPlace>,
  luids: ReadonlySet<string>,
): AsyncGenerator<Version> {
  const { placeOf } = search.services.catalog;
  const pace = { length: firstLengthOf(search) };
  for await (const batch of batchesOf(places, pace)) {
    const heads = await named(
      search,
      batch.map(({ name }) => name),
    );
    for (const { record } of heads) payForRow(search.work, record);
    quicken(pace, heads);
    const known = new Map(heads.map((head) => [placeOf(head), head]));
    for (const { at, luid } of batch) {
      search.check();
      // A record that has moved is found at its new place, or in the tail.
      const head = known.get(at);
      if (head && !luids.has(luid) && matches(search)(head)) yield head;
    }
  }
}

/** Records per read. */
interface Pace {
  length: number;
}

/** Doubles the records per read, within the text length to aim at. */
function quicken(pace: Pace, heads: readonly Version[]): void {
  const text = heads.reduce((sum, { record }) => sum + lengthOf(record), 1);
  const affordable = Math.floor((heads.length * batchTextMax) / text);
  pace.length = Math.max(1, Math.min(batchLengthMax, pace.length * 2, affordable));
}

/** Groups places; each record once. */
async function* batchesOf(
  places: AsyncIterable<ListPlace>,
  pace: Pace,
): AsyncGenerator<ListPlace[]> {
  let batch: ListPlace[] = [];
  let last = '';
  for await (const place of places) {
    // Entries of two versions of a record at one place follow each other.
    if (place.at !== last) batch.push(place);
    last = place.at;
    if (batch.length < pace.length) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** The places of records that have a word as their name. */
async function placesOfWords(search: Search): Promise<ListPlace[]> {
  const { placeOf } = search.services.catalog;
  const versions = await named(search, search.words.filter(isHandleText));
  return versions.map((version) => ({
    at: placeOf(version),
    luid: version.record.luid,
    name: nameOfVersion(version),
  }));
}

/** Reads records by name, each once, in the order of the names. */
async function named({ services, listing, check }: Search, names: readonly string[]) {
  const { scope, kind } = listing;
  const wants = [...new Set(names)].map((handle) => ({
    what: 'record' as const,
    scope,
    kind,
    handle,
  }));
  const found = await inFairOrder(scope, async () => {
    check();
    return wants.length > 0 ? services.store.load(wants) : [];
  });
  return found.flatMap((version) => version ?? []);
}

function matches({ listing, filters, words }: Search): (version: Version) => boolean {
  return ({ kind, record }) => {
    if (withinOf(kind, record.data) !== listing.within || !filters.matches(record)) return false;
    if (words.length === 0) return true;
    const own = new Set(wordsOf(record));
    return words.every((word) => own.has(word));
  };
}

/** Merges two sorted sequences. */
async function* merged(
  { services: { catalog } }: Search,
  sorted: readonly Version[],
  coming: AsyncIterable<Version>,
): AsyncGenerator<Version> {
  let position = 0;
  for await (const version of coming) {
    const place = catalog.placeOf(version);
    for (; position < sorted.length; position += 1) {
      const next = sorted[position] as Version;
      if (catalog.placeOf(next) < place) break;
      yield next;
    }
    yield version;
  }
  yield* sorted.slice(position);
}

function newestFirst({ services: { catalog } }: Search, versions: readonly Version[]): Version[] {
  return [...versions].sort((one, other) =>
    catalog.placeOf(one) < catalog.placeOf(other) ? 1 : -1,
  );
}

function firstLengthOf({ wanted }: Search): number {
  return Math.min(firstLengthMax, wanted);
}
