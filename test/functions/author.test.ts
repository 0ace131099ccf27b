/** Goal: whose proofs are believed, and whom they name. Rulings 7, 9, 13 and 17. */
import { describe, expect, test } from 'vitest';
import {
  farewell,
  type Item,
  type Json,
  newKey,
  newLedger,
  now,
  open,
  type Proof,
  proofOf,
  revision,
  signed,
  unique,
} from '../fixture/client.ts';
import { sharedHome } from '../fixture/served.ts';

const key = newKey();

const home = await sharedHome();
const ledger = await newLedger(home, key);

const newWallet = () => ledger.make('wallets', { handle: unique('wallet') }, key);

const prove = (item: Item, custom: Json, author = key) =>
  ledger.prove('wallets', item, author, custom);

describe('forged proofs', () => {
  const zeros = Buffer.alloc(64).toString('base64');
  const smallOrder = Buffer.concat([Buffer.from([1]), Buffer.alloc(31)]).toString('base64');
  const change = (part: (proof: Proof) => object) => (proof: Proof) => ({
    ...proof,
    ...part(proof),
  });
  test.each([
    ['the result of another digest', change(() => ({ result: zeros }))],
    ['another digest', change(() => ({ digest: '0'.repeat(64) }))],
    ['another key', change(() => ({ public: newKey().public }))],
    ['a key of small order', change(() => ({ public: smallOrder }))],
    ['a custom that was not signed', change(() => ({ custom: { moment: now(), status: 'gold' } }))],
    [
      'a result in another alphabet',
      change(({ result }) => ({ result: result.replace(/\+|\/|=/g, '-') })),
    ],
    ['a result without padding', change(({ result }) => ({ result: result.slice(0, -2) }))],
    ['a key with white space', change((proof) => ({ public: `${proof.public}\n` }))],
  ])('%s is refused', async (_, forge) => {
    const body = signed({ handle: unique('wallet') }, key);
    const forged = forge(body.meta.proofs[0] as Proof);
    const reply = await ledger.post('/wallets', {
      ...body,
      meta: { proofs: [...body.meta.proofs, forged] },
    });
    expect([reply.status, reply.reason]).toEqual([422, 'crypto.signature-invalid']);
    const item = await newWallet();
    const added = await ledger.post(
      `/wallets/${item.luid}/proofs`,
      forge(proofOf(item.hash, key, { moment: now() })),
    );
    expect([added.status, added.reason]).toEqual([422, 'crypto.signature-invalid']);
  });
});

describe('signers and owners', () => {
  test('a proof names the signer whose key it is, as of then', async () => {
    const teller = newKey();
    const before = await ledger.make('wallets', { handle: unique('wallet') }, teller);
    expect(before.meta.proofs[0]).not.toHaveProperty('signer');
    const handle = unique('teller');
    const value = { handle, format: 'ed25519-raw', public: teller.public };
    const signer = await ledger.make('signers', value, teller);
    expect(signer.meta.proofs[0]).toMatchObject({ signer: handle, origin: 'key-pair' });
    const after = await ledger.make('wallets', { handle: unique('wallet') }, teller);
    expect(after.meta.proofs[0]).toMatchObject({ signer: handle });
    expect((await prove(before, {}, teller)).body.meta.proofs.at(-1)).toMatchObject({
      signer: handle,
    });
    // A stranger who claims the same key does not take it.
    await ledger.make('signers', { ...value, handle: unique('impostor') }, key);
    const later = await ledger.make('wallets', { handle: unique('wallet') }, teller);
    expect(later.meta.proofs[0]).toMatchObject({ signer: handle });
    const elsewhere = await home.make('wallets', { handle: unique('wallet') }, teller);
    expect(elsewhere.meta.proofs[0]).not.toHaveProperty('signer');
  });

  test('the record of a ledger names nobody of another ledger, nor of its own', async () => {
    const teller = newKey();
    const value = { handle: unique('teller'), format: 'ed25519-raw', public: teller.public };
    for (const one of [home, ledger]) await one.make('signers', value, teller);
    const made = await home.make('ledgers', { handle: unique('ledger'), access: open }, teller);
    const path = `/ledgers/${made.data.handle}`;
    await home.put(path, revision(made, { custom: { n: 1 } }, teller));
    const { body: updated } = await home.get(path);
    await home.post(`${path}/proofs`, proofOf(updated.hash, teller, { n: 2 }));
    const { body: own } = await ledger.get('/ledger');
    await ledger.put('/ledger', revision(own, { custom: { n: 3 } }, teller));
    await ledger.post('/ledger/proofs', proofOf((await ledger.get('/ledger')).body.hash, teller));
    const replies = await Promise.all([
      ledger.get(path),
      ledger.get('/ledgers?page.limit=100'),
      ledger.get('/ledger/changes'),
      home.get(`/ledgers/${own.data.handle}`),
    ]);
    for (const { status, text } of replies)
      expect([status, text.includes(teller.public), text.includes(value.handle)]).toEqual([
        200,
        true,
        false,
      ]);
  });

  test('a signer that takes another key proves with that one from then on', async () => {
    const [old, fresh] = [newKey(), newKey()];
    const handle = unique('teller');
    const signer = await ledger.make(
      'signers',
      { handle, format: 'ed25519-raw', public: old.public },
      old,
    );
    const change = revision(signer, { public: fresh.public }, old);
    expect((await ledger.put(`/signers/${handle}`, change)).status).toBe(200);
    const signerOf = async (author = key) =>
      (await ledger.make('wallets', { handle: unique('w') }, author)).meta.proofs[0]?.signer;
    expect([await signerOf(old), await signerOf(fresh)]).toEqual([undefined, handle]);
    const { body } = await ledger.get(`/signers/${handle}`);
    const renamed = unique('renamed');
    await ledger.put(`/signers/${handle}`, revision(body, { handle: renamed }, fresh));
    expect(await signerOf(fresh)).toBe(renamed);
  });

  test('all who signed the create own the record', async () => {
    const [one, two] = [newKey(), newKey()];
    const body = signed({ handle: unique('wallet') }, [one, two]);
    const { body: record } = await ledger.post('/wallets', body);
    expect(record.meta.owners).toEqual([one.public, two.public]);
    expect(record.meta.proofs).toHaveLength(3);
  });

  test('a key that cannot be trusted is no key of a signer', async () => {
    const keys = [
      Buffer.concat([Buffer.from([1]), Buffer.alloc(31)]).toString('base64'),
      Buffer.alloc(31).toString('base64'),
      Buffer.alloc(32, 0xff).toString('base64'),
      'x',
      '',
    ];
    for (const text of keys) {
      const body = signed({ handle: unique('signer'), format: 'ed25519-raw', public: text }, key);
      expect([text, (await ledger.post('/signers', body)).reason]).toEqual([
        text,
        'record.schema-invalid',
      ]);
    }
    const half = signed({ handle: unique('signer'), public: newKey().public }, key);
    expect((await ledger.post('/signers', half)).reason).toBe('record.schema-invalid');
  });

  test('a key that cannot be trusted is told before a wrong hash', async () => {
    const data = { handle: unique('signer'), format: 'ed25519-raw', public: newKey().public };
    const wrong = { hash: '0'.repeat(64), meta: signed(data, key).meta };
    const reasonOf = async (change: Json) =>
      (await ledger.post('/signers', { ...wrong, data: { ...data, ...change } })).reason;
    expect(await reasonOf({ public: 'x' })).toBe('record.schema-invalid');
    expect(await reasonOf({})).toBe('crypto.hash-invalid');
    const made = await ledger.make('signers', data, key);
    const next = { ...wrong, data: { ...data, public: 'x', parent: made.hash } };
    expect((await ledger.put(`/signers/${made.luid}`, next)).reason).toBe('record.schema-invalid');
  });

  test('nobody adds proofs to the system signer', async () => {
    const { body: system } = await ledger.get('/signers/system');
    for (const id of ['system', system.luid]) {
      const proof = proofOf(system.hash, key, { moment: now(), status: 'active' });
      const reply = await ledger.post(`/signers/${id}/proofs`, proof);
      expect([reply.status, reply.reason]).toEqual([422, 'record.update-rejected']);
    }
    expect((await ledger.get('/signers/system')).body).toEqual(system);
    expect((await ledger.get('/signers/system/changes')).page.total).toBe(1);
  });

  test('the system signer is nobody else to change', async () => {
    const { body: system } = await ledger.get('/signers/system');
    const reply = await ledger.put(
      '/signers/system',
      revision(system, { custom: { mine: true } }, key),
    );
    expect([reply.status, reply.reason]).toEqual([422, 'record.update-rejected']);
    const taken = signed({ handle: 'system', format: 'ed25519-raw', public: key.public }, key);
    expect((await ledger.post('/signers', taken)).reason).toBe('record.duplicated');
    const renaming = await ledger.make('signers', { handle: unique('signer') }, key);
    const renamed = await ledger.put(
      `/signers/${renaming.luid}`,
      revision(renaming, { handle: 'system' }, key),
    );
    expect(renamed.reason).toBe('record.duplicated');
    expect((await ledger.get('/signers/system')).body).toEqual(system);
  });
});

describe('what was accepted once', () => {
  test('a drop is accepted once, however equal the next record is', async () => {
    const data = { handle: unique('wallet') };
    const first = await ledger.make('wallets', data, key);
    // What says no moment could have been signed at any. Decision 44.
    const goodbye = signed({ parent: first.hash }, key, { status: 'dropped' });
    const end = (body: object) => ledger.send('DELETE', `/wallets/${data.handle}`, body);
    expect((await end(goodbye)).status).toBe(204);
    const second = await ledger.make('wallets', data, key);
    expect([second.hash, second.luid === first.luid]).toEqual([first.hash, false]);
    const { status, reason, custom } = await end(goodbye);
    expect([status, reason]).toEqual([422, 'record.drop-rejected']);
    expect(custom).toMatchObject({ luid: first.luid, hash: first.hash });
    expect((await ledger.get(`/wallets/${data.handle}`)).body).toEqual(second);
    expect((await end(farewell(second, key))).status).toBe(204);
  });
});

describe('where and when a proof was made', () => {
  const invalid = [422, 'crypto.signature-invalid'];

  test('a proof for another ledger is refused', async () => {
    const send = async (named: string) => {
      const custom = () => ({ moment: now(), ledger: named });
      const reply = await ledger.post(
        '/wallets',
        signed({ handle: unique('wallet') }, key, custom()),
      );
      const item = await newWallet();
      const proven = await prove(item, { ledger: named });
      const updated = await ledger.put(`/wallets/${item.luid}`, {
        ...signed({ ...item.data, parent: item.hash }, key, custom()),
      });
      return [reply, proven, updated].map(({ status, reason }) => [status, reason]);
    };
    expect(await send('main')).toEqual([invalid, invalid, invalid]);
    expect((await send(ledger.ledger ?? '')).map(([status]) => status)).toEqual([201, 200, 200]);
  });

  test('a ledger may refuse creates that are undated, old or from the future', async () => {
    const strict = await newLedger(home, key, { config: { 'proof.maxAgeSeconds': 60 } });
    const at = (seconds: number) => ({
      moment: new Date(Date.now() + seconds * 1000).toISOString(),
    });
    const create = async (custom: Json | undefined, group = 'wallets', data: Json = {}) => {
      const { hash, data: value } = signed({ handle: unique('x'), ...data }, key);
      const body = { hash, data: value, meta: { proofs: [proofOf(hash, key, custom)] } };
      const reply = await strict.post(
        `/${group}`,
        body,
        group === 'ledgers' ? { signer: home.key } : {},
      );
      return reply.status === 201 ? [201] : [reply.status, reply.reason];
    };
    for (const good of [at(0), at(-50), at(50)]) expect(await create(good)).toEqual([201]);
    for (const bad of [at(-70), at(70), {}, { moment: 'today' }, { moment: 1 }, undefined]) {
      expect([bad, await create(bad)]).toEqual([bad, invalid]);
      const claims = [{ action: 'issue', target: 'a', symbol: 'b', amount: 1 }];
      expect([bad, await create(bad, 'intents', { claims })]).toEqual([bad, invalid]);
      expect([bad, await create(bad, 'symbols', { factor: 1 })]).toEqual([bad, invalid]);
      expect([bad, await create(bad, 'signers')]).toEqual([bad, invalid]);
    }
    expect(
      (await ledger.post('/wallets', signed({ handle: unique('w') }, key, at(-86_400)))).status,
    ).toBe(201);
    const { body } = await strict.get('/ledger');
    await strict.put('/ledger', revision(body, { config: {} }, key));
    expect(await create(at(-70))).toEqual([201]);
  });
});
