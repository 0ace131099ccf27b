import { expect, test } from 'vitest';
import { hasRule, ruleOf } from '../../shared/ledger/rulebook.ts';

test('domains, schemas and policies lay down rules, and nothing else does', () => {
  expect(ruleOf('domain', { handle: 'bank' })).toBe('domain');
  expect(ruleOf('schema', { record: 'wallet' })).toBe('schema wallet');
  expect(ruleOf('policy', { record: 'any' })).toBe('policy any');
  expect(ruleOf('wallet', { record: 'wallet' })).toBeUndefined();
});

test('a rule is there when somebody lays it down', () => {
  expect(hasRule(undefined, 'domain')).toBe(false);
  expect(hasRule({ 'schema wallet': 1 }, 'domain')).toBe(false);
  expect(hasRule({ domain: 0 }, 'domain')).toBe(false);
  expect(hasRule({ domain: 2 }, 'domain')).toBe(true);
});
