/**
 * Goal: the audit finds nothing wrong with reversals at any moment, and names what is wrong with them when somebody wrote
 * into the table. Ruling 92.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { prove } from '../../shared/action/prove.ts';
import { sign } from '../../shared/crypto/proof.ts';
import { reversalStatementOf, type UndoneClaim } from '../../shared/ledger/reversal.ts';
import { headKeyOf } from '../../shared/store/keys.ts';
import { unpack } from '../../shared/store/pack.ts';
import { type Ground, main, momentNow, startGround, type World } from '../fixture/audited.ts';

let ground: Ground;
beforeAll(async () => {
  ground = await startGround();
});
afterAll(() => ground.stop());

const headOf = (handle: string) => headKeyOf(main, 'intent', handle);
const money = { symbol: 'usd' };
const back = (amount: number) => ({
  ...{ action: 'transfer', source: 'b', target: 'a', amount, ...money },
});

/** A ledger with a payment of 60, of which 20 are reversed, and 30 wait for a decision. */
async function reversed(): Promise<World> {
  const world = await ground.newWorld();
  const { make, settle } = world;
  await make(create('symbol'), { handle: 'usd', factor: 100 });
  for (const handle of ['a', 'b']) await make(create('wallet'), { handle });
  await settle('first', { action: 'issue', target: 'a', amount: 100, ...money });
  await settle('paid', { action: 'transfer', source: 'a', target: 'b', amount: 60, ...money });
  await make(createIntent, { handle: 'one', reverses: 'paid', claims: [back(20)] });
  const config = { commit: 'manual' };
  await make(createIntent, { handle: 'two', reverses: 'paid', claims: [back(30)], config });
  return world;
}

async function decide(world: World, handle: string, status: string): Promise<void> {
  const { hash } = unpack(await world.item(headOf(handle))).record;
  await world.call(prove('intent'), sign(hash, { moment: momentNow(), status }, world.key), handle);
}

/** Adds a statement of the ledger to the last change of an intent, or takes the last ones away. */
async function restated(
  world: World,
  count: number,
  status?: 'reversing' | 'reversed',
  by = '',
  claims?: readonly UndoneClaim[],
): Promise<void> {
  const ledger = await world.services.identityOf(main);
  if (!ledger) throw new Error('There is no ledger.');
  await world.edit(headOf('paid'), (version) => {
    const { record, steps } = version;
    const { hash, meta } = record;
    const custom =
      status && reversalStatementOf({ status, by, ...(claims && { claims }) }, momentNow());
    const said = custom ? [{ ...sign(hash, custom, ledger.key), signer: 'system' }] : [];
    const proofs = [...meta.proofs.slice(0, meta.proofs.length - count), ...said];
    const last = steps.map((step) => ({ ...step, proofs: proofs.length }));
    return { ...version, steps: last, record: { ...record, meta: { ...meta, proofs } } };
  });
}

test.each(['committed', 'aborted'])(
  'reversals are in order, also when one is %s',
  async (status) => {
    const world = await reversed();
    expect(await world.audited()).toEqual([]);
    await decide(world, 'two', status);
    expect([await world.audited(), await world.audited({ isLive: true })]).toEqual([[], []]);
  },
);

test.each([
  [
    'more than was moved',
    (world: World) => restated(world, 1, 'reversing', 'two', [{ claim: 0, amount: 41 }]),
    [
      /^Invariant 5 .* intent paid .*: More of the intent was reversed than it moved\. .*found -1\./,
      /intent paid .*: The reversal two has another share than it moves\. Expected 30, found 41\./,
    ],
  ],
  [
    'another share than the reversal moves',
    (world: World) => restated(world, 1, 'reversing', 'two', [{ claim: 0, amount: 29 }]),
    [/intent paid .*: The reversal two has another share than it moves\. Expected 30, found 29\./],
  ],
  [
    'the end of what still waits',
    (world: World) => restated(world, 0, 'reversed', 'two'),
    [
      /intent paid .*: The reversal two is prepared, and is not stated so\. Expected reversing, found reversed\./,
      /intent two .*: The reversal two is prepared, and is not stated so\./,
    ],
  ],
  [
    'what reverses nothing',
    (world: World) => restated(world, 0, 'reversed', 'first', [{ claim: 0, amount: 1 }]),
    [/intent paid .*: The intent first is no reversal of it\./],
  ],
  [
    'nothing of a reversal',
    (world: World) => restated(world, 1),
    [
      /intent two .*: The reversal two is prepared, and is not stated so\. Expected reversing, found nothing\./,
    ],
  ],
])('an intent that states %s is found', async (_, plant, said) => {
  const world = await reversed();
  await plant(world);
  const found = (await world.audited()).filter((line) => /revers/.test(line));
  expect(found).toHaveLength(said.length);
  for (const [index, pattern] of said.entries()) expect(found[index]).toMatch(pattern);
});
