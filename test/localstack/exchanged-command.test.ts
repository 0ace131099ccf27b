/**
 * Goal: a command believes an answer of the ledger only where it is one to what was asked. Method: a server between
 * them changes no byte, and answers with another answer of the same ledger.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newKey as newSigner } from '../../shared/client/client.ts';
import { newKey, newLedger } from '../fixture/client.ts';
import { ran } from '../fixture/command.ts';
import { until } from '../fixture/receiver.ts';
import { sharedHome } from '../fixture/served.ts';

const [owner, signer] = [newKey(), newSigner()];
const home = await sharedHome();
const ledger = await newLedger(home, owner);
const folder = mkdtempSync(join(tmpdir(), 'countersign-exchanged-'));
const keyFile = join(folder, 'own.key');
writeFileSync(keyFile, `${signer.exportSecret()}\n`, { mode: 0o600 });

/** The paths that are asked for, and those that are answered in their place. */
const others = [
  [/\/intents\/rent(?=$|[/?])/, '/intents/theft'],
  [/\/wallets\/landlord(?=$|[/?])/, '/wallets/alice'],
] as const;

/** Forwards every request; a payment is not made, and answered with an old one. */
function pass(asked: IncomingMessage, answer: ServerResponse): void {
  const isPaid = asked.method === 'POST' && asked.url === '/v2/intents';
  const path = others.reduce((url, [from, to]) => url.replace(from, to), asked.url ?? '');
  const url = new URL(home.url).origin + (isPaid ? '/v2/intents/theft' : path);
  const method = isPaid ? 'GET' : asked.method;
  const { host: _host, 'content-length': _length, ...headers } = asked.headers;
  const forwarded = request(url, { method, headers }, (answered) => {
    answer.writeHead(isPaid ? 201 : (answered.statusCode ?? 0), answered.headers);
    answered.pipe(answer);
  });
  if (isPaid) forwarded.end();
  else asked.pipe(forwarded);
}

const way = createServer(pass);
beforeAll(async () => {
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
  await ledger.make('symbols', { handle: 'usd', factor: 100 }, owner);
  for (const handle of ['alice', 'landlord']) await ledger.make('wallets', { handle }, owner);
  for (const handle of ['theft', 'rent'])
    await ledger.submit(owner, ['issue alice 500 usd'], { handle });
  await until('there is no receipt', async () => {
    const { status } = await ledger.get('/intents/theft/receipt');
    return status === 200;
  });
});
afterAll(() => {
  way.close();
  way.closeAllConnections();
  rmSync(folder, { recursive: true });
});

const cs = (line: string) =>
  ran([...line.split(' '), '--trust', ledger.key], {
    ...{ SERVER: `http://127.0.0.1:${(way.address() as AddressInfo).port}/v2` },
    ...{ COUNTERSIGN_LEDGER: ledger.ledger ?? '', COUNTERSIGN_KEY: keyFile },
    ...{ COUNTERSIGN_CONFIG: folder, NO_COLOR: '1' },
  });

test.each([
  ['verify intents/rent', 'theft'],
  ['verify intents/rent/receipt', 'the receipt of theft'],
  ['get intents/rent', 'theft'],
  ['get wallets/landlord', 'alice'],
  ['wallet landlord', 'alice'],
  ['list wallets/landlord/balances', 'of wallet alice'],
  ['prove intents/rent --status committed', 'theft'],
  ['pay alice landlord 1 usd --handle order-99', 'theft'],
])('%s is not answered with %s', async (line, came) => {
  const { code, out, err } = await cs(line);
  expect([code, out]).toEqual([8, '']);
  expect(err).toContain('The answer is not to what was asked');
  expect(err).toContain(came);
});

test('a record that is verified is named', async () => {
  const { code, out } = await cs('verify intents/theft');
  expect([code, out]).toEqual([0, expect.stringMatching(/^The record is theft \(\$int\./)]);
  const { luid } = JSON.parse((await cs('verify intents/theft --json')).out);
  expect(luid).toMatch(/^\$int\./);
});
