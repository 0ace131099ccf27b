/**
 * By what records are found: the terms that a version is mentioned under, and those under which what a
 * filter or a search asks for is mentioned. Whatever matches a filter is under its terms; not all that is
 * under them matches, so everybody who finds a record that way asks the record itself. Rulings 20, 21
 * and 23, Decision 31.
 */

import { digitsOf, isScalar, momentOf, numberOf, type Scalar } from './compare.ts';
import { isIndex, partiesOf, plainOf, withoutIndexes } from './filterable.ts';
import { type Kind, lineOf } from './kind.ts';
import type { LedgerRecord } from './record.ts';

/** What versions are mentioned under: a value of a field, or a word. */
export interface Term {
  /** A filter path without indexes, `word`, or `more`. */
  readonly field: string;
  readonly value: string;
}

/** A filter, as far as it says where to look. */
interface Asked {
  readonly path: string;
  readonly operator: string;
  readonly operand: unknown;
}

/** How many values of an author's own are mentioned of one record. */
export const ownTermCountMax = 100;
/** How many values a filter may ask for at once and still be served by the terms. */
const operandCountMax = 10;
/** A longer path can be in no filter. */
const pathLengthMax = 256;

const customField = 'data.custom';
const labelField = 'meta.labels';
const plainFields = ['data.schema', 'meta.status', 'meta.domain'];
/** What is mentioned as words, where there are words. */
const wordFields = ['data.schema', 'meta.status', 'data.claims.action'];

/** Where records lie that have more values of their own than are mentioned; every filter on those looks there. */
const more: Term = { field: 'more', value: '' };

/** The terms of a record, each once. */
export function termsOf(kind: Kind, record: LedgerRecord): Term[] {
  const plain = plainOf(kind, record);
  const { custom, ...members } = plain.data;
  const { status, labels, domain } = plain.meta;
  const isWanted = ({ field }: Term) => isMentioned(kind, field);
  const given = termsIn({ data: members, meta: { status, domain } }, '').filter(isWanted);
  const own = distinct(termsIn({ data: { custom }, meta: { labels } }, ''));
  const words = lineOf(kind).searched ? wordsOf(record).map(termOfWord) : [];
  return [
    ...distinct([...given, ...words]),
    ...own.slice(0, ownTermCountMax),
    ...(own.length > ownTermCountMax ? [more] : []),
  ];
}

/**
 * The terms under one of which everything is that a filter matches; none of them when nothing can match,
 * undefined when the terms cannot say.
 */
export function termsAskedBy(kind: Kind, { path, operator, operand }: Asked): Term[] | undefined {
  const field = withoutIndexes(path);
  const operands = operandsOf(operator, operand);
  const isServed = isOwn(field) || isMentioned(kind, field) || isOfWords(kind, field);
  if (!operands || operands.length > operandCountMax || !isServed) return undefined;
  const terms = operands.map((each) => termOf(kind, field, each));
  if (!terms.every((term) => term !== undefined)) return undefined;
  return distinct(isOwn(field) && terms.length > 0 ? [...terms, more] : terms);
}

/** The term of a word. */
export function termOfWord(word: string): Term {
  return { field: 'word', value: word };
}

/** The words of a text, each once; case does not matter. */
export function wordsIn(text: string): string[] {
  return [...new Set(text.toLowerCase().split(/\s+/).filter(Boolean))];
}

/**
 * The words under which an intent is found, but for the handle of its ledger, which finds them all.
 * Interface, Full-text search.
 */
export function wordsOf({ data, meta }: LedgerRecord): string[] {
  const claims = (data['claims'] ?? []) as readonly Readonly<Record<string, unknown>>[];
  const texts = claims.flatMap(({ source, target, symbol, action }) => [
    ...[source, target].flatMap((party) => partsOf(handleIn(party))),
    handleIn(symbol),
    String(action),
  ]);
  const all = [data.handle, data.schema ?? '', meta.status, ...texts];
  return [...new Set(all.flatMap(wordsIn))];
}

/** What an address `schema:handle@domain` is found by: itself, its handle, its domain, and both together. */
function partsOf(address: string): string[] {
  const end = address.includes('@') ? address.indexOf('@') : address.length;
  const handle = address.slice(address.slice(0, end).indexOf(':') + 1, end);
  const domain = address.slice(end + 1);
  return domain === '' ? [address, handle] : [address, handle, domain, `${handle}@${domain}`];
}

/** The handle of a party of a claim; none for one that the claim does not have. */
function handleIn(party: unknown): string {
  if (party === undefined) return '';
  return typeof party === 'string' ? party : String((party as { handle: unknown }).handle);
}

/** The terms of everything below a value, with their paths. */
function termsIn(value: unknown, path: string): Term[] {
  if (isScalar(value)) return [{ field: path, value: spellingOf(value) }];
  if (Array.isArray(value)) return value.flatMap((element) => termsIn(element, path));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const below = isIndex(name) ? path : `${path}${path && '.'}${name}`;
    return isAskable(name, below) ? termsIn(member, below) : [];
  });
}

/** Whether a filter can name it: a name is what is between two dots. */
function isAskable(name: string, path: string): boolean {
  return name !== '' && !/[.\n]/.test(name) && path.length <= pathLengthMax;
}

/** One spelling for all values that are equal to a filter: of a number, of a moment, or the text itself. */
function spellingOf(scalar: Scalar): string {
  return String(digitsOf(numberOf(scalar)) ?? momentOf(String(scalar)) ?? scalar);
}

function isOwn(field: string): boolean {
  return field === labelField || field === customField || field.startsWith(`${customField}.`);
}

/** Whether values at the field are mentioned as they are. */
function isMentioned(kind: Kind, field: string): boolean {
  const { filters = [], searched } = lineOf(kind);
  if (searched) return field === 'meta.domain';
  const own = [...filters.map((path) => `data.${path}`), ...partiesOf(kind)];
  return plainFields.includes(field) || own.includes(field);
}

/** Whether values at the field are found by their words. */
function isOfWords(kind: Kind, field: string): boolean {
  const isWord = wordFields.includes(field) || partiesOf(kind).includes(field);
  return lineOf(kind).searched === true && isWord;
}

function operandsOf(operator: string, operand: unknown): readonly unknown[] | undefined {
  if (operator === '$in') return operand as readonly unknown[];
  return operator === '$eq' ? [operand] : undefined;
}

/** The term that every value is under which is equal to the operand: of an array, one of its members. */
function termOf(kind: Kind, field: string, operand: unknown): Term | undefined {
  const scalar: unknown = Array.isArray(operand) ? operand.find(isScalar) : operand;
  if (!isScalar(scalar)) return undefined;
  if (!isOfWords(kind, field)) return { field, value: spellingOf(scalar) };
  // A moment that is spelled otherwise is equal, and another word.
  const isText = typeof scalar === 'string' && momentOf(scalar) === undefined;
  const [word] = isText ? wordsIn(scalar) : [];
  return word === undefined ? undefined : termOfWord(word);
}

function distinct(terms: readonly Term[]): Term[] {
  return [...new Map(terms.map((term) => [`${term.field}\n${term.value}`, term])).values()];
}
