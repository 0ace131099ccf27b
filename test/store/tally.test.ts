/** A tally comes out even when everything that was seen is accounted for, and only then. */
import { expect, test } from 'vitest';
import { newTally } from '../../shared/audit/tally.ts';

const names = Array.from({ length: 500 }, (_, index) => `item ${index}`);

test('what was seen and accounted for is even, in any order', () => {
  const tally = newTally();
  for (const name of names) tally.claim(name);
  expect(tally.isEven()).toBe(false);
  for (const name of names.toReversed()) tally.see(name);
  expect(tally.isEven()).toBe(true);
  expect(names.some(tally.isOdd)).toBe(false);
});

test.each(['see', 'claim'] as const)('one %s too much is odd, and named', (what) => {
  const tally = newTally();
  for (const name of names) tally.see(name);
  for (const name of names) tally.claim(name);
  tally[what]('item 7');
  expect(tally.isEven()).toBe(false);
  expect(tally.isOdd('item 7')).toBe(true);
});

test.each([0, 1, 5, 100_000])('what counts %d is even when as many account for it', (many) => {
  const tally = newTally();
  tally.see('count', many);
  for (let claimed = 0; claimed < many; claimed += 1) tally.claim('count');
  expect(tally.isEven()).toBe(true);
  tally.claim('count');
  expect(tally.isOdd('count')).toBe(true);
});

test.each([Number.MAX_SAFE_INTEGER, -3, 2 ** 40])(
  'a count of %d that nobody accounts for is odd',
  (many) => {
    const tally = newTally();
    tally.see('count', many);
    expect(tally.isOdd('count')).toBe(true);
    tally.see('count', -many);
    expect(tally.isEven()).toBe(true);
  },
);
