/**
 * Goal: a batch answers and leaves behind what its intents would, posted one after the other, and stores them in few
 * transactions; whatever is lost or meets on the way, nothing is made, nothing is taken twice and no wallet is overdrawn.
 * Method: random intents against two ledgers in memory, one of which gets them as batches. Decision 128.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { batchIntents } from '../../shared/action/batch-intents.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { LedgerError } from '../../shared/ledger/errors.ts';
import type { Balance, Commit, Store } from '../../shared/port/ports.ts';
import { type Body, claimOf, type Item, type Json, outcomeOf, signed } from '../fixture/client.ts';
import { type Desk, isIntent, openDesk, openDeskBefore } from '../fixture/desk.ts';
import { runs } from '../fixture/runs.ts';

const holders = ['ann', 'bob', 'cat', 'far', 'fwd'] as const;
const names = [...holders, 'nobody'] as const;

/** One intent: its number is its handle, so that some come twice, with the same body or another one. */
interface Draw {
  readonly number: number;
  readonly from: string;
  readonly to: string;
  readonly amount: number;
  readonly how: 'pay' | 'hold' | 'limit' | 'broken';
}

const draw: fc.Arbitrary<Draw> = fc.record({
  number: fc.nat({ max: 60 }),
  from: fc.constantFrom('ann', 'ann', 'ann', ...names),
  to: fc.constantFrom(...names),
  amount: fc.integer({ min: 1, max: 30 }),
  how: fc.oneof(
    { weight: 12, arbitrary: fc.constant('pay' as const) },
    { weight: 2, arbitrary: fc.constant('hold' as const) },
    { weight: 1, arbitrary: fc.constant('limit' as const) },
    { weight: 1, arbitrary: fc.constant('broken' as const) },
  ),
});
const batches = fc.array(fc.array(draw, { minLength: 1, maxLength: 40 }), {
  minLength: 1,
  maxLength: 3,
});

type Line = Item & { readonly status: number };

function dataOf({ number, from, to, amount, how }: Draw): Json {
  const claim =
    how === 'limit' ? `limit ${to} maxBalance 90 usd` : `transfer ${from} ${to} ${amount} usd`;
  return {
    handle: `intent-${number}`,
    claims: [claimOf(claim)],
    ...(how === 'hold' && { config: { commit: 'manual' } }),
  };
}

/** The body of an intent. The same one is signed once, so that it can come again as it was. */
function bodies({ key }: Desk): (one: Draw) => Body {
  const made = new Map<string, Body>();
  return (one) => {
    const data = dataOf(one);
    const name = JSON.stringify(data);
    const body = made.get(name) ?? signed(data, key);
    made.set(name, body);
    return one.how === 'broken' ? { ...body, hash: '0'.repeat(64) } : body;
  };
}

/** A ledger with a bridge, a forwarding wallet, daily counters and a ceiling. */
async function furnish(desk: Desk): Promise<Desk> {
  const { make, run, key } = desk;
  await make('symbol', { handle: 'usd', factor: 100 });
  await make('bridge', { handle: 'bank', config: { server: 'https://bank.example' } });
  for (const handle of ['ann', 'bob', 'cat']) await make('wallet', { handle });
  await make('wallet', { handle: 'far', bridge: 'bank' });
  await make('wallet', { handle: 'fwd', routes: [{ action: 'forward', target: 'bob' }] });
  const claims = [
    'issue ann 200 usd',
    'issue cat 20 usd',
    'limit cat maxBalance 60 usd',
    'limit bob dailyCount 5 usd',
  ].map(claimOf);
  await run(createIntent, { body: signed({ handle: 'start', claims }, key) });
  return desk;
}

async function postAll(desk: Desk, all: readonly Body[]): Promise<Line[]> {
  const body = { data: all, mode: 'independent' };
  return (await desk.run(batchIntents, { body })).data as unknown as Line[];
}

const lineOf = ({ status, data, meta }: Line) => [
  status,
  data['reason'] ?? outcomeOf({ data, meta } as unknown as Item),
];

/** What a batch would say of each, from creates of their own. */
async function oneByOne(desk: Desk, all: readonly Body[]): Promise<unknown[]> {
  const lines: unknown[] = [];
  for (const body of all) {
    if (body.hash === '0'.repeat(64)) {
      lines.push([422, 'crypto.hash-invalid']);
      continue;
    }
    const made = await desk.run(createIntent, { body }).catch((error: LedgerError) => error);
    if (made instanceof LedgerError) {
      const { reason, custom } = made as LedgerError & { custom: { hash?: string } };
      const [stored] = await desk.services.store.load([
        { what: 'record', scope: 'main', kind: 'intent', handle: String(body.data['handle']) },
      ]);
      const isSame = reason === 'record.duplicated' && custom.hash === body.hash;
      lines.push(isSame ? [200, outcomeOf(stored?.record as unknown as Item)] : [409, reason]);
    } else lines.push([201, outcomeOf(made as unknown as Item)]);
  }
  return lines;
}

async function rowsOf({ services }: Desk) {
  const all = await Promise.all(holders.map((name) => services.store.balances('main', name)));
  return all.flat().map(({ wallet, available, reserved, holds, isActive, ...rest }: Balance) => ({
    ...{ wallet, available, reserved, holds, isActive },
    counted: rest.counters?.reduce((sum, { count }) => sum + count, 0),
  }));
}

async function heldIn(desk: Desk): Promise<bigint> {
  const rows = await rowsOf(desk);
  return rows.reduce((sum, { available, reserved = 0n }) => sum + available + reserved, 0n);
}

/** Commits, or throws before or after it. */
async function committed(commit: Store['commit'], wanted: Commit, what = 'fine') {
  if (what === 'refused') throw new LedgerError('api.request-timeout', 'Not stored.');
  const conflicts = await commit(wanted);
  if (what === 'lost') throw new LedgerError('api.request-timeout', 'Lost.');
  return conflicts;
}

describe('an independent batch', () => {
  test('answers and leaves behind what its intents would one by one', {
    timeout: 180_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(batches, async (all) => {
        const [single, batched] = [
          await furnish(await openDesk()),
          await furnish(await openDesk()),
        ];
        const [one, other] = [bodies(single), bodies(batched)];
        for (const some of all) {
          const expected = await oneByOne(single, some.map(one));
          const lines = await postAll(batched, some.map(other));
          expect(lines.map(lineOf)).toEqual(expected);
          // Sent again it answers the same records.
          const again = await postAll(batched, some.map(other));
          const luidsOf = (of: readonly Line[]) => of.map(({ luid }) => luid);
          expect(luidsOf(again)).toEqual(luidsOf(lines));
          expect(await rowsOf(batched)).toEqual(await rowsOf(single));
        }
      }),
      { numRuns: runs(25) },
    );
  });

  test('makes and loses nothing when answers of the store are lost', {
    timeout: 180_000,
  }, async () => {
    const trouble = fc.array(fc.constantFrom('fine', 'lost', 'refused'), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(batches, trouble, async (all, what) => {
        const left = [...what];
        let isCalm = true;
        const desk = await furnish(
          await openDesk(({ commit }: Store) => ({
            commit: (wanted) =>
              committed(commit, wanted, isCalm || !isIntent(wanted) ? 'fine' : left.shift()),
          })),
        );
        const before = await heldIn(desk);
        const some = all.flat().map(bodies(desk));
        isCalm = false;
        await postAll(desk, some);
        isCalm = true;
        const lines = await postAll(desk, some);
        expect(await heldIn(desk)).toBe(before);
        for (const { luid, data, meta } of lines.filter(({ status }) => status < 300)) {
          const handle = String(data['handle']);
          const [stored] = await desk.services.store.load([
            { what: 'record', scope: 'main', kind: 'intent', handle },
          ]);
          expect([stored?.record.luid, stored?.record.meta.status]).toEqual([luid, meta.status]);
        }
      }),
      { numRuns: runs(25) },
    );
  });

  test('whose source runs dry meanwhile pays as many as it can, in their order', async () => {
    const { desk, arm } = await openDeskBefore('commit', isIntent);
    await furnish(desk);
    const { key, run } = desk;
    const post = (handle: string, claim: string) =>
      run(createIntent, { body: signed({ handle, claims: [claimOf(claim)] }, key) });
    await desk.make('wallet', { handle: 'till' });
    arm(() => post('drain', 'destroy ann 150 usd'));
    const all = Array.from({ length: 10 }, (_, index) =>
      signed({ handle: `p-${index}`, claims: [claimOf('transfer ann till 10 usd')] }, key),
    );
    const lines = await postAll(desk, all);
    const few = Array.from({ length: 5 }, () => [201, 'completed']);
    const rest = Array.from({ length: 5 }, () => [201, 'core.insufficient-balance']);
    expect(lines.map(lineOf)).toEqual([...few, ...rest]);
    expect((await rowsOf(desk)).find(({ wallet }) => wallet === 'ann')?.available).toBe(0n);
  });

  test('fails none for want of what others bring before it is stored', async () => {
    const { desk, arm } = await openDeskBefore('commit', isIntent);
    await furnish(desk);
    const { key, run } = desk;
    const post = (handle: string, claim: string) =>
      run(createIntent, { body: signed({ handle, claims: [claimOf(claim)] }, key) });
    await desk.make('wallet', { handle: 'till' });
    arm(() => post('more', 'issue ann 100 usd'));
    const all = ['p', 'q'].map((handle) =>
      signed({ handle, claims: [claimOf('transfer ann till 120 usd')] }, key),
    );
    const lines = await postAll(desk, all);
    expect(lines.map(outcomeOf)).toEqual(['completed', 'completed']);
  });

  test('that meets others again and again creates each by itself', async () => {
    let commits = 0;
    const desk = await furnish(
      await openDesk(({ commit }) => ({
        commit: async (wanted) => {
          commits += 1;
          const isJoined = isIntent(wanted) && wanted.writes.length > 1;
          return isJoined ? [{ what: 'balance', move: 0 }] : commit(wanted);
        },
      })),
    );
    commits = 0;
    const all = Array.from({ length: 6 }, (_, index) =>
      signed({ handle: `p-${index}`, claims: [claimOf('transfer ann cat 1 usd')] }, desk.key),
    );
    const lines = await postAll(desk, all);
    expect(new Set(lines.map(({ status }) => status))).toEqual(new Set([201]));
    expect(commits).toBe(3 + 6);
  });

  test('fails with an error of the service', async () => {
    let isBroken = false;
    const desk = await furnish(
      await openDesk(({ commit }) => ({
        commit: async (wanted) => {
          if (isBroken) throw new Error('broken');
          return commit(wanted);
        },
      })),
    );
    isBroken = true;
    const body = signed({ handle: 'p', claims: [claimOf('transfer ann cat 1 usd')] }, desk.key);
    await expect(postAll(desk, [body])).rejects.toThrow('broken');
  });

  test.each([
    ['100 payouts to as many wallets', 100, (index: number) => `w-${index}`, 3],
    ['64 payouts to one wallet', 64, () => 'w-0', 1],
  ])('of %s is stored in as few transactions as fit', async (_, count, target, expected) => {
    let commits = 0;
    const desk = await furnish(
      await openDesk(({ commit }) => ({
        commit: async (wanted) => {
          commits += 1;
          return commit(wanted);
        },
      })),
    );
    const handles = new Set(Array.from({ length: count }, (_, index) => target(index)));
    for (const handle of handles) await desk.make('wallet', { handle });
    commits = 0;
    const all = Array.from({ length: count }, (_, index) => {
      const claims = [claimOf(`transfer ann ${target(index)} 1 usd`)];
      return signed({ handle: `p-${index}`, claims }, desk.key);
    });
    const lines = await postAll(desk, all);
    expect(lines.map(lineOf)).toEqual(all.map(() => [201, 'completed']));
    expect(commits).toBe(expected);
  });
});
