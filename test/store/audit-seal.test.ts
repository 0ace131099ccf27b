/**
 * Goal: the audit knows where proofs are remembered, now and in tables from before dated ones counted once among
 * all kinds, and names what is wrong with that. Ruling 16, Decision 7.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { drop } from '../../shared/action/drop.ts';
import type { Kind } from '../../shared/ledger/kind.ts';
import { type Key, oldReplayGuardKeyOf, replayGuardKeyOf } from '../../shared/store/keys.ts';
import {
  type Ground,
  main,
  momentNow,
  signed,
  startGround,
  type World,
} from '../fixture/audited.ts';

let ground: Ground;

beforeAll(async () => {
  ground = await startGround();
});

afterAll(() => ground.stop());

type Body = ReturnType<typeof signed>;

const isForgotten = /: A proof that made or ended the record is not remembered/;

/** A wallet, a domain and a wallet that ended, with the bodies that made and ended them. */
async function sealed() {
  const world = await ground.newWorld();
  const wallet = signed({ handle: 'alice' }, world.key);
  const domain = signed({ handle: 'bank' }, world.key);
  const gone = signed({ handle: 'gone' }, world.key);
  await world.call(create('wallet'), wallet);
  await world.call(create('domain'), domain);
  await world.call(create('wallet'), gone);
  const custom = { moment: momentNow(), status: 'dropped' };
  const end = signed({ parent: gone.hash }, world.key, custom);
  await world.call(drop('wallet'), end, 'gone');
  return { world, wallet, domain, gone, end };
}

const placeOf = (kind: Kind, { meta }: Body): Key => {
  const [proof] = meta.proofs;
  if (!proof) throw new Error('The body is not signed.');
  return replayGuardKeyOf(main, kind, proof);
};

/** Puts what is remembered of a body where it once was. */
async function asBefore(world: World, kind: Kind, { meta }: Body): Promise<void> {
  for (const proof of meta.proofs) {
    const seal = await world.item(replayGuardKeyOf(main, kind, proof));
    await world.remove(replayGuardKeyOf(main, kind, proof));
    await world.put({ ...seal, ...oldReplayGuardKeyOf(main, kind, proof) });
  }
}

async function expectOrder(world: World): Promise<void> {
  expect(await world.audited()).toEqual([]);
  expect(await world.audited({ ledger: main })).toEqual([]);
  expect(await world.audited({ isLive: true })).toEqual([]);
}

describe('a table is in order', () => {
  test('where dated proofs are remembered for all kinds', async () => {
    const { world, wallet, domain, end } = await sealed();
    for (const body of [wallet, domain, end])
      expect(placeOf('wallet', body)).toEqual(placeOf('circle', body));
    await expectOrder(world);
  });

  test('where they are remembered for their kinds, and those of domains nowhere, as it was before', async () => {
    const { world, wallet, domain, gone, end } = await sealed();
    for (const body of [wallet, gone, end]) await asBefore(world, 'wallet', body);
    await world.remove(placeOf('domain', domain));
    await expectOrder(world);
  });

  test('where one proof made two records before', async () => {
    const { world, wallet, domain } = await sealed();
    await asBefore(world, 'wallet', wallet);
    await world.call(create('circle'), wallet);
    await world.remove(placeOf('domain', domain));
    await world.call(create('circle'), domain);
    await expectOrder(world);
  });

  test('where proofs say no moment', async () => {
    const { world } = await sealed();
    const body = signed({ handle: 'plain' }, world.key, {});
    for (const kind of ['wallet', 'circle', 'domain'] as const)
      await world.call(create(kind), body);
    await expectOrder(world);
  });
});

describe('the audit names', () => {
  test.each([
    ['the proof of a create', 'wallet alice', ({ wallet }: Sealed) => wallet],
    ['the proof of a drop', 'wallet gone', ({ end }: Sealed) => end],
  ] as const)('%s that was forgotten', async (_, name, bodyOf) => {
    const all = await sealed();
    await all.world.remove(placeOf('wallet', bodyOf(all)));
    const lines = await all.world.audited();
    expect(lines).toEqual([expect.stringMatching(isForgotten)]);
    expect(lines[0]).toContain(name);
    expect(await all.world.audited({ isLive: true })).toEqual(lines);
  });

  test.each([
    ['another hash', { hash: 'ab'.repeat(32) }, [isForgotten]],
    [
      'another record',
      { luid: '$wlt.-P6wr1R_4CuAi8ADf' },
      [/: A remembered proof made or ended no record/],
    ],
  ] as const)('a proof of a domain that is remembered with %s', async (_, change, said) => {
    const { world, domain } = await sealed();
    await world.alter(placeOf('domain', domain), change);
    expect(await world.audited()).toEqual(said.map((line) => expect.stringMatching(line)));
  });

  test('a proof that is remembered and made nothing', async () => {
    const { world } = await sealed();
    const luid = '$wlt.-P6wr1R_4CuAi8ADf';
    const place = placeOf('wallet', signed({ handle: 'nothing' }, world.key));
    await world.put({ ...place, luid, hash: 'ab'.repeat(32) });
    const line = /: A remembered proof made or ended no record: 'main#seal##/;
    expect(await world.audited()).toEqual([expect.stringMatching(line)]);
  });
});

type Sealed = Awaited<ReturnType<typeof sealed>>;
