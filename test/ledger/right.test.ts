import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rightsOf } from '../../shared/ledger/right.ts';
import type { Claim } from '../../shared/shape/intent.ts';

const saidOf = (...claims: readonly Claim[]) =>
  rightsOf(claims).map(({ action, kind, handle }) => `${action} ${kind} ${handle}`);

test.each<[string, Claim, string[]]>([
  [
    'an issue needs issue on the symbol',
    { action: 'issue', target: 'ann', symbol: 'usd', amount: 1 },
    ['issue symbol usd'],
  ],
  [
    'a transfer needs spend on its source',
    { action: 'transfer', source: 'ann', target: 'bob', symbol: 'usd', amount: 1 },
    ['spend wallet ann'],
  ],
  [
    'a destroy needs destroy on the symbol, and spend on its source',
    { action: 'destroy', source: 'ann', symbol: 'usd', amount: 1 },
    ['destroy symbol usd', 'spend wallet ann'],
  ],
  [
    'a limit needs limit on its wallet',
    { action: 'limit', wallet: 'ann', symbol: 'usd', metric: 'dailyCount', amount: 1 },
    ['limit wallet ann'],
  ],
])('%s', (_, claim, rights) => expect(saidOf(claim)).toEqual(rights));

test('to be below zero takes a right of its own', () => {
  const limit = { action: 'limit', wallet: 'ann', symbol: 'usd', metric: 'minBalance' } as const;
  const rights = rightsOf([
    { ...limit, amount: 0 },
    { ...limit, amount: -1 },
    { ...limit, metric: 'maxBalance', amount: 5 },
  ]);
  const right = { action: 'limit', kind: 'wallet', handle: 'ann' };
  expect(rights).toEqual([right, { ...right, isCredit: true }]);
});

test('each right is needed once, however the wallet is written', () => {
  expect(
    saidOf(
      { action: 'transfer', source: 'ann', target: 'bob', symbol: 'usd', amount: 1 },
      { action: 'destroy', source: { handle: 'ann', custom: {} }, symbol: 'eur', amount: 1 },
      { action: 'issue', target: 'ann', symbol: { handle: 'usd' }, amount: 1 },
      { action: 'issue', target: 'bob', symbol: 'usd', amount: 2 },
    ),
  ).toEqual(['spend wallet ann', 'destroy symbol eur', 'issue symbol usd']);
});

const handle = fc.constantFrom('ann', 'bob', 'usd');
const claim: fc.Arbitrary<Claim> = fc.oneof(
  fc.record({
    action: fc.constant('issue' as const),
    target: handle,
    symbol: handle,
    amount: fc.nat(),
  }),
  fc.record({
    action: fc.constant('transfer' as const),
    ...{ source: handle, target: handle, symbol: handle, amount: fc.nat() },
  }),
  fc.record({
    action: fc.constant('destroy' as const),
    ...{ source: handle, symbol: handle, amount: fc.nat() },
  }),
);

test('no claim takes from a wallet without spend, whatever else is claimed', () => {
  fc.assert(
    fc.property(fc.array(claim, { minLength: 1, maxLength: 40 }), (claims) => {
      const rights = new Set(saidOf(...claims));
      for (const one of claims) {
        if ('source' in one) expect(rights).toContain(`spend wallet ${one.source}`);
        if (one.action !== 'transfer')
          expect(rights).toContain(`${one.action} symbol ${one.symbol}`);
      }
      expect(saidOf(...claims)).toHaveLength(rights.size);
    }),
  );
});
