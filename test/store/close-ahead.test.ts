/**
 * Goal: a wallet with more balances than one transaction takes ends with all of them, and a drop that is rejected takes
 * none of its limits away. Ruling 44.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { drop } from '../../shared/action/drop.ts';
import type { Services } from '../../shared/port/action.ts';
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
import { at, before, hotWorld, runBy, storeOf, usd, walletIn } from '../fixture/hot.ts';

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
