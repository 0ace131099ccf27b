/**
 * Goal: what a team does every day, a part taken of a hold, a payment for later, a longer hold, a reversal, batches, a
 * freeze, a payment that waits for a second pair of eyes, comes out of an archive as it went in, and what waits goes on
 * at the other server. Rulings 81 to 94. Method: the commands as their users run them, and the same questions twice.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  type Body,
  type Client,
  clientOf,
  type Item,
  type Key,
  newKey,
  newLedger,
  now,
  outcomeOf,
  type Reply,
  signed,
} from '../fixture/client.ts';
import { setClock } from '../fixture/clock.ts';
import { furnished, intentBody, intentNow, rowsOf, sendBatch } from '../fixture/payment.ts';
import { until } from '../fixture/receiver.ts';
import { assertSilent, command, newDataFolder, start } from '../fixture/runtime.ts';

const [key, clerk, boss] = [newKey(), newKey(), newKey()];
const clock = setClock();
const folders = Array.from({ length: 3 }, newDataFolder);
const [data, other, work] = folders as [string, string, string];
afterAll(() => {
  clock.remove();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
const wallets = ['ann', 'bob', 'ice'];
const dayMs = 24 * 3_600_000;
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const manual = { config: { commit: 'manual' } };

const batches = {
  independent: ['transfer ann bob 1 usd', 'transfer bob ice 9 usd', 'transfer ice bob 900 usd'],
  atomic: ['transfer ann bob 2 usd', 'transfer bob ann 3 usd'],
};
const bodies = {
  independent: batches.independent.map((claim) => intentBody([claim], key)),
  atomic: batches.atomic.map((claim) => intentBody([claim], key)),
};

/** All that the items of everyday work say in a ledger, and what is under way there. */
async function busy(ledger: Client) {
  for (const [handle, { public: own }] of Object.entries({ clerk, boss }))
    await ledger.make('signers', { handle, public: own, format: 'ed25519-raw' }, key);
  const values = [{ status: 'committed', quorum: [{ handle: 'clerk' }, { handle: 'boss' }] }];
  const about = { schema: 'status', record: 'intent', filter: { 'data.schema': 'supplier' } };
  await ledger.make('policies', { handle: 'eyes', values, ...about }, key);
  const say = async (intent: Item, custom: object) =>
    expect((await ledger.prove('intents', intent, key, { ...custom })).status).toBe(200);

  const captured = await ledger.submit(key, ['transfer ann bob 30 usd'], manual);
  await say(captured, { status: 'committed', capture: [{ claim: 0, amount: 20 }] });
  const later = await ledger.submit(key, ['transfer ann bob 7 usd'], {
    config: { notBefore: inMs(dayMs) },
  });
  const held = await ledger.submit(key, ['transfer ann bob 10 usd'], manual);
  await say(held, { status: 'extended', expiry: inMs(3 * dayMs) });
  const paid = await ledger.settle(key, 'transfer ann bob 40 usd');
  const reverses = { reverses: paid.data.handle };
  const back = await ledger.submit(key, ['transfer bob ann 15 usd'], reverses);
  expect(outcomeOf(back)).toBe('completed');
  const backLater = await ledger.submit(key, ['transfer bob ann 10 usd'], {
    ...{ ...reverses, ...manual },
  });
  for (const mode of ['independent', 'atomic'] as const)
    expect((await sendBatch(ledger, mode, bodies[mode])).status).toBe(200);
  const { body: ice } = await ledger.get('/wallets/ice');
  await ledger.prove('wallets', ice, key, { status: 'inactive' });
  const supplier = await ledger.submit(clerk, ['transfer ann bob 4 usd'], { schema: 'supplier' });
  expect([later, held, backLater, supplier].map(({ meta }) => meta.status)).toEqual([
    ...['pending', 'prepared', 'prepared', 'pending'],
  ]);
  return { captured, later, held, paid, backLater, supplier };
}

const keyData = (of: Key) => ({ public: of.public, format: 'ed25519-raw' });

/** The body by which the key of a signer hands over to another one. */
function handing({ ledger }: Client, { luid, hash, data }: Item, from: Key, to: Key): Body {
  const custom = { moment: now(), ledger, successor: to.public };
  return { luid, ...signed({ ...data, ...keyData(to), parent: hash }, from, custom) };
}

/** A signer whose key has handed over to another one; answers both keys. */
async function retired(ledger: Client) {
  const [old, fresh] = [newKey(), newKey()];
  const dora = await ledger.make('signers', { handle: 'dora', ...keyData(old) }, old);
  const reply = await ledger.put('/signers/dora', handing(ledger, dora, old, fresh));
  expect(reply.status).toBe(200);
  return { old, fresh };
}

/** What a good answer says, without the moment at which the ledger said it. */
function saidIn({ status, items, body }: Reply): unknown {
  expect(status).toBe(200);
  if (items.length === 0) return [body.data, body.meta.status];
  const { opening, closing } = body.meta as unknown as Record<string, Item | undefined>;
  return [items.map((item) => [item.data, item.meta?.status]), opening?.data, closing?.data];
}

/** The answers about all of it, now and at a moment. */
async function answersOf(ledger: Client, moment: string): Promise<unknown[]> {
  const { items } = await ledger.get('/intents?page.limit=100');
  const said: unknown[] = [items];
  for (const { luid } of items) {
    said.push((await ledger.get(`/intents/${luid}`)).body);
    said.push((await ledger.get(`/intents/${luid}/changes`)).items);
  }
  const at = `moment=${encodeURIComponent(moment)}`;
  for (const wallet of wallets) {
    const own = `/wallets/${wallet}`;
    const entries = `${own}/entries?symbol=usd&include=holds&page.limit=100&to=${moment}`;
    for (const path of [own, `${own}/balances`, `${own}/balances?${at}`, entries])
      said.push([path, saidIn(await ledger.get(path))]);
  }
  for (const path of ['/balances', '/balances/totals', '/symbols/usd/supply'])
    for (const query of ['', `?${at}`])
      said.push([path, query, saidIn(await ledger.get(`${path}${query}`))]);
  return said;
}

/** What waited goes on, and what is over is over, as if the ledger had never been elsewhere. */
async function goesOn(ledger: Client, items: Awaited<ReturnType<typeof busy>>): Promise<void> {
  const { captured, later, held, paid, backLater, supplier } = items;
  const decided = async (intent: Item, custom: object, by = key) =>
    outcomeOf((await ledger.prove('intents', intent, by, { ...custom })).body);
  const reversing = async (intent: Item, claim: string) =>
    outcomeOf(await ledger.submit(key, [claim], { reverses: intent.data.handle }));
  expect(await decided(supplier, {}, boss)).toBe('completed');
  // Of 40, 15 are back, and 10 are on their way.
  expect(await reversing(paid, 'transfer bob ann 16 usd')).toBe('core.reversal-exceeded');
  expect(await decided(backLater, { status: 'committed' })).toBe('completed');
  expect(await reversing(paid, 'transfer bob ann 15 usd')).toBe('completed');
  expect(await reversing(captured, 'transfer bob ann 21 usd')).toBe('core.reversal-exceeded');
  for (const mode of ['independent', 'atomic'] as const) {
    const again = await sendBatch(ledger, mode, bodies[mode]);
    const statuses = again.items.map((item) => (item as Item & { status: unknown }).status);
    expect(statuses).toEqual(bodies[mode].map(() => 200));
  }
  expect(outcomeOf(await ledger.settle(key, 'transfer ice bob 1 usd'))).toBe(
    'core.source-inactive',
  );
  const { body: ice } = await ledger.get('/wallets/ice');
  await ledger.prove('wallets', ice, key, { status: 'active' });
  expect(outcomeOf(await ledger.settle(key, 'transfer ice bob 1 usd'))).toBe('completed');
  await clock.set(dayMs + 120_000);
  await until('begun', async () => (await intentNow(ledger, later)).meta.status === 'completed');
  const capture = [{ claim: 0, amount: 6 }];
  expect(await decided(held, { status: 'committed', capture })).toBe('completed');
  const rows = await Promise.all(wallets.map((wallet) => rowsOf(ledger, wallet)));
  expect(rows).toEqual([
    ['available 63', 'reserved 0'],
    ['available 29', 'reserved 0'],
    ['available 8'],
  ]);
}

test('everyday work comes out of an archive as it went in, and goes on', async () => {
  const file = join(work, 'ledger.ndjson');
  const passphrase = join(work, 'passphrase');
  writeFileSync(passphrase, 'what nobody guesses\n');
  const first = await start({ data, env: clock.env });
  const home = clientOf(first.url, first.key);
  const ledger = await furnished(await newLedger(home, key), key, wallets);
  const items = await busy(ledger);
  const { old, fresh } = await retired(ledger);
  const moment = new Date().toISOString();
  const before = await answersOf(ledger, moment);
  await first.stop();
  const words = ['--ledger', String(ledger.ledger), '--out', file, '--with-key', passphrase];
  expect(await command('export', data, { words })).toMatchObject({ code: 0 });
  const fine = { code: 0, said: expect.stringContaining('in order') };
  expect(await command('audit', work, { words: [file] })).toEqual(fine);
  const imported = await command('import', other, { words: [file, '--passphrase', passphrase] });
  expect(imported).toMatchObject({ code: 0 });
  expect(await command('audit', other)).toEqual(fine);

  const second = await start({ data: other, env: clock.env });
  try {
    const moved = clientOf(second.url, ledger.key, ledger.ledger);
    expect(await answersOf(moved, moment)).toEqual(before);
    await goesOn(moved, items);
    const dora = (await moved.get('/signers/dora')).body;
    expect(dora.meta).toMatchObject({ predecessors: [old.public] });
    expect((await moved.put('/signers/dora', handing(moved, dora, fresh, old))).status).toBe(422);
  } finally {
    await second.stop();
  }
  assertSilent(second.complaints);
  expect(await command('audit', other, { env: clock.env })).toEqual(fine);
});
