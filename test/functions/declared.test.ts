/**
 * Goal: every endpoint asks the rules what it declares, before it answers or stores anything. Method: each of
 * them is asked, as it should be, by strangers and by a signer without any right, in a ledger that is its
 * owner's; the table is the same afterwards, item by item.
 */
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { groups } from '../../infra/topology.ts';
import { tableClient } from '../../shared/store/client.ts';
import { itemOf } from '../../shared/store/keys.ts';
import type { Item } from '../../shared/store/request.ts';
import {
  type Client,
  clientOf,
  type Key,
  newKey,
  type Reply,
  revision,
} from '../fixture/client.ts';
import { furnish, requestTo } from '../fixture/everywhere.ts';
import { byKey, byToken, owner, signer } from '../fixture/house.ts';
import { pause } from '../fixture/receiver.ts';
import { assertSilent, newDataFolder, type Runtime, start } from '../fixture/runtime.ts';
import { bearing } from '../fixture/token.ts';
import { tableName, type Wired, wiredTo } from '../fixture/wired.ts';

const data = newDataFolder();
/** How often the table is found unchanged, twice a second, before the workers count as idle. */
const sameCountWanted = 4;
// The default ledger has no owner.
const anything = { action: 'any', record: 'any' };
const [stranger, ann] = [newKey(), newKey()];
let runtime: Runtime;
let ledger: Client;
let wired: Wired;
let table: ReturnType<typeof tableClient>;

beforeAll(async () => {
  runtime = await start({ data });
  ledger = clientOf(runtime.url, runtime.key);
  await furnish(ledger, owner);
  await signer(ledger, 'ann', ann);
  const { body } = await ledger.get('/ledger');
  const access = [byKey(owner), byToken(owner)].map((whom) => ({ ...anything, ...whom }));
  const governed = await ledger.put('/ledger', revision(body, { access }, owner));
  expect(governed.status, governed.text).toBe(200);
  wired = await wiredTo(data);
  table = tableClient({ endpoint: wired.endpoint });
  await quiet();
});
afterAll(async () => {
  table.destroy();
  await runtime.stop();
  rmSync(data, { recursive: true });
  assertSilent(runtime.complaints);
});

/** What a courier changes on its own when it tries a delivery again, which it does for as long as nobody answers. */
const ofAttempts = new Set(['version', 'status', 'attempts', 'due', 'output', 'proofs']);

/** All items of the table, as they are, but for the attempts of deliveries that no caller asked for. */
async function items(): Promise<string[]> {
  const found: string[] = [];
  let from: Record<string, unknown> | undefined;
  do {
    const wish = { TableName: tableName, ConsistentRead: true, ExclusiveStartKey: from };
    const { Items = [], LastEvaluatedKey } = await table.send(new ScanCommand(wish));
    const asked = Items.filter((item) => nameOf(item) !== 'due' || item['asked']);
    found.push(...asked.map((item) => `${item['pk']} ${item['sk']} ${fingerprint(item)}`));
    from = LastEvaluatedKey;
  } while (from);
  return found.sort();
}

const nameOf = (item: Item) => itemOf(String(item['pk']), String(item['sk']))?.item;

/** What an item holds, in few characters; the database has its attributes in any order. */
function fingerprint(item: Item): string {
  const isOwn = (name: string) => nameOf(item) === 'delivery' && ofAttempts.has(name);
  const members = Object.entries(item).filter(([name]) => !isOwn(name));
  const entries = members.sort(([one], [other]) => (one < other ? -1 : 1));
  const text = JSON.stringify(entries, (_, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Waits until the workers have done what there was to do: the table stays as it is for a while. */
async function quiet(): Promise<void> {
  let [before, sameCount] = ['', 0];
  while (sameCount < sameCountWanted) {
    await pause(500);
    const after = (await items()).join();
    sameCount = after === before ? sameCount + 1 : 0;
    before = after;
  }
}

const all = Object.values(groups).flat() as string[];
const open = all.filter(
  (endpoint) =>
    endpoint.endsWith('/access/!check') ||
    endpoint.startsWith('GET /console') ||
    endpoint.startsWith('GET /docs') ||
    ['GET /', 'GET /health', 'GET /openapi.json', 'POST /oauth/token'].includes(endpoint) ||
    endpoint === 'GET /oauth/jwks',
);
const asking = all.filter((endpoint) => !open.includes(endpoint));
/** It asks the rule of a create for each of its lines. Ruling 90. */
const batch = 'POST /intents/!batch';

/** Sends the request of an endpoint, signed by a key, or with its token where there is no body. */
async function send(endpoint: string, key: Key, hasToken: boolean): Promise<Reply> {
  const { method, path, body } = await requestTo(ledger, endpoint, key, owner);
  return ledger.send(method, path, body, body || !hasToken ? {} : bearing(key));
}

/** The key of the ledger is everyone's to know, and nothing else is shown. Ruling 24, Decision 37. */
const isEmpty = ({ status, items }: Reply) =>
  status === 200 && items.every(({ data: { handle } }) => handle === 'system');

test('endpoints that ask no rule say why, and are these', () => {
  const why = Object.entries(wired.actions).flatMap(([endpoint, { requires: asks }]) =>
    'open' in asks ? [[endpoint, asks.open] as const] : [],
  );
  expect(why.map(([endpoint]) => endpoint).sort()).toEqual([...open, batch].sort());
  for (const [endpoint, text] of why) expect(text, endpoint).toMatch(/^[A-Z].{20,}\.( \d\.\d\.)?$/);
});

test('whoever GETs reads, whoever PUTs updates, whoever DELETEs drops, and no POST only reads', () => {
  const actionsOf: Readonly<Record<string, readonly string[]>> = {
    GET: ['read', 'query'],
    POST: ['create', 'update', 'drop', 'lookup', 'activate', 'retry-event'],
    PUT: ['update'],
    DELETE: ['drop'],
  };
  for (const endpoint of asking.filter((one) => one !== batch)) {
    const { requires: asks } = wired.actions[endpoint] ?? {};
    const [method = ''] = endpoint.split(' ');
    expect(actionsOf[method], endpoint).toContain(asks && 'action' in asks && asks.action);
  }
});

/** How it is refused, whether what it is about is there or not: by what is missing. Ruling 71, Decision 37. */
function refusalOf(endpoint: string, hasIdentity: boolean): number {
  return !hasIdentity && endpoint.startsWith('GET') ? 401 : 403;
}

/** The status of an answer, or those of the lines of a batch. Ruling 90. */
function statusesOf({ status, items }: Reply): number[] {
  const lines = items.flatMap((item) => (item as Partial<Pick<Reply, 'status'>>).status ?? []);
  return lines.length > 0 ? lines : [status];
}

describe.each(asking)('%s', (endpoint) => {
  const refuses = async (key: Key, hasToken: boolean) => {
    const before = await items();
    const reply = await send(endpoint, key, hasToken);
    if (!isEmpty(reply))
      expect([...new Set(statusesOf(reply))], reply.text).toEqual([refusalOf(endpoint, hasToken)]);
    expect(await items()).toEqual(before);
  };

  test('refuses a stranger, and leaves nothing behind', () => refuses(stranger, false));
  test('refuses a signer without rights, and leaves nothing behind', () => refuses(ann, true));
});

// What is ended comes last: the others need it.
const gentleFirst = asking.toSorted(
  (one, other) => Number(isEnding(one)) - Number(isEnding(other)),
);

function isEnding(endpoint: string): boolean {
  return endpoint.startsWith('DELETE') || endpoint.endsWith('/drop');
}

/** Sends the request of the owner, again while the log has not what it is about. */
async function granted(endpoint: string): Promise<Reply> {
  for (;;) {
    const reply = await send(endpoint, owner, true);
    if (!endpoint.endsWith('/receipt') || reply.status !== 404) return reply;
    await pause(100);
  }
}

describe('the owner of the ledger is granted', () => {
  test.each(gentleFirst)('%s', async (endpoint) => {
    const { status, reason, detail, text } = await granted(endpoint);
    if (/\{part1\}($|.*\{part3\})/.test(endpoint))
      expect([reason, detail]).toEqual(['record.not-found', 'Tile not found']);
    else if (endpoint === 'GET /log/proof') expect(reason).toBe('record.not-found');
    // There are no deliveries, and no assets.
    else if (/\{delivery\}|\{asset\}/.test(endpoint))
      expect([reason, detail]).toEqual([
        'record.not-found',
        endpoint.endsWith('{asset}') ? 'Asset not found' : 'Event not found',
      ]);
    else expect([200, 201, 202, 204], text).toContain(status);
  });
});
