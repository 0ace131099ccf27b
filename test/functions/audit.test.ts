/**
 * Goal: `npm run audit` finds nothing wrong with a ledger that has records of every kind: made, proved,
 * renamed, moved and ended through the interface, beside the running ledger and after it.
 */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Kind, kinds, lineOf } from '../../shared/ledger/kind.ts';
import {
  type Client,
  claimOf,
  clientOf,
  farewell,
  type Item,
  type Json,
  newKey,
  newLedger,
  now,
  proofOf,
  revision,
  signed,
} from '../fixture/client.ts';
import { nowhere } from '../fixture/receiver.ts';
import { assertSilent, audit, newDataFolder, type Runtime, start } from '../fixture/runtime.ts';

const data = newDataFolder();
const key = newKey();
let runtime: Runtime;
let ledger: Client;

beforeAll(async () => {
  runtime = await start({ data });
  ledger = await newLedger(clientOf(runtime.url, runtime.key), key);
});
afterAll(async () => {
  await runtime.stop();
  rmSync(data, { recursive: true });
});

/** Makes a record at a path. */
async function made(path: string, body: Json): Promise<Item> {
  const reply = await ledger.post(path, signed(body, key));
  expect([200, 201], reply.text).toContain(reply.status);
  return reply.body;
}

async function revised(path: string, record: Item, change: Json): Promise<Item> {
  const reply = await ledger.put(`${path}/${record.luid}`, revision(record, change, key));
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

async function proved(path: string, record: Item, custom: Json): Promise<Item> {
  const proof = proofOf(record.hash, key, { moment: now(), ...custom });
  const reply = await ledger.post(`${path}/${record.luid}/proofs`, proof);
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

async function ended(path: string, record: Item): Promise<void> {
  const reply = await ledger.send('DELETE', `${path}/${record.luid}`, farewell(record, key));
  expect(reply.status, reply.text).toBe(204);
}

const pair = () => ({ public: newKey().public, format: 'ed25519-raw' });
const config = { server: 'https://a.example' };
const factors = '/signers/ann/factors';
const members = '/circles/staff/signers';

/** Signers, their factors, and a circle of them. */
async function people(): Promise<void> {
  await made('/signers', { handle: 'ann', ...pair() });
  const bob = await made('/signers', { handle: 'bob', ...pair() });
  await revised('/signers', bob, { handle: 'robert', ...pair() });
  const ofAnn = { signer: 'ann', schema: 'key-pair' };
  const phone = await made(factors, { ...ofAnn, handle: 'phone', ...pair() });
  await proved(factors, phone, { labels: ['small'] });
  await revised(factors, phone, { handle: 'mobile' });
  await ended(factors, await made(factors, { ...ofAnn, handle: 'tablet', ...pair() }));
  const client = { signer: 'ann', schema: 'oauth-client-credentials' };
  await made(factors, { ...client, handle: 'client' });
  await ended(factors, await made(factors, { ...client, handle: 'gone' }));
  await revised('/circles', await made('/circles', { handle: 'crew' }), { handle: 'staff' });
  await made(members, { circle: 'staff', signer: 'ann' });
  const link = { circle: 'staff', signer: 'robert' };
  await ended(members, await made(members, link));
  await made(members, link);
}

/** Wallets in domains, at bridges, with anchors, and what moves between them. */
async function money(): Promise<void> {
  await made('/domains', { handle: 'bank' });
  await made('/domains', { handle: 'bank.north', domain: 'bank' });
  await made('/symbols', { handle: 'usd', factor: 100 });
  await made('/bridges', { handle: 'bank', config });
  const shop = await made('/bridges', { handle: 'shop', config });
  const alice = await made('/wallets', { handle: 'alice@bank.north', bridge: 'shop' });
  await proved('/wallets', alice, { status: 'active', labels: ['vip'] });
  await revised('/wallets', (await ledger.get(`/wallets/${alice.luid}`)).body, { bridge: 'bank' });
  await revised('/bridges', shop, { handle: 'store' });
  await ended('/bridges', await made('/bridges', { handle: 'gone', config }));
  const bob = await made('/wallets', { handle: 'bob', bridge: 'bank' });
  await ledger.settle(key, 'issue alice@bank.north 100 usd');
  await ledger.settle(key, 'transfer alice@bank.north bob 30 usd', 'destroy bob 5 usd');
  const anchor = await made('/anchors', { handle: '555', target: 'x@bank', wallet: 'bob' });
  await made('/wallets', { handle: 'carl' });
  await revised('/anchors', anchor, { handle: '556', wallet: 'carl' });
  await made('/anchors', { handle: '558', target: 'x@bank', wallet: 'alice@bank.north' });
  await made('/anchors', { handle: '557', target: 'x@bank', wallet: 'bob' });
  const lost = await made('/wallets', { handle: 'lost' });
  await made('/anchors', { handle: 'left', target: 'x@bank', wallet: 'lost' });
  await ended('/wallets', lost);
  const effect = { handle: 'hook', signal: 'wallet-created' };
  const action = { schema: 'webhook', endpoint: 'https://a.example/events' };
  const hook = await made('/effects', { ...effect, action });
  const toBridge = { schema: 'bridge', bridge: 'store' };
  await revised('/effects', hook, { signal: 'circle-updated', action: toBridge, handle: 'call' });
  expect(bob.luid).toMatch(/^\$wlt/);
}

/** Reports the same of all entries at bridges, as their bridge. */
async function reported(intent: Item, status: string): Promise<string> {
  let last = intent.meta.status;
  for (const { custom = {} } of intent.meta.proofs) {
    if (custom['status'] !== 'resolved' || custom['bridge'] === undefined) continue;
    const why = status === 'failed' ? { reason: 'bridge.rejected', detail: 'No.' } : {};
    const said = { handle: custom['handle'], status, ...why };
    const told = await proved('/intents', intent, said);
    last = told.meta.status;
  }
  return String(last);
}

/** Payments between banks, to all of their ends and to none, alone and in threads. */
async function payments(): Promise<void> {
  // The test speaks for the bank.
  const server = nowhere;
  const till = await made('/bridges', { handle: 'till', config: { server } });
  await proved('/bridges', till, { status: 'active' });
  for (const handle of ['paul', 'quinn']) await made('/wallets', { handle, bridge: 'till' });
  await made('/wallets', { handle: 'mint' });
  const routes = [{ action: 'forward', target: 'quinn' }];
  await made('/wallets', { handle: 'pass', routes });
  await ledger.settle(key, 'issue mint 100 usd');
  const [one, two, three] = [
    await ledger.settle(key, 'transfer paul quinn 7 usd'),
    await ledger.settle(key, 'transfer paul mint 5 usd'),
    await ledger.settle(key, 'transfer mint pass 3 usd'),
  ];
  expect(await reported(one, 'prepared')).toBe('committed');
  expect(await reported(one, 'committed')).toBe('completed');
  expect(await reported(two, 'failed')).toBe('rejected');
  const { items } = await ledger.get('/intents');
  // Nobody owns what the ledger made because of a route.
  const forwarded = items.find(({ meta }) => meta.owners.length === 0) as Item;
  expect([three.meta.status, await reported(forwarded, 'prepared')]).toEqual([
    'processing',
    'committed',
  ]);
  await ledger.settle(key, 'transfer mint quinn 2 usd');
  const claims = [claimOf('transfer mint paul 1 usd')];
  const manual = { handle: 'slow', claims, config: { commit: 'manual' } };
  expect(await reported(await made('/intents', manual), 'prepared')).toBe('prepared');
}

/** Schemas and policies for anchors and reports, and reports. */
async function rules(): Promise<void> {
  const schema = { format: 'json-schema', schema: { type: 'object' } };
  await made('/schemas', { handle: 'base', record: 'report', ...schema });
  const fine = await made('/schemas', {
    handle: 'fine',
    record: 'report',
    ...schema,
    extend: 'base',
  });
  await revised('/schemas', fine, { custom: { note: 2 } });
  // Nobody here is Ann, so what her policies keep to her is stored and heeded by none.
  const quorum = [{ handle: 'ann' }];
  const labels = { schema: 'labels', record: 'circle', values: [{ labels: 'x', quorum }] };
  await made('/policies', { handle: 'one', ...labels });
  const two = await made('/policies', { handle: 'two', ...labels, extend: 'one' });
  await revised('/policies', two, { handle: 'second', record: 'domain' });
  await ended('/policies', await made('/policies', { handle: 'gone', ...labels, extend: ['one'] }));
  const statuses = [{ status: { $in: ['open', null] }, quorum }];
  await made('/policies', { handle: 'four', schema: 'status', record: 'circle', values: statuses });
  const staff = (await ledger.get('/circles/staff')).body;
  await proved('/circles', staff, { status: 'open', labels: ['x'] });
  await proved('/circles', staff, { status: null });
  const march = await made('/reports', { handle: 'march', schema: 'base' });
  await proved('/reports', march, { status: 'pending' });
  await ended('/reports', await made('/reports', { handle: 'april', schema: 'base' }));
}

test('a ledger with records of every kind is in order', async () => {
  await people();
  await money();
  await payments();
  await rules();
  for (const kind of Object.keys(kinds) as Kind[]) {
    const { within, group } = lineOf(kind);
    const parent =
      within && `/${lineOf(within).group}/${{ signer: 'ann', circle: 'staff' }[within]}`;
    const { items } = await ledger.get(`${parent ?? ''}/${group}`);
    expect([kind, items.length > 0]).toEqual([kind, true]);
  }
  const beside = await audit(data);
  expect(beside.code, beside.said).toBe(0);
  await runtime.stop();
  const after = await audit(data);
  expect(after.code, after.said).toBe(0);
  // The thread, the one that nobody reported of, and a payment between wallets at a bank that nobody answers for.
  expect(after.said).toContain('Intents that wait for bridges: 3, for longer than an hour: 0.');
  assertSilent(runtime.complaints);
});
