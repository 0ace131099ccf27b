/**
 * Batches over the table. Goal: whether balances have shards or not, a batch answers and leaves behind what its intents
 * would, posted one after the other, and a process that ends in the middle leaves nothing that a repetition does not make
 * whole. Method: random transfers in two tables, one of which gets them as batches, with audits. Decisions 125 and 128.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { batchIntents } from '../../shared/action/batch-intents.ts';
import { create } from '../../shared/action/create.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { prove } from '../../shared/action/prove.ts';
import { sign } from '../../shared/crypto/proof.ts';
import type { Store } from '../../shared/port/ports.ts';
import { newWork } from '../../shared/port/request-budget.ts';
import { balanceKeyOf } from '../../shared/store/keys.ts';
import {
  type Ground,
  type Json,
  main,
  momentNow,
  signed,
  startGround,
  type World,
} from '../fixture/audited.ts';
import { outcomeOf } from '../fixture/client.ts';
import { evenly, shardCount, spread } from '../fixture/hot.ts';
import { runs } from '../fixture/runs.ts';

const usd = { symbol: 'usd' };
const holders = ['hot', 'cat', 'lim', 'far'];
let ground: Ground;

beforeAll(async () => {
  ground = await startGround();
});
afterAll(() => ground.stop());

/** A payment, or one whose money is only reserved. */
interface Draw {
  readonly from: string;
  readonly to: string;
  readonly amount: number;
  readonly isHeld: boolean;
}

const draw: fc.Arbitrary<Draw> = fc.record({
  from: fc.constantFrom('hot', 'hot', 'hot', 'cat', 'lim', 'far'),
  to: fc.constantFrom('hot', 'cat', 'cat', 'lim', 'far', 'nobody'),
  amount: fc.integer({ min: 1, max: 40 }),
  isHeld: fc.nat({ max: 5 }).map((number) => number === 0),
});

type Line = Parameters<typeof outcomeOf>[0] & { readonly status: number };

const transfer = (source: string, target: string, amount: number): Json => ({
  ...{ action: 'transfer', source, target, amount, ...usd },
});

function bodyOf({ key }: World, handle: string, { from, to, amount, isHeld }: Draw) {
  const claims = [transfer(from, to, amount)];
  return signed({ handle, claims, ...(isHeld && { config: { commit: 'manual' } }) }, key);
}

/** A world with a hot wallet, one with limits and one at a bridge. */
async function furnished(shards = {}): Promise<World> {
  const world = await ground.newWorld(shards);
  const { make, settle } = world;
  await make(create('symbol'), { handle: 'usd', factor: 100 });
  await make(create('bridge'), { handle: 'bank', config: { server: 'https://bank.example' } });
  for (const handle of ['hot', 'cat', 'lim']) await make(create('wallet'), { handle });
  await make(create('wallet'), { handle: 'far', bridge: 'bank' });
  const limit = (metric: string, amount: number) => ({
    ...{ action: 'limit', wallet: 'lim', metric, amount, ...usd },
  });
  await settle('funds', { action: 'issue', target: 'hot', amount: 300, ...usd });
  await settle('limits', limit('maxBalance', 80), limit('dailyCount', 12));
  return world;
}

async function postAll(
  world: World,
  data: readonly unknown[],
  mode: 'independent' | 'atomic' = 'independent',
): Promise<Line[]> {
  const answer = await world.call(batchIntents, { mode, data });
  return answer.data as unknown as Line[];
}

async function outcomesOneByOne(world: World, bodies: readonly unknown[]) {
  const made: Line[] = [];
  for (const body of bodies) made.push((await world.call(createIntent, body)) as unknown as Line);
  return made.map(outcomeOf);
}

/** What a wallet has, however it is stored. */
async function heldIn({ services }: World) {
  const all = await Promise.all(holders.map((name) => services.store.balances(main, name)));
  return all.flat().map(({ wallet, available, reserved = 0n, holds = 0, counters = [] }) => ({
    ...{ wallet, available, reserved, holds },
    counted: counters.reduce((sum, { count }) => sum + count, 0),
  }));
}

describe('an independent batch over the table', () => {
  test('answers and leaves behind what its intents would one by one, with shards and without', async () => {
    const batches = fc.array(fc.array(draw, { minLength: 1, maxLength: 30 }), { maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(batches, async (all) => {
        const single = await furnished();
        const worlds = [await furnished(), await furnished({ first: 5 })];
        for (const [at, some] of all.entries()) {
          const bodiesIn = (world: World) =>
            some.map((one, index) => bodyOf(world, `intent-${at}-${index}`, one));
          const expected = await outcomesOneByOne(single, bodiesIn(single));
          for (const world of worlds) {
            const lines = await postAll(world, bodiesIn(world));
            expect(lines.map(outcomeOf)).toEqual(expected);
            expect(await heldIn(world)).toEqual(await heldIn(single));
          }
        }
        for (const world of worlds) expect(await world.audited()).toEqual([]);
      }),
      { numRuns: runs(8) },
    );
  });

  test('pays many from a wallet with shards, which it keeps', async () => {
    const world = await furnished({ first: 8 });
    await spread(world, evenly(300n, 8));
    for (let index = 0; index < 60; index += 1)
      await world.make(create('wallet'), { handle: `w-${index}` });
    // A transaction needs what several shards have together.
    const bodies = Array.from({ length: 60 }, (_, index) =>
      signed({ handle: `p-${index}`, claims: [transfer('hot', `w-${index}`, 5)] }, world.key),
    );
    const lines = await postAll(world, bodies);
    expect(new Set(lines.map(outcomeOf))).toEqual(new Set(['completed']));
    expect(await shardCount(world)).toBe(8);
    expect((await heldIn(world))[0]).toMatchObject({ wallet: 'hot', available: 0n });
    expect(await world.audited()).toEqual([]);
  });

  test.each([
    ['before', 1],
    ['after', 1],
    ['before', 2],
    ['after', 2],
  ] as const)(
    'sent again after an end %s its transaction %i was stored is whole',
    async (when, number) => {
      const world = await furnished({ first: 4 });
      for (let index = 0; index < 60; index += 1)
        await world.make(create('wallet'), { handle: `w-${index}` });
      const bodies = Array.from({ length: 60 }, (_, index) =>
        signed({ handle: `p-${index}`, claims: [transfer('hot', `w-${index}`, 2)] }, world.key),
      );
      const ending = withEnd(world, when, number);
      await expect(postAll(ending, bodies)).rejects.toThrow('the end');
      expect(await world.audited()).toEqual([]);
      const lines = await postAll(world, bodies);
      expect(new Set(lines.map(outcomeOf))).toEqual(new Set(['completed']));
      expect(lines.some(({ status }) => status === 200)).toBe(when === 'after' || number > 1);
      expect((await heldIn(world))[0]).toMatchObject({ wallet: 'hot', available: 180n });
      expect(await world.audited()).toEqual([]);
    },
  );
});

describe('an atomic batch over the table', () => {
  test.each([1, 8])(
    'stores 47 payouts from a wallet with %i shards in one transaction',
    async (first) => {
      const world = await furnished({ first });
      await spread(world, evenly(300n, first));
      for (let index = 0; index < 48; index += 1)
        await world.make(create('wallet'), { handle: `w-${index}` });
      // A transaction needs what several shards have together, and has no room for all of them.
      const bodies = Array.from({ length: 48 }, (_, index) =>
        signed({ handle: `p-${index}`, claims: [transfer('hot', `w-${index}`, 6)] }, world.key),
      );
      await expect(postAll(world, bodies, 'atomic')).rejects.toMatchObject({
        custom: { fault: 'too-large', fitting: 47 },
      });
      const lines = await postAll(world, bodies.slice(0, 47), 'atomic');
      expect(new Set(lines.map(outcomeOf))).toEqual(new Set(['completed']));
      expect((await heldIn(world))[0]).toMatchObject({ wallet: 'hot', available: 18n });
      expect(await world.audited()).toEqual([]);
    },
  );
});

describe('limits that an atomic batch sets', () => {
  const limit = (metric: string, amount: number): Json => ({
    ...{ action: 'limit', wallet: 'hot', metric, amount, ...usd },
  });
  const bodiesOf = ({ key }: World, claims: readonly Json[]) =>
    claims.map((claim, index) => signed({ handle: `l-${index}`, claims: [claim] }, key));
  const tooLittle = transfer('cat', 'hot', 1);

  test.each([
    ['minBalance', 10, 500],
    ['maxBalance', 900, 50],
  ])('hold as the last one is: %s %i, then %i', async (metric, fine, broken) => {
    const world = await furnished();
    const refused = bodiesOf(world, [limit(metric, fine), limit(metric, broken)]);
    await expect(postAll(world, refused, 'atomic')).rejects.toMatchObject({
      custom: { errors: [{ index: 1, reason: 'core.limit-exceeded' }] },
    });
    const taken = bodiesOf(world, [limit(metric, broken), limit(metric, fine)]);
    const lines = await postAll(world, taken, 'atomic');
    expect(lines.map(outcomeOf)).toEqual(['completed', 'completed']);
    const { limits } = await world.item(balanceKeyOf(main, 'hot', 'usd'));
    expect(limits).toMatchObject({ [metric]: { amount: BigInt(fine) } });
    expect(await world.audited()).toEqual([]);
  });

  test('are not blamed for an intent after them', async () => {
    const world = await furnished();
    const claims = [limit('minBalance', 500), limit('minBalance', 10), tooLittle];
    await expect(postAll(world, bodiesOf(world, claims), 'atomic')).rejects.toMatchObject({
      custom: { errors: [{ index: 2, reason: 'core.insufficient-balance' }] },
    });
  });
});

/** The world in a process that ends at the transaction of this number, before it is stored or after. */
function withEnd(world: World, when: 'before' | 'after', number: number): World {
  let count = 0;
  const { store } = world.services;
  const commit: Store['commit'] = async (wanted) => {
    count += 1;
    if (count < number) return store.commit(wanted);
    if (count === number && when === 'after') await store.commit(wanted);
    throw new Error('the end');
  };
  const services = { ...world.services, store: { ...store, commit } };
  const call: World['call'] = async (action, body) => {
    const ledger = await services.identityOf(main);
    if (!ledger) throw new Error('There is no ledger.');
    const work = newWork(services);
    const answer = await action.run({ services, ledger, path: {}, query: {}, body, work });
    return answer.body as Awaited<ReturnType<World['call']>>;
  };
  return { ...world, services, call };
}

describe('a balance that entries leave as it was', () => {
  const shown = async ({ services }: World, wallet: string) =>
    (await services.store.balances(main, wallet)).map((one) => [one.available, one.isActive]);
  const limit = { action: 'limit', wallet: 'fwd', metric: 'maxBalance', amount: 80, ...usd };

  /** A wallet that gives on whatever it gets. */
  async function forwarding(): Promise<World> {
    const world = await furnished();
    const routes = [{ action: 'forward', target: 'cat' }];
    await world.make(create('wallet'), { handle: 'fwd', routes });
    return world;
  }

  test.each([
    ['an atomic batch', [[transfer('hot', 'fwd', 5)], [limit]]],
    ['an intent', [[transfer('hot', 'fwd', 5), limit]]],
  ])('is shown when %s limits it as well', async (_, all) => {
    const world = await forwarding();
    const bodies = all.map((claims, index) => signed({ handle: `i-${index}`, claims }, world.key));
    const lines = await postAll(world, bodies, 'atomic');
    expect(lines.map(outcomeOf)).toEqual(all.map(() => 'completed'));
    expect(await shown(world, 'fwd')).toEqual([[0n, true]]);
    expect(await world.audited()).toEqual([]);
  });

  test.each([
    ['committed', 'completed', true],
    ['aborted', 'rejected', false],
  ])('is shown once a hold is over it is %s', async (status, outcome, isActive) => {
    const world = await forwarding();
    const claims = [transfer('hot', 'fwd', 5)];
    const held = { handle: 'held', claims, config: { commit: 'manual' } };
    const { hash } = await world.make(createIntent, held);
    expect(await shown(world, 'fwd')).toEqual([[0n, false]]);
    const word = sign(hash, { status, moment: momentNow() }, world.key);
    const done = await world.call(prove('intent'), word, 'held');
    expect(done.meta.status).toBe(outcome);
    expect(await shown(world, 'fwd')).toEqual([[0n, isActive]]);
    expect(await world.audited()).toEqual([]);
  });

  test('stays hidden when it is only limited', async () => {
    const world = await forwarding();
    await world.settle('limit', limit);
    expect(await shown(world, 'fwd')).toEqual([[0n, false]]);
  });
});
