/**
 * Goal: a log that is cut off anywhere goes on without a gap, and there is never a second tree of one size.
 * Method: `kill -9` at any moment of load, again and again on the same data. After each, the checkpoint is a
 * continuation of every earlier one, as a verifier finds that was written from the RFC alone; in the end the audit
 * compares every leaf with its record. `CRASH_ROUNDS` sets how often. Decision 115.
 */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Client,
  claimOf,
  clientOf,
  type Item,
  type Json,
  newKey,
  newLedger,
  signed,
  unique,
} from '../fixture/client.ts';
import { assertSilent, audit, newDataFolder, type Runtime, start } from '../fixture/runtime.ts';
import { rfcExtends } from '../log/rfc.ts';

const roundCount = Number(process.env['CRASH_ROUNDS'] || 5);
const clientCount = 8;
const loadMsMax = 400;
/** A line for so many rounds: 200 of them take half an hour. */
const shownEach = 20;

interface Seen {
  readonly size: number;
  readonly root: Buffer;
}

const data = newDataFolder();
const key = newKey();
/** The roots that were ever signed, by size. */
const roots = new Map<number, string>();
let runtime: Runtime;
let ledger: Client;
let last: Seen | undefined;

beforeAll(async () => {
  runtime = await start({ data });
  ledger = await newLedger(clientOf(runtime.url, runtime.key), key);
  await ledger.make('symbols', { handle: 'usd', factor: 1 }, key);
  await ledger.make('wallets', { handle: 'ann' }, key);
});
afterAll(async () => {
  await runtime.stop();
  rmSync(data, { recursive: true });
});

/** Loads the ledger until it is gone; returns what was answered. */
async function load(answered: Item[]): Promise<void> {
  try {
    for (;;) {
      const claims = [claimOf('issue ann 1 usd')];
      const reply = await ledger.post('/intents', signed({ handle: unique('load'), claims }, key));
      expect(reply.status).toBe(201);
      answered.push(reply.body);
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

/** The newest checkpoint, which must be the only one of its size. */
async function checkpointNow(): Promise<Seen | undefined> {
  const response = await fetch(`${ledger.url}/log/checkpoint`, {
    headers: { 'x-ledger': ledger.ledger ?? '' },
  });
  if (response.status === 404) return undefined;
  const [, size = '', root = ''] = (await response.text()).split('\n');
  expect(roots.get(Number(size)) ?? root).toBe(root);
  roots.set(Number(size), root);
  return { size: Number(size), root: Buffer.from(root, 'base64') };
}

/** Follows the log while it is written, until it is gone. */
async function follow(): Promise<void> {
  try {
    for (;;) await checkpointNow();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

/** Checks that a checkpoint goes on from an earlier one. */
async function expectConsistent(older: Seen, newer: Seen): Promise<void> {
  const { body } = await ledger.get(`/log/consistency?from=${older.size}&to=${newer.size}`);
  const path = (body.data['path'] as Json[]).map((text) => Buffer.from(String(text), 'base64'));
  expect(rfcExtends(older.size, newer.size, path, [older.root, newer.root])).toBe(true);
}

test.each(Array.from({ length: roundCount }, (_, round) => round + 1))(
  'the log goes on after crash %i',
  async (round) => {
    const answered: Item[] = [];
    const clients = [...Array.from({ length: clientCount }, () => load(answered)), follow()];
    while (answered.length < 10) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, Math.random() * loadMsMax));
    await runtime.kill9(round % 2 === 0 ? 'with its database' : 'runtime');
    await Promise.all(clients);
    runtime = await start({ data });
    ledger = clientOf(runtime.url, ledger.key, ledger.ledger);
    // All that was acknowledged comes to be in the log.
    for (const { luid } of answered)
      while ((await ledger.get(`/log/proof?luid=${luid}&change=4`)).status === 404)
        await new Promise((resolve) => setTimeout(resolve, 50));
    const now = await checkpointNow();
    if (!now) throw new Error('There is a checkpoint once a change is proven.');
    if (last) await expectConsistent(last, now);
    for (const [size, root] of [...roots].slice(-20))
      await expectConsistent({ size, root: Buffer.from(root, 'base64') }, now);
    last = now;
    assertSilent(runtime.complaints);
    if (round % shownEach === 0)
      process.stdout.write(`${round} crashes: ${now.size} leaves, ${roots.size} checkpoints\n`);
  },
);

test('the audit finds nothing after all of that', async () => {
  expect(await audit(data)).toEqual({ code: 0, said: expect.any(String) });
  await runtime.stop();
  expect(await audit(data)).toEqual({ code: 0, said: expect.any(String) });
});
