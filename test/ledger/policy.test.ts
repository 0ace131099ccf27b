import { describe, expect, test } from 'vitest';
import { BudgetExceeded } from '../../shared/ledger/budget.ts';
import type { SignerMatcher } from '../../shared/ledger/matcher.ts';
import {
  appliesTo,
  changedLabels,
  forbiddenLabel,
  type LabelsValue,
  labelsVerdict,
  type StatusValue,
  statusVerdict,
  subjectOf,
  uniqueLabels,
  valuesForLabels,
  valuesOf,
} from '../../shared/ledger/policy.ts';
import type { LedgerRecord } from '../../shared/ledger/record.ts';

const recordOf = (data: object, status = 'created'): LedgerRecord => ({
  luid: '$wlt.1',
  hash: 'a1',
  data: { handle: 'alice', ...data },
  meta: { proofs: [], status, moment: '', owners: [] },
});
const patternMaker = (pattern: string) => (text: string) => new RegExp(pattern).test(text);

const ann = { handle: 'ann' };
const bob = { handle: 'bob' };
/** Only a quorum of nobody, or of `ann`, is met. */
const isMet = (quorum: readonly SignerMatcher[]) => quorum.every((one) => one === ann);

describe('a policy speaks of a record', () => {
  const wallet = recordOf({ schema: 'bank', custom: { level: 3 } }, 'active');
  test.each([
    [undefined, true],
    [{}, true],
    [{ 'data.schema': 'bank' }, true],
    [{ schema: 'bank' }, true],
    [{ schema: 'shop' }, false],
    [{ 'meta.status': 'active', 'custom.level': { $gte: 3 } }, true],
    [{ 'meta.status': 'closed' }, false],
    [{ luid: '$wlt.1', hash: 'a1' }, true],
  ])('with the filter %o: %s', (filter, expected) => {
    const policy = recordOf(filter === undefined ? {} : { filter });
    expect(appliesTo(policy, patternMaker, subjectOf(wallet))).toBe(expected);
  });

  test('or nobody can say, when that takes too much work', () => {
    const dear = () => Object.assign(() => true, { cost: { making: 0, perCharacter: 32 } });
    const policy = recordOf({ filter: { 'custom.note': { $regex: 'x' } } });
    const noted = (length: number) => subjectOf(recordOf({ custom: { note: 'x'.repeat(length) } }));
    expect(appliesTo(policy, dear, noted(700))).toBe(true);
    expect(() => appliesTo(policy, dear, noted(800))).toThrow(BudgetExceeded);
  });

  test('unless it is inactive', () => {
    expect(appliesTo(recordOf({}, 'inactive'), patternMaker, subjectOf(wallet))).toBe(false);
  });
});

test('the values of all policies of one sort are one list, without those of inactive ones', () => {
  const policies = [
    recordOf({ schema: 'status', values: [1, 2] }),
    recordOf({ schema: 'labels', values: [3] }),
    recordOf({ schema: 'status', values: [4] }, 'inactive'),
    recordOf({ schema: 'status', values: [5] }, 'active'),
  ];
  expect(valuesOf(policies, 'status')).toEqual([1, 2, 5]);
});

describe('a status', () => {
  test.each<[StatusValue[], string | null, string]>([
    [[], 'active', 'forbidden'],
    [[{ status: 'active' }], 'active', 'effective'],
    [[{ status: 'active' }], 'closed', 'forbidden'],
    [[{ status: 'active', quorum: [] }], 'active', 'effective'],
    [[{ status: 'active', quorum: [ann] }], 'active', 'effective'],
    [[{ status: 'active', quorum: [bob] }], 'active', 'ineffective'],
    [[{ status: 'active', quorum: [ann, bob] }], 'active', 'ineffective'],
    [[{ quorum: [bob] }, { status: 'active', quorum: [ann] }], 'active', 'effective'],
    [[{}], 'anything', 'effective'],
    [[{ quorum: [bob] }], 'anything', 'ineffective'],
    [[{ status: { $in: ['active', 'closed'] } }], 'closed', 'effective'],
    [[{ status: { $in: ['active', null] } }], null, 'effective'],
    [[{ status: { $in: ['active'] } }], 'closed', 'forbidden'],
    [[{ status: null }], null, 'effective'],
    [[{ status: null }], 'created', 'forbidden'],
    [[{ status: 'created' }], null, 'forbidden'],
    [[{}], null, 'effective'],
  ])('by %j, %s is %s', (values, asked, verdict) => {
    expect(statusVerdict(values, asked, isMet)).toBe(verdict);
  });
});

describe('labels', () => {
  const vip: LabelsValue = { labels: 'vip', quorum: [ann] };
  const risky: LabelsValue = { labels: ['risky', 'odd'], quorum: [bob] };
  const free: LabelsValue = { labels: { $in: ['new', 'old'] } };

  test.each<[LabelsValue[], before: string, after: string, string]>([
    [[vip], '', 'vip', 'effective'],
    [[vip], '', 'other', 'forbidden'],
    [[vip], 'other', '', 'effective'],
    [[vip], 'other', 'other vip', 'effective'],
    [[risky], '', 'odd', 'ineffective'],
    [[risky], 'odd', '', 'ineffective'],
    [[risky], 'odd', 'odd', 'effective'],
    [[risky], 'odd', 'odd odd', 'ineffective'],
    [[vip, risky, free], '', 'vip new', 'effective'],
    [[vip, risky, free], '', 'vip risky', 'ineffective'],
    [[vip, risky, free], 'risky', 'risky old', 'effective'],
    [[risky, { labels: 'odd' }], '', 'odd', 'effective'],
    [[], '', '', 'effective'],
  ])('by %j, from [%s] to [%s] are %s', (values, before, after, verdict) => {
    const list = (text: string) => text.split(' ').filter((label) => label !== '');
    expect(labelsVerdict(values, list(before), list(after), isMet)).toBe(verdict);
  });

  test('that one record alone may have are those that come, and of which a value says so', () => {
    const sole: LabelsValue = { labels: ['vip', 'odd'], unique: true };
    const values = [sole, free, { labels: 'odd', unique: false }];
    expect(uniqueLabels(values, [], ['vip', 'new', 'odd', 'vip'])).toEqual(['vip', 'odd']);
    expect(uniqueLabels(values, ['vip'], ['vip', 'odd'])).toEqual(['odd']);
    expect(uniqueLabels(values, ['vip', 'odd'], ['odd'])).toEqual([]);
    expect(uniqueLabels([free, vip], [], ['vip', 'new'])).toEqual([]);
  });

  test('what changes is told by count, in any order', () => {
    expect(changedLabels(['a', 'b'], ['b', 'a'])).toEqual([]);
    expect(changedLabels(['a', 'b'], ['b', 'c', 'b'])).toEqual(['a', 'b', 'c']);
  });

  test('the forbidden one is named, and so are the values that speak', () => {
    expect(forbiddenLabel([vip], ['x'], ['vip', 'y'])).toBe('y');
    expect(forbiddenLabel([vip], ['x'], ['vip'])).toBeUndefined();
    expect(valuesForLabels([vip, risky, free], ['odd', 'new'])).toEqual([risky, free]);
  });
});
