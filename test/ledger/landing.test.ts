import { describe, expect, test } from 'vitest';
import { type KnownWallets, meaningIn } from '../../shared/ledger/landing.ts';
import type { Claim } from '../../shared/shape/intent.ts';
import {
  accept,
  credit,
  debit,
  forward,
  linesOf,
  talk,
  talkOf,
  thread,
  transfer,
  walletsOf,
} from './routes.ts';

describe('an address', () => {
  const houses = { alice: [], 's:1@d': [], 's@d': [], d: [], s: [] };

  test.each([
    ['s:1@d', 's:1@d'],
    ['s:2@d', 's@d'],
    ['t:2@d', 'd'],
    ['2@d', 'd'],
    ['s:2@e', 's'],
    ['s:2', 's'],
    ['alice', 'alice'],
  ])('%s means the wallet %s', (address, wallet) => {
    expect(thread(houses, transfer('alice', address))).toEqual([`alice -5 usd, ${wallet} +5 usd`]);
    expect(thread(houses, transfer(address, 'alice'))).toEqual([`${wallet} -5 usd, alice +5 usd`]);
  });

  test.each(['nobody', 't:2@e', '2@e', 't:2'])('%s means none', (address) => {
    expect(thread(houses, transfer('alice', 'd'), transfer(address, 'nowhere'))).toBe(
      `core.source-invalid: Source ${address} of claim 1 does not exist.`,
    );
    expect(thread(houses, transfer('alice', address), transfer('nobody', 'd'))).toBe(
      `core.target-invalid: Target ${address} of claim 0 does not exist.`,
    );
  });

  test('is asked for with all that it may mean at once, those of all claims together', () => {
    const { rounds } = talk(houses, [transfer('alice', 's:2@d'), transfer('s:3@d', 'bob@d')]);
    expect(rounds).toEqual([['alice', 's:2@d', 's@d', 'd', 's', 's:3@d', 'bob@d']]);
  });

  test('is not asked for beyond what is known to be there', () => {
    const known = walletsOf({ alice: [], 's:1@d': [] });
    const { rounds } = talkOf(known, { claims: [transfer('alice', 'alice')] });
    expect(rounds).toEqual([['alice']]);
  });

  test('may come with notes', () => {
    const claim = { ...transfer('alice', 'd'), source: { handle: 'alice', custom: { n: 1 } } };
    expect(thread(houses, claim as Claim)).toEqual(['alice -5 usd, d +5 usd']);
  });
});

describe('an inactive wallet, Ruling 94,', () => {
  const routes = { alice: [], bob: [], to: [credit('bob')], by: [debit('bob')] };
  const frozen = (...handles: string[]) =>
    new Map(
      [...walletsOf({ ...routes, on: [forward('bob')] })].map(([handle, wallet]) => [
        handle,
        { ...wallet, isInactive: handles.includes(handle) },
      ]),
    );
  const outcomeOf = (claim: Claim, ...handles: string[]) => {
    const { routing } = talkOf(frozen(...handles), { claims: [claim] });
    return routing.is === 'refused' ? `${routing.reason}: ${routing.detail}` : routing.is;
  };
  const says = (reason: string, handle: string) =>
    `core.${reason}: Wallet ${handle} is inactive: it neither pays nor receives.`;

  test.each([
    [transfer('alice', 'bob'), ['alice'], says('source-inactive', 'alice')],
    [transfer('alice', 'bob'), ['bob'], says('target-inactive', 'bob')],
    [transfer('alice', 'to'), ['bob'], says('target-inactive', 'bob')],
    [transfer('alice', 'to'), ['to'], says('target-inactive', 'to')],
    [transfer('alice', 'on'), ['bob'], says('target-inactive', 'bob')],
    [transfer('alice', 'on'), ['on'], says('target-inactive', 'on')],
    [transfer('by', 'alice'), ['bob'], says('source-inactive', 'bob')],
    [transfer('by', 'alice'), ['by'], says('source-inactive', 'by')],
    [transfer('alice', 'bob'), ['to', 'by', 'on'], 'routed'],
  ] as const)('%j with %j inactive: %s', (claim, handles, expected) => {
    expect(outcomeOf(claim, ...handles)).toBe(expected);
  });
});

describe('the routes of a wallet', () => {
  test('move a credit or a debit to another wallet, inside the same intent', () => {
    const houses = { alice: [debit('mother')], bob: [credit('bank')], mother: [], bank: [] };
    expect(thread(houses, transfer('alice', 'bob'))).toEqual(['mother -5 usd, bank +5 usd']);
    expect(thread(houses, transfer('bob', 'alice'))).toEqual(['bob -5 usd, alice +5 usd']);
  });

  test('are asked in their order, and the first one that fits decides', () => {
    const bob = [credit('one', { amount: { $lt: 5 } }), credit('two'), credit('three')];
    const houses = { alice: [], bob, one: [], two: [], three: [] };
    expect(thread(houses, transfer('alice', 'bob', { amount: 4 }))).toEqual([
      'alice -4 usd, one +4 usd',
    ]);
    expect(thread(houses, transfer('alice', 'bob'))).toEqual(['alice -5 usd, two +5 usd']);
  });

  test('accept what they say, and what none of them fits is refused', () => {
    const houses = { alice: [], bob: [accept({ symbol: 'usd' })] };
    const eur = { symbol: 'eur' };
    expect(thread(houses, transfer('alice', 'bob'))).toEqual(['alice -5 usd, bob +5 usd']);
    expect(thread(houses, transfer('bob', 'alice'))).toEqual(['bob -5 usd, alice +5 usd']);
    expect(thread(houses, transfer('alice', 'bob', eur))).toBe(
      'core.routing-failed: Wallet bob has no route for such a credit.',
    );
    expect(thread(houses, transfer('bob', 'alice', eur))).toBe(
      'core.routing-failed: Wallet bob has no route for such a debit.',
    );
  });

  test('of one side leave the other side alone', () => {
    const houses = { alice: [forward('carol', { symbol: 'eur' })], bob: [], carol: [] };
    expect(thread(houses, transfer('alice', 'bob'))).toEqual(['alice -5 usd, bob +5 usd']);
    expect(thread(houses, transfer('bob', 'alice'))).toMatch(/^core.routing-failed/);
    const paid = { alice: [debit('carol', { symbol: 'eur' })], bob: [], carol: [] };
    expect(thread(paid, transfer('bob', 'alice'))).toEqual(['bob -5 usd, alice +5 usd']);
    expect(thread(paid, transfer('alice', 'bob'))).toMatch(/^core.routing-failed/);
  });

  test('hold for what is issued and destroyed too; the supply has none', () => {
    const houses = { alice: [credit('bank'), debit('till')], bank: [], till: [] };
    const issue: Claim = { action: 'issue', target: 'alice', symbol: 'usd', amount: 5 };
    const destroy: Claim = { action: 'destroy', source: 'alice', symbol: 'usd', amount: 5 };
    expect(thread(houses, issue, destroy)).toEqual([
      'supply -5 usd, bank +5 usd, till -5 usd, supply +5 usd',
    ]);
  });

  test.each([
    ['amount', 5],
    ['symbol', 'usd'],
    ['symbol.handle', 'usd'],
    ['source', 'alice'],
    ['source.handle', 'alice'],
    ['source.custom.branch', 'x'],
    ['target', 's:1@bob'],
    ['target.handle', 's:1@bob'],
    ['schema', 'payroll'],
    ['custom.month', '2026-11'],
  ])('see the %s of a claim', (path, value) => {
    const houses = { alice: [], bob: [accept({ [path]: value }), credit('carol')], carol: [] };
    const source = { handle: 'alice', custom: { branch: 'x' } };
    const claim = { ...transfer('alice', 's:1@bob'), source } as Claim;
    const about = { schema: 'payroll', custom: { month: '2026-11' } };
    expect(linesOf(talk(houses, [claim], about))).toEqual(['alice -5 usd, bob +5 usd']);
    const other = { bob: [accept({ [path]: { $ne: value } }), credit('carol')] };
    expect(linesOf(talk({ ...houses, ...other }, [claim], about))).toEqual([
      'alice -5 usd, carol +5 usd',
    ]);
  });

  test('lead to an address, which is looked for like any', () => {
    const houses = { alice: [], bob: [credit('s:1@d')], d: [] };
    const { rounds } = talk(houses, [transfer('alice', 'bob')]);
    expect(rounds).toEqual([
      ['alice', 'bob'],
      ['s:1@d', 's@d', 'd', 's'],
    ]);
    expect(thread(houses, transfer('alice', 'bob'))).toEqual(['alice -5 usd, d +5 usd']);
  });

  test.each([
    ['credit', credit('gone')],
    ['forward', forward('gone')],
  ])('of %s that lead nowhere are a refusal', (_action, route) => {
    expect(thread({ alice: [], bob: [route] }, transfer('alice', 'bob'))).toBe(
      'core.routing-failed: The route of wallet bob leads to gone, which does not exist.',
    );
  });

  test('of debit that lead nowhere are a refusal', () => {
    expect(thread({ alice: [debit('gone')], bob: [] }, transfer('alice', 'bob'))).toBe(
      'core.routing-failed: The route of wallet alice leads to gone, which does not exist.',
    );
  });

  test('are followed three times and no more', () => {
    const chain = { a: [], b: [credit('c')], c: [credit('d')], d: [credit('e')], e: [], f: [] };
    expect(thread(chain, transfer('a', 'b'))).toEqual(['a -5 usd, e +5 usd']);
    expect(thread({ ...chain, e: [credit('f')] }, transfer('a', 'b'))).toBe(
      'core.routing-failed: Wallet b is more than 3 routes away from the end.',
    );
  });

  test('that lead back are a refusal', () => {
    const back = 'core.routing-failed: The routes lead back to wallet';
    expect(thread({ a: [], b: [credit('b')] }, transfer('a', 'b'))).toBe(`${back} b.`);
    const circle = { a: [], b: [credit('c')], c: [credit('b')] };
    expect(thread(circle, transfer('a', 'b'))).toBe(`${back} b.`);
    expect(thread({ a: [debit('b')], b: [debit('a')] }, transfer('a', 'b'))).toBe(`${back} a.`);
  });

  test('may lead several claims to one wallet', () => {
    const houses = { a: [], b: [credit('d')], c: [credit('d')], d: [] };
    expect(thread(houses, transfer('a', 'b'), transfer('a', 'c'))).toEqual([
      'a -5 usd, d +5 usd, a -5 usd, d +5 usd',
    ]);
  });
});

test('an address means the wallet that takes it, once those that it may name are read', () => {
  const vault = { handle: 'vault' };
  const meant = (known: KnownWallets) => meaningIn(known)('vault:1', 'debit');
  expect(meant(new Map([['vault', vault]]))).toBeUndefined();
  expect(meant(new Map([['vault:1', undefined]]))).toBeUndefined();
  const read = [['vault:1', undefined]] as const;
  expect(meant(new Map([...read, ['vault', vault]]))).toBe('vault');
  expect(meant(new Map([...read, ['vault', undefined]]))).toBeUndefined();
});
