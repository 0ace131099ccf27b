/**
 * Goal: no crossing is lost or sent as two, whatever happens to the process. Method: `kill -9` while payments cross at
 * every step, on the same data; then the events are compared with the payments that were stored. `CRASH_ROUNDS` sets how
 * often. Rulings 58 and 95.
 */
import { rmSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import {
  claimOf,
  clientOf,
  type Json,
  newKey,
  newLedger,
  signed,
  unique,
} from '../fixture/client.ts';
import { startReceiver, until } from '../fixture/receiver.ts';
import { audit, newDataFolder, start } from '../fixture/runtime.ts';

const roundCount = Number(process.env['CRASH_ROUNDS'] || 3);
const [roundMsGuess, restMsMax] = [15_000, 600_000];
const data = newDataFolder();
const key = newKey();
const receiver = await startReceiver();
let runtime = await start({ data });
afterAll(async () => {
  await runtime.stop();
  await receiver.stop();
  rmSync(data, { recursive: true });
});

async function crossOverCrashes(): Promise<void> {
  let ledger = await newLedger(clientOf(runtime.url, runtime.key), key);
  await ledger.make('symbols', { handle: 'usd', factor: 1 }, key);
  await ledger.make('wallets', { handle: 'alice' }, key);
  const balance = { wallet: 'alice', symbol: 'usd', threshold: 10 };
  const action = { schema: 'webhook', endpoint: receiver.at('/crossed') };
  await ledger.make('effects', { handle: 'low', signal: 'balance-crossed', balance, action }, key);
  let isLow = true;
  let count = 0;
  for (let round = 0; round < roundCount; round += 1) {
    for (let index = 0; index < 10; index += 1) {
      const claims = [claimOf(`${isLow ? 'issue' : 'destroy'} alice 10 usd`)];
      const reply = await ledger.post('/intents', signed({ handle: unique('pay'), claims }, key));
      expect(reply.status).toBe(201);
      isLow = !isLow;
      count += 1;
    }
    await runtime.kill9('runtime');
    runtime = await start({ data });
    ledger = clientOf(runtime.url, ledger.key, ledger.ledger);
  }
  const events = () => new Map(receiver.arrivals('/crossed').map((one) => [one.handle, one.data]));
  await until(
    () => `${count} crossings, where there are ${events().size}`,
    () => events().size >= count,
  );
  const told = [...events().values()].sort(
    (one, other) => Number(one['change']) - Number(other['change']),
  );
  expect(told.map((one) => [one['change'], (one['balance'] as Json)['available']])).toEqual(
    Array.from({ length: count }, (_, index) => [index + 1, index % 2 === 0 ? 10 : 0]),
  );
  const texts = new Map(receiver.arrivals('/crossed').map((one) => [one.handle, one.text]));
  for (const { handle, text } of receiver.arrivals('/crossed'))
    expect(text).toBe(texts.get(handle));
  expect(await audit(data)).toEqual({ code: 0, said: expect.any(String) });
}

test(
  'each crossing is numbered and told as one, over crashes',
  crossOverCrashes,
  roundCount * roundMsGuess + restMsMax,
);
