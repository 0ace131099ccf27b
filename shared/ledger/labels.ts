/** Labels and how a proof may change them: all of them at once, or by one operator. Ruling 14. */
import { LedgerError } from './errors.ts';

const labelCountMax = 100;
const labelLengthMax = 64;

type Labels = readonly string[];
/** From the labels before and the operator's value to the labels after. */
type Operator = (labels: Labels, value: unknown) => Labels;

const operators: Readonly<Record<string, Operator>> = {
  $push: (labels, value) => [...labels, labelOf(value)],
  $addToSet: (labels, value) => [...new Set([...labels, ...eachOf(value)])],
  $pull: (labels, value) => {
    const pulled = labelOf(value);
    return labels.filter((label) => label !== pulled);
  },
  $pullAll: (labels, value) => {
    const pulled = arrayOf(value);
    return labels.filter((label) => !pulled.includes(label));
  },
  // 1 takes the last one away, -1 the first.
  $pop: (labels, value) => {
    if (value !== 1 && value !== -1) throw invalid('$pop takes 1 or -1');
    return value === 1 ? labels.slice(0, -1) : labels.slice(1);
  },
};

/** The labels after a proof whose `custom.labels` is given; undefined when there never were any. */
export function labelsAfter(before: Labels | undefined, wish: unknown): Labels | undefined {
  if (wish === undefined) return before;
  const labels = Array.isArray(wish) ? arrayOf(wish) : operated(before ?? [], wish);
  if (labels.length > labelCountMax) throw invalid(`a record has at most ${labelCountMax}`);
  return labels;
}

function operated(before: Labels, wish: unknown): Labels {
  const [[name, value] = ['', undefined], ...more] =
    typeof wish === 'object' && wish !== null ? Object.entries(wish) : [];
  const operator = Object.hasOwn(operators, name) ? operators[name] : undefined;
  if (!operator || more.length > 0)
    throw invalid(`they are an array, or one of ${Object.keys(operators).join(', ')}`);
  return operator(before, value);
}

function labelOf(value: unknown): string {
  if (typeof value !== 'string' || value.length === 0 || value.length > labelLengthMax)
    throw invalid(`a label is a text of 1 to ${labelLengthMax} characters`);
  return value;
}

function arrayOf(value: unknown): Labels {
  if (!Array.isArray(value)) throw invalid('an array of labels is expected');
  return value.map(labelOf);
}

/** A single label, or MongoDB's `{$each: [...]}`. */
function eachOf(value: unknown): Labels {
  const isMany = typeof value === 'object' && value !== null && '$each' in value;
  return isMany ? arrayOf(value.$each) : [labelOf(value)];
}

function invalid(why: string): LedgerError {
  return new LedgerError('record.invalid', `Invalid labels: ${why}.`);
}
