/**
 * The audit finds nothing wrong with keys that have handed over what they own, and whoever writes into the table that
 * one did, or did not. Decision 157.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { update } from '../../shared/action/update.ts';
import type { SigningKey } from '../../shared/crypto/proof.ts';
import type { LedgerRecord, Version } from '../../shared/ledger/record.ts';
import { headKeyOf, holderKeyOf } from '../../shared/store/keys.ts';
import {
  type Ground,
  main,
  momentNow,
  newSigningKey,
  signed,
  startGround,
  type World,
} from '../fixture/audited.ts';

let ground: Ground;
let original: World;
let keys: readonly [first: SigningKey, second: SigningKey, third: SigningKey];

const keyData = (key: SigningKey) => ({ public: key.public, format: 'ed25519-raw' });

async function handOver(
  { call }: World,
  { luid, hash, data }: LedgerRecord,
  from: SigningKey,
  to: SigningKey,
): Promise<LedgerRecord> {
  const custom = { moment: momentNow(), ledger: main, successor: to.public };
  const next = { ...data, ...keyData(to), parent: hash };
  return call(update('signer'), signed(next, from, custom), luid);
}

beforeAll(async () => {
  ground = await startGround();
  original = await ground.newWorld();
  keys = [original.key, newSigningKey(), newSigningKey()];
  const [first, second, third] = keys;
  await original.make(create('signer'), { handle: 'bob', ...keyData(newSigningKey()) });
  const ada = await original.make(create('signer'), { handle: 'ada', ...keyData(first) });
  const after = await handOver(original, ada, first, second);
  expect(await original.audited()).toEqual([]);
  await handOver(original, after, second, third);
  await original.make(create('signer'), { handle: 'eve', ...keyData(third) });
});

afterAll(() => ground.stop());

test('keys that have handed over are in order, also while the ledger is used', async () => {
  expect(await original.audited()).toEqual([]);
  expect(await original.audited({ isLive: true })).toEqual([]);
  expect(await original.audited({ ledger: main })).toEqual([]);
});

const placeOf = (index: 0 | 1 | 2) => holderKeyOf(main, keys[index].public);
const ada = headKeyOf(main, 'signer', 'ada');
const withMeta = (version: Version, change: object): Version => ({
  ...version,
  record: { ...version.record, meta: { ...version.record.meta, ...change } },
});

describe('what somebody wrote into the table is found:', () => {
  test.each<[string, (world: World) => Promise<void>, RegExp]>([
    [
      'a key that is to own again what it has handed over',
      (world) => world.remove(placeOf(0)),
      /^Invariant 3 · ledger main · signer ada · \S+: A key owns what it has handed over\.$/,
    ],
    [
      'the same, by a signer that holds it',
      (world) => world.put({ ...placeOf(0), signer: 'ada' }),
      /A key owns what it has handed over\./,
    ],
    [
      'another successor',
      (world) => world.alter(placeOf(0), { successor: keys[2].public }),
      /A key owns what it has handed over\./,
    ],
    [
      'a successor of a key that has not handed over',
      async (world) => {
        const luid = String((await world.item(ada))['luid']);
        const stranger = holderKeyOf(main, newSigningKey().public);
        await world.put({ ...stranger, luid, successor: keys[2].public });
      },
      /A key is held by a signer that does not have it/,
    ],
    [
      'a predecessor less',
      (world) => world.alter(placeOf(2), { predecessors: keys[1].public }),
      /A key owns by other keys than those that have handed over to it\./,
    ],
    [
      'a predecessor more',
      async (world) => {
        const { predecessors } = await world.item(placeOf(2));
        const more = `${predecessors} ${newSigningKey().public}`;
        await world.alter(placeOf(2), { predecessors: more });
      },
      /A key owns by other keys than those that have handed over to it\./,
    ],
    [
      'a key that is to own nothing of what it has taken over',
      (world) => world.remove(placeOf(2)),
      /signer ada .*A key owns by other keys than those that have handed over to it\./,
    ],
    [
      'the same, by another signer that shows it',
      (world) => world.put({ ...placeOf(2), signer: 'eve' }),
      /signer ada .*A key owns by other keys than those that have handed over to it\./,
    ],
    [
      'a predecessor of a key that has none',
      async (world) => {
        const bob = await world.services.store.load([
          { what: 'record', scope: main, kind: 'signer', handle: 'bob' },
        ]);
        const key = String(bob[0]?.record.data['public']);
        await world.alter(holderKeyOf(main, key), { predecessors: keys[2].public });
      },
      /signer bob .*A key owns by other keys than those that have handed over to it\./,
    ],
    [
      'a predecessor in the record',
      (world) => world.edit(ada, (one) => withMeta(one, { predecessors: [keys[0].public] })),
      /The predecessors are not the keys that have handed over\./,
    ],
    [
      'a predecessor of a new record',
      (world) =>
        world.edit(headKeyOf(main, 'signer', 'bob'), (one) =>
          withMeta(one, { predecessors: [keys[0].public] }),
        ),
      /The key of a new record has predecessors\./,
    ],
  ])('%s', async (_, write, finding) => {
    const world = await ground.copyOf(original);
    await write(world);
    const found = await world.audited();
    expect(found.join('\n')).toMatch(finding);
  });
});
