import { describe, expect, test } from 'vitest';
import { LedgerError } from '../../shared/ledger/errors.ts';
import { labelsAfter } from '../../shared/ledger/labels.ts';

const many = (count: number) => Array.from({ length: count }, (_, index) => `label-${index}`);

function refusalOf(call: () => unknown): LedgerError {
  try {
    call();
  } catch (error) {
    if (error instanceof LedgerError) return error;
  }
  throw new Error('not refused');
}

test.each<[string, string[] | undefined, unknown, string[] | undefined]>([
  ['without a wish they stay', ['a'], undefined, ['a']],
  ['without a wish there are still none', undefined, undefined, undefined],
  ['an array replaces them', ['a', 'b'], ['c'], ['c']],
  ['an empty array clears them', ['a'], [], []],
  ['$push adds one at the end', ['a'], { $push: 'b' }, ['a', 'b']],
  ['$push adds to none', undefined, { $push: 'a' }, ['a']],
  ['$push adds one that is there', ['a'], { $push: 'a' }, ['a', 'a']],
  ['$addToSet adds one that is missing', ['a'], { $addToSet: 'b' }, ['a', 'b']],
  ['$addToSet adds none that is there', ['a', 'b'], { $addToSet: 'a' }, ['a', 'b']],
  ['$addToSet takes many', ['a'], { $addToSet: { $each: ['b', 'a', 'b'] } }, ['a', 'b']],
  ['$addToSet takes a list', ['a'], { $addToSet: ['b', 'a', 'b'] }, ['a', 'b']],
  [
    '$addToSet leaves what is there twice',
    ['a', 'b', 'a'],
    { $addToSet: 'c' },
    ['a', 'b', 'a', 'c'],
  ],
  ['$addToSet of nothing', ['a'], { $addToSet: { $each: [] } }, ['a']],
  ['$set takes the place of all', ['a', 'b'], { $set: ['c', 'd'] }, ['c', 'd']],
  ['$set of one', ['a', 'b'], { $set: 'c' }, ['c']],
  ['$set of none', ['a'], { $set: [] }, []],
  ['$push of a list', ['a'], { $push: ['c', 'b'] }, ['a', 'c', 'b']],
  ['$push of each', ['a'], { $push: { $each: ['c', 'a'] } }, ['a', 'c', 'a']],
  [
    'at the beginning',
    ['a', 'b'],
    { $push: { $each: ['c', 'd'], $position: 0 } },
    ['c', 'd', 'a', 'b'],
  ],
  ['in between', ['a', 'b'], { $push: { $each: ['c', 'd'], $position: 1 } }, ['a', 'c', 'd', 'b']],
  ['beyond the end', ['a', 'b'], { $push: { $each: ['c'], $position: 9 } }, ['a', 'b', 'c']],
  [
    'before the last',
    ['a', 'b'],
    { $push: { $each: ['c', 'd'], $position: -1 } },
    ['a', 'c', 'd', 'b'],
  ],
  ['before the beginning', ['a', 'b'], { $push: { $each: ['c'], $position: -9 } }, ['c', 'a', 'b']],
  ['the first ones', ['a', 'b'], { $push: { $each: ['c', 'd'], $slice: 3 } }, ['a', 'b', 'c']],
  ['the last ones', ['a', 'b'], { $push: { $each: ['c', 'd'], $slice: -3 } }, ['b', 'c', 'd']],
  ['more than there are', ['a'], { $push: { $each: ['b'], $slice: -9 } }, ['a', 'b']],
  ['none of them', ['a', 'b'], { $push: { $each: ['c'], $slice: 0 } }, []],
  ['only cut', ['a', 'b', 'c'], { $push: { $each: [], $slice: -1 } }, ['c']],
  ['sorted', ['b', 'd', 'a'], { $push: { $each: ['c'], $sort: 1 } }, ['a', 'b', 'c', 'd']],
  ['sorted down', ['b', 'a'], { $push: { $each: ['c', 'b'], $sort: -1 } }, ['c', 'b', 'b', 'a']],
  ['only sorted', ['b', 'a', 'B'], { $push: { $each: [], $sort: 1 } }, ['B', 'a', 'b']],
  [
    'placed, then sorted, then cut',
    ['b', 'd'],
    { $push: { $slice: 2, $sort: -1, $position: 0, $each: ['a', 'c', 'e'] } },
    ['e', 'd'],
  ],
  [
    'sorted by code points, a beginning first',
    ['\u{1f600}', 'ab', '\uff5e', 'a', ''.padEnd(2, 'z')],
    { $push: { $each: ['é'], $sort: 1 } },
    ['a', 'ab', 'zz', 'é', '\uff5e', '\u{1f600}'],
  ],
  [
    'sorted, the longer one first',
    ['a'],
    { $push: { $each: ['ab', 'a', 'abc'], $sort: -1 } },
    ['abc', 'ab', 'a', 'a'],
  ],
  [
    'sorted, whatever came first',
    ['ab', 'abc', 'a'],
    { $push: { $each: [], $sort: 1 } },
    ['a', 'ab', 'abc'],
  ],
  ['$pull takes a list', ['a', 'b', 'c', 'a'], { $pull: ['a', 'c', 'x'] }, ['b']],
  ['$pull takes what is in a list', ['a', 'b', 'c'], { $pull: { $in: ['a', 'c'] } }, ['b']],
  ['$pull of what is in nothing', ['a'], { $pull: { $in: [] } }, ['a']],
  ['$pull takes every equal one away', ['a', 'b', 'a'], { $pull: 'a' }, ['b']],
  ['$pull of one that is missing changes nothing', ['a'], { $pull: 'b' }, ['a']],
  ['$pull from none leaves none', undefined, { $pull: 'a' }, []],
  ['$pullAll takes all of them away', ['a', 'b', 'c', 'a'], { $pullAll: ['a', 'c'] }, ['b']],
  ['$pullAll of nothing changes nothing', ['a'], { $pullAll: [] }, ['a']],
  ['$pop 1 takes the last', ['a', 'b', 'c'], { $pop: 1 }, ['a', 'b']],
  ['$pop -1 takes the first', ['a', 'b', 'c'], { $pop: -1 }, ['b', 'c']],
  ['$pop from none leaves none', [], { $pop: 1 }, []],
])('%s', (_, before, wish, after) => {
  expect(labelsAfter(before, wish)).toEqual(after);
});

test('the labels before are left as they were', () => {
  const before = Object.freeze(['a', 'b']);
  const sorted = { $push: { $each: ['c'], $position: 0, $sort: -1, $slice: 1 } };
  const wishes = [{ $push: 'c' }, sorted, { $pull: 'a' }, { $pop: 1 }, { $addToSet: 'c' }];
  for (const wish of wishes) labelsAfter(before, wish);
  expect(before).toEqual(['a', 'b']);
});

describe('refused as record.invalid', () => {
  test.each<[string, unknown, RegExp]>([
    ['a text', '$push', /one of \$set, \$push/],
    ['a number', 5, /array, or one of/],
    ['null', null, /array, or one of/],
    ['nothing to do', {}, /array, or one of/],
    ['two operators', { $push: 'a', $pull: 'b' }, /array, or one of/],
    ['an unknown operator', { $unset: ['a'] }, /array, or one of/],
    ['a member of every object', { constructor: 'a' }, /array, or one of/],
    ['an empty label', [''], /1 to 64 characters/],
    ['an array that holds no text', ['a', 5], /1 to 64 characters/],
    ['$push of no label', { $push: 5 }, /\$push takes a label or a list/],
    ['$push of null', { $push: null }, /\$push takes/],
    ['$push of a list of lists', { $push: [['a']] }, /1 to 64 characters/],
    ['$push of modifiers alone', { $push: { $slice: 1 } }, /\$push takes no object without \$each/],
    ['$push of an object', { $push: {} }, /without \$each/],
    ['$push of what is in a list', { $push: { $in: ['a'] } }, /\$push takes .*, and no \$in/],
    ['$each of a text', { $push: { $each: 'a' } }, /\$each takes a list/],
    ['$position of half', { $push: { $each: [], $position: 0.5 } }, /\$position takes a whole/],
    ['$position of a text', { $push: { $each: [], $position: '1' } }, /\$position takes a whole/],
    ['$slice of null', { $push: { $each: [], $slice: null } }, /\$slice takes a whole/],
    ['$sort of 2', { $push: { $each: [], $sort: 2 } }, /\$sort takes 1 or -1/],
    ['$sort by a member', { $push: { $each: [], $sort: { a: 1 } } }, /\$sort takes 1 or -1/],
    ['$addToSet of each of an object', { $addToSet: { $each: {} } }, /\$addToSet takes a label/],
    ['$addToSet of null', { $addToSet: null }, /\$addToSet takes a label/],
    ['$addToSet at a place', { $addToSet: { $each: [], $slice: 1 } }, /and no \$slice/],
    ['$pull of no label', { $pull: 5 }, /\$pull takes a label/],
    ['$pull of each', { $pull: { $each: ['a'] } }, /\$pull takes \$in, and no \$each/],
    ['$pull of an object', { $pull: {} }, /\$pull takes no object without \$in/],
    ['$pullAll of one', { $pullAll: 'a' }, /\$pullAll takes a list/],
    ['$set of nothing', { $set: null }, /\$set takes a label/],
    ['$set of each', { $set: { $each: ['a'] } }, /\$set takes a label/],
    ['$pop of 0', { $pop: 0 }, /\$pop takes 1 or -1/],
    ['$pop of a text', { $pop: '1' }, /\$pop takes 1 or -1/],
  ])('%s', (_, wish, why) => {
    for (const before of [undefined, ['a']]) {
      const { reason, detail } = refusalOf(() => labelsAfter(before, wish));
      expect(reason).toBe('record.invalid');
      expect(detail).toMatch(/^Invalid labels: .*\.$/);
      expect(detail).toMatch(why);
    }
  });
});

test('a label has 1 to 64 characters', () => {
  expect(labelsAfter([], ['x', 'x'.repeat(64)])).toHaveLength(2);
  expect(() => labelsAfter([], ['x'.repeat(65)])).toThrow(LedgerError);
});

test('a record has at most 100 labels', () => {
  expect(labelsAfter([], many(100))).toHaveLength(100);
  expect(labelsAfter(many(99), { $push: 'last' })).toHaveLength(100);
  expect(labelsAfter(many(100), { $addToSet: 'label-0' })).toHaveLength(100);
  expect(() => labelsAfter([], many(101))).toThrow(LedgerError);
  expect(() => labelsAfter(many(100), { $push: 'last' })).toThrow(LedgerError);
});
