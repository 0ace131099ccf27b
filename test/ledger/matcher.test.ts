import { describe, expect, test } from 'vitest';
import {
  circlesOf,
  type Principal,
  parseMatcher,
  type SignerMatcher,
} from '../../shared/ledger/matcher.ts';

const patternMaker = (pattern: string) => {
  const expression = new RegExp(pattern);
  return (text: string) => expression.test(text);
};
const ann: Principal = {
  handle: 'ann',
  public: 'key-a',
  format: 'ed25519-raw',
  schema: 'staff',
  custom: { level: 3, team: { name: 'ops' } },
  circles: new Set(['admins', 'auditors']),
  owns: new Set(['record']),
};
const stranger: Principal = {
  public: 'key-s',
  format: 'ed25519-raw',
  circles: new Set(),
  owns: new Set(),
};
const isMeant = (matcher: SignerMatcher, party: Principal = ann) =>
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

// A fact that is there but undefined is how a party is handed on that is not known: it is no other than none.
const unknown: Principal = { ...stranger, handle: undefined, schema: undefined, custom: undefined };
const few: Principal = { ...ann, custom: { level: null, tags: [] } };

describe('Decision 46: what is not known', () => {
  test.each<[operator: string, operand: unknown, known: boolean, absent: boolean]>([
    ['$eq', 'x', false, false],
    ['$eq', 'ann', true, false],
    ['$ne', 'x', true, false],
    ['$ne', 'ann', false, false],
    ['$in', ['ann'], true, false],
    ['$nin', ['x'], true, false],
    ['$nin', [], true, false],
    ['$nin', ['ann'], false, false],
    ['$gt', '', true, false],
    ['$gte', '', true, false],
    ['$lt', 'z', true, false],
    ['$lte', 'z', true, false],
    ['$regex', '', true, false],
    ['$exists', true, true, false],
    ['$exists', false, false, true],
  ])(
    'meets {%s: %j} where a known one would: %s, and it: %s',
    (operator, operand, known, absent) => {
      const condition = { [operator]: operand };
      const about = { name: 'ann', team: { name: 'ann' } };
      for (const path of ['name', 'team.name']) {
        const matcher = { custom: { [path]: condition } };
        expect(isMeant(matcher, { ...ann, custom: about })).toBe(known);
        for (const party of [ann, stranger, unknown, few]) {
          const isThere = path === 'team.name' && party === ann;
          if (!isThere) expect(isMeant(matcher, party)).toBe(absent);
        }
      }
      expect(isMeant({ handle: condition })).toBe(known);
      for (const party of [stranger, unknown]) {
        expect(isMeant({ handle: condition }, party)).toBe(absent);
        expect(isMeant({ schema: condition }, party)).toBe(absent);
      }
    },
  );

  test('is another matter than what is known to be nothing, or none of many', () => {
    expect(isMeant({ custom: { level: { $ne: 3 } } }, few)).toBe(true);
    expect(isMeant({ custom: { tags: { $nin: ['night'] } } }, few)).toBe(true);
    expect(isMeant({ custom: { 'tags.0': { $ne: 'night' } } }, few)).toBe(false);
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
