/**
 * Goal: a monitor tells of each crossing of its balance once, in order, and of nothing else. Ruling 95.
 * The expected crossings are counted with a pencil, from the payments alone.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signalNames } from '../../shared/shape/signal-name.ts';
import {
  type Client,
  claimOf,
  farewell,
  type Item,
  type Json,
  newKey,
  newLedger,
  now,
  proofOf,
  type Reply,
  revision,
  signed,
  unique,
} from '../fixture/client.ts';
import { assertWebhook, startReceiver } from '../fixture/receiver.ts';
import { sharedHome } from '../fixture/served.ts';

const key = newKey();
const home = await sharedHome();
const receiver = await startReceiver();
afterAll(() => receiver.stop());

let ledger: Client;
beforeAll(async () => {
  ledger = await newLedger(home, key);
  await ledger.make('symbols', { handle: 'usd', factor: 1 }, key);
});

async function newWallet(): Promise<string> {
  const handle = unique('wallet');
  await ledger.make('wallets', { handle }, key);
  return handle;
}

async function monitorOf(balance: Json, more: Json = {}): Promise<{ path: string; made: Item }> {
  const handle = unique('monitor');
  const path = `/${handle}`;
  const action = { schema: 'webhook', endpoint: receiver.at(path) };
  const data = { handle, signal: 'balance-crossed', balance, action, ...more };
  return { path, made: await ledger.make('effects', data, key) };
}

const pay = (claim: string, more: Json = {}) =>
  ledger.make('intents', { handle: unique('pay'), claims: [claimOf(claim)], ...more }, key);

const balancesAt = (path: string) =>
  receiver.arrivals(path).map(({ data }) => {
    const { direction, available } = data['balance'] as Json;
    return [data['change'], direction, available];
  });

/** A payment that crosses last, so that all before it were looked at when it is told. */
async function settled(wallet: string, path: string, count: number): Promise<void> {
  await receiver.until(path, count);
  // A second monitor, whose crossing comes behind all that was before.
  const end = await monitorOf({ wallet, symbol: 'usd', threshold: 1_000_000 });
  await pay(`issue ${wallet} 2000000 usd`);
  await receiver.until(end.path, 1);
}

test('thirty payments up and down are told as often as they cross, in order', async () => {
  const wallet = await newWallet();
  const { path, made } = await monitorOf({ wallet, symbol: 'usd', threshold: 100 });
  const told: unknown[] = [];
  let balance = 0;
  for (let index = 0; index < 30; index += 1) {
    const amount = 30 + 17 * (index % 7);
    const isUp = balance < 100 || index % 5 === 0;
    await pay(
      isUp ? `issue ${wallet} ${amount} usd` : `destroy ${wallet} ${Math.min(amount, balance)} usd`,
    );
    const next = isUp ? balance + amount : balance - Math.min(amount, balance);
    if (balance < 100 !== next < 100)
      told.push([told.length + 1, next < 100 ? 'below' : 'above', next]);
    balance = next;
  }
  expect(told.length).toBeGreaterThan(8);
  await settled(wallet, path, told.length);
  const all = balancesAt(path);
  // The payment of the end may cross once more.
  expect(all.slice(0, told.length)).toEqual(told);
  expect(all.length - told.length).toBeLessThanOrEqual(1);
  const [first] = receiver.arrivals(path);
  if (first) assertWebhook(first, ledger.key);
  expect(first?.data).toMatchObject({
    signal: 'balance-crossed',
    effect: { luid: made.luid },
    balance: { wallet, symbol: 'usd', threshold: 100 },
    intent: { luid: expect.stringMatching(/^\$int\./), handle: expect.any(String) },
  });
});

test('a monitor hears of the crossings that its filter wants, and holds up no other', async () => {
  const wallet = await newWallet();
  const watched = { wallet, symbol: 'usd', threshold: 50 };
  const wanted = await monitorOf(watched, { filter: { 'balance.symbol': 'usd' } });
  const other = await monitorOf(watched, { filter: { 'balance.symbol': 'eur' } });
  const all = await monitorOf(watched);
  await pay(`issue ${wallet} 60 usd`);
  await pay(`destroy ${wallet} 20 usd`);
  await settled(wallet, all.path, 2);
  for (const { path } of [wanted, all])
    expect(balancesAt(path).slice(0, 2)).toEqual([
      [1, 'above', 60],
      [2, 'below', 40],
    ]);
  expect(receiver.arrivals(other.path)).toEqual([]);
});

test('each monitor of a wallet hears its own crossings, in the direction that it names', async () => {
  const wallet = await newWallet();
  const low = await monitorOf({ wallet, symbol: 'usd', threshold: 0, direction: 'below' });
  const high = await monitorOf({ wallet, symbol: 'usd', threshold: 50, direction: 'below' });
  const both = await monitorOf({ wallet, symbol: 'usd', threshold: 50 });
  await pay(`issue ${wallet} 50 usd`);
  await pay(`destroy ${wallet} 1 usd`);
  await pay(`issue ${wallet} 1 usd`);
  await settled(wallet, both.path, 3);
  expect(balancesAt(both.path)).toEqual([
    [1, 'above', 50],
    [2, 'below', 49],
    [3, 'above', 50],
  ]);
  expect(balancesAt(high.path)).toEqual([[1, 'below', 49]]);
  expect(balancesAt(low.path)).toEqual([]);
});

test('it starts from the balance at its creation, and anew with another threshold', async () => {
  const wallet = await newWallet();
  await pay(`issue ${wallet} 100 usd`);
  const { path, made } = await monitorOf({ wallet, symbol: 'usd', threshold: 60 });
  await pay(`destroy ${wallet} 30 usd`);
  const balance = { wallet, symbol: 'usd', threshold: 90 };
  const { status } = await ledger.put(`/effects/${made.luid}`, revision(made, { balance }, key));
  expect(status).toBe(200);
  await pay(`issue ${wallet} 40 usd`);
  await receiver.until(path, 1);
  expect(balancesAt(path)).toEqual([[1, 'above', 110]]);
});

test('what is reserved is not available', async () => {
  const [wallet, other] = [await newWallet(), await newWallet()];
  await pay(`issue ${wallet} 100 usd`);
  const { path } = await monitorOf({ wallet, symbol: 'usd', threshold: 50 });
  const held = await pay(`transfer ${wallet} ${other} 60 usd`, { config: { commit: 'manual' } });
  await receiver.until(path, 1);
  expect(balancesAt(path)).toEqual([[1, 'below', 40]]);
  const proof = proofOf(held.hash, key, { moment: now(), status: 'committed' });
  const decided = await ledger.post(`/intents/${held.luid}/proofs`, proof);
  expect(decided.status).toBe(200);
  // What was released to be spent was never available.
  await settled(wallet, path, 1);
  await receiver.until(path, 2);
  expect(balancesAt(path)).toEqual([
    [1, 'below', 40],
    [2, 'above', 2_000_040],
  ]);
});

test('a monitor that was dropped is silent, and its ledger is sound', async () => {
  const wallet = await newWallet();
  const { path, made } = await monitorOf({ wallet, symbol: 'usd', threshold: 50 });
  await pay(`issue ${wallet} 60 usd`);
  await receiver.until(path, 1);
  const { body } = await ledger.get(`/effects/${made.luid}`);
  expect((await ledger.post(`/effects/${made.luid}/drop`, farewell(body, key))).status).toBe(204);
  const other = await monitorOf({ wallet, symbol: 'usd', threshold: 50 });
  await pay(`destroy ${wallet} 60 usd`);
  await receiver.until(other.path, 1);
  expect(receiver.arrivals(path)).toHaveLength(1);
});

const dataOf = (change: Json) => ({
  handle: unique('monitor'),
  signal: 'balance-crossed',
  action: { schema: 'webhook', endpoint: 'https://hooks.example.com/' },
  ...change,
});

describe('a balance is of monitors alone:', () => {
  const balance = { wallet: 'w', symbol: 'usd', threshold: 1 };
  const required = [
    "/data must have required property 'balance'",
    { keyword: 'required', instancePath: '/data', params: { missingProperty: 'balance' } },
  ];
  const additional = [
    '/data must NOT have additional properties of the signal balance-crossed: balance',
    {
      ...{ keyword: 'additionalProperties', instancePath: '/data' },
      params: { additionalProperty: 'balance' },
    },
  ];
  const refusalOf = ({ status, reason, body }: Reply) => {
    const { detail, custom } = body.data;
    return { status, reason, said: [detail, ...((custom as Json)['errors'] as Json[])] };
  };
  const refused = (said: unknown[]) => ({
    ...{ status: 422, reason: 'record.schema-invalid' },
    said: [said[0], expect.objectContaining(said[1])],
  });

  test('a monitor without one is refused, and told what is missing', async () => {
    const made = await ledger.post('/effects', signed(dataOf({}), key));
    expect(refusalOf(made)).toEqual(refused(required));
  });

  test.each(signalNames.filter((signal) => signal !== 'balance-crossed'))(
    '%s is refused with one, and told what is too much',
    async (signal) => {
      const made = await ledger.post('/effects', signed(dataOf({ signal, balance }), key));
      expect(refusalOf(made)).toEqual(refused(additional));
    },
  );

  test('an update neither takes it from a monitor, nor gives it to another effect', async () => {
    const wallet = await newWallet();
    const { path, made } = await monitorOf({ ...balance, wallet });
    const update = async (effect: Item, change: Json) =>
      refusalOf(await ledger.put(`/effects/${effect.luid}`, revision(effect, change, key)));
    const { balance: _balance, ...rest } = made.data;
    const without = { ...made, data: rest };
    expect(await update(without, {})).toEqual(refused(required));
    expect(await update(made, { signal: 'wallet-created' })).toEqual(refused(additional));
    const other = await ledger.make('effects', dataOf({ signal: 'wallet-created' }), key);
    expect(await update(other, { balance: { ...balance, wallet } })).toEqual(refused(additional));
    // Nothing of it was stored.
    await pay(`issue ${wallet} 1 usd`);
    await receiver.until(path, 1);
  });
});

describe('in domains, a monitor', () => {
  const places = ['bank', 'bank.north', 'bank.north.oslo', 'shop', 'none'] as const;
  type Place = (typeof places)[number];
  const within = (place: Place) => (place === 'none' ? {} : { domain: place });
  const watching = (place: Place) => ({ wallet: `of-${place}`, symbol: 'usd', threshold: 5 });
  beforeAll(async () => {
    const domains = [
      { handle: 'bank' },
      { handle: 'bank.north', domain: 'bank' },
      { handle: 'bank.north.oslo', domain: 'bank.north' },
      { handle: 'shop' },
    ];
    for (const domain of domains) await ledger.make('domains', domain, key);
    for (const place of places)
      await ledger.make('wallets', { handle: `of-${place}`, ...within(place) }, key);
  });

  /** The domains whose wallets an effect reaches: its own, and those below. */
  const reached: Readonly<Record<Place, readonly Place[]>> = {
    bank: ['bank', 'bank.north', 'bank.north.oslo'],
    'bank.north': ['bank.north', 'bank.north.oslo'],
    'bank.north.oslo': ['bank.north.oslo'],
    shop: ['shop'],
    none: places,
  };

  test.each(places)('of %s watches what lies there and below, and nothing else', async (place) => {
    for (const other of places) {
      const data = dataOf({ balance: watching(other), ...within(place) });
      const { status, reason, body } = await ledger.post('/effects', signed(data, key));
      const isReached = reached[place].includes(other);
      expect([other, status, reason]).toEqual(
        isReached ? [other, 201, undefined] : [other, 422, 'record.invalid'],
      );
      if (isReached) continue;
      expect(body.data['detail']).toBe(`Effect ${data.handle} watches a wallet of another domain.`);
      expect((await ledger.get(`/effects/${data.handle}`)).status).toBe(404);
    }
  });

  test('does not leave its domain by an update, and hears of the domains below', async () => {
    const { path, made } = await monitorOf(watching('bank.north.oslo'), within('bank.north'));
    for (const other of ['bank', 'shop', 'none'] as const) {
      const change = revision(made, { balance: watching(other) }, key);
      const { status, reason } = await ledger.put(`/effects/${made.luid}`, change);
      expect([other, status, reason]).toEqual([other, 422, 'record.invalid']);
    }
    await pay('issue of-bank.north.oslo 5 usd');
    await receiver.until(path, 1);
    expect(balancesAt(path)).toEqual([[1, 'above', 5]]);
  });
});

describe('no monitor is', () => {
  test.each<[string, () => Json, number, string]>([
    [
      'with half a unit',
      () => ({ balance: { wallet: 'w', symbol: 'usd', threshold: 0.5 } }),
      422,
      'record.schema-invalid',
    ],
    [
      'of a wallet that is not there',
      () => ({ balance: { wallet: 'nobody', symbol: 'usd', threshold: 1 } }),
      422,
      'record.relation-not-found',
    ],
  ])('%s', async (_, change, status, reason) => {
    const reply = await ledger.post('/effects', signed(dataOf(change()), key));
    expect([reply.status, reply.reason]).toEqual([status, reason]);
  });

  test('of a symbol that is not there', async () => {
    const balance = { wallet: await newWallet(), symbol: 'none', threshold: -1 };
    const reply = await ledger.post('/effects', signed(dataOf({ balance }), key));
    expect([reply.status, reply.reason]).toEqual([422, 'record.relation-not-found']);
  });
});
