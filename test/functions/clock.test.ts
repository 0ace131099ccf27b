/**
 * Goal: a clock that is set while the ledger runs holds nothing up, and what was made while it was wrong can be changed
 * by its author when it is right. Decision 87.
 */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Client,
  claimOf,
  clientOf,
  farewell,
  type Item,
  type Json,
  type Key,
  newKey,
  newLedger,
  outcomeOf,
  proofOf,
  revision,
  signed,
  unique,
} from '../fixture/client.ts';
import { setClock } from '../fixture/clock.ts';
import { type Receiver, startReceiver, until } from '../fixture/receiver.ts';
import { assertSilent, audit, newDataFolder, type Runtime, start } from '../fixture/runtime.ts';
import { tokenOf } from '../fixture/token.ts';

const [hourMs, dayMs] = [3_600_000, 24 * 3_600_000];
const data = newDataFolder();
const clock = setClock();
const key = newKey();

let runtime: Runtime;
let ledger: Client;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  runtime = await start({ data, env: clock.env });
  ledger = await newLedger(clientOf(runtime.url, runtime.key), key);
});
afterAll(async () => {
  await runtime.stop();
  await receiver.stop();
  clock.remove();
  rmSync(data, { recursive: true });
});

/** A body as an author signs it whose clock is so far ahead. */
function signedAt(aheadMs: number, body: Json, author: Key = key) {
  const moment = new Date(Date.now() + aheadMs).toISOString();
  return signed(body, author, { moment, status: 'created' });
}

/** Makes an effect that is told of wallets; answers where its deliveries are listed. */
async function hears(path: string): Promise<string> {
  const action = { schema: 'webhook', endpoint: receiver.at(path) };
  const { luid } = await ledger.make(
    'effects',
    { handle: unique('effect'), signal: 'wallet-created', action },
    key,
  );
  return `/effects/${luid}/events`;
}

/** How far a moment is from now, in milliseconds. */
const distanceMs = (moment: unknown): number => Math.abs(Date.parse(String(moment)) - Date.now());

describe('a clock that is set back by an hour', () => {
  test('holds up no event, however idle the ledger was', async () => {
    await hears('/idle');
    await ledger.make('wallets', { handle: unique('before') }, key);
    await receiver.until('/idle', 1);
    for (const aheadMs of [-hourMs, -2 * hourMs]) {
      await clock.set(aheadMs);
      await ledger.make('wallets', { handle: unique('after') }, key);
    }
    await receiver.until('/idle', 3);
    await clock.set(0);
    await ledger.make('wallets', { handle: unique('after') }, key);
    await receiver.until('/idle', 4);
  });

  test('holds up no delivery that waits to be attempted again', async () => {
    await clock.set(hourMs);
    // It asks for more patience than a lane has: the marker says when it is due.
    const patience = { status: 503, headers: { 'retry-after': '20' } };
    receiver.behave('/again', [patience, { status: 204 }]);
    const events = await hears('/again');
    await ledger.make('wallets', { handle: unique('w') }, key);
    await until('the delivery has failed', async () => {
      const [delivery] = (await ledger.get(events)).items;
      return delivery?.meta.status === 'failed';
    });
    await clock.set(0);
    await receiver.until('/again', 2);
  });
});

describe('what was made while the clock was three days ahead', () => {
  const makers: readonly [string, number][] = [
    ['by an author with the same clock', 3 * dayMs],
    ['by an author whose clock was right', 0],
  ];
  const made: { wallet: Item; symbol: Item; ended: Item }[] = [];

  beforeAll(async () => {
    await clock.set(3 * dayMs);
    for (const [, aheadMs] of makers) {
      const make = async (group: string, body: Json) => {
        const { status, body: record } = await ledger.post(`/${group}`, signedAt(aheadMs, body));
        expect(status).toBe(201);
        return record;
      };
      const [wallet, ended] = [
        await make('wallets', { handle: unique('w') }),
        await make('wallets', { handle: unique('e') }),
      ];
      const symbol = await make('symbols', { handle: unique('s'), factor: 1 });
      const claims = [claimOf(`issue ${wallet.data.handle} 10 ${symbol.data.handle}`)];
      expect(outcomeOf(await make('intents', { handle: unique('i'), claims }))).toBe('completed');
      expect(distanceMs(wallet.meta.moment)).toBeGreaterThan(2 * dayMs);
      made.push({ wallet, symbol, ended });
    }
    await clock.set(0);
  });

  /** Whether each of them can be changed, by its author and by others, and money moves. */
  async function assertFree(): Promise<void> {
    for (const { wallet, symbol } of made) {
      const path = `/wallets/${wallet.luid}`;
      const { body: before } = await ledger.get(path);
      const changed = await ledger.put(path, revision(before, { custom: { n: unique('n') } }, key));
      expect([changed.status, changed.text]).toEqual([200, expect.any(String)]);
      for (const author of [key, newKey()]) {
        const moment = new Date().toISOString();
        const proof = proofOf(changed.body.hash, author, { moment, custom: unique('x') });
        expect((await ledger.post(`${path}/proofs`, proof)).status).toBe(200);
      }
      const other = await ledger.make('wallets', { handle: unique('o') }, key);
      expect(distanceMs(other.meta.moment)).toBeLessThan(dayMs);
      const claims = `transfer ${wallet.data.handle} ${other.data.handle} 1 ${symbol.data.handle}`;
      expect(outcomeOf(await ledger.settle(key, claims))).toBe('completed');
    }
  }

  test.each(makers.map(([who], index) => [who, index] as const))(
    '%s is changed, proved and ended by its author',
    async (_, index) => {
      const { ended } = made[index] as (typeof made)[number];
      await assertFree();
      const { status } = await ledger.post(`/wallets/${ended.luid}/drop`, farewell(ended, key));
      expect(status).toBe(204);
    },
  );

  test('but takes nothing that was signed before', async () => {
    const [{ wallet } = made[0] as (typeof made)[number]] = made;
    const { body } = await ledger.get(`/wallets/${wallet.luid}`);
    const moment = new Date(Date.now() - hourMs).toISOString();
    const reply = await ledger.post(
      `/wallets/${wallet.luid}/proofs`,
      proofOf(body.hash, newKey(), { moment }),
    );
    expect([reply.status, reply.custom]).toMatchObject([422, { fault: 'moment' }]);
  });

  test('is as free after a restart, and the audit finds nothing', async () => {
    expect(await audit(data)).toEqual({ code: 0, said: expect.any(String) });
    await runtime.stop();
    assertSilent(runtime.complaints);
    expect(await audit(data)).toEqual({ code: 0, said: expect.any(String) });
    runtime = await start({ data, env: clock.env });
    ledger = clientOf(runtime.url, ledger.key, ledger.ledger);
    await assertFree();
    expect(await audit(data)).toEqual({ code: 0, said: expect.any(String) });
  });
});

test('a token for one use is not used again when the clock was ahead meanwhile', async () => {
  const jti = unique('jti');
  const token = tokenOf(key, { iss: key.public, jti, aud: runtime.url });
  const statusNow = async () => {
    const headers = { authorization: `Bearer ${token}` };
    return (await ledger.get('/wallets', { headers })).status;
  };
  expect(await statusNow()).toBe(200);
  await clock.set(3 * dayMs);
  expect(await statusNow()).toBe(401);
  await clock.set(0);
  expect(await statusNow()).toBe(401);
});
