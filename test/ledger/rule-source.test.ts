import { describe, expect, test } from 'vitest';
import { type Kind, kinds } from '../../shared/ledger/kind.ts';
import type { Rule } from '../../shared/ledger/rule.ts';
import {
  coverageOf,
  isReached,
  policiesNamedAt,
  policiesNamedBy,
  policyCountMaxAt,
  type RuleSource,
  ruleSourceOf,
  ruleSourcesFor,
  rulesAbout,
  rulesOfKey,
  serverRules,
  systemRules,
  withPolicies,
} from '../../shared/ledger/rule-source.ts';

const read: Rule = { action: 'read' };
const readers: Rule = { policy: 'readers' };

describe('the rules of a record stand', () => {
  const wide: readonly Kind[] = ['circle', 'domain'];
  const others = (Object.keys(kinds) as Kind[]).filter((kind) => !wide.includes(kind));
  const data = { handle: 'x', signer: 'ann', circle: 'staff', access: [read] };

  test.each(wide)('for its reach, on a %s', (kind) => {
    expect(ruleSourceOf(kind, data)).toEqual({ place: kind, name: 'x', rules: [read] });
  });

  test.each(others)('for itself, on a %s', (kind) => {
    const source = ruleSourceOf(kind, data);
    expect(source.covers).toBe(kind);
    expect(source.place).toBe(kind === 'ledger' ? 'ledger' : 'record');
    expect(source.rules).toEqual([read]);
  });

  test('under the name by which it is known', () => {
    expect(ruleSourceOf('signer-factor', data).name).toBe('ann/x');
  });

  test('and without rules it has none', () => {
    expect(ruleSourceOf('wallet', { handle: 'x' }).rules).toEqual([]);
  });
});

describe('a rule covers', () => {
  const server: RuleSource = { place: 'server', rules: [] };
  const wallet = ruleSourceOf('wallet', { handle: 'shop' });
  test.each<[string, Rule, RuleSource, string]>([
    ['what it says', { record: 'intent' }, wallet, 'intent'],
    ['what it stands on', {}, wallet, 'wallet'],
    ['everything', {}, server, 'any'],
    ['what its policy is named on', {}, { place: 'policy', rules: [], namedAt: wallet }, 'wallet'],
  ])('%s', (_, rule, source, covered) => expect(coverageOf(rule, source)).toBe(covered));
});

describe('a rule of a policy', () => {
  // The record of the policy, that of the rule, and what the rule is about.
  test.each([
    ['wallet', undefined, ['wallet']],
    ['wallet', 'wallet', ['wallet']],
    ['wallet', 'wallet-proof', ['wallet-proof']],
    ['wallet', 'any', ['wallet']],
    ['wallet', 'intent', []],
    ['wallet', 'intent-proof', []],
    ['signer', 'signer-factor', []],
    ['any', undefined, ['any']],
    ['any', 'intent', ['intent']],
    ['any', 'any', ['any']],
  ])('about %s that says %s is about %j', (about, record, expected) => {
    const rule = { action: 'read', ...(record && { record }) };
    expect(rulesAbout(about, [rule]).map((one) => one.record)).toEqual(expected);
  });
});

// Ruling 73.
describe('a choice of names', () => {
  const $in = ['wallet', 'intent'];

  test('is covered as a whole', () => {
    expect(coverageOf({ record: { $in } }, ruleSourceOf('wallet', { handle: 'x' }))).toEqual({
      $in,
    });
  });

  test.each([
    ['wallet', ['wallet', 'intent'], ['wallet']],
    ['wallet', ['any', 'wallet-proof'], [{ $in: ['wallet', 'wallet-proof'] }]],
    ['wallet', ['intent', 'symbol'], []],
    ['any', ['wallet', 'any'], [{ $in: ['wallet', 'any'] }]],
  ])('reaches no further than a policy about %s does: %j', (about, names, expected) => {
    const rule = { action: 'read', record: { $in: names } };
    expect(rulesAbout(about, [rule]).map(({ record }) => record)).toEqual(expected);
  });

  test('names each of its policies, and those alone that are there', () => {
    const rules = [{ policy: { $in: ['none', 'readers', 'writers'] } }];
    const ledger: RuleSource = { place: 'ledger', rules, covers: 'ledger' };
    const policies = new Map([
      ['readers', { rules: [read] }],
      ['writers', { rules: [read] }],
    ]);
    const [, ...named] = withPolicies([ledger], policies);
    expect(named.map(({ name }) => name)).toEqual(['readers', 'writers']);
    expect(policiesNamedBy([...rules, readers, read])).toEqual([...['none', 'readers', 'writers']]);
  });
});

// Ruling 70.
test('the rules of a circle reach no further than its domain', () => {
  const circle = { handle: 'staff', access: [read] };
  expect(ruleSourceOf('circle', circle, { domain: 'a' })).toMatchObject({ domain: 'a' });
  expect(ruleSourceOf('circle', circle)).not.toHaveProperty('domain');
});

test('the rules of a record name few policies, those of a ledger more, and no others count', () => {
  const rules = Array.from({ length: 200 }, (_, index) => ({ policy: `p${index}` }));
  for (const [place, count] of [
    ['record', 16],
    ['ledger', 100],
    ['circle', 100],
    ['domain', 100],
  ] as const) {
    expect(policyCountMaxAt({ place })).toBe(count);
    expect(policiesNamedAt({ place, rules })).toEqual(
      rules.slice(0, count).map(({ policy }) => policy),
    );
  }
});

// Ruling 71.
test('of some records, what everybody has by owning one does not count', () => {
  const server: RuleSource = { place: 'server', rules: [...serverRules, ...systemRules] };
  const ledger: RuleSource = { place: 'ledger', rules: [...serverRules] };
  expect(ruleSourcesFor({ extent: 'some' }, [server, ledger])).toEqual([
    { place: 'server', rules: systemRules },
    ledger,
  ]);
  for (const asked of [{}, { extent: 'all' } as const])
    expect(ruleSourcesFor(asked, [server])).toEqual([server]);
});

// Decision 48.
test.each<[Kind, Kind, boolean]>([
  ['domain', 'wallet', true],
  ['signer', 'signer-factor', true],
  ['circle', 'circle-signer', true],
  ['signer', 'circle-signer', false],
  ['wallet', 'intent', false],
])('the rules of a %s are about what is of the kind %s: %j', (kind, other, isSo) => {
  expect(isReached(kind, other)).toBe(isSo);
});

describe('a policy that is named', () => {
  const named = { action: 'read', record: 'wallet' };
  const policies = new Map([['readers', { rules: [named] }]]);
  const circle: RuleSource = { place: 'circle', name: 'staff', rules: [read, readers] };

  test('stands after all others, and knows where it is named', () => {
    const ledger: RuleSource = { place: 'ledger', rules: [readers], covers: 'ledger' };
    expect(withPolicies([circle, ledger], policies)).toEqual([
      circle,
      ledger,
      { place: 'policy', name: 'readers', rules: [named], namedAt: circle },
      { place: 'policy', name: 'readers', rules: [named], namedAt: ledger },
    ]);
  });

  test('is nothing where there is none of that name', () => {
    expect(withPolicies([circle], new Map())).toEqual([circle]);
  });

  test('is nothing where a policy names it', () => {
    const policy: RuleSource = { place: 'policy', name: 'nested', rules: [readers] };
    expect(withPolicies([policy], policies)).toEqual([policy]);
  });
});

test('a closed ledger begins with rules that mean one key, and grant it anything', () => {
  const owner = { public: 'k' };
  expect(rulesOfKey('k')).toEqual([
    { action: 'any', record: 'any', signer: owner },
    { action: 'read', record: 'any', bearer: { $signer: owner } },
    { action: 'query', record: 'any', bearer: { $signer: owner } },
  ]);
});
