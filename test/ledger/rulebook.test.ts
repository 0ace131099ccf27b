import { expect, test } from 'vitest';
import { hasRule, rulesOf } from '../../shared/ledger/rulebook.ts';
import { created } from '../fixture/version.ts';

const access = [{ action: 'read' }];
const rulesIn = (kind: Parameters<typeof created>[0], data: object, status = 'created') => {
  const { record } = created(kind, 'x', data);
  return rulesOf(kind, { ...record, meta: { ...record.meta, status } });
};

test('domains, schemas and policies lay down rules, and nothing else does', () => {
  expect(rulesIn('domain', {})).toEqual(['domain']);
  expect(rulesIn('schema', { record: 'wallet' })).toEqual(['schema wallet']);
  expect(rulesIn('policy', { record: 'any', schema: 'status', values: [{}] })).toEqual([
    'policy any',
  ]);
  expect(rulesIn('wallet', { record: 'wallet', access })).toEqual([]);
});

test('circles, domains and policies grant access in the whole ledger, as long as they are active', () => {
  expect(rulesIn('circle', { access })).toEqual(['access']);
  expect(rulesIn('circle', { access: [] })).toEqual([]);
  expect(rulesIn('circle', {})).toEqual([]);
  expect(rulesIn('circle', { access }, 'inactive')).toEqual([]);
  expect(rulesIn('domain', { access })).toEqual(['domain', 'access']);
  const policy = { record: 'wallet', schema: 'access', values: access };
  expect(rulesIn('policy', policy)).toEqual(['policy wallet', 'access']);
  expect(rulesIn('policy', policy, 'inactive')).toEqual(['policy wallet']);
});

test('a rule is there when somebody lays it down', () => {
  expect(hasRule(undefined, 'domain')).toBe(false);
  expect(hasRule({ 'schema wallet': 1 }, 'domain')).toBe(false);
  expect(hasRule({ domain: 0 }, 'domain')).toBe(false);
  expect(hasRule({ domain: 2 }, 'domain')).toBe(true);
});
