/** Goal: who starts a ledger knows who reaches it; a start that gets no port leaves nothing that the next one would meet. */
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { clientOf, newKey } from '../fixture/client.ts';
import { command, newDataFolder, start } from '../fixture/runtime.ts';

/** Occupies a port of this machine; returns its number, and how to let it go. */
async function occupied(): Promise<{ readonly port: number; readonly free: () => void }> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { port: (server.address() as AddressInfo).port, free: () => void server.close() };
}

test('a start on a port in use makes no ledger: the next one may name its owner', async () => {
  const data = newDataFolder();
  const { port, free } = await occupied();
  const refused = await command('start', data, { env: { PORT: String(port) } });
  expect(refused.code).toBe(1);
  expect(refused.said).toMatch(/^The port is in use; choose another PORT\./m);
  free();
  const runtime = await start({ data, env: { LEDGER_OWNER: newKey().public } });
  const { status } = await clientOf(runtime.url, runtime.key).get('/wallets');
  expect(status).toBe(401);
  await runtime.stop();
  rmSync(data, { recursive: true });
});

test('an address that is not of this machine is named', async () => {
  const data = newDataFolder();
  // RFC 5737 3: no machine has an address of these.
  const env = { PORT: '0', LEDGER_HOST: '192.0.2.1' };
  const { code, said } = await command('start', data, { env });
  expect(code).toBe(2);
  expect(said.trim()).toBe('LEDGER_HOST is no address of this machine: 192.0.2.1.');
  rmSync(data, { recursive: true });
});

test.each([
  ['open to this machine', {}, []],
  [
    'open to others',
    { LEDGER_HOST: '0.0.0.0' },
    [expect.stringMatching(/^The ledger main is open: whoever reaches 0\.0\.0\.0:\d+ may do/)],
  ],
  ['closed', { LEDGER_HOST: '0.0.0.0', LEDGER_OWNER: newKey().public }, []],
])('a ledger that is %s says so where it has to', async (_, env, complaints) => {
  const runtime = await start({ env });
  expect(new URL(runtime.url).hostname).toBe('127.0.0.1');
  await runtime.stop();
  expect(runtime.complaints).toEqual(complaints);
});
