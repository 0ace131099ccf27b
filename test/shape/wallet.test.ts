import { expect, test } from 'vitest';
import { brokenData } from './broken.ts';

test.each(['alice', 'bank:alice', 'alice@example.com', 'bank:alice@example.com'])(
  'a wallet may be called %s',
  (handle) => expect(brokenData('wallet', { handle })).toEqual([]),
);

// Decision 8: a feature that is not there must not look as if it were.
test('a wallet has no symbol', () => {
  expect(brokenData('wallet', { handle: 'alice', symbol: 'x' })).toEqual([
    ['/data', 'additionalProperties', { additionalProperty: 'symbol' }],
  ]);
});

const withRoutes = (...routes: unknown[]) => brokenData('wallet', { handle: 'alice', routes });

test('routes accept, or lead an entry or its amount to another address, under conditions', () => {
  expect(withRoutes()).toEqual([]);
  expect(
    withRoutes(
      { action: 'credit', target: 'savings:bob@bank', filter: { symbol: 'usd' } },
      { action: 'debit', target: 'bob', filter: { amount: { $gt: 100 } } },
      { action: 'forward', target: 'bob' },
      { action: 'accept' },
      { action: 'accept', filter: { 'source.custom.branch': 'x' } },
    ),
  ).toEqual([]);
});

test.each(['credit', 'debit', 'forward'])('a %s route needs a target', (action) => {
  expect(withRoutes({ action })).toEqual([
    ['/data/routes/0', 'required', { missingProperty: 'target' }],
  ]);
});

test('a route that accepts leads nowhere', () => {
  expect(withRoutes({ action: 'accept', target: 'bob' })).toEqual([
    ['/data/routes/0', 'additionalProperties', { additionalProperty: 'target' }],
  ]);
});

test('a route has one of four actions, and its target is an address', () => {
  expect(withRoutes({ action: 'refuse' }).map(([at]) => at)).toEqual(['/data/routes/0/action']);
  expect(withRoutes({ action: 'debit', target: 'a b' }).map(([at]) => at)).toEqual([
    '/data/routes/0/target',
  ]);
});

test('a wallet has at most 100 routes', () => {
  const accept = { action: 'accept' };
  expect(withRoutes(...Array(100).fill(accept))).toEqual([]);
  expect(withRoutes(...Array(101).fill(accept))).toEqual([
    ['/data/routes', 'maxItems', { limit: 100 }],
  ]);
});
