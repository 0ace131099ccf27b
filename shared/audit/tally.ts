/**
 * A comparison of the items that were seen with those for which records account, in memory that does not grow with the
 * table. Each key gets a number that an attacker cannot foresee. It is added where the key is seen and subtracted where
 * a record accounts for it, so a table in order sums to zero. An item that counts is added as often as its value, and
 * subtracted once by each record that it counts.
 */
import { createHash, randomBytes } from 'node:crypto';

export interface AuditTally {
  /** Adds the key once, or as often as an item counts. */
  readonly see: (text: string, many?: number) => void;
  readonly claim: (text: string) => void;
  /** True for a key that may have been seen and not claimed, or claimed and not seen. */
  readonly isOdd: (text: string) => boolean;
  readonly isEven: () => boolean;
}

const bucketCount = 65_536;
const saltBytes = 16;
const numberBytes = 5;
// Sums stay below this, so that they are exact in a double.
const modulus = 2 ** 52;

export function newTally(): AuditTally {
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

/** The product within the modulus, exact for counts of any size. */
function productOf(mark: number, many: number): number {
  if (many === 1 || many === -1) return wrapped(mark * many);
  return wrapped(Number((BigInt(mark) * BigInt(many)) % BigInt(modulus)));
}

function wrapped(sum: number): number {
  return ((sum % modulus) + modulus) % modulus;
}
