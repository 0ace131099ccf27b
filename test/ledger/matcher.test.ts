import { describe, expect, test } from 'vitest';
import {
  circlesOf,
  type Party,
  parseMatcher,
  type SignerMatcher,
} from '../../shared/ledger/matcher.ts';

const patternMaker = (pattern: string) => {
  const expression = new RegExp(pattern);
  return (text: string) => expression.test(text);
};
const ann: Party = {
  handle: 'ann',
  public: 'key-a',
  format: 'ed25519-raw',
  schema: 'staff',
  custom: { level: 3, team: { name: 'ops' } },
  circles: new Set(['admins', 'auditors']),
  owns: new Set(['record']),
};
const stranger: Party = {
  public: 'key-s',
  format: 'ed25519-raw',
  circles: new Set(),
  owns: new Set(),
};
const isMeant = (matcher: SignerMatcher, party: Party = ann) =>
  parseMatcher(matcher, patternMaker)(party);

describe('Ruling 32: a matcher means', () => {
  test.each<[SignerMatcher, boolean]>([
    [{}, true],
    [{ handle: 'ann' }, true],
    [{ handle: 'bob' }, false],
    [{ handle: { $in: ['bob', 'ann'] } }, true],
    [{ handle: { $regex: '^a' } }, true],
    [{ handle: { $exists: false } }, false],
    [{ public: 'key-a' }, true],
    [{ public: { $ne: 'key-a' } }, false],
    [{ format: 'ed25519-raw', schema: 'staff' }, true],
    [{ format: 'ed25519-raw', schema: 'robot' }, false],
    [{ custom: { level: 3 } }, true],
    [{ custom: { level: { $gte: 3 } } }, true],
    [{ custom: { level: { $gt: 3 } } }, false],
    [{ custom: { 'team.name': 'ops', level: { $lt: 9 } } }, true],
    [{ custom: { absent: 1 } }, false],
    [{ $circle: 'admins' }, true],
    [{ $circle: 'owners' }, false],
    [{ $circle: { $in: ['owners', 'auditors'] } }, true],
    [{ $circle: 'admins', handle: 'bob' }, false],
    [{ $record: 'owner' }, true],
    [{ $ledger: 'owner' }, false],
    [{ $in: [{ handle: 'bob' }, { $circle: 'admins' }] }, true],
    [{ $in: [{ handle: 'bob' }, { $ledger: 'owner' }] }, false],
    [{ handle: 'ann', $in: [{ $in: [{ public: 'key-a' }] }] }, true],
  ])('%o a signer: %s', (matcher, expected) => expect(isMeant(matcher)).toBe(expected));

  test.each<[SignerMatcher, boolean]>([
    [{}, true],
    [{ public: 'key-s' }, true],
    [{ handle: { $exists: true } }, false],
    [{ schema: 'staff' }, false],
    [{ custom: { level: 3 } }, false],
    [{ $record: 'owner' }, false],
    [{ $circle: 'admins' }, false],
  ])('%o a key of nobody: %s', (matcher, expected) =>
    expect(isMeant(matcher, stranger)).toBe(expected),
  );

  test('the owner of the ledger', () => {
    expect(isMeant({ $ledger: 'owner' }, { ...stranger, owns: new Set(['ledger']) })).toBe(true);
  });
});

test('conditions that cannot be judged are refused', () => {
  for (const matcher of [{ handle: { $near: 1 } }, { custom: { a: { $regex: '(' } } }])
    expect(() => parseMatcher(matcher, patternMaker)).toThrow('record.invalid');
});

test('the circles that are named are found, each once', () => {
  expect(
    circlesOf([
      { $circle: 'a' },
      { $circle: { $in: ['b', 'a'] } },
      { $in: [{ $circle: 'c' }, { handle: 'x' }] },
    ]),
  ).toEqual(['a', 'b', 'c']);
});
