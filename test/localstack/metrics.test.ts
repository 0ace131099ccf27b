/** Goal: `/metrics` counts exactly what was sent, in a form that Prometheus takes. */
import { expect, test } from 'vitest';
import { type Client, clientOf, newKey, newLedger, signed } from '../fixture/client.ts';
import { type Sample, samplesIn } from '../fixture/exposition.ts';
import { startReceiver, until } from '../fixture/receiver.ts';
import { assertSilent, start } from '../fixture/runtime.ts';

const key = newKey();

async function scrape(url: string): Promise<Sample[]> {
  const answer = await fetch(new URL('/metrics', url));
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  return samplesIn(await answer.text());
}

/** The value of a sample; 0 for one that is missing. */
function valueIn(samples: readonly Sample[], name: string, labels: object = {}): number {
  const isMeant = (one: Sample) =>
    Object.entries(labels).every(([label, value]) => one.labels[label] === value);
  return samples.find((one) => one.name === name && isMeant(one))?.value ?? 0;
}

const durations = 'http_server_request_duration_seconds_count';
const requests = (samples: readonly Sample[]) =>
  samples
    .filter(({ name }) => name === durations)
    .map(({ labels, value }) => [
      `${labels['http_request_method']} ${labels['http_route']} ${labels['http_response_status_code']}`,
      value,
    ]);

async function send(ledger: Client): Promise<void> {
  await ledger.make('symbols', { handle: 'usd', factor: 100 }, key);
  await ledger.make('wallets', { handle: 'alice' }, key);
  await ledger.make('wallets', { handle: 'bob' }, key);
  const issue = (handle: string, target: string) => {
    const claims = [{ action: 'issue', target, symbol: 'usd', amount: 5 }];
    return signed({ handle, claims }, key);
  };
  await ledger.post('/intents', issue('one', 'alice'));
  await ledger.post('/intents', issue('two', 'bob'));
  await ledger.post('/intents', issue('three', 'nobody'));
  expect((await ledger.post('/intents', issue('one', 'alice'))).status).toBe(409);
  const data = [issue('four', 'alice'), issue('five', 'nobody')];
  expect((await ledger.post('/intents/!batch', { data, mode: 'independent' })).status).toBe(200);
  expect((await ledger.get('/intents/one')).status).toBe(200);
  expect((await ledger.get('/nothing/at/all')).status).toBe(404);
}

test('requests, intents and deliveries are counted exactly', async () => {
  const receiver = await startReceiver();
  const runtime = await start({ env: { LEDGER_THREADS: '2' } });
  const home = clientOf(runtime.url, runtime.key);
  const ledger = await newLedger(home, key);
  const action = { schema: 'webhook', endpoint: receiver.at('/hook') };
  await ledger.make('effects', { handle: 'hook', signal: 'wallet-created', action }, key);
  const before = new Map(requests(await scrape(runtime.url)) as [string, number][]);
  expect(before).toEqual(
    new Map([
      // The client reads the key of a new ledger.
      ['GET /v2/signers/{id} 200', 1],
      ['POST /v2/ledgers 201', 1],
      ['POST /v2/effects 201', 1],
    ]),
  );
  await send(ledger);
  const samples = await scrape(runtime.url);
  const after = new Map(requests(samples) as [string, number][]);
  expect(after).toEqual(
    new Map([
      ...before,
      ...([
        ['POST /v2/symbols 201', 1],
        ['POST /v2/wallets 201', 2],
        ['POST /v2/intents 201', 3],
        ['POST /v2/intents 409', 1],
        ['POST /v2/intents/!batch 200', 1],
        ['GET /v2/intents/{id} 200', 1],
        ['GET undefined 404', 1],
      ] as const),
    ]),
  );
  const intents = (route: string, status: string) =>
    valueIn(samples, 'countersign_intents_total', {
      ...{ http_route: route, countersign_intent_status: status },
    });
  expect([
    ...[intents('/v2/intents', 'completed'), intents('/v2/intents', 'rejected')],
    ...[intents('/v2/intents/!batch', 'completed'), intents('/v2/intents/!batch', 'rejected')],
  ]).toEqual([2, 1, 1, 1]);
  await receiver.until('/hook', 2);
  const delivered = {
    countersign_delivery_kind: 'event',
    countersign_delivery_status: 'delivered',
  };
  const deliveriesNow = async () =>
    valueIn(await scrape(runtime.url), 'countersign_delivery_duration_seconds_count', delivered);
  await until('not two deliveries', async () => (await deliveriesNow()) === 2);
  await until('the backlog does not end', async () => {
    const all = (await scrape(runtime.url)).filter(({ name }) => name === 'countersign_backlog');
    return all.length === 7 && all.every(({ value }) => value === 0);
  });
  await runtime.stop();
  await receiver.stop();
  assertSilent(runtime.complaints);
});

test('no caller makes a series by a method or a path of his own', async () => {
  const runtime = await start();
  const count = async () => requests(await scrape(runtime.url)).length;
  for (const [method, path] of [
    ['PROPFIND', '/wallets/a'],
    ['REPORT', '/b'],
    ['GET', '/c'],
    ['GET', '/d'],
  ] as const)
    await fetch(`${runtime.url}${path}`, { method });
  expect(await count()).toBeLessThanOrEqual(3);
  await runtime.stop();
});

test('with none nobody is answered but by the ledger', async () => {
  const runtime = await start({ env: { LEDGER_METRICS: 'none' } });
  const answer = await fetch(new URL('/metrics', runtime.url));
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ data: { reason: 'api.route-not-found' } });
  await runtime.stop();
});
