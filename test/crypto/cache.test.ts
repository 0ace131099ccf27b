import { expect, test } from 'vitest';
import { cached } from '../../shared/crypto/cache.ts';

// Each answer is the number of the search that found it, so a remembered one does not change.
const counting = (capacity: number) => {
  let searchCount = 0;
  return cached(capacity, (_: string) => {
    searchCount += 1;
    return searchCount;
  });
};

test('an answer is remembered', () => {
  const find = counting(2);
  expect([find('a'), find('b'), find('a'), find('b')]).toEqual([1, 2, 1, 2]);
});

test('past its capacity it forgets what was asked for longest ago', () => {
  const find = counting(2);
  expect([find('a'), find('b'), find('a'), find('c')]).toEqual([1, 2, 1, 3]);
  expect([find('a'), find('c'), find('b')]).toEqual([1, 3, 4]);
});

test('no answer is an answer too', () => {
  let searchCount = 0;
  const find = cached(1, (_: string): undefined => {
    searchCount += 1;
  });
  expect([find('a'), find('a')]).toEqual([undefined, undefined]);
  expect(searchCount).toBe(1);
});
