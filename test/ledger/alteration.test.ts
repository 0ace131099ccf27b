import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { alterationOf } from '../../shared/ledger/alteration.ts';
import { parseConditions } from '../../shared/ledger/match.ts';
import { placesOf } from './naive-match.ts';

type Data = Readonly<Record<string, unknown>>;

describe('an update alters', () => {
  test.each<[string, Data, Data, Data]>([
    ['nothing', { schema: 'bank' }, { schema: 'bank' }, {}],
    ['what is new', {}, { schema: 'bank' }, { schema: 'bank' }],
    ['what is other', { schema: 'bank' }, { schema: 'post' }, { schema: 'post' }],
    ['what is gone', { schema: 'bank' }, {}, { schema: null }],
    ['of objects what differs', { a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, { a: { c: 3 } }],
    ['nothing by another order', { a: 1, b: { c: 1, d: 2 } }, { b: { d: 2, c: 1 }, a: 1 }, {}],
    ['what is taken from an object', { a: { b: 1, c: 2 } }, { a: { b: 1 } }, { a: { c: null } }],
    ['all that was in what is gone', { a: { b: { c: 1 } } }, {}, { a: { b: { c: null } } }],
    ['an empty object', { a: {} }, {}, { a: {} }],
    ['a number into a text', { a: 3 }, { a: '3' }, { a: '3' }],
    ['an array as a whole', { a: [1, 2] }, { a: [1, 3] }, { a: [1, 3] }],
    ['an array that is as it was', { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, {}],
    ['an array that gets longer', { a: [1] }, { a: [1, 2] }, { a: [1, 2] }],
    ['an array that gets shorter', { a: [{ b: 1 }, 2] }, { a: [] }, { a: [{ b: null }, null] }],
    ['an array that is gone', { a: [{ b: 1 }] }, {}, { a: [{ b: null }] }],
    ['members of elements', { a: [{ b: 1, c: 1 }] }, { a: [{ b: 2 }] }, { a: [{ b: 2, c: null }] }],
    ['an object into a text', { a: { b: 1 } }, { a: 'x' }, { a: ['x', { b: null }] }],
    [
      'an array into an object',
      { a: [{ b: 1 }] },
      { a: { 0: 1 } },
      { a: [{ 0: 1 }, [{ b: null }]] },
    ],
    ['a text into an object', { a: 'x' }, { a: { b: 1 } }, { a: { b: 1 } }],
    ['null into an object', { a: null }, { a: { b: 1 } }, { a: { b: 1 } }],
    ['something into null', { a: 1 }, { a: null }, { a: null }],
  ])('%s', (_, before, after, altered) => {
    expect(alterationOf(before, after)).toEqual(altered);
  });
});

/** Data in which objects, arrays and scalars meet under the same names. */
const data = fc.letrec<{ value: unknown; data: Data }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(1, '1', true, 'x', null),
    tie('data'),
    fc.array(tie('value'), { maxLength: 2 }),
  ),
  data: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), {
    maxKeys: 3,
    noNullPrototype: true,
  }),
})).data;

const patternMaker = () => () => false;
const isThere = (subject: unknown, path: string) =>
  parseConditions({ [path]: { $exists: true } }, patternMaker)(subject);
const valueAt = (subject: unknown, path: string) =>
  path.split('.').reduce<unknown>((at, name) => Object(at)[name], subject);

test('nothing that differs is hidden from a condition on the change', () => {
  fc.assert(
    fc.property(data, data, (before, after) => {
      const altered = alterationOf(before, after);
      const places = [...placesOf(before as never), ...placesOf(after as never)];
      const paths = places.map(({ path }) => path).filter((path) => !/^$|\d/.test(path));
      for (const path of paths)
        if (!isDeepStrictEqual(valueAt(before, path), valueAt(after, path)))
          expect(isThere(altered, path), path).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('an update to the same data alters nothing', () => {
  fc.assert(
    fc.property(data, (same) => {
      expect(alterationOf(same, structuredClone(same))).toEqual({});
    }),
  );
});
