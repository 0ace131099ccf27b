/** Goal: whoever was refused learns of each rule what is missing, and the first thing that is. Rulings 30 to 34. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluate, grantsOf, type Question } from '../../shared/ledger/access.ts';
import type { PatternMaker } from '../../shared/ledger/budget.ts';
import type { Rule } from '../../shared/ledger/rule.ts';
import type { RuleSource } from '../../shared/ledger/rule-source.ts';
import { asked, sections } from './access-table.ts';

const patternMaker = (pattern: string) => {
  const expression = new RegExp(pattern);
  return (text: string) => expression.test(text);
};

/** What is missing of each rule, in the order in which they are asked. */
function missingOf(rules: string, caller: string, question: string) {
  const { question: all, standings: sources } = asked({ rules, caller, question, granted: '' });
  return evaluate(all, sources, patternMaker).map(({ source, missing }) => [
    source.place,
    missing ?? 'granted',
  ]);
}

describe('of a rule is missing', () => {
  test.each([
    ['nothing', 'ledger: drop wallet', 'nobody', 'drop wallet shop', 'granted'],
    ['its action', 'ledger: read wallet', 'ann', 'drop wallet shop', 'action'],
    ['its record', 'ledger: drop symbol', 'ann', 'drop wallet shop', 'record'],
    ['its record, where none is named', 'ledger: drop', 'ann', 'drop wallet shop', 'record'],
    ['its circle', 'circle admins: drop', 'bob', 'drop wallet shop', 'circle'],
    ['its circle, for a token', 'circle admins: read', 'token bob', 'read wallet shop', 'circle'],
    [
      'its signer',
      'ledger: drop wallet {signer: {handle: ann}}',
      'bob',
      'drop wallet shop',
      'signer',
    ],
    [
      'its signer, although the token is theirs',
      'ledger: drop wallet {signer: {handle: ann}}',
      'bob, token ann',
      'drop wallet shop',
      'signer',
    ],
    [
      'its bearer',
      'ledger: read wallet {bearer: {aud: elsewhere}}',
      'token ann',
      'read wallet shop',
      'bearer',
    ],
    [
      'its bearer, beside the right signer',
      'ledger: drop wallet {signer: {handle: ann}, bearer: {}}',
      'ann',
      'drop wallet shop',
      'bearer',
    ],
    [
      'its filter',
      'ledger: drop wallet {filter: {schema: shop}}',
      'ann',
      'drop wallet shop',
      'filter',
    ],
    [
      'its change',
      'ledger: update wallet {change: {schema: shop}}',
      'ann',
      'update wallet shop {schema: bank}',
      'change',
    ],
    [
      'its check',
      'ledger: read intent {invoke: intent.canSpendEveryClaimWallet}',
      'ann',
      'read intent rent',
      'invoke',
    ],
    ['all, for it only names a policy', 'ledger: policy gone', 'ann', 'read wallet shop', 'action'],
  ])('%s', (_, rules, caller, question, missing) => {
    expect(missingOf(rules, caller, question).map(([, one]) => one)).toEqual([missing]);
  });
});

describe('rules are weighed', () => {
  test('all of them, in the order in which they are asked', () => {
    const rules = 'wallet shop: read; circle admins: drop; ledger: read symbol; server: defaults';
    expect(missingOf(rules, 'bob', 'read wallet shop')).toEqual([
      ['server', 'signer'],
      ['server', 'bearer'],
      ['ledger', 'record'],
      ['circle', 'action'],
      ['record', 'granted'],
    ]);
  });

  test('for the first thing that is missing', () => {
    const rule = 'ledger: drop symbol {signer: {handle: ann}, filter: {schema: shop}}';
    expect(missingOf(rule, 'bob', 'read wallet shop')).toEqual([['ledger', 'action']]);
    const closer = 'ledger: read wallet {signer: {handle: ann}, filter: {schema: shop}}';
    expect(missingOf(closer, 'bob', 'read wallet shop')).toEqual([['ledger', 'signer']]);
  });

  test('with those of a policy after the rule that names it', () => {
    expect(missingOf('ledger: policy readers', 'nobody', 'query wallet shop')).toEqual([
      ['ledger', 'action'],
      ['policy', 'action'],
      ['policy', 'granted'],
    ]);
  });

  test('and those of which nothing is missing are the ones that grant, in every row of the table', () => {
    for (const row of sections.flatMap(({ rows }) => rows)) {
      const { question, standings: sources } = asked(row);
      const weighed = evaluate(question, sources, patternMaker);
      const granting = weighed.filter(({ missing }) => missing === undefined);
      expect(grantsOf(question, sources, patternMaker)).toEqual(
        granting.map(({ rule, source }) => ({ rule, source })),
      );
      const count = sources.reduce((sum, { rules }) => sum + rules.length, 0);
      expect(weighed).toHaveLength(count);
    }
  });
});

describe('rules that take too much work to judge', () => {
  /** Each character costs so much as the pattern says. */
  const priced: PatternMaker = (pattern) =>
    Object.assign((text: string) => text.includes('x'), {
      cost: { making: 0, perCharacter: Number(pattern) },
    });
  const hostile: Rule = { action: 'read', record: 'wallet', filter: { text: { $regex: '30' } } };
  const plain: Rule = { action: 'read', record: 'wallet' };
  const question = (text: string): Question => ({
    action: 'read',
    record: 'wallet',
    subject: { data: { text } },
    caller: {},
    passes: () => false,
  });
  const own = (...rules: Rule[]): RuleSource => ({ place: 'record', name: 'w', rules });
  const ledger = (...rules: Rule[]): RuleSource => ({ place: 'ledger', name: 'main', rules });
  const said = (text: string, ...sources: RuleSource[]) =>
    evaluate(question(text), sources, priced).map(({ missing }) => missing ?? 'granted');

  test('grant nothing, and say so', () => {
    expect(said('x'.repeat(80), own(hostile))).toEqual(['granted']);
    expect(said('x'.repeat(90), own(hostile))).toEqual(['work']);
  });

  test('wear out what stands beside them, and nobody else', () => {
    const text = 'x'.repeat(500);
    const cheap = { ...hostile, filter: { text: { $regex: '1' } } };
    expect(said(text, own(hostile, cheap, plain), ledger(cheap), own(cheap))).toEqual([
      'granted',
      'work',
      'work',
      'granted',
      'granted',
    ]);
  });

  test('have more room where whoever lays them down speaks for others', () => {
    expect(said('x'.repeat(500), ledger(hostile))).toEqual(['granted']);
    expect(said('x'.repeat(900), ledger(hostile))).toEqual(['work']);
  });

  /** Rules that a circle lays down for others than its members. */
  const circle = (domain: string | undefined, ...rules: Rule[]): RuleSource => ({
    ...{ place: 'circle', name: 'c', rules: rules.map((rule) => ({ ...rule, signer: {} })) },
    ...(domain !== undefined && { domain }),
  });
  const domain = (name: string, ...rules: Rule[]): RuleSource => ({ place: 'domain', name, rules });
  const author = { authors: [{ circles: new Set<string>(), owns: new Set<never>() }] };
  const at = (place: Partial<Question>, text: string, ...sources: RuleSource[]) =>
    evaluate({ ...question(text), caller: author as never, ...place }, sources, priced).map(
      ({ missing }) => missing ?? 'granted',
    );

  test('wear out others of their domain', () => {
    const text = 'x'.repeat(500);
    const policy: RuleSource = {
      ...{ place: 'policy', name: 'p', rules: [hostile], namedAt: circle('a') },
    };
    const far: RuleSource = { ...policy, domain: 'a', namedAt: ledger() };
    const near = [circle('a', hostile), circle('a', hostile, plain), circle(undefined, hostile)];
    expect(at({ lies: ['a'] }, text, ...near, domain('a', hostile), policy, far)).toEqual([
      ...['granted', 'work', 'granted', 'granted', 'granted', 'work', 'work'],
    ]);
  });

  test('and no others, however many lie in it, where it is known where a record lies', () => {
    const text = 'x'.repeat(500);
    const lies = Array.from({ length: 40 }, (_, index) => `d${40 - index}`);
    const all = lies.flatMap((name) => [circle(name, hostile), domain(name, hostile)]);
    const said = at({ lies }, text, ...all);
    // Those of the outermost four have all that one may have; each further one has half of the one above.
    const expected = lies.map((_, index) => (index >= 36 ? 'granted' : 'work'));
    expect(said).toEqual([...expected, ...expected]);
    const few = at({ lies: ['b'] }, text, domain('b', hostile), circle('a', hostile));
    expect(few).toEqual(['domain', 'granted']);
  });

  /** Rules that mean whoever has a text like this in their record. */
  const whoever = (units: number): Rule => ({
    ...{
      action: 'read',
      record: 'wallet',
      signer: { custom: { text: { $regex: String(units) } } },
    },
  });
  /** What is granted of a list that shows what lies in any domain, to somebody with a text of that length. */
  const listed = (
    length: number,
    above: Readonly<Record<string, string>>,
    ...all: RuleSource[]
  ) => {
    const [party] = author.authors;
    const known = { ...party, custom: { text: 'x'.repeat(length) } };
    const asked = { ...question(''), subject: undefined, caller: { authors: [known] } };
    const place = { above: new Map(Object.entries(above)) };
    return evaluate({ ...asked, ...place } as Question, all, priced).map(
      ({ missing }) => missing ?? 'granted',
    );
  };

  test('and no others, however many lie in it, where nobody knows where a record lies', () => {
    const inner = Array.from({ length: 200 }, (_, index) => `a${index}`);
    const above = Object.fromEntries(inner.map((name) => [name, 'a']));
    const hostiles = ['a', ...inner].flatMap((name) => [
      domain(name, whoever(30), whoever(30)),
      circle(name, whoever(30)),
    ]);
    const rules = [circle('b', whoever(30)), domain('b', whoever(30))];
    expect(listed(700, above, ...hostiles, ...rules).slice(-1)).toEqual(['granted']);
    expect(listed(700, above, ...hostiles, ...rules)).toContain('work');
    expect(listed(700, {}, ...rules)).toEqual(['granted', 'granted']);
    // A table that was written to says that domains lie in one another: their rules come to an end, too.
    const round = { a: 'b', b: 'a' };
    expect(listed(700, round, ...rules)).toEqual(['granted', 'granted']);
  });

  test('cost nothing by their conditions where no record is known', () => {
    const rules = Array.from({ length: 100 }, () => ({ ...plain, filter: hostile.filter ?? {} }));
    let made = 0;
    const counting: PatternMaker = (pattern) => {
      made += 1;
      return priced(pattern);
    };
    const asked = { ...question(''), subject: undefined };
    expect(evaluate(asked, [ledger(...rules)], counting)).toHaveLength(100);
    expect(made).toBe(0);
  });

  test('were perhaps taken on before there were prices', () => {
    const old = { ...hostile, filter: { text: { $regex: '33' } } };
    expect(said('x', own(old, plain))).toEqual(['work', 'granted']);
  });

  test('say the same however often they are asked', () => {
    const rule = fc.record({ units: fc.nat(40) }).map(
      ({ units }): Rule => ({
        action: 'read',
        filter: { text: { $regex: String(units) } },
      }),
    );
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 8 }), fc.nat(5_000), (rules, length) => {
        const text = 'x'.repeat(length);
        const first = said(text, own(...rules), ledger(...rules));
        expect(said(text, own(...rules), ledger(...rules))).toEqual(first);
        // What others lay down has no part in it.
        expect(said(text, own(...rules)).length + rules.length).toBe(first.length);
        expect(first.slice(rules.length)).toEqual(said(text, own(...rules)));
      }),
    );
  });
});

describe('of a rule of another domain is missing', () => {
  const rules = [{ action: 'drop', record: 'wallet' }];
  const circle = { place: 'circle', name: 'admins', rules, domain: 'a' } as const;
  const policy = {
    place: 'policy',
    name: 'p',
    rules,
    namedAt: { ...circle, domain: 'b' },
  } as const;
  const lacks = (source: RuleSource, lies: readonly string[] | undefined) => {
    const { question } = asked({
      ...{ rules: 'ledger: drop', caller: 'ann', question: 'drop wallet shop', granted: '' },
    });
    return evaluate({ ...question, lies }, [source], patternMaker).map(({ missing }) => missing);
  };

  test.each([
    ['nothing in it', circle, ['a'], undefined],
    ['nothing in those in it', circle, ['a.in', 'a'], undefined],
    ['nothing where the record could lie in any', circle, undefined, undefined],
    ['its domain in another one', circle, ['b'], 'domain'],
    ['its domain in none', circle, [], 'domain'],
    ['nothing where its policy is named', policy, ['b'], undefined],
    ['the domain of who names its policy', policy, ['a'], 'domain'],
    ['that of the policy', { ...policy, domain: 'c' }, ['b'], 'domain'],
  ] as const)('%s', (_what, source, lies, missing) => {
    expect(lacks(source, lies)).toEqual([missing]);
  });
});
