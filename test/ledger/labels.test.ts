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
  for (const wish of [{ $push: 'c' }, { $pull: 'a' }, { $pop: 1 }, { $addToSet: 'c' }])
    labelsAfter(before, wish);
  expect(before).toEqual(['a', 'b']);
});

describe('refused as record.invalid', () => {
  test.each<[string, unknown]>([
    ['a text', '$push'],
    ['a number', 5],
    ['null', null],
    ['nothing to do', {}],
    ['two operators', { $push: 'a', $pull: 'b' }],
    ['an unknown operator', { $set: ['a'] }],
    ['a member of every object', { constructor: 'a' }],
    ['a label that is no text', { $push: 5 }],
    ['an empty label', ['']],
    ['an array that holds no text', ['a', 5]],
    ['$push of many', { $push: ['a'] }],
    ['$addToSet of an array', { $addToSet: ['a'] }],
    ['$addToSet of each of a text', { $addToSet: { $each: 'a' } }],
    ['$addToSet of null', { $addToSet: null }],
    ['$pull of no label', { $pull: 5 }],
    ['$pullAll of one', { $pullAll: 'a' }],
    ['$pop of 0', { $pop: 0 }],
    ['$pop of a text', { $pop: '1' }],
  ])('%s', (_, wish) => {
    for (const before of [undefined, ['a']]) {
      const { reason, detail } = refusalOf(() => labelsAfter(before, wish));
      expect(reason).toBe('record.invalid');
      expect(detail).toMatch(/^Invalid labels: .*\.$/);
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
