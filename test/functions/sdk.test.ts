/**
 * Goal: the public client works against this ledger unmodified. Method: `@minka/ledger-sdk` 2.2.5 with
 * `verifyResponseProofs`, so that it refuses every answer that the ledger did not sign.
 */
import { LedgerSdk } from '@minka/ledger-sdk';
import {
  createKeyPair,
  encryptSecretKey,
  isSecretKeyEncrypted,
} from '@minka/ledger-sdk/crypto/src/index.js';
import { describe, expect, test } from 'vitest';
import { unique } from '../fixture/client.ts';
import { loose as data, errorOf, format, sdkOf } from '../fixture/sdk.ts';
import { sharedHome } from '../fixture/served.ts';

type KeyPair = Awaited<ReturnType<typeof createKeyPair>>;

const home = await sharedHome();
const sdk = sdkOf(home.url, home.key);
const keyPair = await createKeyPair();

/** True where the client knows a key that it has locked: by OpenSSL 3.5, as in Node 22.23 and 24, it takes it for one that is not locked. */
const knowsLocked = isSecretKeyEncrypted(await encryptSecretKey(keyPair.secret, 'tiger'));

const clientOf = (key: string, ledger?: string) => sdkOf(home.url, key, ledger);
const sign = () => [{ keyPair }];
const secure = () => data({ aud: home.url, iss: 'owner', keyPair, exp: 60 });
async function made(client: LedgerSdk, kind: 'wallet' | 'symbol', value: object) {
  const builder = client[kind].init().data(data(value)).hash().sign(sign());
  return builder.send();
}

async function settled(claims: readonly object[], client = sdk) {
  const handle = client.handle.unique();
  const builder = client.intent.init().data(data({ handle, claims }));
  const { response } = await builder.hash().sign(sign()).send();
  return response.data;
}

/** Two wallets and a symbol of their own, and 100 in the first. */
async function funded(client = sdk) {
  const [usd, alice, bob] = [unique('usd'), unique('alice'), unique('bob')];
  await made(client, 'symbol', { handle: usd, factor: 100 });
  await made(client, 'wallet', { handle: alice });
  await made(client, 'wallet', { handle: bob });
  await settled([{ action: 'issue', target: alice, symbol: usd, amount: 100 }], client);
  return { usd, alice, bob };
}

describe('signers', () => {
  test('the system signer has the key of the ready line', async () => {
    const { signer } = await sdk.signer.read('system');
    expect(signer).toMatchObject({ handle: 'system', format, public: home.key });
  });

  test('a signer made from a key pair is read back and listed', async () => {
    const handle = unique('teller');
    const pair = await createKeyPair();
    const value = data({ handle, format, public: pair.public });
    await sdk.signer
      .init()
      .data(value)
      .hash()
      .sign([{ keyPair: pair }])
      .send();
    const { signer, meta } = await sdk.signer.read(handle);
    expect(signer).toEqual({ handle, format, public: pair.public });
    expect(meta.proofs[0]).toMatchObject({ public: pair.public, signer: handle });
    const { signers } = await sdk.signer.list({ page: { index: 0, limit: 100 } });
    expect(signers.map((one) => one.handle)).toContain(handle);
  });

  test('a signer takes another key, to which the one before hands over', async () => {
    const [before, after] = [await createKeyPair(), await createKeyPair()];
    const value = { handle: unique('teller'), format };
    const made = await sdk.signer
      .init()
      .data(data({ ...value, public: before.public }))
      .hash()
      .sign([{ keyPair: before }])
      .send();
    const custom = data({ ledger: 'main', successor: after.public });
    const { meta } = await sdk.signer
      .from(made.response.data)
      .data(data({ ...value, public: after.public }))
      .hash()
      .sign([{ keyPair: before, custom }])
      .send();
    expect(meta).toMatchObject({ predecessors: [before.public] });
  });

  test.skipIf(!knowsLocked)('a locked signer is unlocked by its password only', async () => {
    const handle = unique('locked');
    const builder = sdk.signer.init().data(data({ handle }));
    const { response } = await builder.keys({ format }).code('tiger').hash().lock().send();
    const { data: sent } = response.data;
    expect(isSecretKeyEncrypted(sent.secret ?? '')).toBe(true);
    const { response: again } = await sdk.signer.read(handle);
    expect(again.data.data).toEqual(sent);
    const unlocked = await sdk.signer.init(again.data).code('tiger').read({ plain: true });
    expect(Buffer.from(unlocked.data.secret ?? '', 'base64')).toHaveLength(32);
    const wrong = sdk.signer.init(again.data).code('lion').read({ plain: true });
    await expect(wrong).rejects.toThrow();
  });

  test.skipIf(!knowsLocked)('a key unlocked from the ledger signs', async () => {
    const handle = unique('locked');
    const builder = sdk.signer.init().data(data({ handle })).keys({ format });
    const { response } = await builder.code('tiger').hash().lock().send();
    const read = await sdk.signer.init(response.data).code('tiger').read({ plain: true });
    const unlocked = read.data as KeyPair;
    const value = data({ handle: unique('wallet') });
    const { meta } = await sdk.wallet
      .init()
      .data(value)
      .hash()
      .sign([{ keyPair: unlocked }])
      .send();
    expect(meta.proofs[0]).toMatchObject({ signer: handle });
  });

  test('a secret that is not encrypted is refused', async () => {
    const builder = sdk.signer.init().data(data({ handle: unique('plain') }));
    const error = await errorOf(builder.keys({ format }).hash().lock().send());
    expect(error.reason).toBe('record.schema-invalid');
  });
});

describe('ledgers', () => {
  test('a new ledger answers with a key of its own', async () => {
    const handle = unique('second');
    const builder = sdk.ledger.init().data(data({ handle, custom: { city: 'Split' } }));
    await builder.hash().sign(sign()).send();
    // It belongs to whoever made it, so that everybody else has to be let in first. Ruling 31.
    expect((await errorOf(sdk.ledger.read(handle))).reason).toBe('record.not-found');
    const owner = sdkOf(home.url, home.key, undefined, secure());
    const { ledger } = await owner.ledger.read(handle);
    expect(ledger).toEqual({ handle, custom: { city: 'Split' } });
    const { ledgers } = await owner.ledger.list();
    expect(ledgers.map((one) => one.handle)).toContain(handle);
    expect((await owner.ledger.read('main')).ledger.handle).toBe('main');

    const unverified = new LedgerSdk({ server: home.url, ledger: handle });
    const { signer } = await unverified.signer.read('system');
    expect(signer.public).not.toBe(home.key);
    const second = sdkOf(home.url, signer.public, handle, secure());
    const { usd, alice } = await funded(second);
    const { balances } = await second.wallet.getBalances(alice);
    expect(balances).toMatchObject([{ wallet: alice, symbol: usd, amount: 100 }]);
  });

  test('an answer signed by another ledger is not believed', async () => {
    const handle = unique('other');
    await sdk.ledger.init().data(data({ handle })).hash().sign(sign()).send();
    const error = await errorOf(clientOf(home.key, handle).wallet.list());
    expect(error.reason).toBe('crypto.signature-missing');
  });

  test('a ledger is updated', async () => {
    const handle = unique('second');
    const { response } = await sdk.ledger.init().data(data({ handle })).hash().sign(sign()).send();
    const builder = sdk.ledger.from(response.data).data(data({ custom: { city: 'Zadar' } }));
    const { ledger } = await builder.hash().sign(sign()).send();
    expect(ledger).toEqual({ handle, custom: { city: 'Zadar' }, parent: response.data.hash });
  });

  test('the status says that the service is up', async () => {
    const { status } = await sdk.status();
    expect(status).toMatchObject({
      handle: 'main',
      ledger: 'main',
      status: 'UP',
      dependencies: { db: 'CONNECTED' },
    });
  });
});

describe('symbols and wallets', () => {
  test('a symbol is read as it was created', async () => {
    const value = { handle: unique('usd'), factor: 100, custom: { name: 'dollar' } };
    await made(sdk, 'symbol', value);
    const { symbol } = await sdk.symbol.read(value.handle);
    expect(symbol).toEqual(value);
    const { symbols } = await sdk.symbol.list();
    expect(symbols).toContainEqual(value);
  });

  test('a wallet is updated in place of the version that was read', async () => {
    const handle = unique('wallet');
    const { response } = await made(sdk, 'wallet', { handle, custom: { tier: 'gold' } });
    const first = response.data;
    const change = data({ custom: { since: 2026 } });
    const { wallet, hash } = await sdk.wallet.from(first).data(change).hash().sign(sign()).send();
    const next = { handle, custom: { tier: 'gold', since: 2026 }, parent: first.hash };
    expect(wallet).toEqual(next);
    expect((await sdk.wallet.read(handle)).hash).toBe(hash);
  });

  test('a wallet is found by an address of three parts', async () => {
    const handle = `svgs:${unique('1001')}@bank.io`;
    await made(sdk, 'wallet', { handle });
    expect((await sdk.wallet.read(handle)).wallet.handle).toBe(handle);
    expect((await sdk.wallet.getBalances(handle)).balances).toEqual([]);
  });

  test('a list can be asked for several handles, by path and index', async () => {
    const names = [unique('one'), unique('two'), unique('three')];
    for (const handle of names) await made(sdk, 'wallet', { handle });
    const [one = '', , three = ''] = names;
    const asked = { data: { handle: { $in: [one, three, unique('nobody')] } } };
    const { wallets } = await sdk.wallet.list(data(asked));
    expect(wallets.map(({ handle }) => handle).sort()).toEqual([one, three].sort());
  });

  test('a list comes in pages', async () => {
    const handles = [unique('page'), unique('page'), unique('page')];
    for (const handle of handles) await made(sdk, 'wallet', { handle });
    const first = await sdk.wallet.list({ page: { index: 0, limit: 2 } });
    const second = await sdk.wallet.list({ page: { index: 1, limit: 2 } });
    expect(first.page).toEqual({ index: 0, limit: 2 });
    expect(first.wallets).toHaveLength(2);
    expect(second.page).toEqual({ index: 1, limit: 2 });
    const hashes = [...first.response.data.data, ...second.response.data.data].map((r) => r.hash);
    expect(new Set(hashes).size).toBe(4);
  });
});

describe('intents', () => {
  test('money is issued, moved and destroyed', async () => {
    const { usd, alice, bob } = await funded();
    const moved = await settled([
      { action: 'transfer', source: alice, target: bob, symbol: usd, amount: 60 },
    ]);
    const gone = await settled([{ action: 'destroy', source: bob, symbol: usd, amount: 15 }]);
    expect([moved.meta.status, gone.meta.status]).toEqual(['completed', 'completed']);
    expect(sdk.proofs.error(moved)).toBeUndefined();
    const held = await Promise.all([alice, bob].map((handle) => sdk.wallet.getBalances(handle)));
    expect(held.map(({ balances }) => balances[0]?.amount)).toEqual([40, 45]);
  });

  test('an intent that was refused is stored, and names the reason', async () => {
    const { usd, alice, bob } = await funded();
    const claims = [{ action: 'transfer', source: alice, target: bob, symbol: usd, amount: 101 }];
    const record = await settled(claims);
    expect(record.meta.status).toBe('rejected');
    expect(sdk.proofs.error(record).reason).toBe('core.insufficient-balance');
    const { response } = await sdk.intent.read(record.data.handle);
    expect(response.data).toEqual(record);
  });

  test('a further signature is added to an intent', async () => {
    const { usd, alice } = await funded();
    const record = await settled([{ action: 'destroy', source: alice, symbol: usd, amount: 1 }]);
    const witness = await createKeyPair();
    const custom = { handle: 'note-1', remark: 'seen' };
    const builder = sdk.intent.from(record).hash();
    const { meta } = await builder.sign([{ keyPair: witness, custom: data(custom) }]).send();
    expect(meta.proofs).toHaveLength(record.meta.proofs.length + 1);
    expect(meta.proofs.at(-1)).toMatchObject({ public: witness.public, custom });
    expect(meta.status).toBe('completed');
  });

  test('intents are listed, newest first', async () => {
    const { usd, alice } = await funded();
    const claims = [{ action: 'destroy', source: alice, symbol: usd, amount: 1 }];
    const handles: string[] = [];
    for (const _ of [1, 2, 3]) handles.unshift((await settled(claims)).data.handle);
    const { intents } = await sdk.intent.list({ page: { index: 0, limit: 100 } });
    const own = intents.map((one) => one.handle).filter((handle) => handles.includes(handle));
    expect(own).toEqual(handles);
  });
});
