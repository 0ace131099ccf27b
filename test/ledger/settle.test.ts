import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { balanceKeyOf, type Entry, entriesOf } from '../../shared/ledger/balance.ts';
import type { BalanceStates } from '../../shared/ledger/balance-state.ts';
import {
  namesOf,
  type SettlementFacts,
  settle,
  settleAsOne,
  volumesOfClaims,
} from '../../shared/ledger/settle.ts';
import type { Claim, LimitClaim } from '../../shared/shape/intent.ts';
import { claimLists, intentLists, symbolNames, walletNames } from './claims.ts';
import { check, sheetAfter, supplyAfter } from './page.ts';

// Goal: every action, accepted and refused, and the balances it leaves behind.
describe('a page of the ledger', () => {
  const names = `
    exists wallets alice bob carol
    exists symbols usd eur
  `;

  test('with every action', () => {
    check(`${names}
      issue    _      alice   100 usd   ok
      transfer alice  bob      40 usd   ok
      transfer alice  bob      61 usd   core.insufficient-balance
      destroy  bob    _        15 usd   ok

      balance  alice           60 usd
      balance  bob             25 usd
      supply                  -85 usd
    `);
  });

  test('on both sides of the floor', () => {
    check(`${names}
      destroy  alice  _         1 usd   core.insufficient-balance
      issue    _      alice     5 usd   ok
      transfer alice  bob       6 usd   core.insufficient-balance
      transfer alice  bob       5 usd   ok
      transfer alice  bob       1 usd   core.insufficient-balance
      balance  alice            0 usd
      balance  bob              5 usd
    `);
  });

  test('with several claims in an intent: all or nothing', () => {
    check(`${names}
      issue    _      alice    10 usd   ok

      transfer alice  bob       4 usd
    + transfer alice  carol     6 usd   ok
      balance  alice            0 usd
      balance  bob              4 usd
      balance  carol            6 usd

      transfer bob    alice     4 usd
    + issue    _      alice    90 eur
    + transfer carol  alice     7 usd   core.insufficient-balance
      balance  alice            0 usd
      balance  alice            0 eur
      balance  bob              4 usd
      supply                    0 eur
    `);
  });

  test('where debits of one wallet add up', () => {
    check(`${names}
      issue    _      alice    10 usd   ok
      transfer alice  bob       6 usd
    + destroy  alice  _         5 usd   core.insufficient-balance
      transfer alice  bob       6 usd
    + destroy  alice  _         4 usd   ok
      balance  alice            0 usd
      supply                   -6 usd
    `);
  });

  // Ruling 41: the order of claims within an intent does not matter.
  test('where a credit of the same intent does not cover a debit', () => {
    check(`${names}
      issue    _      alice    10 usd
    + transfer alice  bob      10 usd   core.insufficient-balance
      issue    _      alice    10 usd   ok
      transfer alice  bob      10 usd
    + transfer bob    carol    10 usd   core.insufficient-balance
      transfer alice  alice    11 usd   core.insufficient-balance
      transfer alice  alice    10 usd   ok
      balance  alice           10 usd
      balance  bob              0 usd
    `);
  });

  test('where symbols do not cover each other', () => {
    check(`${names}
      issue    _      alice    10 usd   ok
      transfer alice  bob       1 eur   core.insufficient-balance
      issue    _      alice     1 eur   ok
      transfer alice  bob      10 usd
    + transfer alice  bob       1 eur   ok
      balance  bob             10 usd
      balance  bob              1 eur
    `);
  });

  test('with the largest amounts, exact beyond a double', () => {
    check(`${names}
      issue    _      alice   9007199254740991 usd   ok
      issue    _      alice   9007199254740991 usd   ok
      issue    _      alice                  1 usd   ok
      balance  alice         18014398509481983 usd
      supply                -18014398509481983 usd
      transfer alice  bob     9007199254740991 usd
    + transfer alice  bob     9007199254740991 usd
    + transfer alice  bob                    2 usd   core.insufficient-balance
      transfer alice  bob     9007199254740991 usd
    + transfer alice  bob     9007199254740991 usd
    + transfer alice  bob                    1 usd   ok
      balance  alice                         0 usd
      balance  bob           18014398509481983 usd
    `);
  });

  test('where names must exist: the symbol, then the source, then the target', () => {
    check(`${names}
      issue    _       nobody   1 usd   core.target-invalid
      issue    _       nobody   1 xxx   core.symbol-invalid
      destroy  nobody  _        1 usd   core.source-invalid
      transfer nobody  nobody   1 usd   core.source-invalid
      transfer nobody  nobody   1 xxx   core.symbol-invalid
      transfer alice   nobody   1 usd   core.target-invalid

      destroy  alice   _        1 usd
    + issue    _       nobody   1 usd   core.target-invalid
      transfer alice   nobody   1 usd
    + issue    _       alice    1 xxx   core.target-invalid
    `);
  });
});

test('what a bridge is asked for needs nothing here, and whatever else is taken does', () => {
  const facts = factsOf(new Map([['bob usd', { available: -100n }]]));
  const transfer = { action: 'transfer', source: 'bob', target: 'alice', symbol: 'usd', amount: 7 };
  const claims = [transfer as Claim];
  const [debit, credit] = entriesOf(claims[0] as Claim, 0) as readonly [Entry, Entry];
  const asked = { claims, entries: [{ ...debit, bridge: 'bank' }, credit] };
  const { outcomes, moves } = settle(facts, [asked]);
  expect(outcomes).toMatchObject([{ settles: true }]);
  expect(moves).toMatchObject([
    { wallet: 'bob', amount: -7n, needs: 7n, isFree: true },
    { wallet: 'alice', amount: 7n, needs: 0n, isFree: true },
  ]);
  const { outcomes: alone } = settle(facts, [{ claims }]);
  expect(alone).toMatchObject([{ reason: 'core.insufficient-balance' }]);
});

test('a balance that nobody has looked at is empty', () => {
  const claims: Claim[] = [{ action: 'issue', target: 'alice', symbol: 'usd', amount: 9 }];
  const { outcome, moves } = settleAsOne(factsOf(new Map()), [{ claims }]);
  expect([outcome.settles, moves]).toMatchObject([true, [{ wallet: 'alice', amount: 9n }]]);
});

test('what comes through one intent of a thread pays for what a later one takes', () => {
  const step = (source: string, target: string): Claim[] => [
    { action: 'transfer', source, target, symbol: 'usd', amount: 9 },
  ];
  const facts = factsOf(new Map([['alice usd', { available: 9n }]]));
  const thread = [{ claims: step('alice', 'bob') }, { claims: step('bob', 'carol') }];
  const { outcome, moves } = settleAsOne(facts, thread);
  expect(outcome).toMatchObject({ settles: true });
  expect(moves).toMatchObject([
    { wallet: 'alice', amount: -9n, needs: 9n },
    { wallet: 'bob', amount: 0n, needs: 0n },
    { wallet: 'carol', amount: 9n, needs: 0n },
  ]);
  expect(settleAsOne(facts, thread.toReversed()).outcome).toMatchObject({
    reason: 'core.insufficient-balance',
  });
});

test('intents are judged by the limits before, and have to leave what the new ones allow', () => {
  const facts = factsOf(new Map([['alice usd', { available: 9n }]]));
  const issue: Claim = { action: 'issue', target: 'alice', symbol: 'usd', amount: 5 };
  const limit = (metric: 'minBalance' | 'maxBalance', amount: number) =>
    ({ wallet: 'alice', symbol: 'usd', metric, amount }) as const;
  const settled = (...settings: ReturnType<typeof limit>[]) =>
    settleAsOne(facts, [{ claims: [issue] }], settings);
  const fault = 'core.limit-exceeded';
  expect(settled(limit('maxBalance', 13))).toMatchObject({ outcome: { reason: fault }, moves: [] });
  expect(settled(limit('minBalance', 15))).toMatchObject({ outcome: { reason: fault }, moves: [] });
  const both = [limit('minBalance', 14), limit('maxBalance', 14)];
  expect(settled(...both)).toMatchObject({
    outcome: { settles: true },
    moves: [{ wallet: 'alice', amount: 5n, settings: both }],
  });
  const [other] = settleAsOne(facts, [], [{ ...limit('maxBalance', 0), wallet: 'bob' }]).moves;
  expect(other).toMatchObject({ wallet: 'bob', amount: 0n });
});

test('the limits of a day are asked at a moment, or not at all', () => {
  const moment = '2026-03-01T00:00:00.000Z';
  const dailyCount = { luid: '$lmt.1', amount: 0, moment, since: moment, intent: '$int.1' };
  const facts = factsOf(new Map([['alice usd', { available: 9n, limits: { dailyCount } }]]));
  const claims: Claim[] = [
    { action: 'transfer', source: 'alice', target: 'bob', symbol: 'usd', amount: 1 },
  ];
  expect(settle(facts, [{ claims }]).outcomes).toMatchObject([{ settles: true }]);
  expect(settle({ ...facts, countsAt: moment }, [{ claims }]).outcomes).toMatchObject([
    { reason: 'core.limit-exceeded' },
  ]);
});

test('a refusal says which claim and which name, or which wallet and how much', () => {
  const facts: SettlementFacts = {
    wallets: new Set(['alice']),
    symbols: new Set(['usd']),
    balances: new Map([['alice usd', { available: 9n }]]),
  };
  const good = { action: 'destroy', source: 'alice', symbol: 'usd', amount: 5 } as const;
  const detailOf = (claim: Claim) => {
    const [outcome] = settle(facts, [{ claims: [good, claim] }]).outcomes;
    return outcome?.settles === false ? outcome.detail : 'settled';
  };
  expect(detailOf({ ...good, symbol: 'xxx' })).toBe('Symbol xxx of claim 1 does not exist.');
  expect(detailOf({ ...good, source: 'bob' })).toBe('Source bob of claim 1 does not exist.');
  expect(detailOf({ ...good, action: 'transfer', target: 'eve' })).toBe(
    'Target eve of claim 1 does not exist.',
  );
  const limit = { action: 'limit', symbol: 'usd', metric: 'maxBalance', amount: 5 } as const;
  expect(detailOf({ ...limit, wallet: 'bob' })).toBe('Wallet bob of claim 1 does not exist.');
  expect(detailOf(good)).toBe('Wallet alice holds too little usd to give 10.');
});

test('what the claims name is read once', () => {
  const claims: Claim[] = [
    { action: 'issue', target: { handle: 'alice' }, symbol: 'usd', amount: 1 },
    { action: 'transfer', source: 'alice', target: 'bob', symbol: { handle: 'usd' }, amount: 1 },
    { action: 'destroy', source: 'carol', symbol: 'eur', amount: 1 },
  ];
  expect(namesOf(claims)).toEqual({
    wallets: new Set(['alice', 'bob', 'carol']),
    symbols: new Set(['usd', 'eur']),
  });
  expect([...volumesOfClaims(claims).keys()]).toEqual(['alice usd', 'bob usd', 'carol eur']);
});

test('no intents move nothing', () => {
  expect(settle(factsOf(new Map()), [])).toEqual({ outcomes: [], moves: [] });
});

// The rest are properties. The model that settling is held against knows nothing of entries,
// turnovers or needs.

interface Intent {
  readonly claims: readonly Claim[];
}

const sheets: fc.Arbitrary<BalanceStates> = fc
  .array(
    fc.tuple(
      fc.constantFrom(...walletNames),
      fc.constantFrom(...symbolNames),
      fc.oneof(fc.bigInt({ min: 0n, max: 50n }), fc.bigInt({ min: 0n, max: 10n ** 38n })),
    ),
    { maxLength: 6 },
  )
  .map(
    (rows) =>
      new Map(
        rows.map(
          ([wallet, symbol, available]) => [balanceKeyOf(wallet, symbol), { available }] as const,
        ),
      ),
  );

function factsOf(sheet: BalanceStates): SettlementFacts {
  return {
    wallets: new Set(walletNames),
    symbols: new Set(symbolNames),
    balances: sheet,
  };
}

/** These intents set no limits. */
type Moving = Exclude<Claim, LimitClaim>;
const handleOf = (party: Claim['symbol']) => (typeof party === 'string' ? party : party.handle);

/** One intent after the other, one claim after the other: takes everything out, then puts it in. */
function modelled(start: BalanceStates, intents: readonly Intent[]) {
  let sheet = new Map([...start].map(([cell, { available }]) => [cell, available]));
  const settles = intents.map(({ claims }) => {
    const next = new Map(sheet);
    const add = (wallet: Claim['symbol'], { symbol, amount }: Claim, sign: bigint) => {
      const cell = `${handleOf(wallet)} ${handleOf(symbol)}`;
      const balance = (next.get(cell) ?? 0n) + sign * BigInt(amount);
      next.set(cell, balance);
      return balance >= 0n;
    };
    const moving = claims as readonly Moving[];
    const gives = moving.map((claim) => claim.action === 'issue' || add(claim.source, claim, -1n));
    const isCovered = gives.every(Boolean);
    if (!isCovered) return false;
    for (const claim of moving) if (claim.action !== 'destroy') add(claim.target, claim, 1n);
    sheet = next;
    return true;
  });
  return { settles, sheet };
}

const heldOf = (sheet: BalanceStates) => amountsOf(sheet).filter(([, amount]) => amount !== 0n);
const amountsOf = (sheet: BalanceStates) =>
  [...sheet].map(([cell, { available }]) => [cell, available] as const).sort();
const settlesOf = (facts: SettlementFacts, intents: readonly Intent[]) =>
  settle(facts, intents).outcomes.map(({ settles }) => settles);

test('settling agrees with the naive model', () => {
  fc.assert(
    fc.property(sheets, intentLists, (sheet, intents) => {
      const settlement = settle(factsOf(sheet), intents);
      const model = modelled(sheet, intents);
      expect(settlement.outcomes.map(({ settles }) => settles)).toEqual(model.settles);
      const held = [...model.sheet].filter(([, amount]) => amount !== 0n).sort();
      expect(heldOf(sheetAfter(sheet, settlement))).toEqual(held);
    }),
    { numRuns: 1_000 },
  );
});

test('money is neither made nor lost', () => {
  fc.assert(
    fc.property(intentLists, (intents) => {
      const settlement = settle(factsOf(new Map()), intents);
      const supply = supplyAfter(new Map(), settlement);
      const held = amountsOf(sheetAfter(new Map(), settlement));
      for (const symbol of symbolNames) {
        const inWallets = held
          .filter(([cell]) => cell.endsWith(` ${symbol}`))
          .reduce((sum, [, amount]) => sum + amount, 0n);
        expect(inWallets + (supply.get(symbol) ?? 0n)).toBe(0n);
      }
    }),
  );
});

test('no balance falls below the floor', () => {
  fc.assert(
    fc.property(sheets, intentLists, (sheet, intents) => {
      const after = sheetAfter(sheet, settle(factsOf(sheet), intents));
      for (const { available } of after.values()) expect(available >= 0n).toBe(true);
    }),
  );
});

test('a refused intent leaves no trace', () => {
  fc.assert(
    fc.property(sheets, intentLists, (sheet, intents) => {
      const settlement = settle(factsOf(sheet), intents);
      const accepted = intents.filter((_, index) => settlement.outcomes[index]?.settles);
      expect(settle(factsOf(sheet), accepted).moves).toEqual(settlement.moves);
    }),
  );
});

test('an accepted intent has the entries of all of its claims, in order', () => {
  fc.assert(
    fc.property(sheets, intentLists, (sheet, intents) => {
      const { outcomes } = settle(factsOf(sheet), intents);
      for (const [index, { claims }] of intents.entries()) {
        const outcome = outcomes[index];
        if (outcome?.settles) expect(outcome.entries).toEqual(claims.flatMap(entriesOf));
      }
    }),
  );
});

test('settling a list is settling its intents one after another', () => {
  fc.assert(
    fc.property(sheets, intentLists, (sheet, intents) => {
      const together = settle(factsOf(sheet), intents);
      let current = sheet;
      const apart = intents.map((intent) => {
        const settlement = settle(factsOf(current), [intent]);
        current = sheetAfter(current, settlement);
        return settlement.outcomes[0];
      });
      expect(together.outcomes).toEqual(apart);
      expect(heldOf(sheetAfter(sheet, together))).toEqual(heldOf(current));
    }),
  );
});

test('the order of claims within an intent does not decide whether it settles', () => {
  fc.assert(
    fc.property(sheets, claimLists, (sheet, claims) => {
      const reversed = [...claims].reverse();
      expect(settlesOf(factsOf(sheet), [{ claims: reversed }])).toEqual(
        settlesOf(factsOf(sheet), [{ claims }]),
      );
    }),
  );
});

test('`needs` is the smallest balance with which the accepted intents still stand', () => {
  fc.assert(
    fc.property(sheets, intentLists, (sheet, intents) => {
      const { outcomes, moves } = settle(factsOf(sheet), intents);
      const accepted = intents.filter((_, index) => outcomes[index]?.settles);
      for (const { wallet, symbol, needs } of moves) {
        const cell = balanceKeyOf(wallet, symbol);
        const startingWith = (available: bigint) =>
          settlesOf(factsOf(new Map([...sheet, [cell, { available }]])), accepted).every(Boolean);
        expect(needs >= 0n).toBe(true);
        expect(needs <= (sheet.get(cell)?.available ?? 0n)).toBe(true);
        expect(startingWith(needs)).toBe(true);
        if (needs > 0n) expect(startingWith(needs - 1n)).toBe(false);
      }
    }),
    { numRuns: 500 },
  );
});

test('with exactly what they need, the accepted intents are the same ones', () => {
  fc.assert(
    fc.property(sheets, intentLists, (sheet, intents) => {
      const { outcomes, moves } = settle(factsOf(sheet), intents);
      const least = new Map(
        moves.map(({ wallet, symbol, needs }) => [
          balanceKeyOf(wallet, symbol),
          { available: needs },
        ]),
      );
      const before = outcomes.map(({ settles }) => settles);
      expect(settlesOf(factsOf(least), intents)).toEqual(before);
    }),
  );
});

test('each balance moves once, and only where an accepted intent touches it', () => {
  fc.assert(
    fc.property(sheets, intentLists, (sheet, intents) => {
      const { outcomes, moves } = settle(factsOf(sheet), intents);
      const touched = intents.flatMap(({ claims }, index) =>
        outcomes[index]?.settles ? [...volumesOfClaims(claims).keys()] : [],
      );
      expect(moves.map(({ wallet, symbol }) => balanceKeyOf(wallet, symbol)).sort()).toEqual(
        [...new Set(touched)].sort(),
      );
    }),
  );
});
