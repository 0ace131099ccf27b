/**
 * Goal: whatever matches is found under its terms, and the terms stay few. Method: cases for what is
 * mentioned and what is asked for, and a property over records, paths and operands at random.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Kind, kinds } from '../../shared/ledger/kind.ts';
import { latePeriodOf } from '../../shared/ledger/late.ts';
import { parseKindFilters, type Query } from '../../shared/ledger/query.ts';
import type { LedgerRecord } from '../../shared/ledger/record.ts';
import {
  hasLastingTermsOnly,
  isPassingTerm,
  lastingTermsOf,
  ownTermCountMax,
  type Term,
  termOfLate,
  termOfWord,
  termsOf,
  termsWanted,
  wordsIn,
  wordsOf,
} from '../../shared/ledger/term.ts';
import type { Proof } from '../../shared/shape/proof.ts';
import { runs } from '../fixture/runs.ts';

const never = () => () => false;
const textOf = ({ field, value }: Term) => `${field}=${value}`;

function recordOf(data: object, meta: object = {}): LedgerRecord {
  const record = { luid: '', hash: '', data: { handle: 'one', ...data } };
  const common = { proofs: [], owners: [], status: 'created', moment: '2026-02-01T12:00:00.000Z' };
  return { ...record, meta: { ...common, ...meta } };
}

const mentioned = (kind: Kind, data: object, meta?: object) =>
  termsOf(kind, recordOf(data, meta)).map(textOf);

function asked(kind: Kind, query: Query): string[] | undefined {
  const [filter] = parseKindFilters(kind, query, never).all;
  return filter && termsWanted(kind, filter)?.map(textOf);
}

describe('a record is mentioned', () => {
  test('under its status, and under the other members that are common', () => {
    expect(mentioned('symbol', {})).toEqual(['meta.status=created']);
    expect(
      mentioned('symbol', { schema: 'money' }, { labels: ['a', 'b', 'a'], domain: 'acme' }),
    ).toEqual([
      'data.schema=money',
      'meta.status=created',
      'meta.domain=acme',
      'meta.labels=a',
      'meta.labels=b',
    ]);
  });

  test('under the members of its kind', () => {
    expect(mentioned('signer', { public: 'K=', format: 'ed25519-raw', secret: 'x' })).toEqual([
      'data.public=K=',
      'data.format=ed25519-raw',
      'meta.status=created',
    ]);
    expect(mentioned('symbol', { public: 'K=', factor: 100 })).toEqual(['meta.status=created']);
  });

  test('under the handle of a party, however it is written', () => {
    const target = { handle: 'tel:1', custom: { x: 1 } };
    const terms = ['data.wallet=alice', 'data.target=tel:1', 'meta.status=created'];
    expect(mentioned('anchor', { wallet: 'alice', target })).toEqual(terms);
    expect(mentioned('anchor', { wallet: { handle: 'alice' }, target: 'tel:1' })).toEqual(terms);
  });

  test('under every value of its own, wherever it is, once', () => {
    const custom = { a: { b: [1, { c: 'x' }, [true, null]], d: '' }, e: ['y', 'y'] };
    expect(mentioned('wallet', { custom })).toEqual([
      'meta.status=created',
      'data.custom.a.b=1',
      'data.custom.a.b.c=x',
      'data.custom.a.b=true',
      'data.custom.a.d=',
      'data.custom.e=y',
    ]);
  });

  test('not under what no filter can name', () => {
    const long = 'x'.repeat(250);
    const custom = { 'a.b': 1, '': 2, 'a\nb': 3, [long]: 4, 'a b': 5 };
    expect(mentioned('wallet', { custom })).toEqual(['meta.status=created', 'data.custom.a b=5']);
  });

  test('under a hundred values of its own at most, and under one term for the rest', () => {
    const custom = (count: number) =>
      Object.fromEntries(
        Array(count)
          .fill(1)
          .map((_, i) => [`n${i}`, i]),
      );
    const atMost = mentioned('wallet', { custom: custom(ownTermCountMax) });
    expect(atMost).toHaveLength(1 + ownTermCountMax);
    expect(atMost).not.toContain('more=');
    const over = mentioned('wallet', { custom: custom(ownTermCountMax + 1) });
    expect(over).toHaveLength(2 + ownTermCountMax);
    expect(over.at(-1)).toBe('more=');
  });

  test('under one spelling of numbers and moments', () => {
    const values = [5, '5.0', '005', 1e21, '1000000000000000000000', -0, 0.5, '5e-1'];
    const spelled = ['5', '1000000000000000000000', '0', '0.5'];
    expect(mentioned('wallet', { custom: { n: values } }).slice(1)).toEqual(
      spelled.map((text) => `data.custom.n=${text}`),
    );
    const moments = ['2026-02-01T12:00Z', '2026-02-01T13:00:00.000+01:00'];
    expect(mentioned('wallet', { custom: { at: moments } })).toHaveLength(2);
  });

  test('under the spelling of earlier releases where the month does not have the day', () => {
    const at = '2026-02-30T00:00:00Z';
    const term = `data.custom.at=${BigInt(Date.parse('2026-03-02T00:00:00Z')) * 1_000_000n}`;
    expect(mentioned('wallet', { custom: { at } })).toContain(term);
    expect(asked('wallet', { 'data.custom.at': [at] })).toEqual([term, 'more=']);
  });
});

describe('an intent', () => {
  const claims = [
    { action: 'transfer', source: 'SVGS:alice@bank.com', target: { handle: 'bob' }, symbol: 'usd' },
    { action: 'issue', target: 'tin:carol', symbol: { handle: 'eur@bank.com' } },
  ];
  const intent = { handle: 'Rent-1', schema: 'Monthly rent', claims };

  // Ruling 23.
  test('is found by the words of its members and the parts of its addresses', () => {
    expect(wordsOf(recordOf(intent, { status: 'completed' }))).toEqual([
      ...['rent-1', 'monthly', 'rent', 'completed'],
      ...['svgs:alice@bank.com', 'alice', 'bank.com', 'alice@bank.com', 'bob', 'usd', 'transfer'],
      ...['tin:carol', 'carol', 'eur@bank.com', 'issue'],
    ]);
    expect(wordsOf(recordOf({}))).toEqual(['one', 'created']);
  });

  test('is mentioned under them, its domain, and what is of its own', () => {
    const some = { handle: 'x', claims: [], custom: { n: 5 } };
    expect(mentioned('intent', some, { domain: 'acme', labels: ['l'] })).toEqual([
      'meta.domain=acme',
      'word=created',
      'data.custom.n=5',
      'meta.labels=l',
    ]);
  });

  // A word that is the handle itself leads to the record directly.
  test('is mentioned under its handle where that is no word, or comes from a claim', () => {
    const words = (handle: string) =>
      mentioned('intent', { handle, claims: [{ action: 'issue', target: 'bob' }] });
    expect(words('rent-1')).toEqual(['word=created', 'word=bob', 'word=issue']);
    expect(words('Rent-1')).toContain('word=rent-1');
    expect(words('bob')).toContain('word=bob');
  });

  test('is mentioned for good under what neither status nor labels nor domain change', () => {
    const custom = Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`n${n}`, n]));
    for (const data of [intent, { ...intent, custom }, { ...intent, handle: 'bob' }]) {
      const metas = [{}, { status: 'pending', labels: ['l'], domain: 'acme' }, { status: 'bob' }];
      const [first = [], ...others] = metas.map((meta) =>
        lastingTermsOf('intent', recordOf(data, meta)).map(textOf),
      );
      for (const other of others) expect(other).toEqual(first);
      for (const meta of metas)
        expect(mentioned('intent', data, meta)).toEqual(expect.arrayContaining(first));
      expect(first.filter((term) => term.includes('meta.'))).toEqual([]);
      for (const status of ['completed', 'rejected'])
        expect(lastingTermsOf('intent', recordOf(data, { status })).map(textOf)).toEqual(
          expect.arrayContaining([...first, `word=${status}`]),
        );
    }
  });

  test('has nothing but these once it has ended, without labels and a domain', () => {
    for (const data of [intent, { ...intent, handle: 'Completed' }, { claims: [] }])
      for (const status of ['completed', 'rejected']) {
        const ended = recordOf(data, { status });
        expect(hasLastingTermsOnly(ended)).toBe(true);
        expect(termsOf('intent', ended)).toEqual(lastingTermsOf('intent', ended));
      }
    for (const meta of [{}, { status: 'pending' }, { status: 'committed' }])
      expect(hasLastingTermsOnly(recordOf(intent, meta))).toBe(false);
    for (const more of [{ labels: ['l'] }, { domain: 'acme' }])
      expect(hasLastingTermsOnly(recordOf(intent, { status: 'completed', ...more }))).toBe(false);
  });

  test('is mentioned in the period in which it was completed late, where no filter looks', () => {
    const words = ['pending', 'completed'].map((status, index) => ({
      custom: { status, moment: `2026-0${index + 6}-30T00:00:00.000Z` },
    }));
    const late = recordOf(intent, { status: 'completed', proofs: words as unknown as Proof[] });
    expect(lastingTermsOf('intent', late)).toContainEqual(termOfLate(latePeriodOf(late) as number));
    expect(asked('intent', { late: [String(latePeriodOf(late))] })).toBeUndefined();
  });

  test.each<[Query, string[] | undefined]>([
    [{ 'meta.status': ['Completed'] }, ['word=completed']],
    [{ 'data.schema': ['Monthly rent'] }, ['word=monthly']],
    [{ 'data.claims.source': ['SVGS:alice@bank.com'] }, ['word=svgs:alice@bank.com']],
    [{ 'data.claims.source.handle': ['alice'] }, ['word=alice']],
    [{ 'data.claims.0.target.handle.$in': ['a', 'b'] }, ['word=a', 'word=b']],
    [{ 'data.claims.action': ['issue'] }, ['word=issue']],
    [{ 'data.custom.n': ['5'] }, ['data.custom.n=5', 'more=']],
    [{ 'meta.domain': ['acme'] }, ['meta.domain=acme']],
    [{ 'data.schema': ['   '] }, undefined],
    [{ 'data.schema': ['2026-02-01T12:00Z'] }, undefined],
    [{ 'data.schema.$in': ['[5]'] }, undefined],
    [{ 'data.claims.amount': ['5'] }, undefined],
    [{ 'data.claims': ['[]'] }, undefined],
  ])('asked for by %j is looked for under %j', (query, terms) => {
    expect(asked('intent', query)).toEqual(terms);
  });
});

describe('a filter looks', () => {
  test.each<[Query, string[] | undefined]>([
    [{ 'data.schema': ['5.0'] }, ['data.schema=5']],
    [{ 'meta.status.$in': ['a', 'b', 'a'] }, ['meta.status=a', 'meta.status=b']],
    [{ 'meta.status.$in': ['[]'] }, []],
    [{ 'data.custom.a.0.b': ['x'] }, ['data.custom.a.b=x', 'more=']],
    [{ 'data.custom.a': ['["x","y"]'] }, ['data.custom.a=x', 'more=']],
    [{ 'data.custom.a': ['[null,{"b":1},"y"]'] }, ['data.custom.a=y', 'more=']],
    [{ 'data.custom.a': ['[]'] }, undefined],
    [{ 'data.custom.a.$in': ['[null,"x"]'] }, undefined],
    [{ 'meta.labels': ['x'] }, ['meta.labels=x', 'more=']],
    [{ 'meta.labels.1': ['x'] }, ['meta.labels=x', 'more=']],
    [{ 'data.bridge.handle': ['x'] }, ['data.bridge=x']],
    [{ 'meta.status.$ne': ['x'] }, undefined],
    [{ 'data.custom.a.$gt': ['1'] }, undefined],
    [{ 'data.handle': ['x'] }, undefined],
    [{ 'meta.moment': ['2026-02-01T12:00Z'] }, undefined],
    [{ 'data.custom.a.$in': Array<string>(11).fill('x') }, undefined],
  ])('%j under %j', (query, terms) => {
    expect(asked('wallet', query)).toEqual(terms);
  });
});

test('words are split on white space, and their case does not matter', () => {
  expect(wordsIn(' Alice  @bank.com\n\tALICE ')).toEqual(['alice', '@bank.com']);
  expect(wordsIn(' ')).toEqual([]);
  expect(termOfWord('alice')).toEqual({ field: 'word', value: 'alice' });
});

// Goal: no record is missed. Whatever a filter matches is under one of the terms that it looks under.
test('whatever matches is found under the terms', () => {
  const scalar = fc.oneof(
    fc.constantFrom('a', 'B', 'a b', '5', '5.0', '2026-02-01T12:00:00Z', '2026-02-01T13:00+01:00'),
    fc.constantFrom('', 'true', '1e21', '1000000000000000000000', 'main:x@y.z', 'word'),
    fc.constantFrom(5, 0, -0, 0.5, 1e21, true, false, null),
  );
  const name = fc.constantFrom('a', 'b', '0', '1', 'handle', 'source');
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      scalar,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(name, tie('value'), { maxKeys: 3 }),
    ),
  }));
  const text = fc.constantFrom('a', 'B', '5', 's:a@b.c', '2026-02-01T12:00:00Z');
  const party = fc.oneof(text, fc.record({ handle: text }));
  const claim = fc.record(
    { action: text, source: party, target: party, symbol: party, amount: fc.nat(6) },
    { requiredKeys: ['action', 'symbol', 'amount'] },
  );
  const record = fc
    .tuple(
      fc.record(
        {
          schema: fc.oneof(
            text,
            scalar.filter((one) => typeof one === 'string'),
          ),
          custom: fc.dictionary(name, value),
          target: party,
          bridge: party,
          public: text,
        },
        { requiredKeys: [] },
      ),
      fc.array(claim, { maxLength: 2 }),
      fc.record({ labels: fc.array(text), domain: text, status: text }, { requiredKeys: [] }),
    )
    .map(([data, claims, meta]) => recordOf({ ...data, claims }, meta));
  const path = fc.oneof(
    fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => `data.custom.${names.join('.')}`),
    fc.constantFrom('data.schema', 'meta.status', 'meta.labels', 'meta.labels.0', 'meta.domain'),
    fc.constantFrom('data.claims.source', 'data.claims.0.target.handle', 'data.claims.symbol'),
    fc.constantFrom('data.target', 'data.target.handle', 'data.bridge', 'data.public'),
  );
  const asking = fc.oneof(
    scalar.map((one) => ['$eq', [String(one)]] as const),
    fc.array(value, { maxLength: 3 }).map((all) => ['$eq', [JSON.stringify(all)]] as const),
    fc.array(value, { maxLength: 4 }).map((all) => ['$in', [JSON.stringify(all)]] as const),
  );
  const kind = fc.constantFrom(...(Object.keys(kinds) as Kind[]));
  const hit = { served: 0, matched: 0 };
  fc.assert(
    fc.property(kind, record, path, asking, (of, one, where, [operator, values]) => {
      const query = { [`${where}.${operator}`]: [...values] };
      const filters = readable(of, query);
      if (!filters) return;
      const [filter] = filters.all;
      const terms = filter && termsWanted(of, filter);
      if (!terms) return;
      hit.served += 1;
      if (!filters.matches(one)) return;
      hit.matched += 1;
      const own = new Set(termsOf(of, one).map(textOf));
      expect(terms.some((term) => own.has(textOf(term)))).toBe(true);
    }),
    { numRuns: runs(5_000) },
  );
  expect(hit.served).toBeGreaterThan(100);
  expect(hit.matched).toBeGreaterThan(20);

  function readable(of: Kind, query: Query) {
    try {
      return parseKindFilters(of, query, never);
    } catch {
      return undefined;
    }
  }
});

test.each([
  ['word', 'pending', true],
  ['word', 'completed', false],
  ['word', 'usd', false],
  ['meta.labels', 'late', true],
  ['meta.domain', 'north', true],
  ['claims.source', 'alice', false],
])('the term %s of value %s may pass: %s', (field, value, mayPass) => {
  expect(isPassingTerm({ field, value })).toBe(mayPass);
});
