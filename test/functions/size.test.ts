/** Goal: the largest record that is accepted lives a whole life: it is told, proven and ended. Decision 16. */
import { afterAll, expect, test } from 'vitest';
import {
  farewell,
  type Item,
  type Json,
  newKey,
  newLedger,
  now,
  proofOf,
  revision,
  signed,
  unique,
} from '../fixture/client.ts';
import { startReceiver, until } from '../fixture/receiver.ts';
import { sharedHome } from '../fixture/served.ts';

const key = newKey();
/** Less than a thousand bytes of a record are neither its essay nor its data's frame. */
const fullLength = 338_500;

const home = await sharedHome();
const receiver = await startReceiver();
afterAll(() => receiver.stop());
const ledger = await newLedger(home, key);

const essayOf = (length: number) => ({ essay: 'x'.repeat(length) });
const tooLarge = [413, 'api.body-malformed'];

/** Data of the group that fills a record. */
const fullData = (more: Json = {}) => ({
  handle: unique('full'),
  ...more,
  custom: essayOf(fullLength),
});

const effectOf = (path: string, signal: string) => ({
  signal,
  action: { schema: 'webhook', endpoint: receiver.at(path) },
});

test('a full record is told, and can be dropped', async () => {
  const path = `/${unique('hook')}`;
  for (const signal of ['wallet-created', 'wallet-dropped'])
    await ledger.make('effects', { handle: unique('hook'), ...effectOf(path, signal) }, key);
  const item = await ledger.make('wallets', fullData(), key);
  const reply = await ledger.send('DELETE', `/wallets/${item.luid}`, farewell(item, key));
  expect(reply.status).toBe(204);
  const arrivals = await receiver.until(path, 2);
  const told = arrivals.map(({ data }) => (data['wallet'] as Item).data);
  expect(told).toEqual([item.data, item.data]);
  const { items } = await ledger.get(`/wallets/${item.luid}/changes`);
  expect(items.map(({ meta }) => meta.action)).toEqual(['drop', 'create']);
});

test('a record larger than that is refused, however it would have become so', async () => {
  const data = { handle: unique('wallet'), custom: essayOf(341_000) };
  const created = await ledger.post('/wallets', signed(data, key));
  expect([created.status, created.reason]).toEqual(tooLarge);
  expect((await ledger.get(`/wallets/${data.handle}`)).status).toBe(404);

  const item = await ledger.make('wallets', { handle: data.handle }, key);
  const path = `/wallets/${item.luid}`;
  const updated = await ledger.put(path, revision(item, { custom: essayOf(341_000) }, key));
  expect([updated.status, updated.reason]).toEqual(tooLarge);

  const proof = () => proofOf(item.hash, key, { moment: now(), ...essayOf(150_000) });
  for (const status of [200, 200, 413])
    expect((await ledger.post(`${path}/proofs`, proof())).status).toBe(status);
  const { body } = await ledger.get(path);
  expect(body.meta.proofs).toHaveLength(4);
  const essay = { moment: now(), status: 'dropped', ...essayOf(41_000) };
  const farewells = signed({ parent: item.hash }, key, essay);
  const dropped = await ledger.send('DELETE', path, farewells);
  expect([dropped.status, dropped.reason]).toEqual(tooLarge);
  expect((await ledger.send('DELETE', path, farewell(body, key))).status).toBe(204);
});

test('the ledger can say of a full effect that it is inactive', async () => {
  const path = `/${unique('gone')}`;
  receiver.behave(path, () => ({ status: 410 }));
  const effect = await ledger.make('effects', fullData(effectOf(path, 'symbol-created')), key);
  await ledger.make('symbols', { handle: unique('usd'), factor: 1 }, key);
  const statusOf = async () => (await ledger.get(`/effects/${effect.luid}`)).body.meta.status;
  await until('inactive', async () => (await statusOf()) === 'inactive');
  const reply = await ledger.send('DELETE', `/effects/${effect.luid}`, farewell(effect, key));
  expect(reply.status).toBe(204);
});
