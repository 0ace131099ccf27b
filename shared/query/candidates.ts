/**
 * Candidates of a search: a superset of the matches, found by names, index entries or the list itself. Only the
 * record decides whether a candidate matches. Decision 31.
 */
import { setBackMsMax } from '../crypto/luid.ts';
import { isHandleText } from '../ledger/address.ts';
import { momentOf } from '../ledger/compare.ts';
import { keepsPlace, lineOf, nameWithin } from '../ledger/kind.ts';
import type { Filter, Filters } from '../ledger/query.ts';
import { type Term, termOfWord, termsWanted } from '../ledger/term.ts';
import type { Catalog, Listing, ListPlace, Stretch } from '../port/catalog.ts';
import { type SortedList, unionOf } from './intersect.ts';

/** The filters and words of a search in a list. */
export interface SearchRequest {
  readonly listing: Listing;
  readonly filters: Filters;
  readonly words: readonly string[];
  /** The place in the list to continue after. */
  readonly after?: string;
  /** True for one that decides: it misses nothing that was written, however far the index is behind. */
  readonly isExact?: true;
}

/** Candidates must be in this many lists at most. Conditions beyond that are checked on the record alone. */
const rowCountMax = 16;

const nsPerMs = 1_000_000n;
const timeMsMax = 2 ** 48 - 1;

/** The names of the only records that can match; undefined when no filter names handles. */
export function namesIn({ listing, filters }: SearchRequest): string[] | undefined {
  const { kind, within } = listing;
  const filter = filters.all.find((one) => one.path === 'data.handle' && handlesIn(one));
  const handles = filter && handlesIn(filter);
  if (!handles || lineOf(kind).naming) return undefined;
  const names = handles.filter(isHandleText);
  return names.map((name) => (within === undefined ? name : nameWithin(within, name)));
}

/**
 * Sorted lists that each contain every match: one for each term, or the whole list without any. A word may be the name
 * of a record: `placesOfWords` finds those.
 */
export function rowsOf(
  catalog: Catalog,
  { listing, filters, words, after }: SearchRequest,
  placesOfWords: () => Promise<readonly ListPlace[]>,
): { readonly rows: readonly SortedList[]; readonly areTerms: boolean } {
  const bounds = { ...boundsOf(listing, filters), ...(after !== undefined && { after }) };
  const rowOf = (term: Term) =>
    row(bounds, (stretch) => catalog.indexEntriesOf(listing, term, stretch));
  let places: Promise<readonly ListPlace[]> | undefined;
  const placesOnce = () => {
    places ??= placesOfWords();
    return places;
  };
  const terms = [
    ...words.map((word) => [rowOf(termOfWord(word)), rowOfName(word, placesOnce)]),
    ...filters.all.flatMap((filter) => {
      const terms = termsWanted(listing.kind, filter);
      return terms ? [terms.map(rowOf)] : [];
    }),
  ];
  if (terms.length === 0)
    return { rows: [row(bounds, (stretch) => catalog.listed(listing, stretch))], areTerms: false };
  return {
    rows: terms.slice(0, rowCountMax).map(unionOf),
    areTerms: true,
  };
}

function row(
  bounds: PlaceBounds,
  read: (stretch: Stretch) => ReturnType<Catalog['listed']>,
): SortedList {
  return async (upTo, limit) => {
    const { sinceMs, untilMs, after } = bounds;
    const places = await read({ sinceMs, upTo: upTo ?? after ?? untilMs, limit });
    return { places, isEnd: places.length < limit };
  };
}

/** The record whose name is the word, as a list. */
function rowOfName(word: string, placesOfWords: () => Promise<readonly ListPlace[]>): SortedList {
  return async (upTo = '~') => {
    const places = await placesOfWords();
    return { places: places.filter(({ name, at }) => name === word && at <= upTo), isEnd: true };
  };
}

/** The handles that a filter names; undefined for any other filter. */
function handlesIn({ operator, operand }: Filter): readonly string[] | undefined {
  const operands = operator === '$in' ? operand : operator === '$eq' ? [operand] : undefined;
  // Moments compare as times, so a different text can match.
  const areTexts = Array.isArray(operands) && operands.every(isPlainText);
  return areTexts ? (operands as readonly string[]) : undefined;
}

function isPlainText(operand: unknown): boolean {
  return typeof operand === 'string' && momentOf(operand) === undefined;
}

interface PlaceBounds {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly after?: string;
}

/** The time range of the last change of every match, in milliseconds, inclusive. */
function boundsOf({ kind }: Listing, { all }: Filters): PlaceBounds {
  let [sinceMs, untilMs] = [0, timeMsMax];
  for (const { path, operator, operand } of all) {
    const ms = path === 'meta.moment' ? msOf(operand) : undefined;
    if (ms === undefined) continue;
    if (['$eq', '$gt', '$gte'].includes(operator)) sinceMs = Math.max(sinceMs, ms);
    // Kinds that keep their place sort by luid, whose time may be ahead of the moment.
    const slackMs = keepsPlace(kind) ? setBackMsMax : 0;
    if (['$eq', '$lt', '$lte'].includes(operator)) untilMs = Math.min(untilMs, ms + slackMs);
  }
  return { sinceMs, untilMs: Math.max(0, untilMs) };
}

/** The millisecond of a moment, or of the start of a day. */
function msOf(operand: unknown): number | undefined {
  const text = String(operand);
  const ns = momentOf(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00Z` : text);
  if (ns === undefined) return undefined;
  return Math.min(timeMsMax, Math.max(0, Number(ns / nsPerMs)));
}
