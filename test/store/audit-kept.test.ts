/**
 * Goal: the audit knows what is kept beside records, and misses it, and sees what is too much. Decisions 22, 23, 25
 * and 39.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { prove } from '../../shared/action/prove.ts';
import { createSeed, privateKeyOf, publicOf } from '../../shared/crypto/key.ts';
import { sign } from '../../shared/crypto/proof.ts';
import {
  assetKeyOf,
  clientKeyOf,
  expiryKeyOf,
  headKeyOf,
  type Key,
  secretsKeyOf,
  workKeyOf,
} from '../../shared/store/keys.ts';
import { unpack } from '../../shared/store/pack.ts';
import { type Ground, main, signed, startGround, type World } from '../fixture/audited.ts';

let ground: Ground;
beforeAll(async () => {
  ground = await startGround();
});
afterAll(() => ground.stop());

/** A ledger with a bridge and its secrets, a factor and its client, and a report to be produced. */
async function kept() {
  const world = await ground.newWorld();
  const { call, make, key } = world;
  const secure = [{ schema: 'header', key: 'authorization', value: '{{ secret.token }}' }];
  const config = { server: 'https://a.example' };
  const body = signed({ handle: 'bank', config, secure }, key);
  const sent = { ...body, meta: { ...body.meta, secret: { token: 'x' } } };
  const bridge = await call(create('bridge'), sent);
  await make(create('bridge'), { handle: 'plain', config });
  await make(create('signer'), { handle: 'ann' });
  const credentials = { handle: 'phone', signer: 'ann', schema: 'oauth-client-credentials' };
  const factor = await call(create('signer-factor'), signed(credentials, key), { signer: 'ann' });
  const custom = {
    start_timestamp: '2026-01-01T00:00:00Z',
    end_timestamp: '2026-01-02T00:00:00Z',
  };
  const data = { handle: 'details', schema: 'trans_details_rep', custom };
  const report = await make(create('report'), data);
  const secrets = secretsKeyOf(main, bridge.luid);
  const client = clientKeyOf(main, factor.meta.clientId ?? '');
  return { world, secrets, client, report };
}

const without = async (world: World, place: Key) => {
  await world.remove(place);
  return world.audited();
};

test('what is kept beside records is in order', async () => {
  const { world, report } = await kept();
  await world.put({ ...assetKeyOf(main, report.luid, 'csv', 0), text: 'a' });
  expect(await world.audited()).toEqual([]);
  expect(await world.audited({ ledger: main })).toEqual([]);
  expect(await world.item(workKeyOf(main, report.luid, Date.parse('2026-01-02')))).toMatchObject({
    handle: 'details',
  });
});

test('secrets and clients that were taken away are missed', async () => {
  const { world, secrets, client } = await kept();
  expect(await without(world, secrets)).toEqual([
    expect.stringMatching(
      /^Invariant 3 · ledger main · bridge bank · .*: The secrets of the bridge are missing\.$/,
    ),
  ]);
  expect(await without(world, client)).toEqual([
    expect.stringMatching(/: The secrets of the bridge are missing\.$/),
    expect.stringMatching(
      /^Invariant 3 · ledger main · signer-factor ann\/phone · .*: The client of the factor is missing\.$/,
    ),
  ]);
});

test('secrets and clients of nobody are seen', async () => {
  const { world, secrets, client } = await kept();
  const luid = '$brg.00000000000000000';
  await world.put({ ...(await world.item(secrets)), ...secretsKeyOf(main, luid) });
  await world.put({ ...(await world.item(client)), ...clientKeyOf(main, 'stray') });
  const said = await world.audited();
  expect(said).toHaveLength(2);
  expect(said.join('\n')).toMatch(/Secrets are kept of no bridge.*: 'main#secrets#\$brg\.0+ #'\./);
  expect(said.join('\n')).toMatch(/A client is of no factor: 'main#client#stray #'\./);
});

const claims = [{ action: 'transfer', source: 'ann', target: 'bob', symbol: 'usd', amount: 1 }];

/** A governed ledger in which an intent waits for the owner of a wallet; `go` is its signature. */
async function pending() {
  const world = await ground.newWorld();
  const { call, make, key } = world;
  const seed = createSeed();
  const other = { public: publicOf(seed), privateKey: privateKeyOf(seed) };
  await make(create('symbol'), { handle: 'usd', factor: 1 });
  await make(create('wallet'), { handle: 'ann' });
  await make(create('wallet'), { handle: 'bob' });
  await make(createIntent, {
    handle: 'first',
    claims: [{ action: 'issue', target: 'ann', symbol: 'usd', amount: 9 }],
  });
  const rule = { action: 'create', record: 'intent', signer: { public: other.public } };
  await make(create('circle'), { handle: 'staff', access: [rule] });
  const intent = await call(createIntent, signed({ handle: 'second', claims }, other));
  const head = headKeyOf(main, 'intent', 'second');
  const marker = expiryKeyOf(main, unpack(await world.item(head))) as Key;
  const go = () => call(prove('intent'), sign(intent.hash, {}, key), 'second');
  return { world, other, intent, head, marker, go };
}

test('an intent that waits is in order, and so it is when it goes on', async () => {
  const { world, intent, marker, go } = await pending();
  expect(intent.meta.status).toBe('pending');
  expect(await world.item(marker)).toMatchObject({ handle: 'second' });
  expect([await world.audited(), await world.audited({ isLive: true })]).toEqual([[], []]);
  expect((await go()).meta.status).toBe('completed');
  await expect(world.item(marker)).rejects.toThrow('nothing');
  expect([await world.audited(), await world.audited({ isLive: true })]).toEqual([[], []]);
});

test('an intent that nothing marks is told, and a marker of one that does not wait', async () => {
  const { world, marker, go } = await pending();
  const item = await world.item(marker);
  expect(await without(world, marker)).toEqual([
    expect.stringMatching(/intent second · .*: Nothing marks that the intent has yet to end\.$/),
  ]);
  await world.put(item);
  await go();
  await world.put(item);
  expect(await world.audited()).toEqual([
    expect.stringMatching(/^Invariant 5 · .*: An intent is marked that has ended: '#expiry#/),
  ]);
});

test('an intent that has waited for too long is told of a ledger that is running', async () => {
  const { world, head, marker } = await pending();
  const old = '2020-01-01T00:00:00.000Z';
  await world.edit(head, (version) => {
    const { record } = version;
    const { hash, luid } = record;
    const word = { luid, status: 'pending', moment: record.meta.moment, expiry: old };
    const proofs = [...record.meta.proofs.slice(0, -1)];
    const last = record.meta.proofs.at(-1);
    if (!last) throw new Error('The ledger has said something.');
    const said = { ...last, custom: word, digest: hash };
    return {
      ...version,
      record: { ...record, meta: { ...record.meta, proofs: [...proofs, said] } },
    };
  });
  await world.remove(marker);
  const overdue = /Invariant 5 · .*: The intent has waited for too long, and nobody ends it\./;
  expect((await world.audited({ isLive: true })).join('\n')).toMatch(overdue);
  expect((await world.audited()).join('\n')).not.toMatch(overdue);
});

test('intents that go on while they are audited make no balance look wrong', async () => {
  const { world, other, go } = await pending();
  const handles = Array.from({ length: 5 }, (_, index) => `more-${index}`);
  const others = await Promise.all(
    handles.map((handle) => world.call(createIntent, signed({ handle, claims }, other))),
  );
  const signing = async () => {
    for (const { hash, data } of others)
      await world.call(prove('intent'), sign(hash, {}, world.key), data.handle);
  };
  const said: string[] = [];
  const auditing = async () => {
    for (let round = 0; round < 3; round += 1)
      said.push(...(await world.audited({ isLive: true })));
  };
  await Promise.all([auditing(), go(), signing()]);
  expect([...said, ...(await world.audited())]).toEqual([]);
});
