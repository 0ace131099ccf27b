/**
 * Whether everything that was seen is accounted for, in memory that does not grow with the table.
 * Each key has a number that no one can foresee. It is added where the key is seen and taken away
 * where a record accounts for it, so what is in order sums to zero.
 */
import { createHash, randomBytes } from 'node:crypto';

export interface Tally {
  readonly see: (text: string) => void;
  readonly claim: (text: string) => void;
  /** Whether the key may be one that was seen without being claimed, or the other way around. */
  readonly isOdd: (text: string) => boolean;
  readonly isEven: () => boolean;
}

const bucketCount = 65_536;
const saltBytes = 16;
// 40 bits: a sum of thousands of them is still exact in a double.
const numberBytes = 5;

/** An empty tally. */
export function newTally(): Tally {
  const sums = new Float64Array(bucketCount);
  const salt = randomBytes(saltBytes).toString('hex');
  const marked = (text: string): readonly [bucket: number, mark: number] => {
    const digest = createHash('sha256').update(salt).update(text).digest();
    return [digest.readUInt16BE(0), digest.readUIntBE(2, numberBytes) + 1];
  };
  const add = (text: string, sign: 1 | -1): void => {
    const [bucket, mark] = marked(text);
    sums[bucket] = (sums[bucket] ?? 0) + sign * mark;
  };
  return {
    see: (text) => add(text, 1),
    claim: (text) => add(text, -1),
    isOdd: (text) => sums[marked(text)[0]] !== 0,
    isEven: () => sums.every((sum) => sum === 0),
  };
}
