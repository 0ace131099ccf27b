/**
 * Goal: two ledgers with the same names, and traffic in both at once: what happens in one is told to no
 * effect and to no bridge of the other. Rulings 25, 58 and 59, Decision 36.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  assertAnswer,
  type Client,
  exact,
  farewell,
  type Item,
  newKey,
  newLedger,
  signed,
} from '../fixture/client.ts';
import { type Arrival, assertWebhook, startReceiver, until } from '../fixture/receiver.ts';
import { sharedHome } from '../fixture/served.ts';

const walletCount = 12;
/** What each wallet is told of: that it is there, and that it received. */
const signals = ['wallet-created', 'balance-received'];
const key = newKey();

let one: Client;
let two: Client;

const home = await sharedHome();
const receiver = await startReceiver();
afterAll(() => receiver.stop());

beforeAll(async () => {
  [one, two] = [await newLedger(home, key), await newLedger(home, key)];
  for (const ledger of [one, two]) await subscribeIn(ledger);
  await Promise.all([one, two, home].map(happenIn));
  const all = walletCount * signals.length * 2;
  await until('both ledgers told all', () => [one, two].every((of) => toldTo(of).length >= all));
});

/** A word that is in every record of a ledger, and in no other's. */
const markOf = ({ ledger }: Client) => `mark-of-${ledger ?? 'home'}-`;
const tokenOf = ({ ledger }: Client) => `token-of-${ledger}`;
const pathOf = ({ ledger }: Client, signal: string, way: string) =>
  way === 'webhook' ? `/${ledger}/${signal}` : `/${ledger}/core/effects/bridge-${signal}`;
const toldTo = ({ ledger }: Client) =>
  receiver.arrivals().filter(({ path }) => path.startsWith(`/${ledger}/`));

/** The same names in each ledger: a bridge, and for each signal an effect for it and one for a webhook. */
async function subscribeIn(ledger: Client): Promise<void> {
  const config = { server: receiver.at(`/${ledger.ledger}/core`) };
  const secure = [{ schema: 'header', key: 'authorization', value: '{{ secret.token }}' }];
  const body = signed({ handle: 'core', config, secure }, key);
  const meta = { ...body.meta, secret: { token: tokenOf(ledger) } };
  expect((await ledger.post('/bridges', { ...body, meta })).status).toBe(201);
  for (const signal of signals) {
    const endpoint = receiver.at(pathOf(ledger, signal, 'webhook'));
    const actions = { webhook: { endpoint }, bridge: { bridge: 'core' } };
    for (const [schema, more] of Object.entries(actions)) {
      const action = { schema, ...more };
      await ledger.make('effects', { handle: `${schema}-${signal}`, signal, action }, key);
    }
  }
}

/** Wallets of the same names in each ledger, which receive of a symbol of the same name. */
async function happenIn(ledger: Client): Promise<void> {
  const custom = { mark: markOf(ledger) };
  await ledger.make('symbols', { handle: 'usd', factor: 1, custom }, key);
  for (let n = 0; n < walletCount; n += 1) {
    await ledger.make('wallets', { handle: `w${n}`, custom }, key);
    await ledger.settle(key, `issue w${n} ${n + 1} usd`);
  }
}

/** The deliveries of an effect: one is listed once what was sent is answered, after it arrived. */
async function listed(ledger: Client, effect: string): Promise<readonly Item[]> {
  let items: readonly Item[] = [];
  await until(`the deliveries of ${effect} listed`, async () => {
    ({ items } = await ledger.get(`/effects/${effect}/events?page.limit=100`));
    return items.length >= walletCount;
  });
  return items;
}

/** The event that arrived is of the ledger and signed by it. */
function assertOf(ledger: Client, arrival: Arrival): void {
  const { path, text } = arrival;
  if (path.includes('/core/')) {
    assertAnswer(exact(text) as Item, ledger.key, text.slice(0, 500));
    expect([path, arrival.headers.authorization]).toEqual([path, tokenOf(ledger)]);
  } else assertWebhook(arrival, ledger.key);
  for (const other of [one, two, home])
    expect([path, other.ledger, text.includes(markOf(other))]).toEqual([
      path,
      other.ledger,
      other === ledger,
    ]);
}

test('an effect hears its own ledger only, by webhook as by a bridge of the same name', async () => {
  for (const ledger of [one, two]) {
    for (const arrival of toldTo(ledger)) assertOf(ledger, arrival);
    for (const signal of signals)
      for (const way of ['webhook', 'bridge']) {
        const arrivals = receiver.arrivals(pathOf(ledger, signal, way));
        const told = new Set(arrivals.map(({ handle }) => handle));
        expect([signal, way, told.size]).toEqual([signal, way, walletCount]);
        const items = await listed(ledger, `${way}-${signal}`);
        expect(new Set(items.map(({ data }) => data['handle']))).toEqual(told);
      }
  }
});

test('no event is sent again through another ledger, and no delivery is read there', async () => {
  const [delivery] = await listed(two, 'webhook-wallet-created');
  const { handle } = (delivery as Item).data;
  const before = receiver.arrivals().length;
  for (const path of ['/effects/webhook-wallet-created', '/bridges/core']) {
    const again = await one.post(`${path}/events/retry`, signed({ handle }, key));
    expect([path, again.status, again.reason]).toEqual([path, 404, 'record.not-found']);
    for (const name of [handle, delivery?.luid ?? '']) {
      const read = await one.get(`${path}/events/${name}`);
      expect([path, read.status, read.text.includes(markOf(two))]).toEqual([path, 404, false]);
    }
  }
  expect(receiver.arrivals()).toHaveLength(before);
});

test('all that is sent again, and what comes after one ledger went silent, is its own', async () => {
  const paths = ['/effects/webhook-wallet-created', '/effects/bridge-wallet-created'];
  receiver.forget();
  for (const path of paths)
    expect((await one.post(`${path}/events/retry`, signed({ maxAge: 0 }, key))).status).toBe(202);
  await until('one told again', () => toldTo(one).length >= walletCount * paths.length);
  expect(toldTo(two)).toEqual([]);
  // Ending an effect, or the bridge, of one ledger ends nothing of the other.
  for (const path of [...paths, '/effects/bridge-balance-received', '/bridges/core']) {
    const { body } = await one.get(path);
    expect((await one.post(`${path}/drop`, farewell(body, key))).status).toBe(204);
  }
  receiver.forget();
  const custom = { mark: markOf(two) };
  await two.make('wallets', { handle: 'later', custom }, key);
  await one.make('wallets', { handle: 'later', custom: { mark: markOf(one) } }, key);
  await until('two told', () => toldTo(two).length >= 2);
  for (const arrival of toldTo(two)) assertOf(two, arrival);
  expect(toldTo(one)).toEqual([]);
});
