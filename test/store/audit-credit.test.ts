/** Goal: credit that nobody answers for is named, and what was owed while a ledger was open is not. Ruling 69, Decision 79. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { createLedger } from '../../shared/action/create-ledger.ts';
import { prove } from '../../shared/action/prove.ts';
import { updateOwnLedger } from '../../shared/action/update.ts';
import { sign } from '../../shared/crypto/proof.ts';
import type { LedgerRecord, Version } from '../../shared/ledger/record.ts';
import { type Ground, signed, startGround, type World } from '../fixture/audited.ts';

let ground: Ground;
beforeAll(async () => {
  ground = await startGround();
});
afterAll(() => ground.stop());

const everything = [{ action: 'any', record: 'any' }];
const bank = 'bank';
const transfer = { action: 'transfer', source: 'till', target: 'shop', symbol: 'usd', amount: 7 };
const named =
  /^Invariant 2 .*bank.*till.* below zero at the bridge core, which was never activated/;

/** A ledger in which a wallet at a bridge has paid what it did not have. */
async function owing(access: readonly object[]): Promise<World> {
  const world = await ground.newWorld();
  const { make, services } = world;
  await make(createLedger, { handle: bank, access });
  await make(create('symbol'), { handle: 'usd', factor: 100 }, bank);
  await make(create('bridge'), { handle: 'core', config: { server: 'https://a.example' } }, bank);
  await make(create('wallet'), { handle: 'till', bridge: 'core' }, bank);
  await make(create('wallet'), { handle: 'shop' }, bank);
  const { load } = services.store;
  // A ledger that takes every bridge for an active one: as they were before somebody had to answer for them.
  const lying: typeof load = async (wants) => {
    const found = (await load(wants)) as readonly unknown[];
    const told = found.map((one) => {
      const version = one as { kind?: string; record: LedgerRecord } | undefined;
      if (version?.kind !== 'bridge') return one;
      const { record } = version;
      return { ...version, record: { ...record, meta: { ...record.meta, status: 'active' } } };
    });
    return told as unknown as Awaited<ReturnType<typeof load<typeof wants>>>;
  };
  Object.assign(services.store, { load: lying });
  const paid = await make(createIntent, { handle: 'pay', claims: [transfer] }, bank);
  Object.assign(services.store, { load });
  expect(paid.meta.status).toBe('processing');
  return world;
}

const activated = async ({ call, key, services }: World) => {
  const [bridge] = await services.store.load([
    { what: 'record', scope: bank, kind: 'bridge', handle: 'core' },
  ]);
  const custom = { moment: new Date().toISOString(), status: 'active' };
  await call(prove('bridge'), sign(bridge?.record.hash ?? '', custom, key), 'core', bank);
};

test.each([[{ isLive: false }], [{ isLive: true }]])(
  'a wallet below zero at a bridge that nobody answers for is named, until somebody does: %o',
  async (how) => {
    const world = await owing(everything);
    expect(await world.audited(how)).toEqual([expect.stringMatching(named)]);
    await activated(world);
    expect(await world.audited(how)).toEqual([]);
  },
);

test('what is owed from the time when the ledger was open is not named', async () => {
  const world = await owing([]);
  expect(await world.audited()).toEqual([]);
  const [ledger] = await world.services.store.load([
    { what: 'record', scope: '', kind: 'ledger', handle: bank },
  ]);
  const { data, hash } = (ledger as Version).record;
  const closed = signed({ ...data, access: everything, parent: hash }, world.key);
  await world.call(updateOwnLedger, closed, '', bank);
  expect(await world.audited()).toEqual([]);
});
