/** Goal: an intent moves money completely and once, also under concurrency. */
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type Body,
  type Client,
  claimOf,
  type Item,
  outcomeOf,
  signed,
  unique,
} from '../fixture/client.ts';
import { newLedger, owner } from './target.ts';

/** The reasons of a ledger on which there are too many at a time. */
const busy: readonly unknown[] = ['api.request-timeout', 'api.rate-limit-exceeded'];
let ledger: Client;

beforeAll(async () => {
  ledger = await newLedger();
  await ledger.make('symbols', { handle: 'usd', factor: 100 }, owner);
});

/** Makes a wallet with this amount, and an empty one. */
async function funded(amount: number): Promise<readonly [string, string]> {
  const [from, to] = [unique('from'), unique('to')];
  for (const handle of [from, to]) await ledger.make('wallets', { handle }, owner);
  await ledger.settle(owner, `issue ${from} ${amount} usd`);
  return [from, to];
}

const transferOf = (from: string, to: string, amount: number): Body => {
  const claims = [claimOf(`transfer ${from} ${to} ${amount} usd`)];
  return signed({ handle: unique('pay'), claims }, owner);
};

/** Posts an intent until its outcome is known. After a timeout or a duplicate, reads it. */
async function settledSurely(body: Body): Promise<Item> {
  for (;;) {
    const reply = await ledger.post('/intents', body);
    if (reply.status === 201) return reply.body;
    if (reply.status === 409)
      return (await ledger.get(`/intents/${String(body.data['handle'])}`)).body;
    expect(busy).toContain(reply.reason);
  }
}

describe('an intent', () => {
  test('settles, and each of its words is signed', async () => {
    const [from, to] = await funded(100);
    const intent = await ledger.settle(owner, `transfer ${from} ${to} 60 usd`);
    expect(intent.meta.status).toBe('completed');
    const words = intent.meta.proofs.slice(1).map(({ custom }) => custom?.['status']);
    const both = ['resolved', 'resolved'];
    expect(words).toEqual(['pending', ...both, 'prepared', 'committed', 'completed']);
    expect([await ledger.balances(from), await ledger.balances(to)]).toEqual([
      { usd: '40' },
      { usd: '60' },
    ]);
  });

  test('that cannot be is kept as rejected, and moves nothing', async () => {
    const [from, to] = await funded(100);
    const intent = await ledger.settle(owner, `transfer ${from} ${to} 101 usd`);
    expect([intent.meta.status, outcomeOf(intent)]).toEqual([
      'rejected',
      'core.insufficient-balance',
    ]);
    expect(await ledger.balances(from)).toEqual({ usd: '100' });
  });

  test('that is sent again is not settled again', async () => {
    const [from, to] = await funded(100);
    const body = transferOf(from, to, 30);
    const first = await ledger.post('/intents', body);
    expect(first.status).toBe(201);
    const again = await ledger.post('/intents', body);
    expect([again.status, again.reason]).toEqual([409, 'record.duplicated']);
    expect(await ledger.balances(from)).toEqual({ usd: '70' });
    const read = await ledger.get(`/intents/${first.body.luid}`);
    expect(read.text).toBe(first.text);
  });

  test('has a history of all that it went through', async () => {
    const [from, to] = await funded(100);
    const { luid } = await ledger.settle(owner, `transfer ${from} ${to} 1 usd`);
    const { items } = await ledger.get(`/intents/${luid}/changes`);
    const numbers = items.map(({ meta }) => (meta as unknown as { change: number }).change);
    expect(items[0]?.meta.status).toBe('completed');
    expect(items.at(-1)?.meta.status).toBe('pending');
    expect(items.length, JSON.stringify(numbers)).toBeGreaterThan(2);
    const first = await ledger.get(`/intents/${luid}/changes/1`);
    expect([first.status, first.body.meta.status]).toEqual([200, 'pending']);
  });

  test('sets a limit, and the next one keeps to it', async () => {
    const [from, to] = await funded(100);
    const limited = await ledger.settle(owner, `limit ${from} minBalance 50 usd`);
    expect(outcomeOf(limited)).toBe('completed');
    const within = await ledger.settle(owner, `transfer ${from} ${to} 50 usd`);
    expect(outcomeOf(within)).toBe('completed');
    const beyond = await ledger.settle(owner, `transfer ${from} ${to} 1 usd`);
    expect(beyond.meta.status).toBe('rejected');
    const { items } = await ledger.get(`/wallets/${from}/limits`);
    expect(items.map(({ data }) => [data['metric'], data['amount']])).toEqual([['minBalance', 50]]);
  });
});

test('of twenty who spend from one wallet at a time, as many succeed as it has', async () => {
  const [from, to] = await funded(7);
  const spends = Array.from({ length: 20 }, () => settledSurely(transferOf(from, to, 1)));
  const outcomes = (await Promise.all(spends)).map(outcomeOf);
  const count = (wanted: string) => outcomes.filter((outcome) => outcome === wanted).length;
  expect([count('completed'), count('core.insufficient-balance')]).toEqual([7, 13]);
  expect(await ledger.balances(to)).toEqual({ usd: '7' });
});

test('of batches that spend from one wallet at a time, as many intents succeed as it has', async () => {
  const [from, to] = await funded(70);
  const batches = Array.from({ length: 4 }, () => ({
    mode: 'independent',
    data: Array.from({ length: 25 }, () => transferOf(from, to, 1)),
  }));
  /** An intent for which there was no time is sent again; those that were stored are answered as they are. */
  const settled = async (batch: (typeof batches)[number]): Promise<readonly Item[]> => {
    for (;;) {
      const { status, items } = await ledger.post('/intents/!batch', batch);
      expect(status).toBe(200);
      if (items.every(({ data }) => !busy.includes(data['reason']))) return items;
    }
  };
  const outcomes = (await Promise.all(batches.map(settled))).flat().map(outcomeOf);
  const count = (wanted: string) => outcomes.filter((outcome) => outcome === wanted).length;
  expect([count('completed'), count('core.insufficient-balance')]).toEqual([70, 30]);
  expect([await ledger.balances(from), await ledger.balances(to)]).toEqual([
    { usd: '0' },
    { usd: '70' },
  ]);
});

test('of an atomic batch of payouts, as many as fit into one transaction are stored or none', async () => {
  const [from, ...targets] = [
    ...(await funded(47)),
    ...Array.from({ length: 47 }, () => unique('to')),
  ];
  for (const handle of targets.slice(1)) await ledger.make('wallets', { handle }, owner);
  const data = targets.map((to) => transferOf(from as string, to, 1));
  const post = (count: number) =>
    ledger.post('/intents/!batch', { mode: 'atomic', data: data.slice(0, count) });
  const { status, custom } = await post(48);
  expect([status, custom]).toEqual([413, { fault: 'too-large', fitting: 47 }]);
  expect(await ledger.balances(from as string)).toEqual({ usd: '47' });
  const { items } = await post(47);
  expect(items.map(outcomeOf)).toEqual(Array.from({ length: 47 }, () => 'completed'));
  expect(await ledger.balances(from as string)).toEqual({ usd: '0' });
  expect(await ledger.balances(targets[46] as string)).toEqual({ usd: '1' });
});

test('of the same intent sent twenty times at a time, one is settled', async () => {
  const [from, to] = await funded(100);
  const body = transferOf(from, to, 1);
  const all = await Promise.all(Array.from({ length: 20 }, () => settledSurely(body)));
  expect(new Set(all.map(({ luid }) => luid)).size).toBe(1);
  expect(await ledger.balances(to)).toEqual({ usd: '1' });
});
