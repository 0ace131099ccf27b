import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Entry } from '../../shared/ledger/balance.ts';
import { bridged } from '../../shared/ledger/grouping.ts';
import type { RoutedWallet } from '../../shared/ledger/routing.ts';
import type { BridgeData } from '../../shared/shape/bridge.ts';
import type { Claim } from '../../shared/shape/intent.ts';
import { patternMaker, talkOf, transfer } from './routes.ts';

type Traits = BridgeData['traits'];

/** Alice and bob have their money at the bank, carol at the till; dave has his in the ledger. */
const wallets: ReadonlyMap<string, RoutedWallet> = new Map(
  [
    { handle: 'alice', bridge: 'bank' },
    { handle: 'bob', bridge: 'bank' },
    { handle: 'carol', bridge: 'till' },
    { handle: 'dave' },
    { handle: 'erin', bridge: 'closed' },
    { handle: 'frank', routes: [{ action: 'credit', target: 'bob' }] } as const,
  ].map((wallet) => [wallet.handle, wallet]),
);

const bridgeOf = (config: object = {}, traits?: Traits): BridgeData => ({
  handle: 'bank',
  config: { server: 'https://bank.example', ...config },
  ...(traits && { traits }),
});
type By = 'address' | 'wallet' | undefined;
const grouping = (debits: By, credits?: By) => ({
  ...(debits && { 'debits.claims.groupBy': debits }),
  ...(credits && { 'credits.claims.groupBy': credits }),
});

/** Entries as words: `debit alice 5 usd [0] bank`. */
function wordsOf(
  claims: readonly Claim[],
  bank: BridgeData = bridgeOf(),
  about: object = {},
): string[] {
  const { routing } = talkOf(wallets, { claims: [...claims], ...about });
  if (routing.is !== 'routed') return [routing.detail];
  const bridges = new Map([
    ['bank', { data: bank, isVouchedFor: true }],
    ['till', { data: bridgeOf(), isVouchedFor: true }],
  ]);
  return routing.thread.flatMap((routed) =>
    bridged(routed, wallets, bridges, about, patternMaker).map(wordOf),
  );
}

function wordOf({ schema, holder, amount, symbol, inputs, bridge }: Entry): string {
  const who = holder === 'supply' ? 'supply' : holder.wallet;
  const size = amount < 0n ? -amount : amount;
  return `${schema} ${who} ${size} ${symbol} ${JSON.stringify(inputs)} ${bridge ?? '-'}`;
}

describe('a bridge is called for', () => {
  test('both sides of a transfer of wallets that name it', () => {
    expect(wordsOf([transfer('alice', 'carol'), transfer('dave', 'bob')])).toEqual([
      'debit alice 5 usd [0] bank',
      'credit carol 5 usd [0] till',
      'debit dave 5 usd [1] -',
      'credit bob 5 usd [1] bank',
    ]);
  });

  test('the wallet that routes lead to', () => {
    expect(wordsOf([transfer('dave', 'frank')])).toEqual([
      'debit dave 5 usd [0] -',
      'credit bob 5 usd [0] bank',
    ]);
  });

  test('no issue and no destroy', () => {
    expect(
      wordsOf([
        { action: 'issue', target: 'alice', symbol: 'usd', amount: 5 },
        { action: 'destroy', source: 'alice', symbol: 'usd', amount: 5 },
      ]),
    ).toEqual([
      'debit supply 5 usd [0] -',
      'credit alice 5 usd [0] -',
      'debit alice 5 usd [1] -',
      'credit supply 5 usd [1] -',
    ]);
  });

  test('nothing when it is not known', () => {
    expect(wordsOf([transfer('dave', 'erin')])).toEqual([
      'debit dave 5 usd [0] -',
      'credit erin 5 usd [0] -',
    ]);
  });

  test.each([
    [undefined, 'bank', 'bank'],
    [[], 'bank', 'bank'],
    [['debits'], 'bank', '-'],
    [['credits', 'statuses'], '-', 'bank'],
    [['statuses'], '-', '-'],
    [[{ method: 'debits' }, 'credits'], 'bank', 'bank'],
  ] as [Traits, string, string][])('what its traits %j name', (traits, debit, credit) => {
    expect(wordsOf([transfer('alice', 'bob')], bridgeOf({}, traits))).toEqual([
      `debit alice 5 usd [0] ${debit}`,
      `credit bob 5 usd [0] ${credit}`,
    ]);
  });

  test.each([
    ['amount', { $gt: 4 }],
    ['symbol', 'usd'],
    ['source.handle', 'alice'],
    ['target', 'bob'],
    ['source.custom.branch', 'x'],
    ['schema', 'payroll'],
    ['custom.n', 1],
  ])('what is as the filter of a trait says, by %s', (path, wanted) => {
    const about = { schema: 'payroll', custom: { n: 1 } };
    const source = { handle: 'alice', custom: { branch: 'x' } };
    const claim = { ...transfer('alice', 'bob'), source } as Claim;
    const fits: Traits = [{ method: 'debits', filter: { [path]: wanted } }];
    expect(wordsOf([claim], bridgeOf({}, fits), about)[0]).toMatch(/bank$/);
    const strays: Traits = [{ method: 'debits', filter: { [path]: 'other' } }];
    expect(wordsOf([claim], bridgeOf({}, strays), about)[0]).toMatch(/-$/);
    const either: Traits = [...strays, ...fits];
    expect(wordsOf([claim], bridgeOf({}, either), about)[0]).toMatch(/bank$/);
  });
});

describe('entries are grouped', () => {
  const claims = [
    transfer('alice', 'dave'),
    transfer('alice', 'bob', { amount: 7 }),
    transfer('alice', 'dave', { amount: 8 }),
  ];

  test('by nothing unless the bridge says so, and each side by its own', () => {
    expect(wordsOf(claims)).toHaveLength(6);
    const bank = bridgeOf(grouping(undefined, 'wallet'));
    expect(wordsOf(claims, bank).filter((word) => word.startsWith('debit'))).toHaveLength(3);
  });

  test('of one wallet, at the place of the first one', () => {
    expect(wordsOf(claims, bridgeOf(grouping('wallet')))).toEqual([
      'debit alice 20 usd [0,1,2] bank',
      'credit dave 5 usd [0] -',
      'credit bob 7 usd [1] bank',
      'credit dave 8 usd [2] -',
    ]);
  });

  test('only of one wallet, one symbol and one side', () => {
    const mixed = [
      transfer('alice', 'bob'),
      transfer('bob', 'alice'),
      transfer('alice', 'bob', { symbol: 'eur' }),
      transfer('alice', 'bob'),
    ];
    const bank = bridgeOf(grouping('wallet', 'wallet'));
    expect(wordsOf(mixed, bank)).toEqual([
      'debit alice 10 usd [0,3] bank',
      'credit bob 10 usd [0,3] bank',
      'debit bob 5 usd [1] bank',
      'credit alice 5 usd [1] bank',
      'debit alice 5 eur [2] bank',
      'credit bob 5 eur [2] bank',
    ]);
  });

  test('only with what the bridge is called for', () => {
    const traits: Traits = [{ method: 'debits', filter: { amount: { $ne: 7 } } }];
    expect(wordsOf(claims, bridgeOf(grouping('wallet'), traits))).toEqual([
      'debit alice 13 usd [0,2] bank',
      'credit dave 5 usd [0] -',
      'debit alice 7 usd [1] -',
      'credit bob 7 usd [1] -',
      'credit dave 8 usd [2] -',
    ]);
  });

  const party = (handle: string, custom?: object) => ({ handle, ...(custom && { custom }) });
  const countBy = (by: By, side: 'source' | 'target', one: unknown, other: unknown) => {
    const both = [one, other].map(
      (address) => ({ ...transfer('alice', 'bob'), [side]: address }) as unknown as Claim,
    );
    const schema = side === 'source' ? 'debit' : 'credit';
    const words = wordsOf(both, bridgeOf(grouping(by, by)));
    return words.filter((word) => word.startsWith(schema)).length;
  };

  test.each([
    ['address', 'source', 'alice', 'alice', 1],
    ['address', 'source', 'alice', party('alice', { a: 1 }), 1],
    ['address', 'source', 'svgs:1@alice', 'svgs:2@alice', 2],
    ['wallet', 'source', 'svgs:1@alice', 'svgs:2@alice', 1],
    ['address', 'target', 'svgs:1@bob', 'svgs:1@bob', 1],
    ['address', 'target', 'svgs:1@bob', 'svgs:2@bob', 2],
    ['wallet', 'target', 'svgs:1@bob', 'bob', 1],
  ] as const)('by %s, with the %s %j and %j there are %i', (by, side, one, other, count) => {
    expect(countBy(by, side, one, other)).toBe(count);
  });

  test('never beyond what a number holds: then another one is begun', () => {
    const most = Number.MAX_SAFE_INTEGER;
    const amounts = [most - 5, 5, 1, most - 1, 2, 3];
    const large = amounts.map((amount) => transfer('alice', 'dave', { amount }));
    const words = wordsOf(large, bridgeOf(grouping('address')));
    expect(words.filter((word) => word.startsWith('debit'))).toEqual([
      `debit alice ${most} usd [0,1] bank`,
      `debit alice ${most} usd [2,3] bank`,
      'debit alice 5 usd [4,5] bank',
    ]);
  });
});

const party = fc.constantFrom('alice', 'bob', 'carol', 'dave', 'erin');
const claimLists = fc.array(
  fc
    .record({
      source: party,
      target: party,
      symbol: fc.constantFrom('usd', 'eur'),
      amount: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant(Number.MAX_SAFE_INTEGER)),
    })
    .map(({ source, target, ...more }) => transfer(source, target, more)),
  { minLength: 1, maxLength: 8 },
);
const groupings = fc.constantFrom(undefined, 'address', 'wallet');

test('grouping changes no sum, loses no claim, and fits into numbers', () => {
  fc.assert(
    fc.property(claimLists, groupings, groupings, (claims, debits, credits) => {
      const bank = bridgeOf(grouping(debits, credits));
      const { routing } = talkOf(wallets, { claims });
      if (routing.is !== 'routed') throw new Error(routing.detail);
      const [routed] = routing.thread;
      const before = routed?.entries ?? [];
      const after = bridged(
        routed ?? { claims, entries: [] },
        wallets,
        new Map([['bank', { data: bank, isVouchedFor: true }]]),
        {},
        patternMaker,
      );
      expect(sums(after)).toEqual(sums(before));
      for (const schema of ['debit', 'credit']) {
        const own = after.filter((entry) => entry.schema === schema);
        expect(own.flatMap(({ inputs }) => inputs).sort(byNumber)).toEqual([...claims.keys()]);
        expect(own.map(({ inputs: [first = -1] }) => first)).toEqual(
          own.map(({ inputs }) => Math.min(...inputs)).sort(byNumber),
        );
      }
      for (const { amount, inputs } of after) {
        expect(amount <= BigInt(Number.MAX_SAFE_INTEGER)).toBe(true);
        expect(-amount <= BigInt(Number.MAX_SAFE_INTEGER)).toBe(true);
        expect([...inputs].sort(byNumber)).toEqual(inputs);
      }
    }),
    { numRuns: 1000 },
  );
});

const byNumber = (one: number, other: number) => one - other;

function sums(entries: readonly Entry[]): ReadonlyMap<string, bigint> {
  const all = new Map<string, bigint>();
  for (const { schema, holder, symbol, amount } of entries) {
    const name = JSON.stringify([schema, holder, symbol]);
    all.set(name, (all.get(name) ?? 0n) + amount);
  }
  return new Map([...all].sort());
}
