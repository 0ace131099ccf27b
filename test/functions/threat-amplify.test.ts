/**
 * Goal: one request does not turn into a flood: a ledger has so many effects for a signal, and so many bytes a second,
 * as the operator says, and whoever meets a bound is told. Decision 86.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Client,
  clientOf,
  farewell,
  type Item,
  newKey,
  newLedger,
  revision,
  signed,
  unique,
} from '../fixture/client.ts';
import { type Receiver, startReceiver, until } from '../fixture/receiver.ts';
import { assertSilent, type Runtime, start } from '../fixture/runtime.ts';

const effectsMax = 4;
const bytesPerSecond = 40_000;
const key = newKey();

let runtime: Runtime;
let receiver: Receiver;
beforeAll(async () => {
  const env = {
    EFFECTS_PER_SIGNAL: String(effectsMax),
    SENT_BYTES_PER_SECOND: String(bytesPerSecond),
  };
  [runtime, receiver] = await Promise.all([start({ env }), startReceiver()]);
});
afterAll(async () => {
  await runtime.stop();
  await receiver.stop();
  assertSilent(runtime.complaints);
});

const effectOf = (path: string, signal = 'wallet-created') => ({
  handle: path.slice(1),
  signal,
  action: { schema: 'webhook', endpoint: receiver.at(path) },
});

/** A ledger whose signal is heard by as many effects as may hear it. */
async function full(): Promise<{ ledger: Client; paths: string[]; effects: Item[] }> {
  const ledger = await newLedger(clientOf(runtime.url, runtime.key), key);
  const paths = Array.from({ length: effectsMax }, () => `/${unique('hook')}`);
  const effects: Item[] = [];
  for (const path of paths) effects.push(await ledger.make('effects', effectOf(path), key));
  return { ledger, paths, effects };
}

describe('an effect too many for its signal', () => {
  const refusal = {
    detail: `The signal wallet-created is heard by as many effects as may hear it: ${effectsMax}.`,
    custom: { signal: 'wallet-created', effects: effectsMax, effectsMax },
  };

  test('is refused when it is created, or comes there by an update, and it is said why', async () => {
    const { ledger } = await full();
    const one = await ledger.post('/effects', signed(effectOf('/more'), key));
    expect([one.status, one.reason, one.body.data]).toMatchObject([422, 'record.invalid', refusal]);
    const other = await ledger.make('effects', effectOf('/other', 'wallet-dropped'), key);
    const { signal } = effectOf('/other');
    const moved = await ledger.put('/effects/other', revision(other, { signal }, key));
    expect([moved.status, moved.reason]).toEqual([422, 'record.invalid']);
    expect((await ledger.get('/effects/more')).status).toBe(404);
    expect((await ledger.get('/effects/other')).body).toEqual(other);
  });

  test('does not stop the others from being what they are, and theirs is free again after a drop', async () => {
    const { ledger, effects } = await full();
    const [first] = effects as [Item];
    const custom = { changed: true };
    const path = `/effects/${first.data.handle}`;
    const updated = await ledger.put(path, revision(first, { custom }, key));
    expect(updated.status).toBe(200);
    const again = await ledger.post('/effects', signed(effectOf(`/${first.data.handle}`), key));
    expect([again.status, again.reason]).toEqual([409, 'record.duplicated']);
    expect((await ledger.post(`${path}/drop`, farewell(updated.body, key))).status).toBe(204);
    await ledger.make('effects', effectOf('/late'), key);
  });

  test('hears nothing when it came in beside the others at the same moment', async () => {
    const ledger = await newLedger(clientOf(runtime.url, runtime.key), key);
    const paths = Array.from({ length: 3 * effectsMax }, () => `/${unique('rush')}`);
    await Promise.all(paths.map((path) => ledger.post('/effects', signed(effectOf(path), key))));
    await ledger.make('wallets', { handle: unique('wallet') }, key);
    await until('told', () => {
      const told = paths.filter((path) => receiver.arrivals(path).length > 0);
      return told.length === effectsMax;
    });
    const { luid } = await ledger.make('wallets', { handle: unique('wallet') }, key);
    await until('told again', () => {
      const told = paths.flatMap((path) => receiver.arrivals(path));
      return told.filter(({ text }) => text.includes(luid)).length === effectsMax;
    });
    expect(new Set(paths.filter((path) => receiver.arrivals(path).length > 0)).size).toBe(
      effectsMax,
    );
  });
});

describe('the places of a signal in a ledger with domains', () => {
  const hook = (domain?: string) => {
    const path = `/${unique('near')}`;
    return { path, data: { ...effectOf(path), ...(domain !== undefined && { domain }) } };
  };

  /** A ledger with two domains, the first of which has all the effects that it may have, some of them further in. */
  async function crowded() {
    const ledger = await newLedger(clientOf(runtime.url, runtime.key), key);
    for (const handle of ['a', 'b']) await ledger.make('domains', { handle }, key);
    await ledger.make('domains', { handle: 'a.in', domain: 'a' }, key);
    const inside = Array.from({ length: effectsMax }, (_, index) => hook(index < 2 ? 'a' : 'a.in'));
    for (const { data } of inside) await ledger.make('effects', data, key);
    return { ledger, inside };
  }

  test('are not taken up by one of the domains, however deep', async () => {
    const { ledger } = await crowded();
    for (const domain of ['a', 'a.in']) {
      const { status, reason } = await ledger.post('/effects', signed(hook(domain).data, key));
      expect([status, reason]).toEqual([422, 'record.invalid']);
    }
    const [beside, all] = [hook('b'), hook()];
    for (const { data } of [beside, all]) await ledger.make('effects', data, key);
    await ledger.make('wallets', { handle: '1@b' }, key);
    await until('told', () =>
      [beside, all].every(({ path }) => receiver.arrivals(path).length === 1),
    );
  });

  test('come to those of the whole ledger first, and then to the oldest', async () => {
    const { ledger, inside } = await crowded();
    const all = [hook(), hook(), hook()];
    for (const { data } of all) await ledger.make('effects', data, key);
    await ledger.make('wallets', { handle: '1@a.in' }, key);
    const told = [...inside.slice(0, effectsMax - all.length), ...all];
    await until('told', () => told.every(({ path }) => receiver.arrivals(path).length === 1));
    const paths = [...inside, ...all].map(({ path }) => path);
    expect(paths.filter((path) => receiver.arrivals(path).length > 0)).toEqual(
      told.map(({ path }) => path),
    );
  });
});

test('a ledger that sends more than it may is told so on its deliveries, and its events come all the same', async () => {
  const { ledger, paths } = await full();
  // Each event is as large as what a second has.
  const custom = { text: 'x'.repeat(bytesPerSecond) };
  for (let count = 0; count < 2; count += 1)
    await ledger.make('wallets', { handle: unique('wallet'), custom }, key);
  const eventsOf = async () =>
    (await Promise.all(paths.map((path) => ledger.get(`/effects${path}/events`)))).flatMap(
      ({ items }) => items,
    );
  await until('throttled', async () =>
    (await eventsOf()).some(({ meta }) => {
      const { output } = meta as { readonly output?: { readonly reason?: string } };
      return meta.status === 'pending' && output?.reason === 'delivery.throttled';
    }),
  );
  // Another ledger is not throttled with it.
  const other = await full();
  await other.ledger.make('wallets', { handle: unique('wallet') }, key);
  await until('the other is told', () =>
    other.paths.every((path) => receiver.arrivals(path).length === 1),
  );
  await until('all came', () => paths.every((path) => receiver.arrivals(path).length >= 2));
  await until('all over', async () => {
    const all = await eventsOf();
    return all.length === 2 * paths.length && all.every(({ meta }) => meta.status === 'delivered');
  });
  // One proof for each attempt: that it waited for its turn is none.
  for (const { meta } of await eventsOf()) expect(meta.proofs).toHaveLength(1);
});
