/**
 * Goal: money stays whole when many move it at once. Method: fifty clients on three wallets, and pairs of
 * requests that exclude each other, sent at the same time; then every answer is held against the rest.
 */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Client,
  claimOf,
  clientOf,
  exact,
  farewell,
  type Item,
  newKey,
  newLedger,
  outcomeOf,
  type Reply,
  revision,
  signed,
  unique,
} from '../fixture/client.ts';
import { fundedIn, settledSurely } from '../fixture/payment.ts';
import { assertSilent, audit, newDataFolder, type Runtime, start } from '../fixture/runtime.ts';

let runtime: Runtime;
let home: Client;
let ledger: Client;
const key = newKey();
const data = newDataFolder();
/** How many clients trade, and how often each. */
const clientCount = 50;
const turnCount = Number(process.env['RACE_TURNS'] || 8);

beforeAll(async () => {
  runtime = await start({ data });
  home = clientOf(runtime.url, runtime.key);
  ledger = await newLedger(home, key);
  await ledger.make('symbols', { handle: 'usd', factor: 1 }, key);
});
afterAll(async () => {
  await runtime.stop();
  rmSync(data, { recursive: true });
  assertSilent(runtime.complaints);
});

/** Everything that a list holds. */
async function allOf(client: Client, path: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let index = 0; ; index += 1) {
    const page = await client.get(`${path}?page.limit=100&page.index=${index}`);
    items.push(...page.items);
    if (page.items.length < 100) return items;
  }
}

async function amountOf(client: Client, wallet: string): Promise<bigint> {
  const { text } = await client.get(`/wallets/${wallet}/balances`);
  const { data } = exact(text) as { data: { data: { amount: number | bigint } }[] };
  return BigInt(data[0]?.data.amount ?? 0);
}

test(`${clientCount} clients on three wallets lose nothing, make nothing and owe nothing`, async () => {
  const market = await newLedger(home, key);
  const wallets = ['ann', 'bob', 'cat'];
  await market.make('symbols', { handle: 'usd', factor: 1 }, key);
  for (const handle of wallets) await market.make('wallets', { handle }, key);
  await market.settle(key, 'issue ann 300 usd', 'issue bob 300 usd', 'issue cat 300 usd');

  const acknowledged = new Map<string, Item>();
  const trade = async (client: number) => {
    const author = newKey();
    for (let turn = 0; turn < turnCount; turn += 1) {
      const from = (client + turn) % 3;
      const to = (from + 1 + (turn % 2)) % 3;
      // Every amount that a wallet may or may not have by then.
      const amount = 1 + ((client * 7 + turn * 13) % 150);
      const claims = [claimOf(`transfer ${wallets[from]} ${wallets[to]} ${amount} usd`)];
      const intent = await settledSurely(
        market,
        signed({ handle: unique('trade'), claims }, author),
      );
      expect(['completed', 'core.insufficient-balance']).toContain(outcomeOf(intent));
      acknowledged.set(intent.luid, intent);
      if (turn % 5 === client % 5) {
        const amounts = await Promise.all(wallets.map((wallet) => amountOf(market, wallet)));
        expect(amounts.every((held) => held >= 0n && held <= 900n)).toBe(true);
      }
    }
  };
  await Promise.all(Array.from({ length: clientCount }, (_, client) => trade(client)));

  expect(acknowledged.size).toBe(clientCount * turnCount);
  const kept = await allOf(market, '/intents');
  expect(kept).toHaveLength(clientCount * turnCount + 1);
  const held = new Map(wallets.map((wallet) => [wallet, 300n]));
  for (const intent of kept) {
    const answered = acknowledged.get(intent.luid);
    if (!answered) continue;
    expect(intent).toEqual(answered);
    if (intent.meta.status !== 'completed') continue;
    const [claim] = intent.data['claims'] as { source: string; target: string; amount: number }[];
    if (!claim) throw new Error('A trade has a claim.');
    held.set(claim.source, (held.get(claim.source) ?? 0n) - BigInt(claim.amount));
    held.set(claim.target, (held.get(claim.target) ?? 0n) + BigInt(claim.amount));
  }
  const amounts = await Promise.all(wallets.map((wallet) => amountOf(market, wallet)));
  expect(amounts).toEqual([...held.values()]);
  expect(amounts.reduce((sum, amount) => sum + amount, 0n)).toBe(900n);
});

describe('what excludes each other', () => {
  test('of many who spend the last of a wallet, as many succeed as it has', async () => {
    const [poor, rich] = [unique('poor'), unique('rich')];
    for (const handle of [poor, rich]) await ledger.make('wallets', { handle }, key);
    await ledger.settle(key, `issue ${poor} 7 usd`);
    const spends = Array.from({ length: 30 }, () => {
      const claims = [claimOf(`transfer ${poor} ${rich} 1 usd`)];
      return settledSurely(ledger, signed({ handle: unique('spend'), claims }, key));
    });
    const outcomes = (await Promise.all(spends)).map(outcomeOf);
    expect(outcomes.filter((outcome) => outcome === 'completed')).toHaveLength(7);
    expect(outcomes.filter((outcome) => outcome === 'core.insufficient-balance')).toHaveLength(23);
    expect([await amountOf(ledger, poor), await amountOf(ledger, rich)]).toEqual([0n, 7n]);
  });

  test('a wallet is not dropped with the money that arrives', async () => {
    const race = async () => {
      const item = await ledger.make('wallets', { handle: unique('wallet') }, key);
      const { handle } = item.data;
      const [dropped, issued, again] = await Promise.all([
        ledger.send('DELETE', `/wallets/${handle}`, farewell(item, key)),
        ledger.settle(key, `issue ${handle} 5 usd`),
        ledger.post('/wallets', signed({ handle }, key)),
      ]);
      const story = [outcomeOf(issued), dropped.status, dropped.reason, again.status].join(' ');
      // Paid and dropped means that the money went to the new wallet of the same handle.
      expect([
        'completed 422 record.drop-rejected 409',
        'completed 204  201',
        'core.target-invalid 204  201',
        'core.target-invalid 204  409',
      ]).toContain(story);
      if (issued.meta.status === 'completed') expect(await amountOf(ledger, handle)).toBe(5n);
    };
    await Promise.all(Array.from({ length: 25 }, race));
  });

  test('a wallet is not renamed away from the money that arrives', async () => {
    const rounds = Array.from({ length: 25 }, async () => {
      const item = await ledger.make('wallets', { handle: unique('wallet') }, key);
      const to = unique('renamed');
      const [renamed, issued] = await Promise.all([
        ledger.put(`/wallets/${item.luid}`, revision(item, { handle: to }, key)),
        ledger.settle(key, `issue ${item.data.handle} 5 usd`),
      ]);
      const isPaid = outcomeOf(issued) === 'completed';
      expect([renamed.status, isPaid]).toEqual(isPaid ? [422, true] : [200, false]);
      const handle = isPaid ? item.data.handle : to;
      expect(await ledger.balances(handle)).toEqual(isPaid ? { usd: '5' } : {});
    });
    await Promise.all(rounds);
  });
});

describe('the handle is the idempotency key', () => {
  const funded = () => fundedIn(ledger, key, 1000);

  test('of twenty equal posts at once one settles, and the others say which', async () => {
    const [alice, bob] = await funded();
    const handle = unique('once');
    const body = signed({ handle, claims: [claimOf(`transfer ${alice} ${bob} 10 usd`)] }, key);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => ledger.post('/intents', body)),
    );
    const won = replies.filter(({ status }) => status === 201);
    const lost = replies.filter(({ status }) => status === 409);
    expect([won.length, lost.length]).toEqual([1, 19]);
    const { luid, hash } = (won[0] as Reply).body;
    for (const { reason, custom } of lost) {
      expect(reason).toBe('record.duplicated');
      expect(custom).toMatchObject({ luid, hash });
    }
    expect([await amountOf(ledger, alice), await amountOf(ledger, bob)]).toEqual([990n, 10n]);
    expect((await ledger.get(`/intents/${luid}/changes`)).page.total).toBe(4);
  });

  test('of twenty different intents of one handle at once one settles', async () => {
    const [alice, bob] = await funded();
    const handle = unique('once');
    const bodies = Array.from({ length: 20 }, (_, n) =>
      signed({ handle, claims: [claimOf(`transfer ${alice} ${bob} ${n + 1} usd`)] }, key),
    );
    const replies = await Promise.all(bodies.map((body) => ledger.post('/intents', body)));
    const lost = replies.filter(({ status }) => status === 409);
    expect(lost).toHaveLength(19);
    const { body } = await ledger.get(`/intents/${handle}`);
    for (const { custom } of lost)
      expect(custom).toMatchObject({ luid: body.luid, hash: body.hash });
    const [claim] = body.data['claims'] as { amount: number }[];
    expect(await amountOf(ledger, bob)).toBe(BigInt(claim?.amount ?? 0));
  });

  test('an intent that was not taken leaves no trace on the wallets it names', async () => {
    const [alice] = await funded();
    const handle = unique('once');
    await ledger.make('intents', { handle, claims: [claimOf(`destroy ${alice} 1 usd`)] }, key);
    const carol = await ledger.make('wallets', { handle: unique('carol') }, key);
    const data = { handle, claims: [claimOf(`issue ${carol.data.handle} 1 usd`)] };
    expect((await ledger.post('/intents', signed(data, key))).status).toBe(409);
    expect(await ledger.balances(carol.data.handle)).toEqual({});
    const renamed = revision(carol, { handle: unique('carol') }, key);
    expect((await ledger.put(`/wallets/${carol.luid}`, renamed)).status).toBe(200);
  });
});

// The last one in this file, because it ends the runtime.
test('the audit finds nothing, neither while the ledger runs nor after', async () => {
  expect(await audit(data)).toEqual({ code: 0, said: expect.any(String) });
  await runtime.stop();
  expect(await audit(data)).toEqual({ code: 0, said: expect.any(String) });
});
