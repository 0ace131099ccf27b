/** The members that the conditions of rules and policies may lead to are those that records of the kind have. Decision 158. */
import { describe, expect, test } from 'vitest';
import { assertRuleMembers, membersSeenIn } from '../../shared/access/rule-members.ts';
import { LedgerError } from '../../shared/ledger/errors.ts';
import type { OneOf } from '../../shared/ledger/matcher.ts';
import type { Rule } from '../../shared/ledger/rule.ts';

function detailOf(rule: Omit<Rule, 'action'>, covered: OneOf): string | undefined {
  try {
    assertRuleMembers({ action: 'read', ...rule }, covered);
    return undefined;
  } catch (error) {
    if (error instanceof LedgerError) return error.detail;
    throw error;
  }
}

describe('a rule', () => {
  test.each<[path: string, covered: OneOf]>([
    ['handle', 'wallet'],
    ['custom.tier', 'wallet-proof'],
    ['claims.source', 'intent'],
    ['claims.source', { $in: ['wallet', 'intent'] }],
    ['claims.source', 'any'],
    ['parent', 'symbol'],
  ])('may filter by %s for %o', (path, covered) => {
    expect(detailOf({ filter: { [path]: 'x' }, change: { [path]: 'x' } }, covered)).toBeUndefined();
  });

  test.each<[path: string, covered: OneOf, nearest: string]>([
    ['data.handle', 'wallet', "; the nearest is 'handle'."],
    ['claim.source', 'intent', "; the nearest is 'claims'."],
    ['claims.source', 'wallet', ', only handle, '],
    ['meta.status', { $in: ['wallet', 'symbol'] }, ', only '],
    ['meta.labels', 'any', ', only '],
  ])('may not filter by %s for %o', (path, covered, end) => {
    const detail = detailOf({ filter: { [path]: { $ne: 'x' } } }, covered);
    const start = `Filter '${path}' begins with no member of the data of the rule's records`;
    expect(detail?.startsWith(`${start}${end}`)).toBe(true);
  });

  test('sees the status and the labels that a proof asks for, and no others, as a change', () => {
    expect(detailOf({ change: { status: 'active', labels: 'x' } }, 'wallet-proof')).toBeUndefined();
    expect(detailOf({ filter: { status: 'active' } }, 'wallet')).toContain("Filter 'status'");
    expect(detailOf({ change: { 'meta.status': 'active' } }, 'wallet')).toContain(
      "Filter 'meta.status' begins with no member of what the rule sees of a change; the nearest is 'status'.",
    );
  });
});

test('the filter of a policy sees the record, and the members of its data by themselves', () => {
  const seen = membersSeenIn('anchor-proof');
  const known = ['luid', 'hash', 'data', 'meta', 'target', 'symbol', 'custom', 'parent'];
  expect(Object.keys(seen)).toEqual(expect.arrayContaining(known));
  expect(seen).not.toHaveProperty('claims');
  expect(seen['data']).toEqual(expect.arrayContaining(['target', 'custom', 'parent']));
  expect(seen['data']).not.toContain('status');
  expect(membersSeenIn('any')).toHaveProperty('claims');
});
