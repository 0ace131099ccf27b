/** Goal: what one domain may spend is not for those to say who own others, or what lies in it. Decision 83. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sharesOf } from '../../shared/ledger/shares.ts';

const bounds = { all: 1_000, most: 200 };
const shares = (...lineages: readonly string[][]) => Object.fromEntries(sharesOf(lineages, bounds));

describe('of what there is', () => {
  test('a domain takes a half, and no more than one may have', () => {
    expect(shares(['a'])).toEqual({ a: 200 });
    expect(shares(['a'], ['b'], ['c'], ['d'])).toEqual({ a: 125, b: 125, c: 125, d: 125 });
  });

  test('what is left comes to those in it, to each as much', () => {
    expect(shares(['a.b.c', 'a.b', 'a'])).toEqual({ a: 200, 'a.b': 200, 'a.b.c': 200 });
    expect(shares(['x', 'a'], ['y', 'a'], ['b'])).toEqual({ a: 200, b: 200, x: 75, y: 75 });
  });

  test('nothing is there where there is no domain', () => {
    expect(shares()).toEqual({});
  });
});

/** A few trees of domains, each domain with those that it lies in. */
const forest = fc
  .array(fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 5 }), {
    maxLength: 30,
  })
  .map((paths) =>
    paths.map((path) => path.map((_, index) => path.slice(0, index + 1).join('.')).toReversed()),
  );

test('all together is never more than there is', () => {
  fc.assert(
    fc.property(forest, (lineages) => {
      const sum = [...sharesOf(lineages, bounds).values()].reduce((all, one) => all + one, 0);
      expect(sum).toBeLessThanOrEqual(bounds.all);
    }),
  );
});

test('what lies in one domain is nothing to any other, nor to that one', () => {
  fc.assert(
    fc.property(forest, forest, (lineages, inner) => {
      const before = sharesOf([...lineages, ['a']], bounds);
      const within = inner.map((lineage) => [...lineage.map((name) => `in.${name}`), 'a']);
      const after = sharesOf([...lineages, ['a'], ...within], bounds);
      for (const [name, units] of before)
        if (!name.startsWith('a.')) expect(after.get(name)).toBe(units);
    }),
  );
});
