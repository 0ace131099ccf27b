/** Goal: a server that is asked to stop answers what it has been asked, and no more over the same connection. */
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import { gateway } from '../../localstack/runtime/gateway.ts';
import { metricsPage } from '../../localstack/runtime/metrics-page.ts';
import type { Invoke } from '../../localstack/runtime/pool.ts';

test.each([
  ['a request', '/v2/status'],
  ['metrics', '/metrics'],
])('the answer to %s under way at a stop ends its connection', async (_, path) => {
  let asked = (): void => {};
  let answer = (): void => {};
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const done = async () => {
    asked();
    await isAnswered;
    return 'done';
  };
  const metrics = metricsPage({ text: async () => ({ type: 'text/plain', text: await done() }) });
  const invoke = async () => ({ statusCode: 200, headers: {}, body: await done() });
  const server = gateway(invoke, { metrics });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  try {
    const request = get({ port, path, agent });
    await isAsked;
    const closed = once(server, 'close');
    server.close();
    answer();
    const [response] = await once(request, 'response');
    expect(response.headers.connection).toBe('close');
    expect(await text(response)).toBe('done');
    await closed;
  } finally {
    agent.destroy();
    server.closeAllConnections();
  }
});

test('a large answer that its client still reads at a stop arrives whole, and ends its connection', async () => {
  // What the system keeps of it for a client that does not read is less.
  const body = 'x'.repeat(5_500_000);
  const server = gateway(async () => ({ statusCode: 200, headers: {}, body }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  try {
    const [response] = await once(get({ port, path: '/v2/status', agent }), 'response');
    const closed = once(server, 'close');
    server.close();
    server.closeIdleConnections();
    expect((await text(response)).length).toBe(body.length);
    await closed;
  } finally {
    agent.destroy();
    server.closeAllConnections();
  }
});

// RFC 9112 3.2.2.
test.each([
  ['http://localhost:3000/v2/status?a=b', '/v2/status', 'localhost:3000'],
  ['HTTP://LOCALHOST/v2', '/v2', 'LOCALHOST'],
  ['http://localhost?a=b', '/', 'localhost'],
  ['http://rebound.example/v2/status', undefined, undefined],
])('a target in absolute form, %s, means its path at its host', async (target, path, host) => {
  const events: APIGatewayProxyEvent[] = [];
  const invoke: Invoke = async (_group, event) => {
    events.push(event);
    return { statusCode: 200, headers: {}, body: '' };
  };
  const server = gateway(invoke, { isOwnName: (name = '') => /^localhost(:|$)/i.test(name) });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const socket = connect((server.address() as AddressInfo).port);
    socket.end(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(path ? /^HTTP\/1\.1 200 / : /^HTTP\/1\.1 421 /);
    const at = events.map(({ requestContext, headers }) => [requestContext.path, headers['Host']]);
    expect(at).toEqual(path ? [[path, host]] : []);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
