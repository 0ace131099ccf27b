/** Goal: a server that is asked to stop answers what it has been asked, and no more over the same connection. */
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { gateway } from '../../localstack/runtime/gateway.ts';

test('the answers to requests under way at a stop end their connections', async () => {
  let asked = (): void => {};
  let answer = (): void => {};
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const server = gateway(async () => {
    asked();
    await isAnswered;
    return { statusCode: 200, headers: {}, body: 'done' };
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  try {
    const request = get({ port, path: '/v2/status', agent });
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
