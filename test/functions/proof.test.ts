/** Goal: proofs that are added to a record. Ruling 14. */
import { describe, expect, test } from 'vitest';
import { digestOf } from '../../shared/crypto/digest.ts';
import {
  type Item,
  type Json,
  newKey,
  newLedger,
  now,
  proofOf,
  revision,
  titled,
  unique,
} from '../fixture/client.ts';
import { sharedHome } from '../fixture/served.ts';

const key = newKey();

const home = await sharedHome();
const ledger = await newLedger(home, key);

const newWallet = () => ledger.make('wallets', { handle: unique('wallet') }, key);

const prove = (item: Item, custom: Json, author = key) =>
  ledger.prove('wallets', item, author, custom);

describe('added proofs', () => {
  test('one is kept at the end, as it was sent, and changes nothing else', async () => {
    const item = await newWallet();
    const witness = newKey();
    const proof = proofOf(item.hash, witness, { moment: now(), remark: { seen: [1, 'two'] } });
    const { status, body } = await ledger.post(`/wallets/${item.data.handle}/proofs`, proof);
    expect(status).toBe(200);
    const added = { ...proof, origin: 'key-pair' };
    expect(body).toEqual({ ...item, meta: { ...item.meta, proofs: [...item.meta.proofs, added] } });
    expect((await ledger.get(`/wallets/${item.luid}`)).body).toEqual(body);
  });

  test('one without custom is a proof', async () => {
    const item = await newWallet();
    const proof = proofOf(item.hash, key);
    const { status, body } = await ledger.post(`/wallets/${item.luid}/proofs`, proof);
    expect([status, body.meta.proofs.at(-1)]).toEqual([200, { ...proof, origin: 'key-pair' }]);
  });

  test('one brings a status, and the last one counts', async () => {
    const item = await newWallet();
    for (const status of ['active', 'frozen', 'active'])
      expect((await prove(item, { status })).body.meta.status).toBe(status);
    expect((await prove(item, { remark: 'none' })).body.meta.status).toBe('active');
  });

  test.each(titled(['dropped', '', 'x'.repeat(65)]))(
    'none brings the status %j',
    async (_, status) => {
      const item = await newWallet();
      const reply = await prove(item, { status });
      expect([reply.status, reply.reason]).toEqual([422, 'record.status-policy-violation']);
      expect((await ledger.get(`/wallets/${item.luid}`)).body).toEqual(item);
    },
  );

  test.each([5, false, ['active'], { $set: 'active' }])(
    'none brings a status that is no text, as %j',
    async (status) => {
      const item = await newWallet();
      const reply = await prove(item, { status });
      expect([reply.status, reply.reason]).toEqual([422, 'record.status-policy-violation']);
      expect((await ledger.get(`/wallets/${item.luid}`)).body).toEqual(item);
    },
  );

  test('one changes labels as it says', async () => {
    const item = await newWallet();
    expect(item.meta).not.toHaveProperty('labels');
    const steps: [unknown, string[]][] = [
      [
        ['a', 'b'],
        ['a', 'b'],
      ],
      [{ $push: 'c' }, ['a', 'b', 'c']],
      [{ $push: 'a' }, ['a', 'b', 'c', 'a']],
      [{ $addToSet: 'a' }, ['a', 'b', 'c', 'a']],
      [{ $pop: 1 }, ['a', 'b', 'c']],
      [{ $addToSet: 'd' }, ['a', 'b', 'c', 'd']],
      [{ $pull: 'b' }, ['a', 'c', 'd']],
      [{ $pullAll: ['a', 'x'] }, ['c', 'd']],
      [{ $pop: -1 }, ['d']],
      [{ $pop: 1 }, []],
      [{ $push: { $each: ['f', 'e'], $position: 0 } }, ['f', 'e']],
      [{ $push: { $each: ['g'], $sort: 1, $slice: -2 } }, ['f', 'g']],
      [{ $set: ['h', 'f', 'g'] }, ['h', 'f', 'g']],
      [{ $pull: { $in: ['h', 'g'] } }, ['f']],
      [[], []],
    ];
    for (const [labels, after] of steps) {
      const { status, body } = await prove(item, { labels });
      expect([labels, status, body.meta.labels]).toEqual([labels, 200, after]);
    }
  });

  test.each([
    ['a text'],
    [7],
    [{ $set: { $each: ['a'] } }],
    [{ $push: { $slice: 1 } }],
    [{ $push: 'a', $pull: 'b' }],
    [{ $pop: 2 }],
    [[1]],
    [{}],
  ])('labels cannot be %j', async (labels) => {
    const reply = await prove(await newWallet(), { labels });
    expect(reply.status).toBe(422);
  });

  test('the same proof is stored once', async () => {
    const item = await newWallet();
    const proof = proofOf(item.hash, key, { moment: now(), status: 'active' });
    const path = `/wallets/${item.luid}`;
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => ledger.post(`${path}/proofs`, proof)),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await ledger.get(path)).body.meta.proofs).toHaveLength(3);
    expect((await ledger.get(`${path}/changes`)).page.total).toBe(2);
    const [authored] = item.meta.proofs;
    expect((await ledger.post(`${path}/proofs`, authored ?? {})).body.meta.proofs).toHaveLength(3);
  });

  test('of many at once, each is stored and numbered', async () => {
    const item = await newWallet();
    const keys = Array.from({ length: 15 }, newKey);
    const replies = await Promise.all(keys.map((author) => prove(item, {}, author)));
    expect(replies.map(({ status }) => status)).toEqual(keys.map(() => 200));
    const { body } = await ledger.get(`/wallets/${item.luid}`);
    const publics = body.meta.proofs.slice(2).map((proof) => proof.public);
    expect(publics.sort()).toEqual(keys.map((one) => one.public).sort());
    const { items } = await ledger.get(`/wallets/${item.luid}/changes`);
    expect(items.map(({ meta }) => meta.change)).toEqual(
      Array.from({ length: 16 }, (_, n) => 16 - n),
    );
    expect(items.map(({ meta }) => meta.proofs.length)).toEqual(
      Array.from({ length: 16 }, (_, n) => 17 - n),
    );
  });

  test('one over an old version is refused', async () => {
    const item = await newWallet();
    const stale = proofOf(item.hash, key, { moment: now() });
    await ledger.put(`/wallets/${item.luid}`, revision(item, { custom: { n: 2 } }, key));
    const reply = await ledger.post(`/wallets/${item.luid}/proofs`, stale);
    expect([reply.status, reply.reason]).toEqual([422, 'crypto.signature-invalid']);
    expect(reply.detail).toBe(`Invalid signature for key: ${key.public}`);
  });

  test('those that meet an update are of what they were added to', async () => {
    for (let round = 0; round < 4; round += 1) {
      const item = await newWallet();
      const proofs = Array.from({ length: 6 }, () => proofOf(item.hash, newKey()));
      const post = (proof: object) => ledger.post(`/wallets/${item.luid}/proofs`, proof);
      const update = () =>
        ledger.put(`/wallets/${item.luid}`, revision(item, { custom: { round } }, key));
      const [updated, ...replies] = await Promise.all([
        ...[update(), ...proofs.slice(0, 3).map(post)],
        ...proofs.slice(3).map(post),
      ]);
      expect(updated?.status).toBe(200);
      for (const { status, reason } of replies)
        expect([200, 'crypto.signature-invalid']).toContain(status === 200 ? status : reason);
      const { body } = await ledger.get(`/wallets/${item.luid}`);
      expect(body.hash).not.toBe(item.hash);
      for (const proof of body.meta.proofs)
        expect(proof.digest).toBe(digestOf(body.hash, proof.custom));
    }
  });

  test('every kind takes them', async () => {
    const symbol = await ledger.make('symbols', { handle: unique('usd'), factor: 1 }, key);
    const signer = await ledger.make('signers', { handle: unique('signer') }, key);
    const { body: record } = await ledger.get('/ledger');
    const intent = await ledger.settle(key, 'issue nobody 1 nothing');
    const paths = [
      [`/symbols/${symbol.luid}/proofs`, symbol],
      [`/signers/${signer.luid}/proofs`, signer],
      [`/intents/${intent.luid}/proofs`, intent],
      [`/intents/${intent.data.handle}/sign`, intent],
      ['/ledger/proofs', record],
    ] as const;
    for (const [path, { hash }] of paths) {
      const { status, body } = await ledger.post(path, proofOf(hash, key, { moment: now(), path }));
      expect([path, status, body.meta.proofs.at(-1)?.custom]).toEqual([
        path,
        200,
        expect.objectContaining({ path }),
      ]);
    }
  });

  test('the status of an intent is not for them to bring', async () => {
    const intent = await ledger.settle(key, 'issue nobody 1 nothing');
    for (const status of ['completed', 'committed', 'pending', 'dropped']) {
      await ledger.prove('intents', intent, key, { status });
      expect((await ledger.get(`/intents/${intent.luid}`)).body.meta.status).toBe('rejected');
    }
  });
});
