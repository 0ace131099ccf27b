import { expect, test } from 'vitest';
import { parsingOnce, viewOf } from '../../shared/ledger/claim.ts';
import { parseConditions } from '../../shared/ledger/match.ts';
import type { Claim } from '../../shared/shape/intent.ts';
import { patternMaker, transfer } from './routes.ts';

const seen = (claim: Claim, filter: object, about: object = {}) =>
  parseConditions({ ...filter }, patternMaker)(viewOf(claim, about));

test('a party is the same, however it is written and asked for', () => {
  const noted = { handle: 'alice', custom: { branch: 'x' } };
  for (const source of ['alice', { handle: 'alice' }, noted]) {
    const claim = { ...transfer('alice', 'bob'), source } as Claim;
    for (const path of ['source', 'source.handle']) {
      expect(seen(claim, { [path]: 'alice' })).toBe(true);
      expect(seen(claim, { [path]: { $in: ['bob', 'alice'] } })).toBe(true);
      expect(seen(claim, { [path]: { $regex: '^ali' } })).toBe(true);
      expect(seen(claim, { [path]: { $ne: 'alice' } })).toBe(false);
      expect(seen(claim, { [path]: { $nin: ['alice'] } })).toBe(false);
      expect(seen(claim, { [path]: 'bob' })).toBe(false);
    }
  }
});

test('what a claim and its intent do not have is not there', () => {
  const issue: Claim = { action: 'issue', target: 'bob', symbol: 'usd', amount: 5 };
  for (const path of ['source', 'source.custom', 'schema', 'custom', 'custom.n', 'handle'])
    expect(seen(issue, { [path]: { $exists: false } })).toBe(true);
  const destroy: Claim = { action: 'destroy', source: 'bob', symbol: 'usd', amount: 5 };
  expect(seen(destroy, { target: { $exists: false }, source: 'bob' })).toBe(true);
  expect(seen(destroy, { schema: 'x', 'custom.n': 1 }, { schema: 'x', custom: { n: 1 } })).toBe(
    true,
  );
});

test('the conditions of a route are parsed once, and those of each apart', () => {
  const patterns: string[] = [];
  const matcherOf = parsingOnce((pattern) => {
    patterns.push(pattern);
    return patternMaker(pattern);
  });
  const [one, other] = ['a', 'b'].map((pattern) => ({ filter: { x: { $regex: pattern } } }));
  for (const route of [one, other, one, other]) matcherOf(route ?? {});
  expect(patterns).toEqual(['a', 'b']);
  expect(matcherOf(one ?? {})({ x: 'a' })).toBe(true);
  expect(matcherOf(other ?? {})({ x: 'a' })).toBe(false);
  expect(matcherOf({})({})).toBe(true);
});
