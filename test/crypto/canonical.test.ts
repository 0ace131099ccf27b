import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalOf } from '../../shared/crypto/canonical.ts';

const circle: { self?: unknown } = {};
circle.self = circle;

test.each([
  ['keys are sorted', { b: 1, a: 2 }, '{"a":2,"b":1}'],
  ['the order of a list stays', [3, 1, 2], '[3,1,2]'],
  ['there is no white space', { a: [{ b: null }] }, '{"a":[{"b":null}]}'],
  ['keys sort by code unit', { '\u{1f600}': 1, '\ufb33': 2 }, '{"\u{1f600}":1,"\ufb33":2}'],
  ['minus zero is zero', -0, '0'],
  ['large numbers have an exponent', 1e21, '1e+21'],
  ['small numbers have an exponent', 1e-7, '1e-7'],
  [
    'only what must be is escaped',
    '\u0000\u001f"\\\u007fé\u2028',
    '"\\u0000\\u001f\\"\\\\\u007fé\u2028"',
  ],
  ['an undefined member is left out', { a: undefined, b: 1 }, '{"b":1}'],
  ['a member named __proto__ is a member', JSON.parse('{"__proto__":1}'), '{"__proto__":1}'],
  ['a bigint is its digits', { amount: 10n ** 37n }, `{"amount":1${'0'.repeat(37)}}`],
  ['a negative bigint is its digits', -9007199254740993n, '-9007199254740993'],
  ['a scalar is a value', 'text', '"text"'],
])('%s', (_, value, text) => {
  expect(canonicalOf(value)).toBe(text);
});

// RFC 8785 3.2.2, whose input and output are these.
test('the example of the RFC prints as the RFC says', () => {
  const value = JSON.parse(
    '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],' +
      '"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
  );
  expect(canonicalOf(value)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
});

test.each([
  ['undefined', undefined],
  ['NaN', Number.NaN],
  ['an infinite number', { a: Number.POSITIVE_INFINITY }],
  ['a function', { a: () => 1 }],
  ['a symbol', [Symbol('s')]],
  ['a circle', circle],
])('%s has no canonical text', (_, value) => {
  expect(() => canonicalOf(value)).toThrow();
});

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).reverse();
  return Object.fromEntries(members.map(([key, member]) => [key, reversed(member)]));
};

test('the order of keys makes no difference', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(canonicalOf(reversed(value))).toBe(canonicalOf(value));
    }),
  );
});

test('a canonical text reads back as its value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonicalOf(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
