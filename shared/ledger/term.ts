/**
 * Terms of the index: those that list a record, and those under which a filter or a search looks. Every match of a
 * filter is listed under its terms, but not everything listed there matches. A reader must therefore test each record
 * that it finds. Rulings 20, 21 and 23, Decision 31.
 */

import { digitsOf, isScalar, momentOf, nearMomentOf, numberOf, type Scalar } from './compare.ts';
import { isIndex, namingPathsOf, plainOf, withoutIndexes } from './filterable.ts';
import { isFinal } from './intent.ts';
import { type Kind, lineOf } from './kind.ts';
import { latePeriodOf } from './late.ts';
import type { LedgerRecord } from './record.ts';
import { statuses } from './thread.ts';

/** A value of a field, or a word, under which the index lists records. */
export interface Term {
  /** A filter path without indexes, `word`, `late`, or `more`. */
  readonly field: string;
  readonly value: string;
}

interface IndexFilter {
  readonly path: string;
  readonly operator: string;
  readonly operand: unknown;
}

/** The most values of an author's own fields that the index lists for one record. */
export const ownTermCountMax = 100;
/** The most values of a filter that the index can serve. */
const operandCountMax = 10;
/** No filter has a longer path. */
const pathLengthMax = 256;

const customField = 'data.custom';
const labelField = 'meta.labels';
const domainField = 'meta.domain';
const plainFields = ['data.schema', 'meta.status', domainField];
/** The fields that full-text search lists by word. */
const wordFields = ['data.schema', 'meta.status', 'data.claims.action'];

/** Lists records with more values of their own than the index takes. Every filter on such fields looks here too. */
const more: Term = { field: 'more', value: '' };

/** The statuses that a version of an intent may have and another may not, and the fields of other such terms. */
const passingStatuses: ReadonlySet<string> = new Set(statuses.filter((status) => !isFinal(status)));
const passingFields: ReadonlySet<string> = new Set([labelField, domainField, more.field]);

/** The terms of a record, each once. An intent is found by its handle directly where that is a word: it is no term. */
export function termsOf(kind: Kind, record: LedgerRecord): Term[] {
  const own = distinct(
    termsIn({ data: { custom: record.data.custom }, meta: { labels: record.meta.labels } }, ''),
  );
  return [
    ...distinct(lineOf(kind).searched ? searchedTermsOf(record) : plainTermsOf(kind, record)),
    ...own.slice(0, ownTermCountMax),
    ...(own.length > ownTermCountMax ? [more] : []),
  ];
}

/** The terms of a record beside what its authors define. */
function plainTermsOf(kind: Kind, record: LedgerRecord): Term[] {
  const { data, meta } = plainOf(kind, record);
  const { custom: _custom, ...members } = data;
  const { status, domain } = meta;
  const isListed = ({ field }: Term) => isIndexed(kind, field);
  return termsIn({ data: members, meta: { status, domain } }, '').filter(isListed);
}

/** The same of intents, which have full-text search: their other fields are listed by word. */
function searchedTermsOf(record: LedgerRecord): Term[] {
  const { domain } = record.meta;
  const period = latePeriodOf(record);
  return [
    ...termsIn({ meta: { domain } }, ''),
    ...indexedWordsOf(record).map(termOfWord),
    ...(period === undefined ? [] : [termOfLate(period)]),
  ];
}

/**
 * The terms that no status, label or domain of a record can change: for a kind whose data stays as it is, those of all
 * versions of a record, and of those that follow a final status, the status. They are among `termsOf`.
 */
export function lastingTermsOf(kind: Kind, { meta, ...record }: LedgerRecord): Term[] {
  const { labels: _labels, domain: _domain, ...rest } = meta;
  const status = isFinal(meta.status) ? meta.status : '';
  return termsOf(kind, { ...record, meta: { ...rest, status } });
}

/** True when all terms of a record are lasting ones. */
export function hasLastingTermsOnly({ meta: { status, labels, domain } }: LedgerRecord): boolean {
  return isFinal(status) && labels === undefined && domain === undefined;
}

/** True for a term of intents that a later version may not have: a status that is not final, a label, a domain. */
export function isPassingTerm({ field, value }: Term): boolean {
  if (field === 'word') return passingStatuses.has(value);
  return passingFields.has(field);
}

/**
 * The terms under which every match of a filter is listed. An empty list means that nothing can match; undefined means
 * that the index cannot serve the filter.
 */
export function termsWanted(
  kind: Kind,
  { path, operator, operand }: IndexFilter,
): Term[] | undefined {
  const field = withoutIndexes(path);
  const operands = operandsOf(operator, operand);
  const isServed = isAuthored(field) || isIndexed(kind, field) || isIndexedByWords(kind, field);
  if (!operands || operands.length > operandCountMax || !isServed) return undefined;
  const terms = operands.map((each) => termOf(kind, field, each));
  if (!terms.every((term) => term !== undefined)) return undefined;
  return distinct(isAuthored(field) && terms.length > 0 ? [...terms, more] : terms);
}

export function termOfWord(word: string): Term {
  return { field: 'word', value: word };
}

/** Lists the intents that were completed late in a period. No filter looks there: reports do. Decision 100. */
export function termOfLate(period: number): Term {
  return { field: 'late', value: String(period) };
}

/** The words of a text in lower case, each once. */
export function wordsIn(text: string): string[] {
  return [...new Set(text.toLowerCase().split(/\s+/).filter(Boolean))];
}

/** The words by which an intent is found, beside the handle of its ledger. Ruling 23. */
export function wordsOf(record: LedgerRecord): string[] {
  return [...new Set([...wordsIn(record.data.handle), ...wordsBesideHandle(record)])];
}

/** The words of an intent that are terms: without a handle that is itself the word by which it is looked for. */
function indexedWordsOf(record: LedgerRecord): string[] {
  const { handle } = record.data;
  const words = wordsIn(handle);
  return words.length === 1 && words[0] === handle ? wordsBesideHandle(record) : wordsOf(record);
}

function wordsBesideHandle({ data, meta }: LedgerRecord): string[] {
  const claims = (data['claims'] ?? []) as readonly Readonly<Record<string, unknown>>[];
  const texts = claims.flatMap(({ source, target, symbol, action }) => [
    ...[source, target].flatMap((reference) => partsOf(handleIn(reference))),
    handleIn(symbol),
    String(action),
  ]);
  const all = [data.schema ?? '', meta.status, ...texts];
  return [...new Set(all.flatMap(wordsIn))];
}

/** The parts of `schema:handle@domain` that find it: the whole, handle, domain, and `handle@domain`. */
function partsOf(address: string): string[] {
  const end = address.includes('@') ? address.indexOf('@') : address.length;
  const handle = address.slice(address.slice(0, end).indexOf(':') + 1, end);
  const domain = address.slice(end + 1);
  return domain === '' ? [address, handle] : [address, handle, domain, `${handle}@${domain}`];
}

/** The handle of a wallet or symbol in a claim; empty where the claim has none. */
function handleIn(reference: unknown): string {
  if (reference === undefined) return '';
  return typeof reference === 'string'
    ? reference
    : String((reference as { handle: unknown }).handle);
}

/** The terms of all scalars below a value, with their paths. */
function termsIn(value: unknown, path: string): Term[] {
  if (isScalar(value)) return [{ field: path, value: spellingOf(value) }];
  if (Array.isArray(value)) return value.flatMap((element) => termsIn(element, path));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const below = isIndex(name) ? path : `${path}${path && '.'}${name}`;
    return isFilterable(name, below) ? termsIn(member, below) : [];
  });
}

/** True when a filter can name the member: dots separate names. */
function isFilterable(name: string, path: string): boolean {
  return name !== '' && !/[.\n]/.test(name) && path.length <= pathLengthMax;
}

/**
 * One spelling for all values that a filter treats as equal: of a number, of a moment, or the text itself. A day that its month
 * does not have is no moment, and keeps the spelling under which earlier releases have listed it.
 */
function spellingOf(scalar: Scalar): string {
  return String(digitsOf(numberOf(scalar)) ?? nearMomentOf(String(scalar)) ?? scalar);
}

function isAuthored(field: string): boolean {
  return field === labelField || field === customField || field.startsWith(`${customField}.`);
}

/** True when the index lists the values of the field as they are. */
function isIndexed(kind: Kind, field: string): boolean {
  const { filters = [], searched } = lineOf(kind);
  if (searched) return field === domainField;
  const own = [...filters.map((path) => `data.${path}`), ...namingPathsOf(kind)];
  return plainFields.includes(field) || own.includes(field);
}

/** True when the index lists the field by words. */
function isIndexedByWords(kind: Kind, field: string): boolean {
  const isWord = wordFields.includes(field) || namingPathsOf(kind).includes(field);
  return lineOf(kind).searched === true && isWord;
}

function operandsOf(operator: string, operand: unknown): readonly unknown[] | undefined {
  if (operator === '$in') return operand as readonly unknown[];
  return operator === '$eq' ? [operand] : undefined;
}

/** The term under which every value that equals the operand is listed; of an array, that of one member. */
function termOf(kind: Kind, field: string, operand: unknown): Term | undefined {
  const scalar: unknown = Array.isArray(operand) ? operand.find(isScalar) : operand;
  if (!isScalar(scalar)) return undefined;
  if (!isIndexedByWords(kind, field)) return { field, value: spellingOf(scalar) };
  // A moment in another spelling is equal but has other words.
  const isText = typeof scalar === 'string' && momentOf(scalar) === undefined;
  const [word] = isText ? wordsIn(scalar) : [];
  return word === undefined ? undefined : termOfWord(word);
}

function distinct(terms: readonly Term[]): Term[] {
  return [...new Map(terms.map((term) => [`${term.field}\n${term.value}`, term])).values()];
}
