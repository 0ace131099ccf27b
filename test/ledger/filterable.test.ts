import { describe, expect, test } from 'vitest';
import {
  filterPathsOf,
  isIndex,
  plainOf,
  plainPathOf,
  showsNames,
  withoutIndexes,
} from '../../shared/ledger/filterable.ts';
import { type Kind, kinds } from '../../shared/ledger/kind.ts';
import type { LedgerRecord } from '../../shared/ledger/record.ts';

const common =
  'data.handle data.schema data.custom. meta.status meta.labels meta.domain meta.moment';

// Goal: Ruling 21, word for word: what the list of each kind can be filtered by.
describe('the records of a kind are filtered by what is common, and by', () => {
  const own: Readonly<Partial<Record<Kind, string>>> = {
    signer: 'data.public data.format',
    wallet: 'data.bridge data.bridge.handle',
    intent:
      'data.claims data.claims.action data.claims.amount data.reverses data.claims.source data.claims.source.handle data.claims.target data.claims.target.handle data.claims.symbol data.claims.symbol.handle',
    effect: 'data.signal',
    anchor:
      'data.wallet data.wallet.handle data.target data.target.handle data.source data.source.handle data.symbol data.symbol.handle',
    schema: 'data.record',
    policy: 'data.record',
  };
  test.each(Object.keys(kinds) as Kind[])('%s', (kind) => {
    const paths = own[kind]?.split(' ') ?? [];
    expect(filterPathsOf(kind)).toEqual([...common.split(' '), ...paths]);
  });
});

test('a whole number may be the index of an element', () => {
  expect(['0', '7', '10', '123456789'].filter(isIndex)).toHaveLength(4);
  expect(['', '-1', '01', '1e3', '1234567890', 'a'].filter(isIndex)).toEqual([]);
  expect(withoutIndexes('data.claims.0.amount')).toBe('data.claims.amount');
  expect(withoutIndexes('0.a.01')).toBe('a.01');
});

test.each([
  ['data.claims.source', 'data.claims.source'],
  ['data.claims.source.handle', 'data.claims.source'],
  ['data.claims.1.source.handle', 'data.claims.1.source'],
  ['data.handle', 'data.handle'],
  ['data.claims.handle', 'data.claims.handle'],
  ['data.claims.source.custom', 'data.claims.source.custom'],
])('the path %s of an intent is plainly %s', (path, plain) => {
  expect(plainPathOf('intent', path)).toBe(plain);
});

describe('a plain record', () => {
  const recordOf = (data: object) => ({ luid: 'x', data, meta: {} }) as unknown as LedgerRecord;

  test('has the handles of its parties, and all else as it is', () => {
    const claims = [
      { action: 'transfer', source: { handle: 'a', custom: { x: 1 } }, target: 'b', symbol: 'usd' },
      { action: 'issue', target: { handle: 'c' }, symbol: { handle: 'eur' } },
    ];
    const custom = { claims: [{ source: { handle: 'z' } }] };
    const plain = plainOf('intent', recordOf({ handle: 'h', claims, custom }));
    expect(plain.data).toEqual({
      handle: 'h',
      claims: [
        { action: 'transfer', source: 'a', target: 'b', symbol: 'usd' },
        { action: 'issue', target: 'c', symbol: 'eur' },
      ],
      custom,
    });
    expect(plain).toMatchObject({ luid: 'x', meta: {} });
  });

  test.each<[Kind, object]>([
    ['intent', {}],
    ['intent', { claims: ['x', null, {}] }],
    ['wallet', { bridge: { other: 1 } }],
    ['wallet', { bridge: 'x' }],
    ['symbol', { source: { handle: 'x' } }],
  ])('of a %s may be as it was: %j', (kind, data) => {
    expect(plainOf(kind, recordOf(data)).data).toEqual(data);
  });
});

test('what holds parties is asked for as it was written', () => {
  expect(showsNames('intent', 'data.claims')).toBe(true);
  expect(showsNames('intent', 'data.claims.0')).toBe(true);
  expect(showsNames('intent', 'data.claims.source')).toBe(false);
  expect(showsNames('wallet', 'data.custom.claims')).toBe(false);
});
