/** Judges `multipleOf` by decimal digits, as JSON has them: as doubles, 19.99 divided by 0.01 is no whole number. */
import { _, type FuncKeywordDefinition, str } from 'ajv';
import { pay } from './budget.ts';

/** A number as `digits × 10^exponent`, by the shortest digits that mean it. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function decimalOf(number: number): Decimal {
  const [mantissa = '', exponent = ''] = number.toExponential().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

function isMultiple(divisor: number, data: number): boolean {
  const [one, other] = [decimalOf(data), decimalOf(divisor)];
  const apart = one.exponent - other.exponent;
  pay(1 + Math.abs(apart) / 16);
  const scale = 10n ** BigInt(Math.abs(apart));
  return apart < 0
    ? one.digits % (other.digits * scale) === 0n
    : (one.digits * scale) % other.digits === 0n;
}

/** Replaces the `multipleOf` of ajv, which divides doubles. */
export const multipleOf: FuncKeywordDefinition = {
  keyword: 'multipleOf',
  type: 'number',
  schemaType: 'number',
  validate: isMultiple,
  error: {
    message: ({ schemaCode }) => str`must be multiple of ${schemaCode}`,
    params: ({ schemaCode }) => _`{multipleOf: ${schemaCode}}`,
  },
};
