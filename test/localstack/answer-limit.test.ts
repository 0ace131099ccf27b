/** Goal: what Lambda does not carry comes through nowhere on this machine. Decision 84. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { gateway } from '../../localstack/runtime/gateway.ts';

/** What a function answers comes through the gateway of the offline runtime as this status. */
async function statusOf(body: string): Promise<number> {
  const server = gateway(async () => ({ statusCode: 200, headers: {}, body })).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/v2/wallets`);
  await answer.text();
  server.close();
  server.closeAllConnections();
  return answer.status;
}

test.each([
  ['plain text below 6 MB', 'x'.repeat(6_000_000), 200],
  ['plain text above it', 'x'.repeat(6_291_456), 502],
  ['quotes, each of which takes two bytes', '"'.repeat(3_146_000), 502],
  ['control characters, each of which takes six', '\u0001'.repeat(1_048_600), 502],
  ['text of two bytes for each character', 'ü'.repeat(3_000_000), 200],
])('%s', async (_, body, status) => expect(await statusOf(body)).toBe(status));
