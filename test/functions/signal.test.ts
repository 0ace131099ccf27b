/** Goal: whatever happens is told to whoever asked for it, and to nobody else. Rulings 58 and 59. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Client,
  farewell,
  type Item,
  type Json,
  type Key,
  newKey,
  newLedger,
  now,
  proofOf,
  revision,
  signed,
  unique,
} from '../fixture/client.ts';
import { type Arrival, assertWebhook, startReceiver, until } from '../fixture/receiver.ts';
import { sharedHome } from '../fixture/served.ts';

const key = newKey();

const home = await sharedHome();
const receiver = await startReceiver();
afterAll(() => receiver.stop());

/** Has a signal posted to a path of its own, which is answered. */
async function subscribe(ledger: Client, signal: string, more: Json = {}): Promise<string> {
  const handle = unique(signal);
  const path = `/${handle}`;
  const action = { schema: 'webhook', endpoint: receiver.at(path) };
  await ledger.make('effects', { handle, signal, action, ...more }, key);
  return path;
}

/** One record that lives: it is made, updated, proven and, where that may be, dropped. */
async function live(ledger: Client, group: string, data: Json, author: Key, ends: boolean) {
  const made = await ledger.make(group, data, author);
  const path = `/${group}/${made.luid}`;
  const custom = { n: 1 };
  const { body: updated } = await ledger.put(path, revision(made, { custom }, author));
  const proof = proofOf(updated.hash, author, { moment: now(), status: 'active' });
  const { body: proven } = await ledger.post(`${path}/proofs`, proof);
  if (!ends) return [made, updated, proven];
  expect((await ledger.post(`${path}/drop`, farewell(proven, author))).status).toBe(204);
  return [made, updated, proven];
}

/** The deliveries of the effect at a path, oldest first, once there are so many: each is kept as its attempt ends. */
async function deliveriesAt(ledger: Client, path: string, count: number): Promise<Item[]> {
  let kept: readonly Item[] = [];
  await until(`${count} are kept at ${path}`, async () => {
    ({ items: kept } = await ledger.get(`/effects${path}/events?page.limit=100`));
    return kept.length >= count;
  });
  return kept.toReversed();
}

const recordIn = ({ data }: Arrival, kind: string) => data[kind] as Item;

/** What arrived at a path and is about one record. */
function arrivalsOf(path: string | undefined, kind: string, luid: string | undefined): Arrival[] {
  return receiver.arrivals(path).filter((arrival) => recordIn(arrival, kind).luid === luid);
}

describe('every signal', () => {
  let ledger: Client;
  beforeAll(async () => {
    ledger = await newLedger(home, key);
  });

  const lives: readonly (readonly [kind: string, ends: boolean, data: () => Json])[] = [
    ['wallet', true, () => ({ handle: unique('wallet') })],
    ['symbol', false, () => ({ handle: unique('symbol'), factor: 100 })],
    [
      'effect',
      true,
      () => ({
        handle: unique('other'),
        signal: 'schema-created',
        action: { schema: 'webhook', endpoint: receiver.at('/nobody') },
      }),
    ],
  ];

  test.each(lives)('of a %s is told, in its order and once', async (kind, ends, data) => {
    const happenings = ['created', 'updated', 'proofs-added', ...(ends ? ['dropped'] : [])];
    const filter = { [`${kind}.data.handle`]: { $regex: '^(wallet|symbol|other)-' } };
    const paths: string[] = [];
    for (const happening of happenings)
      paths.push(await subscribe(ledger, `${kind}-${happening}`, { filter }));
    const versions = await live(ledger, `${kind}s`, data(), key, ends);
    // Another one lives after it, and is told too.
    await live(ledger, `${kind}s`, data(), key, ends);
    await Promise.all(paths.map((path) => receiver.until(path, 2)));
    for (const [index, happening] of happenings.entries()) {
      const arrivals = arrivalsOf(paths[index], kind, versions[0]?.luid);
      expect(arrivals).toHaveLength(1);
      const [arrival] = arrivals as [Arrival];
      assertWebhook(arrival, ledger.key);
      expect(arrival.method).toBe('POST');
      expect(arrival.handle).toMatch(/^evt_[-\w]{17}$/);
      expect(arrival.data).toMatchObject({ signal: `${kind}-${happening}`, change: index + 1 });
      const version = versions[index];
      const said = recordIn(arrival, kind);
      if (version) expect(said).toEqual(version);
      else expect(said).toMatchObject({ luid: versions[0]?.luid, meta: { status: 'dropped' } });
    }
    expect(new Set(paths.map((path) => receiver.arrivals(path)[0]?.handle)).size).toBe(
      happenings.length,
    );
  });

  test('of a signer is told', async () => {
    const own = newKey();
    const paths: string[] = [];
    for (const happening of ['created', 'updated', 'proofs-added'])
      paths.push(await subscribe(ledger, `signer-${happening}`));
    const data = { handle: unique('signer'), format: 'ed25519-raw', public: own.public };
    const versions = await live(ledger, 'signers', data, own, false);
    for (const [index, path] of paths.entries()) {
      const [arrival] = (await receiver.until(path, 1)) as [Arrival];
      assertWebhook(arrival, ledger.key);
      expect(recordIn(arrival, 'signer')).toEqual(versions[index]);
    }
  });

  test('of the ledger itself is told', async () => {
    const paths = [
      await subscribe(ledger, 'ledger-updated'),
      await subscribe(ledger, 'ledger-proofs-added'),
    ];
    const { body: made } = await ledger.get('/ledger');
    const { body: updated } = await ledger.put(
      '/ledger',
      revision(made, { custom: { n: 1 } }, key),
    );
    const proof = proofOf(updated.hash, key, { moment: now() });
    const { body: proven } = await ledger.post('/ledger/proofs', proof);
    for (const [index, version] of [updated, proven].entries()) {
      const [arrival] = (await receiver.until(paths[index] ?? '', 1)) as [Arrival];
      assertWebhook(arrival, ledger.key);
      expect(recordIn(arrival, 'ledger')).toEqual(version);
    }
  });
});

describe('money', () => {
  let ledger: Client;
  beforeAll(async () => {
    ledger = await newLedger(home, key);
    for (const handle of ['ann', 'bob', 'cat']) await ledger.make('wallets', { handle }, key);
    await ledger.make('symbols', { handle: 'usd', factor: 100 }, key);
    await ledger.make('symbols', { handle: 'eur', factor: 100 }, key);
  });

  test('an intent is told from its first status to its last, and then its proofs', async () => {
    const created = await subscribe(ledger, 'intent-created');
    const updated = await subscribe(ledger, 'intent-updated');
    const proven = await subscribe(ledger, 'intent-proofs-added');
    const intent = await ledger.settle(key, 'issue ann 5 usd');
    const [first] = (await receiver.until(created, 1)) as [Arrival];
    assertWebhook(first, ledger.key);
    expect(recordIn(first, 'intent')).toMatchObject({
      luid: intent.luid,
      data: intent.data,
      meta: { status: 'pending' },
    });
    const later = await receiver.until(updated, 3);
    for (const arrival of later) assertWebhook(arrival, ledger.key);
    const statuses = later.map((arrival) => recordIn(arrival, 'intent').meta.status);
    expect(statuses).toEqual(['prepared', 'committed', 'completed']);
    expect(later.map(({ data }) => data['change'])).toEqual([2, 3, 4]);
    expect(recordIn(later[2] as Arrival, 'intent')).toEqual(intent);
    await ledger.prove('intents', intent, key);
    const [last] = (await receiver.until(proven, 1)) as [Arrival];
    assertWebhook(last, ledger.key);
    expect(last.data['change']).toBe(5);
  });

  test('each wallet and symbol that received is told, with all of the amount', async () => {
    const path = await subscribe(ledger, 'balance-received');
    const claims = ['transfer ann bob 3 usd', 'issue bob 5 usd', 'issue cat 9 eur'];
    const intent = await ledger.settle(key, ...claims);
    const arrivals = await receiver.until(path, 2);
    for (const arrival of arrivals) assertWebhook(arrival, ledger.key);
    const said = arrivals.map((one) => [
      recordIn(one, 'wallet').data.handle,
      recordIn(one, 'symbol').data.handle,
      one.data['amount'],
    ]);
    expect(said.sort()).toEqual([
      ['bob', 'usd', 8],
      ['cat', 'eur', 9],
    ]);
    for (const arrival of arrivals) {
      expect(recordIn(arrival, 'intent')).toEqual(intent);
      for (const kind of ['wallet', 'symbol']) {
        const { data } = recordIn(arrival, kind);
        const { body } = await ledger.get(`/${kind}s/${data.handle}`);
        expect(recordIn(arrival, kind)).toEqual(body);
      }
    }
  });

  test('an amount that no double holds is told exactly', async () => {
    const path = await subscribe(ledger, 'balance-received', {
      filter: { amount: { $gt: 9_007_199_254_740_991 } },
    });
    const most = Number.MAX_SAFE_INTEGER;
    const claims = Array.from({ length: 3 }, () => `issue ann ${most} usd`);
    await ledger.settle(key, 'issue bob 7 usd');
    await ledger.settle(key, ...claims);
    const [arrival] = (await receiver.until(path, 1)) as [Arrival];
    assertWebhook(arrival, ledger.key);
    expect(String(arrival.data['amount'])).toBe(String(3n * BigInt(most)));
  });

  test('an intent that is rejected is told, and that nobody received is not', async () => {
    const received = await subscribe(ledger, 'balance-received');
    const updated = await subscribe(ledger, 'intent-updated');
    const intent = await ledger.settle(key, 'destroy cat 1000000 eur');
    expect(intent.meta.status).toBe('rejected');
    const statuses = () =>
      receiver.arrivals(updated).map((one) => recordIn(one, 'intent').meta.status);
    await until('rejected', () => statuses().at(-1) === 'rejected');
    // What somebody received after it is the first that is told of.
    const later = await ledger.settle(key, 'issue cat 1 eur');
    const [first] = (await receiver.until(received, 1)) as [Arrival];
    expect(recordIn(first, 'intent').luid).toBe(later.luid);
  });
});

describe('filters', () => {
  // Wallets a, b and c of three cities and amounts; each filter with those that it lets through.
  const path = 'wallet.data.custom';
  const filters: readonly (readonly [filter: Json, names: string])[] = [
    [{}, 'abc'],
    [{ 'wallet.data.handle': 'a' }, 'a'],
    [{ signal: 'wallet-created' }, 'abc'],
    [{ signal: 'wallet-updated' }, ''],
    [{ [`${path}.city`]: { $eq: 'Lima' } }, 'a'],
    [{ [`${path}.city`]: { $ne: 'Lima' } }, 'bc'],
    [{ [`${path}.n`]: { $gt: 2 } }, 'c'],
    [{ [`${path}.n`]: { $gte: 2 } }, 'bc'],
    [{ [`${path}.n`]: { $lt: 2 } }, 'a'],
    [{ [`${path}.n`]: { $lte: 2 } }, 'ab'],
    [{ [`${path}.n`]: { $gt: 1, $lt: 3 } }, 'b'],
    [{ [`${path}.city`]: { $in: ['Lima', 'Oslo'] } }, 'ac'],
    [{ [`${path}.city`]: { $nin: ['Lima', 'Oslo'] } }, 'b'],
    [{ [`${path}.city`]: { $regex: '^[LO]' } }, 'ac'],
    [{ [`${path}.city`]: { $regex: 'i' } }, 'ab'],
    [{ [`${path}.vip`]: { $exists: true } }, 'b'],
    [{ [`${path}.vip`]: { $exists: false } }, 'ac'],
    [{ [`${path}.tags`]: 'x' }, 'ab'],
    [{ [`${path}.tags.0`]: 'x' }, 'a'],
    [{ [`${path}.deep.er.est`]: { $in: [7] } }, 'c'],
    [{ [`${path}.n`]: { $gte: 2 }, [`${path}.city`]: 'Oslo' }, 'c'],
    [{ 'wallet.meta.status': 'created', change: 1 }, 'abc'],
    [{ 'wallet.meta.moment': { $gt: '2020-01-01T00:00:00Z' } }, 'abc'],
    [{ 'wallet.meta.proofs.custom.status': 'created' }, 'abc'],
    [{ 'wallet.data.symbol': 'usd' }, ''],
  ];
  const wallets: readonly Json[] = [
    { handle: 'a', custom: { city: 'Lima', n: 1, tags: ['x'] } },
    { handle: 'b', custom: { city: 'Riga', n: 2, tags: ['y', 'x'], vip: false } },
    { handle: 'c', custom: { city: 'Oslo', n: 3, tags: [], deep: { er: [{ est: 7 }] } } },
  ];

  test('only what a filter lets through is told', async () => {
    const ledger = await newLedger(home, key);
    const places: { path: string; filter: Json; count: number }[] = [];
    for (const [filter, { length: count }] of filters)
      places.push({ path: await subscribe(ledger, 'wallet-created', { filter }), filter, count });
    for (const wallet of wallets) await ledger.make('wallets', wallet, key);
    for (const { path, count } of places) await receiver.until(path, count);
    for (const { path, count } of places) await deliveriesAt(ledger, path, count);
    const told: [Json, string][] = [];
    // By now all of them have heard of what they were to hear of.
    for (const { path, filter } of places) {
      const kept = await deliveriesAt(ledger, path, 0);
      const handles = kept.map(({ data }) => (data['record'] as Item).data['wallet'] as Item);
      told.push([
        filter,
        handles
          .map(({ data }) => data.handle)
          .sort()
          .join(''),
      ]);
    }
    expect(told).toEqual(filters);
  });
});

/** The same names in each ledger, a path for each of them. */
async function subscribeAll(ledger: Client, signals: readonly string[]): Promise<void> {
  for (const signal of signals) {
    const action = { schema: 'webhook', endpoint: receiver.at(`/${ledger.ledger}/${signal}`) };
    await ledger.make('effects', { handle: `same-${signal}`, signal, action }, key);
  }
}

/** A wallet is made and receives something. */
async function happenIn(ledger: Client): Promise<void> {
  const [wallet, symbol] = [unique(`of-${ledger.ledger ?? 'home'}`), unique('usd')];
  await ledger.make('wallets', { handle: wallet }, key);
  await ledger.make('symbols', { handle: symbol, factor: 1 }, key);
  await ledger.settle(key, `issue ${wallet} 1 ${symbol}`);
}

describe('who is told', () => {
  test('the effects of the very ledger, whatever their names are elsewhere', async () => {
    const [one, two] = [await newLedger(home, key), await newLedger(home, key)];
    const signals = ['wallet-created', 'intent-created', 'balance-received', 'domain-created'];
    for (const ledger of [one, two]) await subscribeAll(ledger, signals);
    for (const ledger of [one, two, home]) await happenIn(ledger);
    const toldTo = ({ ledger }: Client) =>
      receiver.arrivals().filter((one) => one.path.startsWith(`/${ledger}/`));
    const isTold = () => toldTo(one).length >= 3 && toldTo(two).length >= 3;
    await until('both ledgers told', isTold);
    for (const ledger of [one, two]) {
      const kept = signals.map((signal, index) =>
        deliveriesAt(ledger, `/same-${signal}`, index < 3 ? 1 : 0),
      );
      expect((await Promise.all(kept)).map(({ length }) => length)).toEqual([1, 1, 1, 0]);
      const told = toldTo(ledger);
      expect(told.map(({ signal }) => signal).sort()).toEqual(signals.slice(0, 3).sort());
      for (const arrival of told) {
        assertWebhook(arrival, ledger.key);
        expect(arrival.text).toContain(`of-${ledger.ledger}`);
      }
    }
  });

  test('two effects of one signal are told of the same event', async () => {
    const ledger = await newLedger(home, key);
    const [one, two] = [
      await subscribe(ledger, 'wallet-created'),
      await subscribe(ledger, 'wallet-created'),
    ];
    await ledger.make('wallets', { handle: 'shared' }, key);
    const [first] = (await receiver.until(one, 1)) as [Arrival];
    const [second] = (await receiver.until(two, 1)) as [Arrival];
    expect(first.text).toBe(second.text);
    expect(first.headers['webhook-id']).toBe(second.headers['webhook-id']);
  });

  test('an effect that was given another signal hears that one only', async () => {
    const ledger = await newLedger(home, key);
    const path = await subscribe(ledger, 'wallet-created');
    const { body: effect } = await ledger.get(`/effects${path}`);
    await ledger.make('wallets', { handle: 'before' }, key);
    await receiver.until(path, 1);
    await ledger.put(`/effects${path}`, revision(effect, { signal: 'symbol-created' }, key));
    const witness = await subscribe(ledger, 'wallet-created');
    await ledger.make('wallets', { handle: 'after' }, key);
    await ledger.make('symbols', { handle: 'usd', factor: 1 }, key);
    await receiver.until(path, 2);
    await receiver.until(witness, 1);
    expect(await deliveriesAt(ledger, path, 2)).toHaveLength(2);
    expect(receiver.arrivals(path).map(({ signal }) => signal)).toEqual([
      'wallet-created',
      'symbol-created',
    ]);
  });

  test('what was refused is told to nobody', async () => {
    const ledger = await newLedger(home, key);
    const path = await subscribe(ledger, 'wallet-created');
    await ledger.make('wallets', { handle: 'taken' }, key);
    const again = await ledger.post('/wallets', signed({ handle: 'taken' }, key));
    expect(again.status).toBe(409);
    await ledger.make('wallets', { handle: 'later' }, key);
    const arrivals = await receiver.until(path, 2);
    const handles = arrivals.map((arrival) => recordIn(arrival, 'wallet').data.handle);
    expect(handles.sort()).toEqual(['later', 'taken']);
    expect(await deliveriesAt(ledger, path, 2)).toHaveLength(2);
  });
});

describe('the order', () => {
  test('the events of a record arrive in it, also when some are refused', async () => {
    const ledger = await newLedger(home, key);
    const path = await subscribe(ledger, 'wallet-proofs-added');
    let refusals = 0;
    receiver.behave(path, () => {
      const isRefused = Math.random() < 0.05;
      refusals += isRefused ? 1 : 0;
      return { status: isRefused ? 500 : 204, afterMs: Math.floor(Math.random() * 20) };
    });
    const wallets = await Promise.all(
      Array.from({ length: 8 }, () => ledger.make('wallets', { handle: unique('wallet') }, key)),
    );
    const proofCount = 10;
    await Promise.all(
      wallets.map(async ({ luid, hash }) => {
        for (let step = 0; step < proofCount; step += 1)
          await ledger.post(`/wallets/${luid}/proofs`, proofOf(hash, key, { moment: now(), step }));
      }),
    );
    const isTold = () =>
      receiver.arrivals(path).filter(({ status }) => status === 204).length ===
      wallets.length * proofCount;
    await until('all told', isTold);
    expect(receiver.arrivals(path)).toHaveLength(wallets.length * proofCount + refusals);
    for (const { luid } of wallets) {
      const told = receiver.arrivals(path).filter((one) => recordIn(one, 'wallet').luid === luid);
      const changes = told.map(({ data }) => Number(data['change']));
      expect(changes).toEqual(changes.toSorted((a, b) => a - b));
      expect([...new Set(changes)]).toHaveLength(proofCount);
      for (const { handle, data } of told)
        expect(told.filter((one) => one.handle === handle).map((one) => one.data)).toContainEqual(
          data,
        );
    }
  });
});
