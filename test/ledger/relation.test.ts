import { expect, test } from 'vitest';
import { type Kind, kinds, lineOf } from '../../shared/ledger/kind.ts';
import {
  changedDependency,
  countedRelationsOf,
  countsReferences,
  parentOf,
  referringKinds,
  relationsOf,
} from '../../shared/ledger/relation.ts';

const names = Object.keys(kinds) as Kind[];

test.each([
  ['wallet', { bridge: 'bank' }, [['bridge', 'bank']]],
  ['wallet', {}, []],
  [
    'wallet',
    {
      bridge: 'bank',
      routes: [
        { action: 'debit', target: 'bob', filter: { symbol: 'usd' } },
        { action: 'credit', target: 'carol' },
        { action: 'forward', target: 'dave' },
        { action: 'accept' },
        { action: 'debit', target: 'bob' },
        { action: 'debit', target: 'erin' },
      ],
    },
    [
      ['bridge', 'bank'],
      ['wallet', 'bob'],
      ['wallet', 'erin'],
    ],
  ],
  ['effect', { action: { schema: 'bridge', bridge: 'bank' } }, [['bridge', 'bank']]],
  ['effect', { action: { schema: 'webhook', endpoint: 'https://a.example' } }, []],
  ['effect', {}, []],
  ['signer-factor', { signer: 'ann' }, [['signer', 'ann']]],
  [
    'circle-signer',
    { circle: 'staff', signer: 'ann' },
    [
      ['circle', 'staff'],
      ['signer', 'ann'],
    ],
  ],
  ['anchor', { wallet: 'alice' }, [['wallet', 'alice']]],
  ['anchor', { wallet: { handle: 'alice', custom: {} } }, [['wallet', 'alice']]],
  ['schema', { extend: 'base' }, [['schema', 'base']]],
  [
    'policy',
    { extend: ['one', 'two', 'one'] },
    [
      ['policy', 'one'],
      ['policy', 'two'],
    ],
  ],
  ['domain', { domain: 'bank' }, [['domain', 'bank']]],
  ['symbol', { wallet: 'alice' }, []],
] as const)('%s %j names %j', (kind, data, named) => {
  expect(relationsOf(kind, data).map(({ kind: of, handle }) => [of, handle])).toEqual(named);
});

test('who refers is counted where a handle can change or a record can end', () => {
  expect(names.filter(countsReferences)).toEqual([
    'signer',
    'symbol',
    'wallet',
    'circle',
    'bridge',
    'policy',
  ]);
  for (const kind of names.filter(countsReferences))
    expect(lineOf(kind).drops || lineOf(kind).renames).toBe(true);
});

test('a kind is known by those that may name it', () => {
  expect(referringKinds('bridge')).toEqual(['wallet', 'effect']);
  expect(referringKinds('signer')).toEqual(['signer-factor', 'circle-signer']);
  expect(referringKinds('policy')).toEqual(['policy']);
  expect(referringKinds('report')).toEqual([]);
});

const walletOf = (bridge?: string) => {
  const data = { handle: 'alice', ...(bridge !== undefined && { bridge }) };
  return { kind: 'wallet', record: { data } } as const;
};

test.each([
  ['bank', undefined, true],
  ['bank', 'other', true],
  ['bank', 'bank', false],
  [undefined, 'bank', false],
  [undefined, undefined, false],
] as const)('a wallet that had the bridge %s and has %s leaves it: %s', (from, to, leaves) => {
  expect(changedDependency(walletOf(to), walletOf(from))).toBe(leaves ? 'bridge' : undefined);
});

test('only wallets leave bridges', () => {
  const effect = { kind: 'effect', record: { data: {} } } as const;
  expect(changedDependency(effect, { ...effect, record: { data: { bridge: 'x' } } })).toBe(
    undefined,
  );
});

test('a symbol changes its factor', () => {
  const symbolOf = (data: object) => ({ kind: 'symbol', record: { data: { ...data } } }) as const;
  const cents = symbolOf({ factor: 100 });
  expect(changedDependency(symbolOf({ factor: 1 }), cents)).toBe('factor');
  expect(changedDependency(symbolOf({ factor: 100, bridge: 'x' }), cents)).toBe(undefined);
});

test('a schema and a domain are named without being counted', () => {
  expect(countedRelationsOf('schema', { extend: 'base' })).toEqual([]);
  expect(countedRelationsOf('domain', { domain: 'bank' })).toEqual([]);
  expect(countedRelationsOf('wallet', { bridge: 'bank' })).toEqual([
    { kind: 'bridge', handle: 'bank' },
  ]);
});

test.each([
  ['signer-factor', { handle: 'phone', signer: 'ann' }, { kind: 'signer', handle: 'ann' }],
  ['circle-signer', { circle: 'staff', signer: 'ann' }, { kind: 'circle', handle: 'staff' }],
  ['anchor', { handle: '555', wallet: 'w' }, { kind: 'wallet', handle: 'w' }],
  ['anchor', { handle: '555' }, undefined],
  ['wallet', { handle: 'w', bridge: 'bank' }, undefined],
] as const)('a %s of %j hangs on %j', (kind, data, parent) => {
  expect(parentOf(kind, data)).toEqual(parent);
});
