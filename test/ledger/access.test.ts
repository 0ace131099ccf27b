import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Caller,
  evaluate,
  type Grant,
  grantsOf,
  type Question,
} from '../../shared/ledger/access.ts';
import { circlesOf, type Principal, type SignerMatcher } from '../../shared/ledger/matcher.ts';
import type { BearerMatcher, VerifiedBearer } from '../../shared/ledger/rule.ts';
import { places, type RuleSource, ruleSourceOf } from '../../shared/ledger/rule-source.ts';
import { AccessRule } from '../../shared/shape/rule.ts';
import { runs } from '../fixture/runs.ts';
import { asked, sections } from './access-table.ts';
import { allStandings, circleNames, questions, rules } from './arbitrary-rules.ts';

const patternMaker = (pattern: string) => {
  const expression = new RegExp(pattern);
  return (text: string) => expression.test(text);
};
const grants = (question: Question, sources: readonly RuleSource[]) =>
  grantsOf(question, sources, patternMaker);

describe.each(sections)('$title:', ({ rows }) => {
  const named = rows.map((row) => [row.rules, row.caller, row.question, row.granted, row] as const);
  test.each(named)('%s | %s | %s | %s', (_rules, _caller, _question, granted, row) => {
    const { question, standings: sources } = asked(row);
    const granting = grants(question, sources).map(({ source }) => source.place);
    if (granted === 'yes') expect(granting).not.toEqual([]);
    else expect(granting.join(', ') || 'no').toBe(granted);
  });
});

test('the table is read to its end', () => {
  expect(sections.flatMap(({ rows }) => rows).length).toBeGreaterThan(600);
});

const often = { numRuns: runs(600) };
const isGranted = (question: Question, sources: readonly RuleSource[]) =>
  grants(question, sources).length > 0;
/** Grants in no order, each by what says it. */
const asSet = (found: readonly Grant[]) => new Set(found.map(({ rule }) => rule));

describe('whatever the rules, the caller and the question:', () => {
  test('another rule takes no right away', () => {
    fc.assert(
      fc.property(questions, allStandings, allStandings, (question, some, more) => {
        const before = asSet(grants(question, some));
        const after = asSet(grants(question, [...some, ...more]));
        expect([...before].filter((rule) => !after.has(rule))).toEqual([]);
      }),
      often,
    );
  });

  test('the order of rules decides nothing, and that of places the order of grants', () => {
    fc.assert(
      fc.property(questions, allStandings, fc.infiniteStream(fc.nat()), (question, all, luck) => {
        const turned = all
          .map((source) => ({ ...source, rules: source.rules.toReversed() }))
          .toSorted(() => (Number(luck.next().value) % 2 === 0 ? 1 : -1));
        const found = grants(question, all);
        expect(asSet(grants(question, turned))).toEqual(asSet(found));
        const order = found.map(({ source }) => places.indexOf(source.place));
        expect(order).toEqual(order.toSorted((one, other) => one - other));
      }),
      often,
    );
  });

  test('what is granted of a record is granted of some record', () => {
    fc.assert(
      fc.property(questions, allStandings, (question, all) => {
        const ofSome = asSet(grants({ ...question, subject: undefined }, all));
        for (const { rule } of grants(question, all)) expect(ofSome).toContain(rule);
      }),
      often,
    );
  });

  test('nobody is granted only what rules grant to everyone', () => {
    fc.assert(
      fc.property(questions, allStandings, fc.boolean(), (question, all, hasBody) => {
        const caller: Caller = hasBody ? { authors: [] } : {};
        for (const subject of [question.subject, undefined])
          for (const { rule, source } of grants({ ...question, subject, caller }, all)) {
            expect(rule.signer ?? rule.bearer).toBeUndefined();
            expect((source.namedAt ?? source).place).not.toBe('circle');
          }
      }),
      often,
    );
  });

  test('who leaves a circle loses what it gave, and nothing else', () => {
    const circles = fc.constantFrom(...circleNames);
    fc.assert(
      fc.property(questions, allStandings, circles, (question, all, name) => {
        const before = grants(question, all);
        const after = grants({ ...question, caller: without(name, question.caller) }, all);
        const [had, left] = [asSet(before), asSet(after)];
        const kept = before.filter((grant) => !isBy(name, grant)).map(({ rule }) => rule);
        expect(kept.filter((rule) => !left.has(rule))).toEqual([]);
        expect([...left].filter((rule) => !had.has(rule))).toEqual([]);
        expect(after.filter((grant) => isOfMembers(name, grant))).toEqual([]);
      }),
      often,
    );
  });

  test('a token is no signature on a body', () => {
    fc.assert(
      fc.property(questions, allStandings, ({ caller, ...question }, all) => {
        const { authors = [], bearer } = caller;
        const withToken = grants({ ...question, caller: { authors, bearer } }, all);
        const alone = asSet(grants({ ...question, caller: { authors } }, all));
        for (const { rule } of withToken)
          if (rule.bearer === undefined) expect(alone).toContain(rule);
      }),
      often,
    );
  });

  test('who owns less is granted no more', () => {
    fc.assert(
      fc.property(questions, allStandings, (question, all) => {
        const poor = { ...question, caller: changed(question.caller, { owns: new Set() }) };
        const before = asSet(grants(question, all));
        for (const { rule } of grants(poor, all)) expect(before).toContain(rule);
      }),
      often,
    );
  });

  test('rules that have their shape are judged without fail', () => {
    fc.assert(
      fc.property(questions, fc.array(rules, { maxLength: 5 }), (question, access) => {
        for (const rule of access) expect(AccessRule.safeParse(rule).success).toBe(true);
        const sources = [ruleSourceOf('circle', { handle: 'admins', access })];
        expect(isGranted(question, sources)).toBeTypeOf('boolean');
      }),
      often,
    );
  });
});

test('the questions of these properties have both answers', () => {
  const answers = fc
    .sample(fc.tuple(questions, allStandings), { numRuns: 1_000, seed: 1 })
    .map(([question, all]) => isGranted(question, all));
  expect(answers.filter(Boolean).length).toBeGreaterThan(100);
  expect(answers.filter((isYes) => !isYes).length).toBeGreaterThan(100);
});

test('a circle of which the name is not known has no members', () => {
  const member: Principal = { handle: 'ann', circles: new Set(['undefined', '']), owns: new Set() };
  const question = { action: 'read', record: 'wallet', subject: undefined, passes: () => true };
  const source: RuleSource = { place: 'circle', rules: [{ action: 'any' }] };
  expect(isGranted({ ...question, caller: { authors: [member] } }, [source])).toBe(false);
});

test('what is not known could be one’s own, but not what is nobody’s yet. Decision 48', () => {
  const ann: Principal = { handle: 'ann', circles: new Set(), owns: new Set() };
  const asking = { action: 'create', record: 'wallet', subject: undefined, passes: () => true };
  const rules = [{ action: 'any', signer: { $record: 'owner' } } as const];
  for (const caller of [{ authors: [ann] }, { bearer: { ...tokenOf(ann) } }]) {
    const question: Question = { ...asking, caller };
    expect(isGranted(question, [{ place: 'server', rules }])).toBe(true);
    expect(isGranted({ ...question, isNobodys: true }, [{ place: 'server', rules }])).toBe(false);
  }
});

// Ruling 71.
test.each<[object, string | undefined]>([
  [{}, undefined],
  [{ signer: { handle: 'ann' } }, undefined],
  [{ signer: { handle: 'bob' } }, 'signer'],
  [{ signer: { $record: 'owner' } }, 'signer'],
  [{ filter: { handle: 'w' } }, 'filter'],
  [{ about: [{ 'data.handle': 'w' }] }, 'filter'],
  [{ about: [] }, undefined],
  [{ change: { custom: { $exists: true } } }, 'change'],
  [{ invoke: 'wallet.canSpendAllChangedRouteTargets' }, 'invoke'],
])('a rule grants something of all records when it asks nothing of them: %j', (more, missing) => {
  const ann: Principal = { handle: 'ann', circles: new Set(), owns: new Set() };
  const question: Question = {
    ...{ action: 'update', record: 'wallet', subject: undefined, isOfAll: true },
    caller: { authors: [ann] },
    passes: () => true,
  };
  const rules = [{ action: 'update', record: 'wallet', ...more }];
  const [weighed] = evaluate(question, [{ place: 'ledger', rules }], patternMaker);
  expect(weighed?.missing).toBe(missing);
});

// Ruling 73.
test('a rule may name several actions and kinds', () => {
  const rule = { action: { $in: ['read', 'query'] }, record: { $in: ['wallet', 'intent'] } };
  const ann: Principal = { handle: 'ann', circles: new Set(), owns: new Set() };
  const grantedBy = (action: string, record: string, rules: readonly object[]) => {
    const caller = { authors: [ann] };
    const question = { action, record, subject: undefined, caller, passes: () => true };
    return isGranted(question, [{ place: 'ledger', rules }]);
  };
  for (const [action, record, isSo] of [
    ['read', 'wallet', true],
    ['query', 'intent', true],
    ['update', 'wallet', false],
    ['read', 'symbol', false],
    ['read', 'wallet-proof', false],
  ] as const)
    expect([action, record, grantedBy(action, record, [rule])]).toEqual([action, record, isSo]);
  const all = { action: { $in: ['any', 'read'] }, record: { $in: ['symbol', 'any'] } };
  expect(grantedBy('drop', 'wallet', [all])).toBe(true);
});

function tokenOf(party: Principal): VerifiedBearer {
  return { iss: 'ann', aud: 'ledger', hsh: false, isSubject: true, principal: party };
}

/** A caller of whom all parties are changed alike. */
function changed({ authors, bearer }: Caller, more: Partial<Principal>): Caller {
  return {
    authors: authors?.map((party) => ({ ...party, ...more })),
    bearer: bearer && { ...bearer, principal: { ...bearer.principal, ...more } },
  };
}

function without(circle: string, { authors, bearer }: Caller): Caller {
  const left = (party: Principal): Principal => ({
    ...party,
    circles: new Set([...party.circles].filter((name) => name !== circle)),
  });
  return {
    authors: authors?.map(left),
    bearer: bearer && { ...bearer, principal: left(bearer.principal) },
  };
}

/** Whether a rule has to do with a circle: it stands there, or its matchers name it. */
function isBy(circle: string, grant: Grant): boolean {
  const { signer, bearer } = grant.rule;
  const matchers = [...(signer ? [signer] : []), ...(bearer ? signersIn(bearer) : [])];
  return isOfMembers(circle, grant) || circlesOf(matchers).includes(circle);
}

/** Whether a rule means the members of a circle because it stands there. */
function isOfMembers(circle: string, { rule: { signer, bearer }, source }: Grant): boolean {
  const { place, name } = source.namedAt ?? source;
  return place === 'circle' && name === circle && signer === undefined && bearer === undefined;
}

function signersIn({ $signer, $in = [] }: BearerMatcher): SignerMatcher[] {
  return [...($signer ? [$signer] : []), ...$in.flatMap(signersIn)];
}

test.each([
  ['activate', 'bridge', undefined, ['ledger', 'circle', 'domain', 'policy']],
  ['limit', 'wallet', true, ['ledger', 'circle', 'domain', 'policy']],
  ['limit', 'wallet', undefined, ['server', 'ledger', 'circle', 'domain', 'record', 'policy']],
  ['activate', 'effect', undefined, ['server', 'ledger', 'circle', 'domain', 'record', 'policy']],
] as const)('to %s a %s (for others: %s) is granted by %j', (action, record, isForOthers, by) => {
  const rules = [{ action: 'any', record: 'any', signer: { public: 'k' } }];
  const party: Principal = {
    ...{ handle: 'ann', public: 'k', format: 'ed25519-raw', schema: undefined, custom: undefined },
    ...{ circles: new Set(['c']), owns: new Set(['record'] as const) },
  };
  const own: RuleSource = { place: 'record', rules, covers: record };
  const sources: RuleSource[] = [
    ...places.map((place): RuleSource => ({ place, name: 'c', rules })),
    { place: 'policy', rules, namedAt: own },
  ];
  const question: Question = {
    ...{ action, record, subject: { data: {} }, caller: { authors: [party] } },
    ...{ passes: () => true, ...(isForOthers && { isForOthers }) },
  };
  const found = grants(question, sources).filter(({ source }) => !source.namedAt);
  expect(found.map(({ source }) => source.place)).toEqual(by);
  const fromOwn = grants(question, sources).filter(({ source }) => source.namedAt);
  expect(fromOwn).toHaveLength(by.length === 4 ? 0 : 1);
});

test('a rule of a policy is only about what the policy is about', () => {
  const about = [{ 'meta.status': 'active' }, { 'data.schema': 'shop' }];
  const rule = { action: 'read', record: 'wallet', about };
  const sources: RuleSource[] = [{ place: 'policy', rules: [rule] }];
  const ask = (subject: Question['subject']) => {
    const caller = { authors: [] };
    const question = { action: 'read', record: 'wallet', subject, caller, passes: () => true };
    return grants(question, sources).length;
  };
  const data = { schema: 'shop' };
  expect(ask({ data, whole: { data, meta: { status: 'active' } } })).toBe(1);
  expect(ask({ data, whole: { data, meta: { status: 'frozen' } } })).toBe(0);
  expect(ask({ data: {}, whole: { data: {}, meta: { status: 'active' } } })).toBe(0);
  // What is to be made has no status yet; whether there could be such a record is another question.
  expect(ask({ data })).toBe(0);
  expect(ask(undefined)).toBe(1);
});
