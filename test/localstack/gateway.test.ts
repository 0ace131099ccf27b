/** Goal: a server that is asked to stop answers what it has been asked, and no more over the same connection. */
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { gateway } from '../../localstack/runtime/gateway.ts';
import { metricsPage } from '../../localstack/runtime/metrics-page.ts';

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
