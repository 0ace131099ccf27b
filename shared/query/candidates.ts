/**
 * Where to look for what a list is asked for. Everything that matches is among the candidates; whether a
 * candidate matches, only its record says. Decision 31.
 */
import { setBackMsMax } from '../crypto/luid.ts';
import { isHandleText } from '../ledger/address.ts';
import { momentOf } from '../ledger/compare.ts';
import { keepsPlace, lineOf, nameWithin } from '../ledger/kind.ts';
import type { Filter, Filters } from '../ledger/query.ts';
import { type Term, termOfWord, termsAskedBy } from '../ledger/term.ts';
import type { Catalog, Listing, Stretch } from '../port/catalog.ts';
import { type Row, unionOf } from './intersect.ts';

/** What is looked for in a list. */
export interface Wish {
  readonly listing: Listing;
  readonly filters: Filters;
  readonly words: readonly string[];
  /** The place in the list behind which it is looked for. */
  readonly after?: string;
}

/** Of how many rows the places are compared; what the others say, the records say too. */
const rowCountMax = 16;

const nsPerMs = 1_000_000n;
const timeMsMax = 2 ** 48 - 1;

/** The names of the only records that can match; undefined when no filter says so. */
export function namesIn({ listing, filters }: Wish): string[] | undefined {
  const { kind, within } = listing;
  const filter = filters.all.find((one) => one.path === 'data.handle' && handlesIn(one));
  const handles = filter && handlesIn(filter);
  if (!handles || lineOf(kind).naming) return undefined;
  const names = handles.filter(isHandleText);
  return names.map((name) => (within === undefined ? name : nameWithin(within, name)));
}

/**
 * The rows in all of which everything lies that matches: of terms, or else the whole list. None at all when
 * nothing can match.
 */
export function rowsOf(
  catalog: Catalog,
  { listing, filters, words, after }: Wish,
): { readonly rows: readonly Row[]; readonly areTerms: boolean } {
  const bounds = { ...boundsOf(listing, filters), ...(after !== undefined && { after }) };
  const asked = [
    ...words.map((word) => [termOfWord(word)]),
    ...filters.all.flatMap((filter) => {
      const terms = termsAskedBy(listing.kind, filter);
      return terms ? [terms] : [];
    }),
  ];
  const rowOf = (term: Term) => row(bounds, (stretch) => catalog.mentioned(listing, term, stretch));
  if (asked.length === 0)
    return { rows: [row(bounds, (stretch) => catalog.listed(listing, stretch))], areTerms: false };
  return {
    rows: asked.slice(0, rowCountMax).map((terms) => unionOf(terms.map(rowOf))),
    areTerms: true,
  };
}

function row(bounds: PlaceBounds, read: (stretch: Stretch) => ReturnType<Catalog['listed']>): Row {
  return async (upTo, limit) => {
    const { sinceMs, untilMs, after } = bounds;
    const places = await read({ sinceMs, upTo: upTo ?? after ?? untilMs, limit });
    return { places, isEnd: places.length < limit };
  };
}

/** The handles that a filter names; undefined when it is of another kind. */
function handlesIn({ operator, operand }: Filter): readonly string[] | undefined {
  const operands = operator === '$in' ? operand : operator === '$eq' ? [operand] : undefined;
  // A moment that is spelled otherwise is equal.
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

/** When everything that matches has changed last, in milliseconds, both included. */
function boundsOf({ kind }: Listing, { all }: Filters): PlaceBounds {
  let [sinceMs, untilMs] = [0, timeMsMax];
  for (const { path, operator, operand } of all) {
    const ms = path === 'meta.moment' ? msOf(operand) : undefined;
    if (ms === undefined) continue;
    if (['$eq', '$gt', '$gte'].includes(operator)) sinceMs = Math.max(sinceMs, ms);
    // Where records keep their place, their luids say it, which may be ahead of their moments.
    const slackMs = keepsPlace(kind) ? setBackMsMax : 0;
    if (['$eq', '$lt', '$lte'].includes(operator)) untilMs = Math.min(untilMs, ms + slackMs);
  }
  return { sinceMs, untilMs: Math.max(0, untilMs) };
}

/** The millisecond of a moment or of the beginning of a day. */
function msOf(operand: unknown): number | undefined {
  const text = String(operand);
  const ns = momentOf(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00Z` : text);
  if (ns === undefined) return undefined;
  return Math.min(timeMsMax, Math.max(0, Number(ns / nsPerMs)));
}
