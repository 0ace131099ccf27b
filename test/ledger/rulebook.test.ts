import { expect, test } from 'vitest';
import { countersOf, governs, hasCounter, isGoverning } from '../../shared/ledger/rulebook.ts';
import { created, dropped } from '../fixture/version.ts';

const access = [{ action: 'read' }];
const rulesIn = (kind: Parameters<typeof created>[0], data: object, status = 'created') => {
  const { record } = created(kind, 'x', data);
  return countersOf(kind, { ...record, meta: { ...record.meta, status } });
};

test('domains, schemas and policies lay down rules, and nothing else does', () => {
  expect(rulesIn('domain', {})).toEqual(['domain']);
  expect(rulesIn('schema', { record: 'wallet' })).toEqual(['schema wallet']);
  expect(rulesIn('policy', { record: 'any', schema: 'status', values: [{}] })).toEqual([
    'policy any',
  ]);
  expect(rulesIn('wallet', { record: 'wallet', access })).toEqual([]);
});

/** Whether a record of this data says who may do what in its whole ledger. */
const isRuling = (kind: Parameters<typeof created>[0], data: object, status = 'created') => {
  const { record } = created(kind, 'x', data);
  return governs(kind, { ...record, meta: { ...record.meta, status } });
};

test('circles, domains and policies govern their ledger, as long as they are active', () => {
  const policy = { record: 'wallet', schema: 'access', values: access };
  for (const [kind, data] of [
    ['circle', { access }],
    ['domain', { access }],
    ['policy', policy],
  ] as const) {
    expect(isRuling(kind, data)).toBe(true);
    expect(isRuling(kind, data, 'inactive')).toBe(false);
  }
  for (const data of [{}, { access: [] }]) expect(isRuling('circle', data)).toBe(false);
  expect(isRuling('policy', { ...policy, schema: 'status' })).toBe(false);
  for (const kind of ['wallet', 'signer'] as const) expect(isRuling(kind, { access })).toBe(false);
});

test('a ledger is governed by its rules, by policies alone, or by owners who made it without rules', () => {
  const { record } = created('ledger', 'x');
  const isRuled = (data: object, owners: readonly string[] = ['key']) =>
    governs('ledger', { data: { handle: 'x', ...data }, meta: { ...record.meta, owners } });
  expect(isRuled({})).toBe(true);
  expect(isRuled({}, [])).toBe(false);
  expect(isRuled({ access: [] })).toBe(false);
  expect(isRuled({ access }, [])).toBe(true);
  expect(isRuled({ access: [], config: { 'access.strategy': 'policy-based' } })).toBe(true);
  expect(isRuled({ access: [], config: { 'access.strategy': 'record-based' } })).toBe(false);
});

test('what is not there, or no more, governs nothing', () => {
  const policy = created('policy', 'x', { record: 'any', schema: 'access', values: access });
  expect(isGoverning(policy)).toBe(true);
  expect(isGoverning(dropped(policy))).toBe(false);
  expect(isGoverning(undefined)).toBe(false);
});

test('a rule is there when somebody lays it down', () => {
  expect(hasCounter(undefined, 'domain')).toBe(false);
  expect(hasCounter({ 'schema wallet': 1 }, 'domain')).toBe(false);
  expect(hasCounter({ domain: 0 }, 'domain')).toBe(false);
  expect(hasCounter({ domain: 2 }, 'domain')).toBe(true);
  expect(hasCounter({ access: 1 }, 'access')).toBe(true);
});
