/**
 * Goal: a record has the labels that its proofs ask for, and none that nobody asked for. Method: somebody writes labels
 * into the table beside the proofs. Rulings 14 and 75.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { drop } from '../../shared/action/drop.ts';
import { prove } from '../../shared/action/prove.ts';
import { sign } from '../../shared/crypto/proof.ts';
import type { Version } from '../../shared/ledger/record.ts';
import { changeKeyOf, headKeyOf } from '../../shared/store/keys.ts';
import {
  type Ground,
  main,
  momentNow,
  signed,
  startGround,
  type World,
} from '../fixture/audited.ts';

let ground: Ground;
let world: World;

beforeAll(async () => {
  ground = await startGround();
});
afterAll(() => ground.stop());

const notAsked = 'The labels are not those that the proof asks for.';

const labelled =
  (labels: readonly string[] | undefined) =>
  ({ record, ...version }: Version): Version => {
    const { labels: _, ...meta } = record.meta;
    return { ...version, record: { ...record, meta: { ...meta, ...(labels && { labels }) } } };
  };

async function newWallet(): Promise<{ readonly luid: string; readonly hash: string }> {
  world = await ground.newWorld();
  return world.make(create('wallet'), { handle: 'alice' });
}

/** Adds a proof that asks for labels. */
async function label(
  kind: 'wallet' | 'intent',
  { luid, hash }: { readonly luid: string; readonly hash: string },
  labels: unknown,
): Promise<void> {
  const proof = sign(hash, { moment: momentNow(), labels }, world.key);
  await world.call(prove(kind), proof, luid);
}

async function assertFound(key: Parameters<World['edit']>[0], change: (one: Version) => Version) {
  expect(await world.audited()).toEqual([]);
  await world.edit(key, change);
  expect((await world.audited()).join()).toContain(notAsked);
}

test('labels of a record that was just made', async () => {
  await newWallet();
  await assertFound(headKeyOf(main, 'wallet', 'alice'), labelled(['vip']));
});

test('other labels of an intent, and none', async () => {
  for (const labels of [['vip', 'old'], undefined]) {
    await newWallet();
    await world.make(create('symbol'), { handle: 'usd', factor: 100 });
    const claim = { action: 'issue', target: 'alice', symbol: 'usd', amount: 5 };
    const intent = await world.settle('pay', claim);
    // A policy may let the last proof have no effect, so the labels from before it are in order.
    await label('intent', intent, ['vip']);
    await label('intent', intent, { $push: 'new' });
    const key = headKeyOf(main, 'intent', 'pay');
    await assertFound(key, labelled(labels));
  }
});

test('other labels of a record that has ended', async () => {
  const wallet = await newWallet();
  await label('wallet', wallet, ['vip']);
  const custom = { moment: momentNow(), status: 'dropped' };
  await world.call(drop('wallet'), signed({ parent: wallet.hash }, world.key, custom), wallet.luid);
  await assertFound(changeKeyOf(main, wallet.luid, 3), labelled(['old']));
});
