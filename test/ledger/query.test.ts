import { describe, expect, test } from 'vitest';
import { LedgerError } from '../../shared/ledger/errors.ts';
import { parseFilters, type Query } from '../../shared/ledger/query.ts';

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

  test.each<Query>([
    { 'data.handle': ['a', 'b'] },
    { 'data.handle.$regex': ['('] },
    { 'data.handle.$like': ['a'] },
  ])('that cannot be read are refused by name: %j', (query) => {
    const { reason, detail } = refusalOf(query);
    expect(reason).toBe('api.query-malformed');
    expect(detail).toContain('data.handle');
  });
});
