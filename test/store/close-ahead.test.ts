/**
 * Goal: a wallet with more balances than one transaction takes ends with all of them, and a drop that is rejected takes
 * none of its limits away. Ruling 44.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { drop } from '../../shared/action/drop.ts';
import { prove } from '../../shared/action/prove.ts';
import { sign } from '../../shared/crypto/proof.ts';
import type { LedgerRecord } from '../../shared/ledger/record.ts';
import type { Services } from '../../shared/port/action.ts';
import type { Store } from '../../shared/port/ports.ts';
import { headKeyOf } from '../../shared/store/keys.ts';
import {
  type Ground,
  type Json,
  main,
  momentNow,
  signed,
  startGround,
  type World,
} from '../fixture/audited.ts';
import { type Item, outcomeOf } from '../fixture/client.ts';
import { at, before, hotWorld, runBy, storeOf, usd, versionIn, walletIn } from '../fixture/hot.ts';

let ground: Ground;
beforeAll(async () => {
  ground = await startGround();
});
afterAll(() => ground.stop());

const symbols = Array.from({ length: 40 }, (_, index) => `s${index}`);
const issue = (symbol: string, amount: number) => ({
  ...{ action: 'issue', target: 'till', symbol, amount },
});
const inEach = (some: readonly string[], claim: (symbol: string) => Json) => some.map(claim);

/** A wallet with a balance in each symbol, all of them empty; so many have a limit of ten. */
async function till(limitCount: number) {
  const world = await ground.newWorld();
  for (const handle of symbols) await world.make(create('symbol'), { handle, factor: 1 });
  const { hash, luid } = await world.make(create('wallet'), { handle: 'till' });
  await world.settle('in', ...inEach(symbols, (symbol) => issue(symbol, 1)));
  const out = (symbol: string) => ({ action: 'destroy', source: 'till', symbol, amount: 1 });
  await world.settle('out', ...inEach(symbols, out));
  const limit = { action: 'limit', wallet: 'till', metric: 'maxBalance', amount: 10 };
  const limited = symbols.slice(0, limitCount);
  await world.settle('limits', ...inEach(limited, (symbol) => ({ ...limit, symbol })));
  const end = (services: Partial<Services> = {}) => {
    const words = { moment: momentNow(), status: 'dropped' };
    const body = { luid, ...signed({ parent: hash }, world.key, words) };
    return runBy(world, services, drop('wallet'), { path: { id: 'till' }, body });
  };
  return { world, end };
}

async function limitedIn({ services }: World): Promise<number> {
  const rows = await services.store.balances(main, 'till');
  return rows.filter(({ limits }) => limits?.maxBalance?.amount === 10).length;
}

const rejected = { reason: 'record.drop-rejected' };

test('a wallet with many balances ends with all of them', async () => {
  const { world, end } = await till(35);
  await end();
  expect(await world.services.store.balances(main, 'till')).toEqual([]);
  expect(await world.audited()).toEqual([]);
});

test('a drop that is rejected, since others name the wallet, takes no balance away', async () => {
  const { world, end } = await till(40);
  const routes = [{ action: 'debit', target: 'till' }];
  await world.make(create('wallet'), { handle: 'payer', routes });
  await expect(end()).rejects.toMatchObject(rejected);
  expect(await limitedIn(world)).toBe(40);
  expect((await world.settle('more', issue('s39', 11))).meta.status).toBe('rejected');
  expect(await world.audited()).toEqual([]);
});

test('a drop that meets a payment after the first balances are closed takes no limit away', async () => {
  const { world, end } = await till(30);
  const head = headKeyOf(main, 'wallet', 'till');
  const client = before(
    ground.client,
    ({ Delete: { Key } = {} }) => Key?.['pk'] === head.pk && Key['sk'] === head.sk,
    () => world.settle('late', issue('s39', 1)),
  );
  await expect(end({ store: storeOf(world, client) })).rejects.toMatchObject(rejected);
  expect(await limitedIn(world)).toBe(30);
  expect((await world.settle('more', issue('s0', 11))).meta.status).toBe('rejected');
  expect(await world.audited()).toEqual([]);
});

describe('a balance that a drop which is rejected has closed, and that is opened anew', () => {
  const pay = (world: World) => ({
    body: signed({ handle: 'pay', claims: [issue('s1', 5)] }, world.key),
  });
  const say = async (world: World, status: string, services: Partial<Services> = {}) => {
    const { record } = await versionIn(world, 'wallet', 'till');
    const words = { moment: momentNow(), nonce: String(record.meta.proofs.length), status };
    const body = sign(record.hash, words, world.key);
    return runBy(world, services, prove('wallet'), { path: { id: 'till' }, body });
  };
  /** Closes the first balances of a wallet, and breaks off. */
  const endPartly = async ({ world, end }: Awaited<ReturnType<typeof till>>) => {
    const head = headKeyOf(main, 'wallet', 'till');
    const client = before(
      ground.client,
      ({ Delete: { Key } = {} }) => Key?.['pk'] === head.pk && Key['sk'] === head.sk,
      () => Promise.reject(new Error('The process ended.')),
    );
    await expect(end({ store: storeOf(world, client) })).rejects.toThrow('The process ended.');
    const rows = await world.services.store.balances(main, 'till');
    expect(rows.map(({ symbol }) => symbol)).not.toContain('s1');
  };
  /** A payment that is about to be stored; answers how to let it go on. */
  const paymentIn = async (world: World) => {
    const { store } = world.services;
    let goOn: () => void = () => {};
    const free = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let paid: Promise<LedgerRecord> | undefined;
    await new Promise<void>((resolve) => {
      const commit: Store['commit'] = async (wanted) => {
        resolve();
        await free;
        return store.commit(wanted);
      };
      paid = runBy(world, { store: { ...store, commit } }, createIntent, pay(world));
    });
    return async () => {
      goOn();
      return outcomeOf((await paid) as unknown as Item);
    };
  };

  test('while its wallet is frozen takes no payment of before', async () => {
    const desk = await till(1);
    const { world } = desk;
    const { store } = world.services;
    let goOn = async (): Promise<unknown> => undefined;
    const watch: Store['watch'] = async (...what) => {
      await store.watch(...what);
      await endPartly(desk);
      goOn = await paymentIn(world);
    };
    await say(world, 'inactive', { store: { ...store, watch } });
    expect(await goOn()).toBe('core.target-inactive');
    expect(await world.audited()).toEqual([]);
  });

  test('by a frozen wallet takes no payment that has read it with as many changes', async () => {
    const desk = await till(1);
    const { world } = desk;
    const { store } = world.services;
    for (const status of ['inactive', 'active']) await say(world, status);
    const goOn = await paymentIn(world);
    await say(world, 'inactive');
    await endPartly(desk);
    const commit: Store['commit'] = () => Promise.reject(new Error('The process ended.'));
    const limit = {
      action: 'limit',
      wallet: 'till',
      symbol: 's1',
      metric: 'maxBalance',
      amount: 9,
    };
    const body = signed({ handle: 'limit', claims: [limit] }, world.key);
    const limited = runBy(world, { store: { ...store, commit } }, createIntent, { body });
    await expect(limited).rejects.toThrow('The process ended.');
    expect(await goOn()).toBe('core.target-inactive');
    expect(await world.audited()).toEqual([]);
  });
});

test('a drop that is rejected does not keep a busy balance from getting shards again', async () => {
  const world = await hotWorld(ground, 5, { first: 4 });
  const routes = [{ action: 'debit', target: 'hot' }];
  await world.make(create('wallet'), { handle: 'payer', routes });
  await world.settle('away', {
    ...{ action: 'transfer', source: 'hot', target: 'w0', amount: 5, ...usd },
  });
  const { hash, luid } = await walletIn(world);
  const words = { moment: momentNow(), status: 'dropped' };
  const body = { luid, ...signed({ parent: hash }, world.key, words) };
  await expect(world.call(drop('wallet'), body, 'hot')).rejects.toMatchObject(rejected);
  expect(await world.item(at)).not.toHaveProperty('undivided');
});
