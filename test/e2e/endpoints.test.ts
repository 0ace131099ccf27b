/**
 * Goal: every endpoint of the topology answers on the target, and its answer is declared and signed. Other tests cover
 * the behaviour of each endpoint.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { groups } from '../../infra/topology.ts';
import { type Client, revision, signed, unique } from '../fixture/client.ts';
import { furnish, requestTo } from '../fixture/everywhere.ts';
import { keysOf, newFactor, tokenFor } from '../fixture/oauth.ts';
import { asOwner, encodedHere, home, newLedger, owner, target } from './target.ts';

const { status, health, ledgers, oauth, docs, ...others } = groups;
let ledger: Client;

beforeAll(async () => {
  ledger = await newLedger();
  await furnish(ledger, owner, ['ledger']);
});

/** Endpoints with invented names, since no event was delivered and no report produced. */
const isOfNothing = /\/(events\/\{delivery\}|assets\/\{asset\})$/;

/** Endpoints about the log, which gets its checkpoint within a minute on AWS. */
const isOfLog = /^GET \/log\/|\/receipt$/;

describe.each(Object.entries(others))('/%s', (_, endpoints) => {
  test.each(endpoints)('%s', async (endpoint) => {
    const { method, path, body } = await requestTo(ledger, endpoint, owner, owner);
    const reply = await ledger.send(method, path, body);
    const found = isOfLog.test(endpoint) ? [200, 404] : [200, 201, 202, 204];
    const expected = isOfNothing.test(endpoint) ? [404] : found;
    expect(expected, `${reply.status} ${reply.text.slice(0, 500)}`).toContain(reply.status);
  });
});

test('a long answer is compressed where that is accepted', async () => {
  const custom = { note: 'a word '.repeat(1_000) };
  const { handle } = (await ledger.make('wallets', { handle: unique('long'), custom }, owner)).data;
  const read = (accepted: string) =>
    ledger.get(`/wallets/${String(handle)}`, { headers: { 'accept-encoding': accepted } });
  for (const [accepted, encoding] of [
    ['gzip', 'gzip'],
    ['br, gzip', 'br'],
    ['identity', null],
  ] as const) {
    const { status, body, headers } = await read(accepted);
    expect([status, body.data['custom']]).toEqual([200, custom]);
    expect([accepted, headers.get('content-encoding')]).toEqual([accepted, encodedHere(encoding)]);
  }
});

describe('/ledgers', () => {
  test('POST /ledgers, GET /ledgers/{id} and PUT /ledgers/{id}', async () => {
    const server = await home();
    const handle = unique('e2e');
    const data = { handle, access: [{ action: 'any', record: 'any' }] };
    const made = await server.post('/ledgers', signed(data, owner));
    expect([made.status, made.text]).toEqual([201, made.text]);
    const path = `/ledgers/${handle}`;
    const read = await server.get(path, asOwner());
    expect([read.status, read.body.hash]).toEqual([200, made.body.hash]);
    const change = revision(read.body, { custom: { note: 'second' } }, owner);
    const changed = await server.put(path, change);
    expect([changed.status, changed.body.data['custom']]).toEqual([200, { note: 'second' }]);
  });

  test('GET /ledgers', async () => {
    const { status, items } = await (await home()).get('/ledgers?page.limit=1', asOwner());
    expect([status, items.length]).toEqual([200, 1]);
  });

  test('are these endpoints', () => {
    expect(ledgers).toEqual([
      'POST /ledgers',
      'GET /ledgers',
      'GET /ledgers/{id}',
      'PUT /ledgers/{id}',
    ]);
  });
});

describe('/oauth', () => {
  test('POST /oauth/token and GET /oauth/jwks', async () => {
    expect(oauth).toEqual(['POST /oauth/token', 'GET /oauth/jwks']);
    const factor = await newFactor(ledger, owner);
    const token = await tokenFor(ledger, factor);
    expect(token.split('.')).toHaveLength(3);
    expect((await keysOf(ledger)).length).toBeGreaterThan(0);
    const headers = { authorization: `Bearer ${token}` };
    expect((await ledger.get('/wallets', { headers })).status).toBe(200);
  });
});

describe('/health', () => {
  test('GET /health', async () => {
    expect(health).toEqual(['GET /health']);
    expect((await ledger.get('/health')).body.data).toMatchObject({ status: 'UP' });
  });
});

describe('what belongs to no group', () => {
  test('GET / and GET /openapi.json', async () => {
    expect(status).toEqual(['GET /', 'GET /openapi.json']);
    const { body } = await ledger.get('/');
    expect(body.data).toMatchObject({ status: 'UP', ledger: ledger.ledger });
    const document = await fetch(`${target.url}/openapi.json`);
    expect([document.status, document.headers.get('content-type')]).toEqual([
      200,
      'application/json',
    ]);
    const { openapi, paths } = (await document.json()) as { openapi: string; paths: object };
    expect(openapi).toMatch(/^3\.1/);
    expect(Object.keys(paths).length).toBeGreaterThan(50);
  });
});

describe('/docs', () => {
  const read = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${target.url}/${path}`, { headers });

  test('GET /docs and all that it loads, compressed', async () => {
    expect(docs).toHaveLength(5);
    const page = await read('docs');
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    const text = await page.text();
    expect(text).toContain('</html>');
    const loaded = [...text.matchAll(/(?:src|href)="(docs\/assets\/[^"]+)"/g)];
    expect(loaded).toHaveLength(3);
    for (const [, path = ''] of loaded) {
      const file = await read(path, { 'accept-encoding': 'br' });
      expect([path, file.status]).toEqual([path, 200]);
      expect(file.headers.get('cache-control')).toContain('immutable');
    }
  });

  test('GET /docs/{page}, again with what it is', async () => {
    const first = await read('docs/wallets', { 'accept-encoding': 'gzip' });
    expect([first.status, first.headers.get('content-encoding')]).toEqual([
      200,
      encodedHere('gzip'),
    ]);
    expect(await first.text()).toContain('id="createWallet"');
    const etag = first.headers.get('etag') ?? '';
    const again = await read('docs/wallets', { 'if-none-match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });
});
