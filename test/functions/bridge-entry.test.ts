/**
 * Goal: whoever subscribes to the entries that bridges are asked for hears the life of each, once and in order, and
 * of no bridge that lies outside of the effect's domain. Rulings 58, 70 and 78, Decision 78.
 */

import { afterAll, describe, expect, test } from 'vitest';
import {
  active,
  assertAnswer,
  farewell,
  type Item,
  type Json,
  newKey,
  newLedger,
  outcomeOf,
  revision,
  unique,
} from '../fixture/client.ts';
import { type ReceivedBank, receivedBank } from '../fixture/received-bank.ts';
import { type Arrival, startReceiver } from '../fixture/receiver.ts';
import { sharedHome } from '../fixture/served.ts';

const owner = newKey();
const home = await sharedHome();
const receiver = await startReceiver();
afterAll(() => receiver.stop());

const open = ['wallet', 'symbol', 'bridge', 'intent', 'effect', 'domain'].map((record) => ({
  action: 'any',
  record,
}));
const signals = ['created', 'updated', 'proofs-added'].map((one) => `bridge-entry-${one}`);

/** What an event says of its entry. */
interface Told extends Item {
  readonly data: Item['data'] & { readonly intent: Item };
}

const entryIn = ({ data }: Arrival) => data['bridge-entry'] as unknown as Told;
const lineOf = (arrival: Arrival) =>
  `${arrival.signal.slice('bridge-entry-'.length)} ${entryIn(arrival).meta.status}`;

/** The banks blue of the domain a and green of b, which take every call and report what the test says. */
async function house() {
  const ledger = await newLedger(home, owner, { access: open });
  await ledger.make('symbols', { handle: 'usd', factor: 100 }, owner);
  for (const handle of ['a', 'b']) await ledger.make('domains', { handle }, owner);
  const blue = await receivedBank(ledger, receiver, 'blue', { domain: 'a' });
  const green = await receivedBank(ledger, receiver, 'green', { domain: 'b' });
  const subscribe = async (more: Json = {}, wanted: readonly string[] = signals) => {
    const path = `/${unique('told')}`;
    const action = { schema: 'webhook', endpoint: receiver.at(path) };
    for (const signal of wanted)
      await ledger.make('effects', { handle: unique('e'), signal, action, ...more }, owner);
    return path;
  };
  const pay = async () => {
    const intent = await ledger.settle(owner, 'transfer alice@a alice@b 5 usd');
    expect(intent.meta.status).toBe('processing');
    return intent;
  };
  const report = async (intent: Item, { key }: ReceivedBank, entry: string, custom: Json) => {
    const reply = await ledger.prove('intents', intent, key, { handle: entry, ...custom });
    expect(reply.status, reply.text).toBe(200);
    return reply.body;
  };
  const asked = async ({ at }: ReceivedBank, path: string) => {
    const [call] = await receiver.until(at(path), 1);
    return JSON.parse((call as Arrival).text) as Item;
  };
  return { ledger, blue, green, subscribe, pay, report, asked };
}

type House = Awaited<ReturnType<typeof house>>;

/** A payment until both banks have prepared it, which is when it is committed. */
async function decided({ blue, green, pay, report, asked }: House) {
  const intent = await pay();
  const debit = (await asked(blue, '/debits')).data.handle;
  await report(intent, blue, debit, { status: 'prepared' });
  const credit = (await asked(green, '/credits')).data.handle;
  await report(intent, green, credit, { status: 'prepared' });
  return { intent, debit, credit };
}

/** What arrived at a path of one entry, in the order of its life. */
function lifeOf(path: string, entry: string): readonly Arrival[] {
  return receiver
    .arrivals(path)
    .filter((one) => entryIn(one).data.handle === entry)
    .toSorted((one, other) => Number(one.data['change']) - Number(other.data['change']));
}

const completed = [
  'created pending',
  'proofs-added prepared',
  'updated committing',
  'proofs-added committed',
];
const undone = [
  'created pending',
  'proofs-added prepared',
  'updated aborting',
  'proofs-added aborted',
];

describe('the entries of a payment between two banks', () => {
  test('are told from when their bridge is asked until it has done its part', async () => {
    const own = await house();
    const path = await own.subscribe();
    const { intent, debit, credit } = await decided(own);
    await own.report(intent, own.blue, debit, { status: 'committed', coreId: 'b1' });
    const last = await own.report(intent, own.green, credit, { status: 'committed' });
    expect(outcomeOf(last)).toBe('completed');
    await receiver.until(path, 8);
    for (const entry of [debit, credit]) {
      const life = lifeOf(path, entry);
      expect(life.map(lineOf)).toEqual(completed);
      expect(life.map(({ data }) => data['change'])).toEqual([1, 2, 3, 4]);
    }
    // Not one more than that, and each by a handle of its own.
    const handles = receiver.arrivals(path).map(({ handle }) => handle);
    expect([handles.length, new Set(handles).size]).toEqual([8, 8]);
  });

  test('are records that the ledger signs, as their bridge hears them', async () => {
    const own = await house();
    const path = await own.subscribe();
    const { intent, debit, credit } = await decided(own);
    await own.report(intent, own.blue, debit, { status: 'committed', coreId: 'b1' });
    await own.report(intent, own.green, credit, { status: 'committed' });
    await receiver.until(path, 8);
    const asked = await own.asked(own.blue, '/debits');
    for (const arrival of lifeOf(path, debit)) {
      const entry = entryIn(arrival);
      assertAnswer(entry as Item, own.ledger.key, arrival.text.slice(0, 300));
      const { intent: about, ...rest } = entry.data;
      const { intent: _intent, ...request } = asked.data as Told['data'];
      expect(rest).toEqual({ ...request, bridge: { handle: 'blue' } });
      expect(entry.luid).toBe(`$ben.${debit.slice(4)}`);
      expect([about.luid, about.hash]).toEqual([intent.luid, intent.hash]);
      expect(entry.meta.domain).toBe('a');
      expect(entry.meta.proofs[0]?.custom).toMatchObject({
        luid: entry.luid,
        status: entry.meta.status,
      });
    }
    const proofs = lifeOf(path, debit).map(({ data }) => data['proof'] as Json | undefined);
    expect(proofs.map((proof) => (proof?.['custom'] as Json | undefined)?.['status'])).toEqual([
      undefined,
      'prepared',
      undefined,
      'committed',
    ]);
    expect(proofs[3]).toMatchObject({
      public: own.blue.key.public,
      custom: { handle: debit, coreId: 'b1' },
    });
  });

  test('are told of a payment that fails, up to its undoing', async () => {
    const own = await house();
    const path = await own.subscribe();
    const intent = await own.pay();
    const debit = (await own.asked(own.blue, '/debits')).data.handle;
    await own.report(intent, own.blue, debit, { status: 'prepared' });
    const credit = (await own.asked(own.green, '/credits')).data.handle;
    const reason = 'bridge.account-not-found';
    await own.report(intent, own.green, credit, { status: 'failed', reason });
    // It comes again, and late: neither counts, and neither is told.
    await own.report(intent, own.green, credit, { status: 'failed', reason, detail: 'again' });
    await own.report(intent, own.green, credit, { status: 'prepared' });
    await own.report(intent, own.blue, debit, { status: 'aborted' });
    await receiver.until(path, 7);
    expect(lifeOf(path, debit).map(lineOf)).toEqual(undone);
    expect(lifeOf(path, credit).map(lineOf)).toEqual([
      'created pending',
      'proofs-added failed',
      'updated aborting',
    ]);
    expect(receiver.arrivals(path)).toHaveLength(7);
  });

  test('whose bridge does not do such things have the word of the ledger in its place', async () => {
    const own = await house();
    const path = await own.subscribe();
    receiver.behave(own.blue.at('/debits'), { status: 501 });
    await own.pay();
    await receiver.until(path, 3);
    const told = receiver.arrivals(path);
    expect(new Set(told.map(lineOf))).toEqual(
      new Set(['created pending', 'proofs-added failed', 'updated aborting']),
    );
    const proof = told.find(({ signal }) => signal.endsWith('proofs-added'))?.data['proof'] as Json;
    expect(proof).toMatchObject({
      signer: 'system',
      custom: { reason: 'core.bridge-unsupported-operation' },
    });
  });

  test('are told as a filter asks', async () => {
    const own = await house();
    const filter = { 'bridge-entry.data.bridge.handle': 'green' };
    const path = await own.subscribe({ filter });
    const last = await own.subscribe({ filter: { 'bridge-entry.meta.status': 'committing' } });
    const { debit, credit } = await decided(own);
    await receiver.until(path, 3);
    await receiver.until(last, 2);
    const handlesAt = (at: string) => receiver.arrivals(at).map((one) => entryIn(one).data.handle);
    expect(new Set(handlesAt(path))).toEqual(new Set([credit]));
    expect(new Set(handlesAt(last))).toEqual(new Set([debit, credit]));
  });
});

describe('an effect of a domain', () => {
  test('hears of the entries of its own bridges, and of no others', async () => {
    const own = await house();
    const [all, near] = [await own.subscribe(), await own.subscribe({ domain: 'a' })];
    const { intent, debit, credit } = await decided(own);
    await own.report(intent, own.blue, debit, { status: 'committed' });
    await own.report(intent, own.green, credit, { status: 'committed' });
    await receiver.until(all, 8);
    await receiver.until(near, 4);
    expect(lifeOf(near, debit).map(lineOf)).toEqual(completed);
    expect(receiver.arrivals(near)).toHaveLength(4);
  });

  test('hears nothing of a bridge whose former handle one of its own has now', async () => {
    const own = await house();
    const { ledger, green } = own;
    const { intent, credit } = await decided(own);
    expect(outcomeOf(await ledger.settle(owner, 'destroy alice@b 5 usd'))).toBe('completed');
    const { body: wallet } = await ledger.get('/wallets/alice@b');
    const left = await ledger.send('DELETE', '/wallets/alice@b', farewell(wallet, green.key));
    expect(left.status, left.text).toBe(204);
    const renamed = revision(green.record, { handle: 'jade' }, green.key);
    expect((await ledger.put('/bridges/green', renamed)).status).toBe(200);
    const [far, near] = [
      await own.subscribe({ domain: 'a' }),
      await own.subscribe({ domain: 'b' }, ['bridge-entry-proofs-added']),
    ];
    const config = { server: receiver.at('/later') };
    await ledger.make('bridges', { handle: 'green', domain: 'a', config }, newKey(), active());
    await own.report(intent, green, credit, { status: 'committed' });
    await receiver.until(near, 1);
    expect(lifeOf(near, credit).map(lineOf)).toEqual(['proofs-added committed']);
    expect(receiver.arrivals(far)).toEqual([]);
  });
});

test('a payment in which no bridge takes part tells of no entry', async () => {
  const own = await house();
  const path = await own.subscribe();
  const paid = await own.subscribe({}, ['balance-received']);
  for (const handle of ['w', 'v']) await own.ledger.make('wallets', { handle }, owner);
  for (const claim of ['issue w 5 usd', 'transfer w v 5 usd'])
    expect(outcomeOf(await own.ledger.settle(owner, claim))).toBe('completed');
  await receiver.until(paid, 2);
  expect(receiver.arrivals(path)).toEqual([]);
});
