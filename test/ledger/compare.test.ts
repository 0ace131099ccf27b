/** Goal: one meaning of equal and of order, however many values are asked for at once. Ruling 20. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amongst, orderTo, type Scalar, sameAs } from '../../shared/ledger/compare.ts';

const large = '9007199254740993';

// A row is a stored value, what is asked for, and how the value lies to it.
test.each<[unknown, Scalar, number | undefined]>([
  [5, 5, 0],
  [5, '5.0', 0],
  [5, '6', -1],
  [5, 'five', undefined],
  [5, true, undefined],
  [5n, 4.5, 1],
  [2 ** 60, BigInt(2 ** 60), 0],
  [1e21, '1000000000000000000000', 0],
  ['5', 5, 0],
  ['05', 5, -1],
  ['10', 9, -1],
  [large, 9007199254740992, 1],
  [large, BigInt(large), 0],
  [large, '10', 1],
  [large, '9', 1],
  ['2026-01-01T00:00Z', '2026-01-01T01:00:00.000+01:00', 0],
  ['2026-01-01T00:00Z', '2026-01-01T00:00:00.000000001Z', -1],
  ['2026-03-02T00:00Z', '2026-02-30T00:00Z', 1],
  ['2026-02-28T00:00Z', '2026-02-30T00:00Z', -1],
  ['2026-12-31T00:00Z', '2026-12-31T01:00+01:00', 0],
  ['2026-11-30T00:00Z', '2026-11-31T00:00Z', -1],
  ['2026-12-01T00:00Z', '2026-11-31T00:00Z', 1],
  ['2028-02-29T00:00Z', '2028-02-29T01:00+01:00', 0],
  ['2026-01-01', '2026-01-01T00:00Z', -1],
  ['2026-01-01T00:00Z', '2026-01-01', 1],
  [true, 'true', 0],
  [true, 'false', undefined],
  [null, 'null', undefined],
  [[5], 5, undefined],
])('%s lies to %s as %s', (value, operand, order) => {
  expect(orderTo(operand)(value)).toBe(order);
});

test.each<[unknown, unknown, boolean]>([
  [null, null, true],
  [null, {}, false],
  [{}, null, false],
  [[], [], true],
  [[], {}, false],
  [{}, [], false],
  [['5', 1], [5, '1'], true],
  [[1, 2], [1], false],
  [{ a: 1, b: [2] }, { b: ['2'], a: 1 }, true],
  [{ a: 1 }, { b: 1 }, false],
  [{ a: 1, b: 2 }, { a: 1 }, false],
  [{ toString: 1 }, { a: 1 }, false],
  ['a', ['a'], false],
])('%j is the same as %j: %s', (value, operand, isSame) => {
  expect(sameAs(operand)(value)).toBe(isSame);
});

const scalar: fc.Arbitrary<Scalar> = fc.oneof(
  fc.constantFrom('', 'a', 'true', 'false', '5', '5.0', '05', '-0', '0', '5e0', '1e21', '1e999'),
  fc.constantFrom(0, -0, 5, 0.5, 2 ** 53, 2 ** 60, 1e21, Number.POSITIVE_INFINITY),
  fc.constantFrom(0n, 5n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 60n, 10n ** 21n),
  fc.constantFrom(large, '9007199254740992', '1152921504606847000', '1152921504606846976'),
  fc.constantFrom('2026-01-01T00:00Z', '2026-01-01T01:00:00.000+01:00', '2026-01-01'),
  fc.boolean(),
);
const wanted = fc.oneof(
  { weight: 6, arbitrary: scalar },
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 2 }) },
  { weight: 1, arbitrary: fc.record({ a: scalar }) },
);

describe('amongst', () => {
  test('is the same as one of them', () => {
    let hitCount = 0;
    fc.assert(
      fc.property(wanted, fc.array(wanted, { maxLength: 5 }), (value, operands) => {
        const isAny = operands.some((operand) => sameAs(operand)(value));
        hitCount += isAny ? 1 : 0;
        expect(amongst(operands)(value)).toBe(isAny);
      }),
      { numRuns: 5_000 },
    );
    expect(hitCount).toBeGreaterThan(250);
  });

  test('reads what it is given once, however many values it meets', () => {
    let readCount = 0;
    const member = {
      get handle() {
        readCount += 1;
        return 'alice';
      },
    };
    const isAny = amongst([member]);
    expect(readCount).toBe(1);
    expect(isAny({ handle: 'alice' })).toBe(true);
    expect(isAny({ handle: 'bob' })).toBe(false);
    expect(readCount).toBe(1);
  });
});
