/**
 * Goal: what was acknowledged is there, whatever happens to the process, and what was not is there once
 * or not at all. Method: `kill -9` in the middle of load, again and again on the same data. `CRASH_ROUNDS` sets how often.
 */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Body,
  type Client,
  claimOf,
  clientOf,
  type Item,
  type Json,
  newKey,
  newLedger,
  outcomeOf,
  signed,
  unique,
} from '../fixture/client.ts';
import { assertSilent, audit, newDataFolder, type Runtime, start } from '../fixture/runtime.ts';

const data = newDataFolder();
const key = newKey();
const wallets = ['ann', 'bob', 'cat', 'dan'];
const roundCount = Number(process.env['CRASH_ROUNDS'] || 5);
const clientCount = 16;
/** The rounds after which all intents are read again; after the others, those that are new. */
const wholeEach = 20;
const pageLength = 100;

let runtime: Runtime;
let ledger: Client;
/** All that was answered, with what was in doubt, as it came out. */
const acknowledged: Item[] = [];

beforeAll(async () => {
  runtime = await start({ data });
  ledger = await newLedger(clientOf(runtime.url, runtime.key), key);
  await ledger.make('symbols', { handle: 'usd', factor: 1 }, key);
  for (const handle of wallets) await ledger.make('wallets', { handle }, key);
});
afterAll(async () => {
  await runtime.stop();
  rmSync(data, { recursive: true });
});

const pick = (count: number) => Math.floor(Math.random() * count);

/** Any intent: half of them transfers, some of more than there is. */
function anyIntent(): Body {
  const [from, step, amount] = [pick(4), 1 + pick(3), 1 + pick(60)];
  const transfer = `transfer ${wallets[from]} ${wallets[(from + step) % 4]} ${amount} usd`;
  const others = [`issue ${wallets[from]} ${amount} usd`, `destroy ${wallets[from]} ${amount} usd`];
  const claims = [claimOf(Math.random() < 0.5 ? transfer : (others[pick(2)] ?? transfer))];
  if (Math.random() < 0.2) claims.push(claimOf(`issue ${wallets[pick(4)]} 1 usd`));
  return signed({ handle: unique('load'), claims }, key);
}

/** Loads the ledger until it is gone. Answers are kept; a request without one is in doubt. */
async function load(answered: Item[], doubtful: Body[]): Promise<void> {
  for (;;) {
    const body = anyIntent();
    try {
      const reply = await ledger.post('/intents', body);
      expect(reply.status).toBe(201);
      answered.push(reply.body);
    } catch (error) {
      // Only a lost answer puts a request in doubt; a wrong one is a finding.
      if (!(error instanceof TypeError)) throw error;
      doubtful.push(body);
      return;
    }
  }
}

/** What each wallet holds by the intents that completed. */
function sumsOf(intents: readonly Item[]): Map<string, bigint> {
  const sums = new Map(wallets.map((wallet) => [wallet, 0n]));
  const add = (wallet: unknown, amount: bigint) => {
    if (typeof wallet === 'string') sums.set(wallet, (sums.get(wallet) ?? 0n) + amount);
  };
  for (const { data: intent, meta } of intents) {
    if (meta.status !== 'completed') continue;
    for (const { source, target, amount } of intent['claims'] as Json[]) {
      add(source, -BigInt(Number(amount)));
      add(target, BigInt(Number(amount)));
    }
  }
  return sums;
}

/** The intents, newest first: so many at least, or all. */
async function newestIntents(count: number): Promise<Item[]> {
  const intents: Item[] = [];
  for (let index = 0; intents.length < count; index += 1) {
    const { items } = await ledger.get(`/intents?page.limit=${pageLength}&page.index=${index}`);
    intents.push(...items);
    if (items.length < pageLength) break;
  }
  return intents;
}

/** What was answered before, and what in this round. */
async function assertWhole(
  before: readonly Item[],
  fresh: readonly Item[],
  isAll: boolean,
): Promise<void> {
  const known = new Map([...before, ...fresh].map((intent) => [intent.luid, intent]));
  const intents = await newestIntents(isAll ? Number.POSITIVE_INFINITY : fresh.length);
  if (isAll) expect(intents).toHaveLength(known.size);
  for (const intent of intents) expect(intent).toEqual(known.get(intent.luid));
  const luids = new Set(intents.map(({ luid }) => luid));
  expect(fresh.filter(({ luid }) => !luids.has(luid))).toEqual([]);
  const sums = sumsOf([...known.values()]);
  for (const wallet of wallets) {
    const { usd = '0' } = await ledger.balances(wallet);
    expect([wallet, usd]).toEqual([wallet, String(sums.get(wallet))]);
  }
}

/** Sends what is in doubt again, twice: it is stored now, or was before, and its effect is there once. */
async function resolved(doubtful: readonly Body[]): Promise<Item[]> {
  const answers: Item[] = [];
  for (const body of doubtful) {
    const path = `/intents/${String(body.data['handle'])}`;
    const before = await ledger.get(path);
    const retried = await ledger.post('/intents', body);
    expect(retried.status).toBe(before.status === 200 ? 409 : 201);
    const again = await ledger.post('/intents', body);
    expect(again.status).toBe(409);
    const { body: intent } = await ledger.get(path);
    expect(again.custom).toMatchObject({ luid: intent.luid, hash: body.hash });
    expect(['completed', 'core.insufficient-balance']).toContain(outcomeOf(intent));
    expect((await ledger.get(`${path}/changes`)).page.total).toBe(4);
    if (before.status === 200) expect(intent).toEqual(before.body);
    answers.push(intent);
  }
  return answers;
}

test.each(Array.from({ length: roundCount }, (_, round) => round + 1))(
  'nothing that was acknowledged is lost in crash %i',
  async (round) => {
    const answered: Item[] = [];
    const doubtful: Body[] = [];
    const clients = Array.from({ length: clientCount }, () => load(answered, doubtful));
    // Not before the load is on, and at any point of it.
    while (answered.length < 30) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, pick(300)));
    await runtime.kill9(round % 2 === 0 ? 'with its database' : 'runtime');
    await Promise.all(clients);
    expect(doubtful).toHaveLength(clientCount);

    const { key: before } = runtime;
    runtime = await start({ data });
    expect(runtime.key).toBe(before);
    ledger = clientOf(runtime.url, ledger.key, ledger.ledger);
    const fresh = [...answered, ...(await resolved(doubtful))];
    await assertWhole(acknowledged, fresh, round % wholeEach === 0 || round === roundCount);
    acknowledged.push(...fresh);
    assertSilent(runtime.complaints);
  },
);

test('the audit finds nothing after all of that', async () => {
  expect(await audit(data)).toEqual({ code: 0, said: expect.any(String) });
  await runtime.stop();
  expect(await audit(data)).toEqual({ code: 0, said: expect.any(String) });
});
