/** Applies `custom.labels` of a proof: a new list, or one operator of MongoDB's update language. Rulings 14 and 75. */
import { isPlain } from './compare.ts';
import { LedgerError } from './errors.ts';

const labelCountMax = 100;
const labelLengthMax = 64;

export type Labels = readonly string[];
type Operator = (labels: Labels, value: unknown) => Labels;

const operators: Readonly<Record<string, Operator>> = {
  $set: (_, value) => oneOrMany('$set', value),
  $push: (labels, value) =>
    isPlain(value) ? pushed(labels, value) : [...labels, ...oneOrMany('$push', value)],
  $addToSet: (labels, value) => {
    const { $each = value } = membersOf('$addToSet', value, ['$each']);
    const added = oneOrMany('$addToSet', $each);
    return [...labels, ...new Set(added.filter((label) => !labels.includes(label)))];
  },
  $pull: (labels, value) => {
    const { $in = value } = membersOf('$pull', value, ['$in']);
    const pulled = oneOrMany('$pull', $in);
    return labels.filter((label) => !pulled.includes(label));
  },
  $pullAll: (labels, value) => {
    const pulled = listOf('$pullAll', value);
    return labels.filter((label) => !pulled.includes(label));
  },
  // 1 removes the last label, -1 the first.
  $pop: (labels, value) => (isForward('$pop', value) ? labels.slice(0, -1) : labels.slice(1)),
};

/** The labels after a proof; undefined when the record has never had any. Throws `record.invalid`. */
export function labelsAfter(before: Labels | undefined, operation: unknown): Labels | undefined {
  if (operation === undefined) return before;
  const labels = Array.isArray(operation)
    ? operation.map(labelOf)
    : operated(before ?? [], operation);
  if (labels.length > labelCountMax) throw invalid(`a record has at most ${labelCountMax}`);
  return labels;
}

function operated(before: Labels, operation: unknown): Labels {
  const [[name, value] = ['', undefined], ...more] = isPlain(operation)
    ? Object.entries(operation)
    : [];
  const operator = Object.hasOwn(operators, name) ? operators[name] : undefined;
  if (!operator || more.length > 0)
    throw invalid(`they are an array, or one of ${Object.keys(operators).join(', ')}`);
  return operator(before, value);
}

/** `$push` with modifiers: inserts at a position, then sorts all labels, then keeps a slice. */
function pushed(labels: Labels, value: unknown): Labels {
  const modifiers = membersOf('$push', value, ['$each', '$position', '$slice', '$sort']);
  const { $each, $position = labels.length, $slice, $sort } = modifiers;
  const at = integerOf('$position', $position);
  const added = listOf('$each', $each);
  // A position beyond an end is that end; a negative one counts from the end.
  const all = labels.toSpliced(at, 0, ...added);
  return sliced($sort === undefined ? all : sorted(all, $sort), $slice);
}

function sorted(labels: Labels, order: unknown): Labels {
  const sign = isForward('$sort', order) ? 1 : -1;
  return [...labels].sort((one, other) => sign * comparedByCodePoint(one, other));
}

/** Compares by code point, as the bytes of UTF-8 sort. The operator `<` sorts differently beyond the first 65,536. */
function comparedByCodePoint(one: string, other: string): number {
  const [points, others] = [pointsOf(one), pointsOf(other)];
  const at = points.findIndex((point, index) => point !== others[index]);
  if (at < 0) return points.length - others.length;
  return (points[at] as number) - (others[at] ?? -1);
}

function pointsOf(text: string): number[] {
  return [...text].map((character) => character.codePointAt(0) as number);
}

/** The first labels, or for a negative count the last ones. */
function sliced(labels: Labels, count: unknown): Labels {
  if (count === undefined) return labels;
  const many = integerOf('$slice', count);
  if (many === 0) return [];
  return many > 0 ? labels.slice(0, many) : labels.slice(many);
}

/** The modifiers of an operator's object; none for a value of another type. */
function membersOf(
  operator: string,
  value: unknown,
  known: readonly string[],
): Readonly<Record<string, unknown>> {
  if (!isPlain(value)) return {};
  const [first] = known as [string];
  const odd = Object.keys(value).find((name) => !known.includes(name));
  if (odd !== undefined)
    throw invalid(`${operator} takes ${known.join(', ')}, and no ${odd.slice(0, 32)}`);
  if (value[first] === undefined) throw invalid(`${operator} takes no object without ${first}`);
  return value;
}

function oneOrMany(operator: string, value: unknown): Labels {
  if (Array.isArray(value)) return value.map(labelOf);
  if (typeof value !== 'string') throw invalid(`${operator} takes a label or a list of labels`);
  return [labelOf(value)];
}

function listOf(operator: string, value: unknown): Labels {
  if (!Array.isArray(value)) throw invalid(`${operator} takes a list of labels`);
  return value.map(labelOf);
}

function labelOf(value: unknown): string {
  if (typeof value !== 'string' || value.length === 0 || value.length > labelLengthMax)
    throw invalid(`a label is a text of 1 to ${labelLengthMax} characters`);
  return value;
}

function integerOf(modifier: string, value: unknown): number {
  if (!Number.isSafeInteger(value)) throw invalid(`${modifier} takes a whole number`);
  return value as number;
}

function isForward(operator: string, value: unknown): boolean {
  if (value !== 1 && value !== -1) throw invalid(`${operator} takes 1 or -1`);
  return value === 1;
}

function invalid(why: string): LedgerError {
  return new LedgerError('record.invalid', `Invalid labels: ${why}.`);
}
