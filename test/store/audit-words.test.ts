/**
 * Goal: what is stored beside a signature is what was signed. Method: somebody writes other data, other words or
 * another name into a table, and keeps the hash, the digest and the signature beside it.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { prove } from '../../shared/action/prove.ts';
import { update } from '../../shared/action/update.ts';
import { sign } from '../../shared/crypto/proof.ts';
import type { Version } from '../../shared/ledger/record.ts';
import type { Proof } from '../../shared/shape/proof.ts';
import { headKeyOf } from '../../shared/store/keys.ts';
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
const place = headKeyOf(main, 'wallet', 'alice');

beforeAll(async () => {
  ground = await startGround();
});
afterAll(() => ground.stop());

/** What the audit says once the current version of a wallet was changed behind the back of its ledger. */
async function auditedWith(change: (version: Version) => Version): Promise<string[]> {
  world = await ground.newWorld();
  const { hash, luid } = await world.make(create('wallet'), { handle: 'alice' });
  const data = { handle: 'alice', parent: hash, custom: { note: 'mine' } };
  await world.call(update('wallet'), signed(data, world.key), luid);
  expect(await world.audited()).toEqual([]);
  await world.edit(place, change);
  return world.audited();
}

test('other data under the hash that was signed', async () => {
  const found = await auditedWith(({ record, ...version }) => ({
    ...version,
    record: { ...record, data: { ...record.data, custom: { note: 'yours' } } },
  }));
  expect(found.join()).toContain('The hash of the record is not that of its data.');
});

test('other words under a digest that was signed, and was looked at with the version before', async () => {
  world = await ground.newWorld();
  const { luid, hash } = await world.make(create('wallet'), { handle: 'alice' });
  const proof = sign(hash, { moment: momentNow(), status: 'seen' }, world.key);
  await world.call(prove('wallet'), proof, luid);
  expect(await world.audited()).toEqual([]);
  await world.edit(place, ({ record, ...version }) => {
    const [first, ...others] = record.meta.proofs;
    const custom = { ...first?.custom, moment: '2099-01-01T00:00:00.000Z' };
    const proofs = [{ ...(first as Proof), custom }, ...others];
    return { ...version, record: { ...record, meta: { ...record.meta, proofs } } };
  });
  expect((await world.audited()).join()).toContain('its digest is of something else');
});

test('another signer in whose name the ledger has spoken', async () => {
  const found = await auditedWith(({ record, ...version }) => ({
    ...version,
    record: {
      ...record,
      meta: {
        ...record.meta,
        proofs: record.meta.proofs.map((one) => ({ ...one, signer: 'eve' })),
      },
    },
  }));
  expect(found.join()).toContain('A proof of the ledger names another signer.');
});

test('an import that has not ended', async () => {
  world = await ground.newWorld();
  await world.put({ pk: 'main#import', sk: '#', sha256: 'any', stage: 'records' });
  expect(await world.audited()).toEqual([
    'Invariant 3 · ledger main: An import of the ledger has not ended.',
  ]);
});
