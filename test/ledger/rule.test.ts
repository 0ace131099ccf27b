import { describe, expect, test } from 'vitest';
import type { Principal } from '../../shared/ledger/matcher.ts';
import { checkRule, parseRule, type Rule, type VerifiedBearer } from '../../shared/ledger/rule.ts';

const patternMaker = (pattern: string) => {
  const expression = new RegExp(pattern);
  return (text: string) => expression.test(text);
};
const parsed = (rule: Rule) => parseRule(rule, patternMaker);

test('a rule that is to be stored has no operator in the place of a path', () => {
  const odd = { $or: [{ schema: 'bank' }] };
  for (const more of [{ filter: odd }, { change: odd }]) {
    const rule: Rule = { action: 'update', record: 'wallet', ...more };
    expect(() => checkRule(rule, patternMaker)).toThrow("Filter '$or' is an operator in the place");
    expect(() => parsed(rule)).not.toThrow();
  }
});

const ann: Principal = { handle: 'ann', public: 'key-a', circles: new Set(), owns: new Set() };
const token: VerifiedBearer = {
  iss: 'acme',
  sub: 'ann',
  aud: 'ledger',
  hsh: false,
  isSubject: true,
  principal: ann,
};

test('what a rule does not ask is left open', () => {
  const nothing = { signer: undefined, bearer: undefined, filter: undefined, change: undefined };
  expect(parsed({ action: 'read', record: 'wallet' })).toEqual(nothing);
  expect(parsed({ policy: 'readers' })).toEqual(nothing);
});

test('what it asks becomes a test, each of its own facts', () => {
  const { signer, bearer, filter, change } = parsed({
    action: 'update',
    signer: { handle: 'ann' },
    bearer: { iss: 'acme', hsh: false, $signer: { public: 'key-a' }, $in: [{ sub: 'ann' }] },
    filter: { schema: 'bank' },
    change: { 'custom.limit': { $lte: 5 } },
  });
  expect(signer?.(ann)).toBe(true);
  expect(signer?.({ ...ann, handle: 'bob' })).toBe(false);
  expect(bearer?.(token)).toBe(true);
  expect(bearer?.({ ...token, sub: 'bob' })).toBe(false);
  expect(bearer?.({ ...token, principal: { ...ann, public: 'key-b' } })).toBe(false);
  expect(filter?.({ schema: 'bank' })).toBe(true);
  expect(change?.({ custom: { limit: 6 } })).toBe(false);
});

test('whom a token says to speak for counts when that is known, or by whose word it is taken', () => {
  const forged = { ...token, isSubject: false };
  const isBorne = (bearer: Rule['bearer'], by: VerifiedBearer) =>
    parsed({ bearer } as Rule).bearer?.(by);
  const mine = { public: 'key-a' };
  for (const matcher of [{ sub: 'ann' }, { sub: { $ne: 'bob' } }, { $in: [{ sub: 'ann' }] }]) {
    expect(isBorne(matcher, token)).toBe(true);
    expect(isBorne(matcher, forged)).toBe(false);
    expect(isBorne({ ...matcher, $signer: mine }, forged)).toBe(true);
    expect(isBorne({ ...matcher, $signer: { public: 'key-b' } }, forged)).toBe(false);
  }
  expect(isBorne({ iss: 'acme', aud: 'ledger' }, forged)).toBe(true);
});

// A rule of a policy, or one that was stored long ago: what is there and says nothing opens nothing.
test.each(['signer', 'bearer', 'filter', 'change'])(
  'a null as its %s does not open it',
  (member) => {
    expect(() => parsed({ action: 'any', [member]: null })).toThrow();
  },
);

describe('conditions that cannot be judged are refused', () => {
  const unknown = { handle: { $near: 'x' } };
  const broken = { sub: { $regex: '(' } };
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`p${index}`, 1]));

  test.each<[string, Rule]>([
    ['of the signer', { signer: unknown }],
    ['of a form of the signer', { signer: { $in: [{ $in: [unknown] }] } }],
    ['of the token', { bearer: broken }],
    ['of the signer of the token', { bearer: { $signer: unknown } }],
    ['of a form of the token', { bearer: { $in: [{ $in: [broken] }] } }],
    ['of a filter', { filter: { 'a..b': 1 } }],
    ['of a change', { change: { a: { $gt: true } } }],
    ['of which there are too many', { filter: many }],
    ['with names beside operators', { filter: { a: { $in: [], b: 1 } } }],
  ])('%s', (_, rule) => {
    expect(() => parsed({ action: 'any', ...rule })).toThrow('record.invalid');
  });
});
