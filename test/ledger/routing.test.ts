import { describe, expect, test } from 'vitest';
import type { PatternMaker } from '../../shared/ledger/budget.ts';
import { drawing, type RoutedWallet, route, threadSizeMax } from '../../shared/ledger/routing.ts';
import type { Claim } from '../../shared/shape/intent.ts';
import type { Route } from '../../shared/shape/wallet.ts';
import {
  accept,
  credit,
  debit,
  forward,
  type Houses,
  linesOf,
  patternMaker,
  talk,
  talkOf,
  thread,
  transfer,
  walletsOf,
} from './routes.ts';

describe('a wallet that forwards', () => {
  test('is credited, and a further intent of the thread moves the same on', () => {
    const houses = { alice: [], bob: [forward('s:1@carol')], carol: [] };
    const { routing } = talk(houses, [transfer('alice', 'bob')]);
    expect(linesOf({ rounds: [], routing })).toEqual([
      'alice -5 usd, bob +5 usd',
      '(0) bob -5 usd, carol +5 usd',
    ]);
    expect(routing).toMatchObject({ thread: [{}, { claims: [transfer('bob', 's:1@carol')] }] });
  });

  // Decision 52.
  test('pays for that itself, whatever its debit routes say', () => {
    const houses = { alice: [], bob: [forward('carol'), debit('alice')], carol: [] };
    expect(thread(houses, transfer('alice', 'bob'))).toEqual([
      'alice -5 usd, bob +5 usd',
      '(0) bob -5 usd, carol +5 usd',
    ]);
  });

  test('forwards what is issued, as a transfer', () => {
    const houses = { bob: [forward('carol')], carol: [] };
    const issue: Claim = { action: 'issue', target: 'bob', symbol: 'usd', amount: 5 };
    expect(thread(houses, issue)).toEqual([
      'supply -5 usd, bob +5 usd',
      '(0) bob -5 usd, carol +5 usd',
    ]);
  });

  test('may be led to, and may lead to one that passes on', () => {
    const houses = { a: [], b: [credit('c')], c: [forward('d')], d: [credit('e')], e: [] };
    expect(thread(houses, transfer('a', 'b'))).toEqual([
      'a -5 usd, c +5 usd',
      '(0) c -5 usd, e +5 usd',
    ]);
  });

  test('forwards each claim on its own, in the order of the claims', () => {
    const houses = { a: [], b: [forward('d')], c: [forward('b')], d: [] };
    expect(thread(houses, transfer('a', 'c'), transfer('a', 'b', { amount: 7 }))).toEqual([
      'a -5 usd, c +5 usd, a -7 usd, b +7 usd',
      '(0) c -5 usd, b +5 usd',
      '(0) b -7 usd, d +7 usd',
      '(1) b -5 usd, d +5 usd',
    ]);
  });

  test('passes the schema and the custom of the intent along, for those who ask', () => {
    const houses = {
      ...{ a: [], b: [forward('c')], d: [] },
      c: [accept({ schema: 'payroll', 'custom.n': 1, source: 'b' }), credit('d')],
    };
    const [, second] = linesOf(
      talk(houses, [transfer('a', 'b')], { schema: 'payroll', custom: { n: 1 } }),
    );
    expect(second).toBe('(0) b -5 usd, c +5 usd');
    expect(thread(houses, transfer('a', 'b'))[1]).toBe('(0) b -5 usd, d +5 usd');
  });

  test('never sends anything back to where it has been, but may to where it came from', () => {
    const circle = { a: [], b: [forward('c')], c: [forward('b')] };
    expect(thread(circle, transfer('a', 'b'))).toBe(
      'core.routing-failed: The routes lead back to wallet b.',
    );
    expect(thread({ a: [], b: [forward('b')] }, transfer('a', 'b'))).toMatch(
      /lead back to wallet b/,
    );
    const through = { a: [], b: [credit('c')], c: [forward('d')], d: [credit('b')] };
    expect(thread(through, transfer('a', 'b'))).toMatch(/lead back to wallet b/);
    expect(thread({ a: [], b: [forward('a')] }, transfer('a', 'b'))).toEqual([
      'a -5 usd, b +5 usd',
      '(0) b -5 usd, a +5 usd',
    ]);
  });

  test('makes a thread of ten intents, and no more', () => {
    const chainOf = (length: number): Houses =>
      Object.fromEntries([
        ['a', []],
        ...Array.from({ length }, (_, at) => [`w${at}`, [forward(`w${at + 1}`)]] as const),
        [`w${length}`, []],
      ]);
    expect(thread(chainOf(9), transfer('a', 'w0'))).toHaveLength(threadSizeMax);
    const tooLong = /^core.thread-size-exceeded: .* more than 10 intents/;
    expect(thread(chainOf(10), transfer('a', 'w0'))).toMatch(tooLong);
    const nine = Array.from({ length: 10 }, () => transfer('a', 'w0'));
    expect(thread(chainOf(1), ...nine.slice(1))).toHaveLength(threadSizeMax);
    expect(thread(chainOf(1), ...nine)).toMatch(tooLong);
  });
});

test('the first thing that is wrong is told, and nothing before all is known that comes before it', () => {
  const houses = { a: [], b: [credit('c')], c: [accept({ amount: 1 })], d: [credit('gone')] };
  expect(thread(houses, transfer('a', 'b'), transfer('a', 'd'))).toMatch(/Wallet c has no route/);
  expect(thread(houses, transfer('a', 'd'), transfer('a', 'b'))).toMatch(/leads to gone/);
});

test('a claim that sets a limit moves nothing, and stays among the claims', () => {
  const limit: Claim = {
    ...({ action: 'limit', metric: 'maxBalance' } as const),
    ...{ wallet: 'b', symbol: 'usd', amount: 9 },
  };
  const houses = { a: [], b: [credit('c')], c: [] };
  const { routing } = talk(houses, [limit, transfer('a', 'b')]);
  expect(linesOf({ rounds: [], routing })).toEqual(['a -5 usd, c +5 usd']);
  expect(routing).toMatchObject({
    thread: [{ claims: [limit, {}], entries: [{ inputs: [1] }, { inputs: [1] }] }],
  });
});

describe('routes that take too much work to judge', () => {
  /** Each character costs so much. */
  const dear: PatternMaker = () =>
    Object.assign((text: string) => text === 'usd', { cost: { making: 0, perCharacter: 32 } });
  const note = 'x'.repeat(2_000);
  const routed = (routes: readonly Route[]) =>
    route(
      { claims: [transfer('alice', 'bob')], custom: { note } },
      new Map([
        ['alice', { handle: 'alice' }],
        ['bob', { handle: 'bob', routes }],
        ['carol', { handle: 'carol' }],
      ]),
      dear,
    );

  test('are a refusal of their wallet', () => {
    const asked = credit('carol', { 'custom.note': { $regex: 'y' } });
    expect(routed([asked])).toEqual({
      is: 'refused',
      reason: 'core.routing-failed',
      detail: 'The routes of wallet bob take too much work to judge.',
      disclosures: [
        { detail: 'The routes of wallet bob take too much work to judge.', wallets: ['bob'] },
      ],
    });
  });

  test('are not asked behind the one that decides', () => {
    const asked = credit('alice', { 'custom.note': { $regex: 'y' } });
    expect(routed([credit('carol'), asked]).is).toBe('routed');
  });
});

describe('in a ledger with domains', () => {
  const wallets = new Map<string, RoutedWallet>([
    ['ann', { handle: 'ann', lies: {} }],
    ['x@b', { handle: 'x@b', lies: { domain: 'a' } }],
    ['b', { handle: 'b', lies: { domain: 'b' } }],
  ]);
  const lines = (claim: Claim) => linesOf(talkOf(wallets, { claims: [claim] }));

  test('money does not come to a wallet that lies elsewhere than it says, and leaves it', () => {
    expect(lines(transfer('ann', 'x@b'))).toEqual(['ann -5 usd, b +5 usd']);
    expect(lines(transfer('x@b', 'ann'))).toEqual(['x@b -5 usd, ann +5 usd']);
  });

  test('a wallet that lies elsewhere than it says is there for who takes from it, and absent for who pays to it', () => {
    const alone = new Map([...wallets].filter(([handle]) => handle !== 'b'));
    const alike = (claim: Claim) => linesOf(talkOf(alone, { claims: [claim] }));
    expect(alike(transfer('x@b', 'ann'))).toEqual(['x@b -5 usd, ann +5 usd']);
    expect(alike(transfer('ann', 'x@b'))).toBe(
      'core.target-invalid: Target x@b of claim 0 does not exist.',
    );
  });

  test('routes lead there as claims do', () => {
    const routed = new Map([
      ...wallets,
      ['cid', { handle: 'cid', lies: {}, routes: [credit('x@b')] }],
    ]);
    const intent = { claims: [transfer('ann', 'cid')] };
    expect(linesOf(talkOf(routed, intent))).toEqual(['ann -5 usd, b +5 usd']);
  });
});

describe('the wallets from which an intent takes', () => {
  const few = { amount: { $lt: 10 } };
  const houses = {
    ...{
      a: [debit('b', few), debit('s:1@c')],
      b: [debit('s:1@c')],
      c: [],
      shut: [debit('b', few)],
    },
    ...{ d: [], e: [forward('d'), debit('d')], loop: [debit('loop')] },
  };
  const issue: Claim = { action: 'issue', target: 'e', symbol: 'usd', amount: 5 };
  const drawnBy = (...claims: Claim[]) => drawing({ claims }, walletsWithGaps, patternMaker);
  const absent = ['s:1@c', 's@c', 's'].map((handle) => [handle, undefined] as const);
  const walletsWithGaps = new Map([...walletsOf(houses), ...absent]);

  test.each<[claims: readonly Claim[], wallets: readonly string[]]>([
    [[transfer('d', 'a')], []],
    [[transfer('a', 'd')], ['b', 'c']],
    [[transfer('a', 'd', { amount: 10 })], ['c']],
    [
      [transfer('b', 'd'), transfer('a', 'd'), transfer('e', 'a')],
      ['c', 'b', 'd'],
    ],
    [[issue], []],
    [[transfer('shut', 'd', { amount: 10 })], []],
    [[transfer('loop', 'd')], []],
  ])('%j: %j', (claims, wallets) => {
    expect(drawnBy(...claims)).toEqual({ is: 'drawn', wallets });
  });

  test('are asked for until they are known', () => {
    const known = new Map([['a', walletsOf(houses).get('a')]]);
    expect(drawing({ claims: [transfer('a', 'd')] }, known, patternMaker)).toEqual({
      is: 'needed',
      wallets: ['b'],
    });
  });
});
