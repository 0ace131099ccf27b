/**
 * Goal: the daily work of a team can be done with the public client, unmodified and set to believe nothing that the
 * ledger did not sign: holds, reversals, batches, previews, approvals, balances at a moment, entries, sums and supply.
 * Method: where the client has a method, by it; answers of the other endpoints are verified by its own code.
 */
import type { LedgerSdk } from '@minka/ledger-sdk';
import { createHash, createKeyPair } from '@minka/ledger-sdk/crypto/src/index.js';
import { describe, expect, test } from 'vitest';
import { type Item, newKey, now, proofOf, signed, unique } from '../fixture/client.ts';
import { loose as data, format, sdkOf } from '../fixture/sdk.ts';
import { sharedHome } from '../fixture/served.ts';

type KeyPair = Awaited<ReturnType<typeof createKeyPair>>;
type SentIntent = Parameters<LedgerSdk['intent']['from']>[0];

const home = await sharedHome();
const sdk = sdkOf(home.url, home.key);
const keyPair = await createKeyPair();
const key = newKey();

/** An intent as the client makes it. */
async function settled(value: object, by: KeyPair = keyPair): Promise<SentIntent> {
  const { response } = await sdk.intent
    .init()
    .data(data({ handle: unique('intent'), ...value }))
    .hash()
    .sign([{ keyPair: by }])
    .send();
  return response.data;
}

/** Signs an intent once more, with a statement. */
async function stated(intent: SentIntent, custom: object, by: KeyPair = keyPair) {
  const signers = [{ keyPair: by, custom: data(custom) }];
  const { response } = await sdk.intent.from(intent).hash().sign(signers).send();
  return response.data;
}

/** Two wallets and a symbol of their own, and 100 in the first. */
async function funded() {
  const [usd, alice, bob] = [unique('usd'), unique('alice'), unique('bob')];
  await home.make('symbols', { handle: usd, factor: 100 }, key);
  for (const handle of [alice, bob]) await home.make('wallets', { handle }, key);
  const pay = (amount: number, source = alice, target = bob) => ({
    ...{ action: 'transfer', source, target },
    ...{ symbol: usd, amount },
  });
  await settled({ claims: [{ action: 'issue', target: alice, symbol: usd, amount: 100 }] });
  return { usd, alice, bob, pay };
}

/** Refuses, by the client's own code, what the ledger did not sign as it is. */
async function verified(record: unknown): Promise<Item> {
  const item = record as Item;
  await sdk.proofs.ledger().verify(data(item));
  expect(createHash(data(item.data))).toBe(item.hash);
  return item;
}

/** A list whose rows, and whose whole, the client believes. */
async function list(
  path: string,
): Promise<{ items: readonly Item[]; meta: Record<string, unknown> }> {
  const { status, text, items, body } = await home.get(path);
  expect([status, text]).toEqual([200, text]);
  await sdk.proofs.ledger().verify(data(body));
  for (const item of items) await verified(item);
  return { items, meta: body.meta as unknown as Record<string, unknown> };
}

const amountsOf = async (wallet: string, params?: object) => {
  const { balances } = await sdk.wallet.getBalances(wallet, params && data(params));
  // The client's type does not know `schema`.
  const rows = balances as readonly ((typeof balances)[number] & { readonly schema?: string })[];
  return rows.map(({ schema, amount }) => `${schema} ${amount}`);
};

describe('an intent', () => {
  test('that is held is extended, captured in part, and read back', async () => {
    const { alice, bob, pay } = await funded();
    const expiry = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const config = { commit: 'manual', expiry: expiry(1) };
    const held = await settled({ claims: [pay(60)], config });
    expect(held.meta.status).toBe('prepared');
    expect(await amountsOf(alice)).toEqual(['available 40', 'reserved 60']);
    const extended = await stated(held, { status: 'extended', expiry: expiry(2) });
    const capture = [{ claim: 0, amount: 25 }];
    const taken = await stated(extended, { status: 'committed', capture });
    expect(taken.meta.status).toBe('completed');
    const { intent, response } = await sdk.intent.read(held.data.handle);
    expect([intent, response.data]).toEqual([held.data, taken]);
    expect(await amountsOf(alice)).toEqual(['available 75', 'reserved 0']);
    expect(await amountsOf(bob)).toEqual(['available 25']);
  });

  test('that reverses another is read back, and so is what it undoes', async () => {
    const { pay, alice, bob } = await funded();
    const first = await settled({ claims: [pay(60)] });
    const value = { reverses: first.data.handle, claims: [pay(15, bob, alice)] };
    const refund = await settled(value);
    expect(refund.meta.status).toBe('completed');
    const { intent } = await sdk.intent.read(refund.data.handle);
    expect(intent).toMatchObject(value);
    const { meta } = await sdk.intent.read(first.data.handle);
    const [last] = meta.proofs.slice(-1);
    expect(last?.custom).toMatchObject({ status: 'reversed', by: refund.data.handle });
    const { intents } = await sdk.intent.list(data({ data: { reverses: first.data.handle } }));
    expect(intents.map(({ handle }) => handle)).toEqual([refund.data.handle]);
    const more = await settled({ ...value, claims: [pay(46, bob, alice)] });
    expect(sdk.proofs.error(more).reason).toBe('core.reversal-exceeded');
  });

  test.each(['independent', 'atomic'])('of a batch, %s, is read back', async (mode) => {
    const { pay } = await funded();
    const bodies = [10, 20].map((amount) =>
      signed({ handle: unique('intent'), claims: [pay(amount)] }, key),
    );
    const { body, items } = await home.post('/intents/!batch', { mode, data: bodies });
    await sdk.proofs.ledger().verify(data(body));
    for (const [index, item] of items.entries()) {
      const { status: _status, ...record } = (await verified(item)) as Item & { status: number };
      const { response } = await sdk.intent.read(String(bodies[index]?.data['handle']));
      expect(response.data).toEqual(record);
      expect(record.meta.status).toBe('completed');
    }
    expect(items).toHaveLength(2);
  });

  test('of a batch that is refused has an error that is signed', async () => {
    const { pay } = await funded();
    const bodies = [10, 200].map((amount) =>
      signed({ handle: unique('intent'), claims: [pay(amount)] }, key),
    );
    const refused = await home.post('/intents/!batch', { mode: 'atomic', data: bodies });
    expect(refused.status).toBe(422);
    await verified(refused.body);
  });

  test('is previewed, and the handle stays free', async () => {
    const { bob, usd, pay } = await funded();
    const body = signed({ handle: unique('intent'), claims: [pay(30)] }, key);
    const preview = await verified((await home.post('/intents/!preview', body)).body);
    const after = { wallet: bob, symbol: usd, schema: 'available', amount: 30 };
    expect(preview.data).toMatchObject({ status: 'completed' });
    expect(preview.data['balances']).toContainEqual(after);
    expect((await home.post('/intents', body)).body.meta.status).toBe('completed');
  });

  test('for later waits, and is taken back', async () => {
    const { pay } = await funded();
    const notBefore = new Date(Date.now() + 86_400_000).toISOString();
    const later = await settled({ claims: [pay(30)], config: { notBefore } });
    expect(later.meta.status).toBe('pending');
    expect((await sdk.intent.read(later.data.handle)).intent).toEqual(later.data);
    expect((await stated(later, { status: 'aborted' })).meta.status).toBe('rejected');
  });
});

describe('those who watch over the money', () => {
  test('approve a payment, each with a key of the client', async () => {
    const { usd, pay } = await funded();
    const [teller, manager] = [await createKeyPair(), await createKeyPair()];
    const names = [unique('teller'), unique('manager')];
    for (const [index, pair] of [teller, manager].entries())
      await sdk.signer
        .init()
        .data(data({ handle: names[index], format, public: pair.public }))
        .hash()
        .sign([{ keyPair: pair }])
        .send();
    const quorum = names.map((handle) => ({ handle }));
    const filter = { [`amounts.${usd}`]: { $gte: 50 } };
    const values = [{ status: 'committed', quorum }];
    const policy = { handle: unique('large'), schema: 'status', record: 'intent', filter, values };
    await home.make('policies', policy, key);
    expect((await settled({ claims: [pay(49)] }, teller)).meta.status).toBe('completed');
    const large = await settled({ claims: [pay(51)] }, teller);
    expect(large.meta.status).toBe('pending');
    expect((await stated(large, {}, manager)).meta.status).toBe('completed');
  });

  test('freeze a wallet', async () => {
    const { bob, pay } = await funded();
    const { hash } = await sdk.wallet.read(bob);
    const freeze = proofOf(hash, key, { moment: now(), status: 'inactive' });
    expect((await home.post(`/wallets/${bob}/proofs`, freeze)).status).toBe(200);
    expect((await sdk.wallet.read(bob)).meta).toMatchObject({ status: 'inactive' });
    const refused = await settled({ claims: [pay(1)] });
    expect(sdk.proofs.error(refused).reason).toBe('core.target-inactive');
  });
});

describe('the books', () => {
  test('have balances at a moment', async () => {
    const { alice, bob, pay } = await funded();
    const first = await settled({ claims: [pay(10)] });
    const moment = new Date(committedAt(first)).toISOString();
    const before = new Date(committedAt(first) - 1).toISOString();
    await new Promise((resolve) => setTimeout(resolve, 3));
    await settled({ claims: [pay(5)] });
    expect(await amountsOf(alice, { moment })).toEqual(['available 90']);
    expect(await amountsOf(bob, { moment: before })).toEqual([]);
    expect(await amountsOf(bob)).toEqual(['available 15']);
    const { items } = await list(`/wallets/${alice}/balances?moment=${moment}`);
    expect(items[0]?.meta.proofs[0]?.custom).toMatchObject({ moment });
  });

  test('have entries, between two balances', async () => {
    const { alice, usd, pay } = await funded();
    await settled({ claims: [pay(10)] });
    const { items, meta } = await list(`/wallets/${alice}/entries?symbol=${usd}&include=holds`);
    expect(items.map(({ data: { schema, balance } }) => [schema, balance])).toContainEqual([
      'debit',
      90,
    ]);
    const [opening, closing] = [await verified(meta['opening']), await verified(meta['closing'])];
    expect([opening.data['balance'], closing.data['balance']]).toEqual([0, 90]);
  });

  test('have sums that come to zero, and a supply', async () => {
    const { alice, bob, usd, pay } = await funded();
    await settled({ claims: [pay(10)] });
    const { items } = await list(`/balances/totals?symbol=${usd}`);
    const balances = items.map(({ data: row }) => Number(row['balance']));
    expect(balances.sort((one, other) => one - other)).toEqual([-100, 100]);
    const supply = await verified((await home.get(`/symbols/${usd}/supply`)).body);
    expect(supply.data).toMatchObject({ issued: 100, outstanding: 100 });
    const { items: all } = await list(`/balances?symbol=${usd}`);
    expect(all.map(({ data: row }) => [row['wallet'], row['amount']]).sort()).toEqual([
      [alice, 90],
      [bob, 10],
    ]);
  });
});

/** The moment at which the money moved, in milliseconds. */
function committedAt({ meta }: SentIntent): number {
  const committed = meta.proofs.find(({ custom }) => custom?.['status'] === 'committed');
  return Date.parse(String(committed?.custom?.['moment']));
}
