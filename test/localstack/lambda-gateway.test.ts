/**
 * Goal: what stands in for API Gateway makes its events and keeps its limits. Method: a raw connection, so that
 * the request is what is written here, and a function that answers with what it was asked.
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiGateway } from '../lambda/api-gateway.ts';
import type { Outcome } from '../lambda/runtime-api.ts';

const complaints: string[] = [];
let server: Server;
let port: number;
/** How the function answers; else with the event and the group that it came to. */
let manner: Outcome | undefined;

beforeAll(async () => {
  server = apiGateway(
    async (group, event) =>
      manner ?? answerOf({ statusCode: 200, body: JSON.stringify({ group, event }) }),
    (why) => complaints.push(why),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const answerOf = (result: unknown): Outcome => ({ answer: JSON.stringify(result) });

interface Said {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

/** Sends a request as it is written, and reads all of the answer. */
async function send(first: string, headers: readonly string[] = [], body = ''): Promise<Said> {
  const socket = connect(port, '127.0.0.1');
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const lines = [`${first} HTTP/1.1`, 'Host: ledger.example', 'Connection: close', ...length];
  socket.write([...lines, ...headers, '', body].join('\r\n'));
  const answer = await text(socket);
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), headers: head, body: rest.join('\r\n\r\n') };
}

/** The event that a request became, and the group that it came to. */
async function heard(...request: Parameters<typeof send>) {
  manner = undefined;
  const { body } = await send(...request);
  const json = body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1);
  return JSON.parse(json) as { readonly group: string; readonly event: APIGatewayProxyEvent };
}

describe('an event', () => {
  test('has the path below the stage as it was sent, and the parameter decoded', async () => {
    const { group, event } = await heard('GET /v2/wallets/a%2Fb%25/balances');
    expect(group).toBe('wallets');
    expect(event).toMatchObject({
      ...{ resource: '/wallets/{proxy+}', path: '/wallets/a%2Fb%25/balances', httpMethod: 'GET' },
      pathParameters: { proxy: 'a/b%/balances' },
      requestContext: { path: '/v2/wallets/a%2Fb%25/balances', stage: 'v2' },
    });
  });

  test.each([
    ['/v2', '/', '/', null, 'status'],
    ['/v2/', '/', '/', null, 'status'],
    ['/v2/wallets', '/wallets', '/wallets', null, 'wallets'],
    ['/v2/docs/a', '/docs/a', '/docs/{proxy+}', { proxy: 'a' }, 'docs'],
    ['/v2/none', '/none', '/{proxy+}', { proxy: 'none' }, 'status'],
    ['/v2/status', '/status', '/{proxy+}', { proxy: 'status' }, 'status'],
  ])('to %s comes to its resource', async (sent, path, resource, pathParameters, group) => {
    const said = await heard(`GET ${sent}`);
    expect([said.group, said.event.path, said.event.resource, said.event.pathParameters]).toEqual([
      ...[group, path, resource, pathParameters],
    ]);
  });

  test('has names of headers as they were sent, all of their values, and the last one', async () => {
    const { event } = await heard('GET /v2', ['X-Ledger: one', 'X-Many: a', 'X-Many: b']);
    expect(event.headers).toMatchObject({
      'X-Ledger': 'one',
      'X-Many': 'b',
      Host: 'ledger.example',
    });
    expect(event.multiValueHeaders).toMatchObject({ 'X-Ledger': ['one'], 'X-Many': ['a', 'b'] });
    expect(Object.keys(event.headers).map((name) => name.toLowerCase())).not.toContain(
      'connection',
    );
  });

  test('of a header called __proto__ has it as any other', async () => {
    const { event } = await heard('GET /v2', ['__proto__: x']);
    expect(Object.entries(event.headers)).toContainEqual(['__proto__', 'x']);
  });

  test('has the query decoded, all of its values, and the last one', async () => {
    const { event } = await heard('GET /v2/wallets?a=1&a=%C5%A0+%2B&b');
    expect(event.multiValueQueryStringParameters).toEqual({ a: ['1', 'Š +'], b: [''] });
    expect(event.queryStringParameters).toEqual({ a: 'Š +', b: '' });
    const { event: without } = await heard('GET /v2/wallets');
    expect(without.multiValueQueryStringParameters).toBeNull();
  });

  test('has the body as bytes, and none where there is none', async () => {
    const { event } = await heard('POST /v2/wallets', [], '{"a":"š"}');
    expect(event.isBase64Encoded).toBe(true);
    expect(Buffer.from(event.body ?? '', 'base64').toString()).toBe('{"a":"š"}');
    const { event: without } = await heard('GET /v2/wallets');
    expect([without.body, without.isBase64Encoded]).toEqual([null, false]);
  });
});

describe('an answer', () => {
  test('keeps its headers, but those that are the gateway’s', async () => {
    const headers = { 'www-authenticate': 'Bearer', 'x-request-id': 'one', Server: 'mine' };
    manner = answerOf({ statusCode: 401, headers, body: 'no' });
    const said = await send('GET /v2');
    expect(said.status).toBe(401);
    expect(said.headers).toMatch(/\r\nx-amzn-remapped-www-authenticate: Bearer\r\n/);
    expect(said.headers).toMatch(/\r\nx-amzn-remapped-server: mine\r\n/);
    expect(said.headers).toMatch(/\r\nx-request-id: one\r\n/);
    expect(said.headers).not.toMatch(/\r\nwww-authenticate:/i);
  });

  test('in base64 is sent as bytes', async () => {
    const body = Buffer.from('bytes').toString('base64');
    manner = answerOf({ statusCode: 200, body, isBase64Encoded: true });
    expect((await send('GET /v2')).body).toContain('bytes');
  });

  test.each([
    ['a failure', { failure: { errorType: 'Error', errorMessage: 'x' } }, 502],
    ['no status', answerOf({ body: '' }), 502],
    ['a body that is no text', answerOf({ statusCode: 200, body: {} }), 502],
    ['nothing', answerOf(null), 502],
  ])('that is %s is the gateway’s own', async (_, outcome, status) => {
    manner = outcome;
    const said = await send('GET /v2');
    expect([said.status, said.body]).toEqual([
      status,
      expect.stringContaining('{"message":"Internal server error"}'),
    ]);
  });
});

describe('the gateway refuses by itself', () => {
  test.each(['/', '/wallets', '/v1/wallets', '/v2x'])('%s outside of the stage', async (path) => {
    const said = await send(`GET ${path}`);
    expect([said.status, said.body]).toEqual([403, expect.stringContaining('Forbidden')]);
  });

  test.each([
    ['more than a function takes', 5 * 1024 * 1024],
    ['more than it takes itself', 11 * 1024 * 1024],
  ])('a body of %s', async (_, size) => {
    const response = await fetch(`http://127.0.0.1:${port}/v2/wallets`, {
      method: 'POST',
      body: Buffer.alloc(size, ' '),
    });
    expect([response.status, await response.json()]).toEqual([
      413,
      { message: 'Request Too Long' },
    ]);
  });
});

test('it complains of answers that are none', () => {
  expect(complaints.every((why) => why.startsWith('gateway: not an answer'))).toBe(true);
  expect(complaints.length).toBeGreaterThan(0);
});
