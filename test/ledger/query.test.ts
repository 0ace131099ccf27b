import { describe, expect, test } from 'vitest';
import { LedgerError } from '../../shared/ledger/errors.ts';
import {
  assertKnown,
  parseFilters,
  parseKindFilters,
  type Query,
} from '../../shared/ledger/query.ts';
import type { LedgerRecord } from '../../shared/ledger/record.ts';

const paths = ['data.handle', 'data.custom.', 'data.claims', 'meta.status'];
const patternMaker = (pattern: string) => {
  const expression = new RegExp(pattern);
  return (text: string) => expression.test(text);
};
const parse = (query: Query) => parseFilters(query, paths, patternMaker);
const record = {
  data: { handle: 'alice', custom: { age: 30, tags: ['a', 'b'], note: '[x' }, claims: ['p', 'q'] },
  meta: { status: 'created' },
};
const matches = (query: Query) => parse(query)?.(record);

function refusalOf(query: Query): LedgerError {
  try {
    parse(query);
  } catch (error) {
    if (error instanceof LedgerError) return error;
  }
  throw new Error('The query was not refused.');
}

describe('the parameters of an operation', () => {
  const names = ['page.limit', 'more.', 'include[]'];
  const refusal = (query: Query, known: Parameters<typeof assertKnown>[1]) => {
    try {
      assertKnown(query, known);
    } catch (error) {
      return (error as LedgerError).custom;
    }
    return undefined;
  };

  test.each<[string, unknown]>([
    ['page.limit', undefined],
    ['more.a.b', undefined],
    ['include', undefined],
    ['include[]', undefined],
    ['include[12]', undefined],
    ['data.x', undefined],
    ['page.limit[0]', { parameter: 'page.limit[0]', nearest: 'page.limit' }],
    ['page.limt', { parameter: 'page.limt', nearest: 'page.limit' }],
    ['includ[]', { parameter: 'includ[]', nearest: 'include' }],
    ['inclued', { parameter: 'inclued', nearest: 'include' }],
    ['limit', { parameter: 'limit', nearest: 'page.limit' }],
    ['handle', { parameter: 'handle', nearest: 'data.handle' }],
    ['more', { parameter: 'more' }],
    ['dta.handle.$in', { parameter: 'dta.handle.$in', nearest: 'data.handle' }],
    ['', { parameter: '' }],
    ['x'.repeat(101), { parameter: 'x'.repeat(100) }],
  ])('are known, or refused by name: %s', (name, custom) => {
    expect(refusal({ 'page.limit': ['1'], [name]: ['1'] }, { names, paths })).toEqual(custom);
  });

  test('are no filters where it takes none', () => {
    expect(refusal({ 'data.handle': ['x'] }, { names })).toEqual({ parameter: 'data.handle' });
  });
});

describe('filters of a list', () => {
  // Goal: every spelling of Ruling 20, matched and not matched.
  test.each<[Query, boolean]>([
    [{ 'data.handle': ['alice'] }, true],
    [{ 'data.handle.$eq': ['alice'] }, true],
    [{ 'data.handle': ['bob'] }, false],
    [{ 'data.handle.$ne': ['bob'] }, true],
    [{ 'data.custom.age.$gt': ['29'] }, true],
    [{ 'data.custom.age.$gt': ['30'] }, false],
    [{ 'data.handle.$in': ['bob', 'alice'] }, true],
    [{ 'data.handle.$in[]': ['bob', 'alice'] }, true],
    [{ 'data.handle.$in[0]': ['alice'] }, true],
    [{ 'data.handle.$in[0]': ['bob'], 'data.handle.$in[1]': ['alice'] }, true],
    [{ 'data.handle.$nin[0]': ['bob'], 'data.handle.$nin[1]': ['alice'] }, false],
    [{ 'data.handle.$in.0': ['bob'], 'data.handle.$in.1': ['alice'] }, true],
    [{ 'data.handle.$in.0': ['bob'], 'data.handle.$in.10': ['eve'] }, false],
    [{ 'data.handle.$nin.0': ['bob'], 'data.handle.$nin.1': ['alice'] }, false],
    [{ 'data.custom.tags.1.$in.0': ['b'] }, true],
    [{ 'data.custom.tags.0.$in.1': ['b'] }, false],
    [{ 'data.handle.$in.0': ['alice'], 'data.handle.$in': ['eve'] }, true],
    [{ 'data.handle.$in': ['bob'], 'data.handle.$in[]': ['eve'] }, false],
    [{ 'data.handle.$in[0]': ['alice'], 'data.handle.$nin[1]': ['alice'] }, false],
    [{ 'data.handle.$in': ['["bob","alice"]'] }, true],
    [{ 'data.handle.$nin': ['["bob","alice"]'] }, false],
    [{ 'data.handle.$regex': ['^al'] }, true],
    [{ 'data.custom.tags': ['b'] }, true],
    [{ 'data.custom.tags.1': ['a'] }, false],
    [{ 'data.claims': ['["p","q"]'] }, true],
    [{ 'data.claims': ['["q","p"]'] }, false],
    [{ 'data.custom.note': ['[x'] }, true],
    [{ 'data.custom.note': ['[1,'] }, false],
    [{ 'data.handle': [] }, false],
    [{ 'data.handle': ['alice'], 'meta.status': ['created'] }, true],
    [{ 'data.handle': ['alice'], 'meta.status': ['dropped'] }, false],
  ])('%j matches: %s', (query, isMatch) => {
    expect(matches(query)).toBe(isMatch);
  });

  test('are none where no parameter begins with data or meta', () => {
    expect(parse({ 'page.limit': ['5'], dataset: ['x'], $plainTextQuery: ['x'] })).toBeUndefined();
  });

  test('are refused together when the list does not support them', () => {
    const refusal = refusalOf({ 'data.x': ['1'], 'meta.y.$gt': ['2'], 'data.custom.': ['3'] });
    expect(refusal.reason).toBe('api.query-malformed');
    expect(refusal.detail).toBe("Unsupported filters: 'data.x', 'meta.y', 'data.custom.'");
    expect(refusal.custom).toEqual({ filters: ['data.x', 'meta.y', 'data.custom.'] });
  });

  test('name the nearest path, when there is one', () => {
    const { detail, custom } = refusalOf({ 'data.handel.$in': ['1'] });
    expect(detail).toBe("Unsupported filters: 'data.handel'; the nearest one is 'data.handle'");
    expect(custom).toEqual({ filters: ['data.handel'], nearest: 'data.handle' });
  });

  test.each<[Query, boolean]>([
    [{ 'data.handle.$exists': ['true'] }, true],
    [{ 'data.handle.$exists': ['false'] }, false],
    [{ 'data.custom.none.$exists': ['false'] }, true],
  ])('ask whether a member is there: %j', (query, isMatch) => {
    expect(matches(query)).toBe(isMatch);
  });

  test.each<Query>([
    { 'data.handle.$exists': ['yes'] },
    { 'data.handle': ['a', 'b'] },
    { 'data.handle.$regex': ['('] },
    { 'data.handle.$like': ['a'] },
    { 'data.handle.$eq.0': ['a'] },
    { 'data.handle.$in.x': ['a'] },
    { 'data.handle.$in.1234567890': ['a'] },
  ])('that cannot be read are refused by name: %j', (query) => {
    const { reason, detail } = refusalOf(query);
    expect(reason).toBe('api.query-malformed');
    expect(detail).toContain('data.handle');
  });

  test('are fifty at most, of a hundred values each', () => {
    const so = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`data.custom.a${index}`, ['1']]),
      );
    expect(matches(so(50))).toBe(false);
    const { reason, detail } = refusalOf(so(51));
    expect([reason, detail]).toEqual(['api.query-malformed', 'A list takes at most 50 filters.']);
    expect(matches({ 'data.handle.$in': Array<string>(100).fill('alice') })).toBe(true);
    expect(refusalOf({ 'data.handle.$in': Array<string>(101).fill('alice') }).reason).toBe(
      'api.query-malformed',
    );
  });
});

describe('filters of the records of a kind', () => {
  const claims = [
    { action: 'transfer', source: { handle: 'alice', custom: { x: 1 } }, target: 'bob', amount: 5 },
    { action: 'issue', target: 'carol', amount: 7 },
  ];
  const meta = { status: 'completed', moment: '2026-02-01T12:00:00.000Z' };
  const intent = { data: { handle: 'rent', claims }, meta } as unknown as LedgerRecord;
  const matchesIntent = (query: Query) =>
    parseKindFilters('intent', query, patternMaker).matches(intent);

  test.each<[Query, boolean]>([
    [{}, true],
    [{ 'data.claims.source': ['alice'] }, true],
    [{ 'data.claims.source.handle': ['alice'] }, true],
    [{ 'data.claims.target.handle': ['bob'] }, true],
    [{ 'data.claims.0.target.handle': ['carol'] }, false],
    [{ 'data.claims.1.target': ['carol'] }, true],
    [{ 'data.claims.amount.$gt': ['6'], 'data.claims.action': ['transfer'] }, true],
    [{ 'data.claims.0.amount.$gt': ['6'] }, false],
    [{ 'data.claims': [JSON.stringify(claims)] }, true],
    [{ 'data.claims.1': [JSON.stringify(claims[1])] }, false],
    [{ 'data.claims.1.$in': [JSON.stringify([claims[1]])] }, true],
    [{ 'meta.moment.$lt': ['2026-02-01T12:00:00+00:00'] }, false],
    [{ 'meta.moment.$lte': ['2026-02-01T13:00:00+01:00'], 'meta.status': ['failed'] }, false],
  ])('%j match: %s', (query, isMatch) => {
    expect(matchesIntent(query)).toBe(isMatch);
  });

  test('say what was asked, with plain paths', () => {
    const { all } = parseKindFilters(
      'intent',
      { 'data.claims.source.handle.$in': ['a', 'b'], ignored: ['x'] },
      patternMaker,
    );
    expect(all).toEqual([{ path: 'data.claims.source', operator: '$in', operand: ['a', 'b'] }]);
  });

  test('may be of more than the kind has', () => {
    const change = { ...intent, meta: { ...meta, action: 'update' } } as unknown as LedgerRecord;
    const query = { 'meta.action': ['update'] };
    expect(() => parseKindFilters('intent', query, patternMaker)).toThrow('meta.action');
    const { matches: isMet } = parseKindFilters('intent', query, patternMaker, ['meta.action']);
    expect([isMet(change), isMet(intent)]).toEqual([true, false]);
  });

  test('are refused together when the kind does not support them', () => {
    const query = { 'data.public': ['x'], 'data.claims.x': ['y'], 'data.claims.source.x': ['z'] };
    expect(() => parseKindFilters('intent', query, patternMaker)).toThrow(
      "Unsupported filters: 'data.public', 'data.claims.x', 'data.claims.source.x'",
    );
  });
});
