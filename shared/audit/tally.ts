/**
 * Whether everything that was seen is accounted for, in memory that does not grow with the table.
 * Each key has a number that no one can foresee. It is added where the key is seen and taken away
 * where a record accounts for it, so what is in order sums to zero. What counts is added as often as it
 * says, and taken away once by each that it counts.
 */
import { createHash, randomBytes } from 'node:crypto';

export interface Tally {
  /** Once, or as often as an item says that it counts. */
  readonly see: (text: string, many?: number) => void;
  readonly claim: (text: string) => void;
  /** Whether the key may be one that was seen without being claimed, or the other way around. */
  readonly isOdd: (text: string) => boolean;
  readonly isEven: () => boolean;
}

const bucketCount = 65_536;
const saltBytes = 16;
const numberBytes = 5;
// Sums are kept below this, so that they are exact in a double, however many there are.
const modulus = 2 ** 52;

/** An empty tally. */
export function newTally(): Tally {
  const sums = new Float64Array(bucketCount);
  const salt = randomBytes(saltBytes).toString('hex');
  const marked = (text: string): readonly [bucket: number, mark: number] => {
    const digest = createHash('sha256').update(salt).update(text).digest();
    return [digest.readUInt16BE(0), digest.readUIntBE(2, numberBytes) + 1];
  };
  const add = (text: string, many: number): void => {
    const [bucket, mark] = marked(text);
    sums[bucket] = wrapped((sums[bucket] ?? 0) + productOf(mark, many));
  };
  return {
    see: (text, many = 1) => add(text, many),
    claim: (text) => add(text, -1),
    isOdd: (text) => sums[marked(text)[0]] !== 0,
    isEven: () => sums.every((sum) => sum === 0),
  };
}

/** What both make, within the modulus; exact for counts of any size. */
function productOf(mark: number, many: number): number {
  if (many === 1 || many === -1) return wrapped(mark * many);
  return wrapped(Number((BigInt(mark) * BigInt(many)) % BigInt(modulus)));
}

function wrapped(sum: number): number {
  return ((sum % modulus) + modulus) % modulus;
}
