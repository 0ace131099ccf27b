/** Goal: the gateway tells the embedded database whether one caller asks or several. Decision 155. */
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { hasOneCaller } from '../../localstack/engine/caller.ts';
import { gateway } from '../../localstack/runtime/gateway.ts';

test('requests over one connection are of one caller, until one comes over another', async () => {
  const seen: boolean[] = [];
  const server = gateway(async () => {
    seen.push(hasOneCaller());
    return { statusCode: 200, headers: {}, body: '' };
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const agents = [1, 2].map(() => new Agent({ keepAlive: true, maxSockets: 1 }));
  for (const index of [0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0]) {
    const request = get({ port, path: '/v2/status', agent: agents[index] });
    const [answer] = await once(request, 'response');
    await text(answer);
  }
  for (const agent of agents) agent.destroy();
  server.close();
  const [is, no] = [true, false];
  expect(seen).toEqual([no, no, no, is, is, no, no, no, no, no, no, is]);
});
