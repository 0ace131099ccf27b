/**
 * Goal: what a bridge hears of the ledger over HTTP, call by call, and what the ledger shows of it. The bridges are
 * receivers that answer as they are told; what they report is said here. Rulings 53 to 57 and 60, Decisions 54 to 57.
 */

import { afterAll, describe, expect, test } from 'vitest';
import {
  assertAnswer,
  type Client,
  claimOf,
  exact,
  type Item,
  type Json,
  newKey,
  newLedger,
  outcomeOf,
  signed,
  unique,
} from '../fixture/client.ts';
import { type ReceivedBank, receivedBank } from '../fixture/received-bank.ts';
import { type Arrival, failing, startReceiver, until } from '../fixture/receiver.ts';
import { sharedHome } from '../fixture/served.ts';
import { startTokenServer } from '../fixture/token-server.ts';

const owner = newKey();
const [clientId, clientSecret] = ['ledger', 't0ken-s3cret'];

const home = await sharedHome();
const receiver = await startReceiver();
const login = await startTokenServer(clientId, clientSecret);
afterAll(() => Promise.all([receiver.stop(), login.stop()]));

const open = ['wallet', 'symbol', 'bridge', 'intent'].map((record) => ({ action: 'any', record }));
const accepted = { status: 202 };

/** A ledger with two banks, each with a wallet of its name, and calls that wait for nobody. */
async function house(more: Json = {}, secret?: Json) {
  const ledger = await newLedger(home, owner, { access: open });
  await ledger.make('symbols', { handle: 'usd', factor: 100 }, owner);
  const blue = await receivedBank(ledger, receiver, 'blue', more, secret);
  const green = await receivedBank(ledger, receiver, 'green', more, secret);
  for (const { at } of [blue, green])
    for (const path of ['/debits', '/credits']) receiver.behave(at(path), accepted);
  const transfer = async (
    claims: readonly string[] = ['transfer alice@blue alice@green 5 usd'],
  ) => {
    const intent = await ledger.submit(owner, claims);
    expect(intent.meta.status).toBe('processing');
    return intent;
  };
  const report = async (intent: Item, { key }: ReceivedBank, custom: Json) => {
    expect((await ledger.prove('intents', intent, key, custom)).status).toBe(200);
  };
  const events = async ({ record }: ReceivedBank, query = '') =>
    (await ledger.get(`/bridges/${record.luid}/events${query}`)).items;
  const say = async ({ key, record }: ReceivedBank, status: string) => {
    const { body } = await ledger.get(`/bridges/${record.luid}`);
    expect((await ledger.prove('bridges', body, key, { status })).status).toBe(200);
  };
  return { ledger, blue, green, transfer, report, events, say };
}

/** The one call that arrives at a path; it is a record signed by the ledger. */
async function callAt(
  { at }: ReceivedBank,
  path: string,
  ledger: Client,
  count = 1,
): Promise<Arrival & { body: Item }> {
  const arrivals = await receiver.until(at(path), count);
  const arrival = arrivals[count - 1] as Arrival;
  const body = exact(arrival.text) as Item;
  assertAnswer(body, ledger.key, arrival.text.slice(0, 300));
  return { ...arrival, body };
}

test('a transfer between two bridges is prepared, committed and told, call by call', async () => {
  const { ledger, blue, green, transfer, report, events } = await house();
  const intent = await transfer();
  const debit = await callAt(blue, '/debits', ledger);
  expect(debit.method).toBe('POST');
  expect(debit.headers['content-type']).toBe('application/json');
  const { handle } = debit.body.data;
  expect(debit.body.data).toMatchObject({
    handle: expect.stringMatching(/^deb_[-\w]{17}$/),
    luid: `$ben.${String(handle).slice(4)}`,
    schema: 'debit',
    amount: 5,
    symbol: { handle: 'usd' },
    source: { handle: 'alice@blue' },
    target: { handle: 'alice@green' },
    inputs: [0],
    intent: { luid: intent.luid, hash: intent.hash, data: intent.data },
  });
  expect(receiver.arrivals(green.at('/credits'))).toEqual([]);
  await report(intent, blue, { handle, status: 'prepared' });
  const credit = await callAt(green, '/credits', ledger);
  const { handle: other } = credit.body.data;
  expect(credit.body.data).toMatchObject({ schema: 'credit', amount: 5, inputs: [0] });
  await report(intent, green, { handle: other, status: 'prepared' });
  const commits = [
    await callAt(blue, `/debits/${handle}/commit`, ledger),
    await callAt(green, `/credits/${other}/commit`, ledger),
  ];
  expect(commits.map(({ body }) => [body.data['handle'], body.data['action']])).toEqual([
    [handle, 'commit'],
    [other, 'commit'],
  ]);
  await report(intent, blue, { handle, status: 'committed' });
  await report(intent, green, { handle: other, status: 'committed' });
  const told = `/intents/${String(intent.data['handle'])}`;
  for (const bank of [blue, green]) {
    const [first, last] = [await callAt(bank, told, ledger), await callAt(bank, told, ledger, 2)];
    expect([first, last].map(({ method, body }) => [method, body.luid, body.meta.status])).toEqual([
      ['PUT', intent.luid, 'prepared'],
      ['PUT', intent.luid, 'completed'],
    ]);
  }
  const isDelivered = ({ meta }: { readonly meta: { readonly status?: string } }) =>
    meta.status === 'delivered';
  await until(
    'all is delivered',
    async () => (await events(blue)).filter(isDelivered).length === 4,
  );
  const own = await events(blue);
  expect(own.map(({ data: { action } }) => action).sort()).toEqual([
    'commit',
    'prepare',
    'status',
    'status',
  ]);
  const [prepared] = await events(blue, '?data.action=prepare');
  expect(prepared).toMatchObject({
    data: { bridge: 'blue', entry: handle, action: 'prepare', linked: intent.luid },
    meta: { replay: 0, output: { status: 'delivered', detail: { httpStatus: 202 } } },
  });
  expect(prepared?.data).not.toHaveProperty('effect');
  expect((await events(blue, `?data.entry=${handle}`)).length).toBe(2);
  const path = `/bridges/blue/events/${String(prepared?.data['handle'])}`;
  expect((await ledger.get(path)).body.luid).toBe(prepared?.luid);
});

test('a call that fails is made again, with the same body, and no later one overtakes it', async () => {
  const { ledger, blue, transfer } = await house();
  receiver.behave(blue.at('/debits'), [failing, { status: 410 }, accepted]);
  const intent = await transfer();
  const third = await callAt(blue, '/debits', ledger, 3);
  const texts = receiver.arrivals(blue.at('/debits')).map(({ text }) => text);
  expect(new Set(texts).size).toBe(1);
  expect(third.body.data['intent']).toMatchObject({ luid: intent.luid });
  expect((await ledger.get('/bridges/blue')).body.meta.status).toBe('active');
});

test('a call about a long intent is made again as it was, and shown so', async () => {
  const { ledger, blue, events } = await house();
  receiver.behave(blue.at('/debits'), [failing, accepted]);
  const claims = [claimOf('transfer alice@blue alice@green 5 usd')];
  const custom = { note: 'x'.repeat(40_000) };
  const body = signed({ handle: unique('pay'), claims, custom }, owner);
  const { body: intent } = await ledger.post('/intents', body);
  const [first, again] = [
    await callAt(blue, '/debits', ledger),
    await callAt(blue, '/debits', ledger, 2),
  ];
  expect(again.text).toBe(first.text);
  expect(again.body.data['intent']).toMatchObject({ luid: intent.luid, data: { custom } });
  const [shown] = await events(blue);
  expect(shown?.data['record']).toEqual(first.body);
});

test('what a bridge refuses at the other side is aborted where it was prepared', async () => {
  const { ledger, blue, green, transfer, report } = await house();
  const intent = await transfer();
  const { handle } = (await callAt(blue, '/debits', ledger)).body.data;
  await report(intent, blue, { handle, status: 'prepared' });
  const { handle: other } = (await callAt(green, '/credits', ledger)).body.data;
  await report(intent, green, { handle: other, status: 'failed', reason: 'bridge.no' });
  const abort = await callAt(blue, `/debits/${handle}/abort`, ledger);
  expect(abort.body.data).toMatchObject({ handle, action: 'abort', intent: { luid: intent.luid } });
  await report(intent, blue, { handle, status: 'aborted' });
  await until('it has ended', async () => {
    const { body } = await ledger.get(`/intents/${intent.luid}`);
    return body.meta.status === 'rejected';
  });
});

test('an intent fails of which a bridge does not do what it is asked to prepare', async () => {
  const { ledger, blue, green, transfer, report, events } = await house();
  receiver.behave(green.at('/credits'), { status: 501 });
  const intent = await transfer();
  const { handle } = (await callAt(blue, '/debits', ledger)).body.data;
  await report(intent, blue, { handle, status: 'prepared' });
  await callAt(blue, `/debits/${handle}/abort`, ledger);
  const { body } = await ledger.get(`/intents/${intent.luid}`);
  const reasons = body.meta.proofs.flatMap(({ custom = {} }) => custom['reason'] ?? []);
  expect(reasons).toContain('core.bridge-unsupported-operation');
  await report(intent, blue, { handle, status: 'aborted' });
  expect((await ledger.get(`/intents/${intent.luid}`)).body.meta.status).toBe('rejected');
  let prepare: Item | undefined;
  await until('the call is over', async () => {
    [prepare] = await events(green, '?data.action=prepare');
    return prepare?.meta.status === 'cancelled';
  });
  expect(prepare?.meta).toMatchObject({
    output: { reason: 'delivery.permanent-failure', detail: { httpStatus: 501 } },
  });
});

test('a bridge that is inactive is asked for what is under way, and for nothing new', async () => {
  const { ledger, blue, green, transfer, report, say } = await house();
  const intent = await transfer();
  const { handle: debit } = (await callAt(blue, '/debits', ledger)).body.data;
  await say(blue, 'inactive');
  await say(green, 'inactive');
  const body = {
    handle: unique('pay'),
    claims: [claimOf('transfer alice@blue alice@green 5 usd')],
  };
  const late = await ledger.post('/intents', signed(body, owner));
  expect(outcomeOf(late.body)).toBe('core.bridge-unreachable');
  await report(intent, blue, { handle: debit, status: 'prepared' });
  const { handle: credit } = (await callAt(green, '/credits', ledger)).body.data;
  await report(intent, green, { handle: credit, status: 'prepared' });
  await callAt(blue, `/debits/${debit}/commit`, ledger);
  await callAt(green, `/credits/${credit}/commit`, ledger);
  await report(intent, blue, { handle: debit, status: 'committed' });
  await report(intent, green, { handle: credit, status: 'committed' });
  expect((await ledger.get(`/intents/${intent.luid}`)).body.meta.status).toBe('completed');
  expect(receiver.arrivals(blue.at('/debits'))).toHaveLength(1);
});

test('a call that waits is made at once when the bridge is activated', async () => {
  const { ledger, blue, transfer, events } = await house();
  receiver.behave(blue.at('/debits'), [{ status: 400 }, accepted]);
  await transfer();
  await until('it is tried in vain', async () => (await events(blue))[0]?.meta.status === 'failed');
  expect((await ledger.post('/bridges/blue/activate', signed({}, blue.key))).status).toBe(202);
  await callAt(blue, '/debits', ledger, 2);
});

test('a call is sent again when somebody asks for it', async () => {
  const { ledger, blue, transfer, events } = await house();
  await transfer();
  await callAt(blue, '/debits', ledger);
  await until('it is delivered', async () => (await events(blue))[0]?.meta.status === 'delivered');
  const [delivery] = await events(blue);
  const retry = (body: Json) => ledger.post('/bridges/blue/events/retry', signed(body, blue.key));
  expect((await retry({ handle: delivery?.data['handle'] })).status).toBe(202);
  const again = await callAt(blue, '/debits', ledger, 2);
  expect(again.text).toBe(receiver.arrivals(blue.at('/debits'))[0]?.text);
  expect((await retry({ maxAge: 0 })).status).toBe(202);
  await callAt(blue, '/debits', ledger, 3);
});

describe('a bridge that asks for tokens', () => {
  const withTokens = async () => {
    const rule = {
      ...{ schema: 'oauth2', clientId, clientSecret: '{{ secret.oauth }}' },
      ...{ tokenUrl: login.url, scope: 'pay' },
    };
    return house({ secure: [rule] }, { oauth: clientSecret });
  };

  test.each(['header', 'form'] as const)('is called with one, asked for by %s', async (manner) => {
    login.manner = manner;
    const { ledger, blue, transfer } = await withTokens();
    const { length } = login.given;
    await transfer();
    await transfer();
    await callAt(blue, '/debits', ledger, 2);
    const token = login.given[length];
    const shown = receiver.arrivals(blue.at('/debits')).map(({ headers }) => headers.authorization);
    expect(shown).toEqual([`Bearer ${token}`, `Bearer ${token}`]);
    expect(token).toMatch(/-pay$/);
    expect(login.given).toHaveLength(length + 1);
  });

  test('is called with another one when it refuses the first', async () => {
    login.manner = 'header';
    const { ledger, blue, transfer } = await withTokens();
    receiver.behave(blue.at('/debits'), [{ status: 401 }, accepted]);
    const { length } = login.given;
    await transfer();
    await callAt(blue, '/debits', ledger, 2);
    const shown = receiver.arrivals(blue.at('/debits')).map(({ headers }) => headers.authorization);
    expect(shown).toEqual(login.given.slice(length).map((token) => `Bearer ${token}`));
    expect(login.given).toHaveLength(length + 2);
  });

  test('waits while there is none, and shows why without the secret', async () => {
    login.manner = 'nobody';
    const { ledger, blue, transfer, events } = await withTokens();
    const intent = await transfer();
    await until('it has failed', async () => (await events(blue))[0]?.meta.status === 'failed');
    const [delivery] = await events(blue);
    expect(delivery?.meta).toMatchObject({
      output: { reason: 'delivery.target-unreachable', detail: 'no token: status 401' },
    });
    expect(JSON.stringify(delivery)).not.toContain(clientSecret);
    expect(receiver.arrivals(blue.at('/debits'))).toEqual([]);
    login.manner = 'header';
    const wish = signed({}, blue.key);
    expect((await ledger.post('/bridges/blue/activate', wish)).status).toBe(202);
    const call = await callAt(blue, '/debits', ledger);
    expect(call.body.data['intent']).toMatchObject({ luid: intent.luid });
  });
});
