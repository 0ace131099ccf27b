/** Goal: whoever receives webhooks can tell the ledger's from others, as `shared/signal/README.md` says, or by `listen`. */
import { type ChildProcess, spawn } from 'node:child_process';
import crypto from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { clientOf, newKey } from '../fixture/client.ts';
import { ran } from '../fixture/command.ts';
import { type Arrival, startReceiver, until } from '../fixture/receiver.ts';
import { ownRuntime } from '../fixture/served.ts';

type Verifier = (headers: object, body: string | Buffer, ledgerKey: string) => boolean;

const root = fileURLToPath(new URL('../..', import.meta.url));
const key = newKey();

const receiver = await startReceiver();
afterAll(() => receiver.stop());
// `listen` subscribes to the default ledger.
const runtime = await ownRuntime();
const ledger = clientOf(runtime.url, runtime.key);

/** The function that the documentation gives to receivers. */
function documentedVerifier(): Verifier {
  const [, code] =
    /```js\n(function isOfLedger[\s\S]*?)```/.exec(
      readFileSync(`${root}/shared/signal/README.md`, 'utf8'),
    ) ?? [];
  expect(code?.trim().split('\n').length).toBeLessThanOrEqual(10);
  return new Function('crypto', `${code}; return isOfLedger;`)(crypto) as Verifier;
}

test('the ten lines of the documentation believe the ledger, and nobody else', async () => {
  const isOfLedger = documentedVerifier();
  const action = { schema: 'webhook', endpoint: receiver.at('/hook') };
  await ledger.make('effects', { handle: 'hook', signal: 'wallet-created', action }, key);
  await ledger.make('wallets', { handle: 'alice', custom: { text: '💶 ﬁ \u2028' } }, key);
  const [{ headers, text }] = (await receiver.until('/hook', 1)) as [Arrival];
  const isBelieved = (change: object, body: string | Buffer = text, by = ledger.key) =>
    isOfLedger({ ...headers, ...change }, body, by);
  expect(isBelieved({})).toBe(true);
  expect(isBelieved({}, Buffer.from(text))).toBe(true);
  expect(isBelieved({ 'webhook-signature': `v1,abc ${headers['webhook-signature']}` })).toBe(true);
  expect(isBelieved({}, text.replace('alice', 'clive'))).toBe(false);
  expect(isBelieved({ 'webhook-id': 'evt_-1nBlVBZ-0123456-' })).toBe(false);
  const later = String(Number(headers['webhook-timestamp']) + 1);
  expect(isBelieved({ 'webhook-timestamp': later })).toBe(false);
  expect(isBelieved({ 'webhook-timestamp': '1700000000' })).toBe(false);
  expect(isBelieved({}, text, newKey().public)).toBe(false);
  expect(isBelieved({ 'webhook-signature': 'v1a,' })).toBe(false);
});

/** `countersign watch`, and all that it has said so far. */
function watch(signals: readonly string[]): { child: ChildProcess; said: () => string } {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', 'localstack/command/main.ts', 'watch', ...signals],
    {
      cwd: root,
      env: { ...process.env, SERVER: runtime.url, PORT: '0' },
    },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      said += chunk;
    });
  return { child, said: () => said };
}

test('watch prints each event as it arrives, and goes without a trace', async () => {
  const { child, said } = watch(['wallet-created', 'balance-received', 'intent-updated']);
  const says = (pattern: RegExp) =>
    until(
      () => `${pattern} in ${said()}`,
      () => pattern.test(said()),
    );
  await says(/Listening on port \d+/);
  const [, port = ''] = /port (\d+)/.exec(said()) ?? [];
  await ledger.make('wallets', { handle: 'bob' }, key);
  await ledger.make('symbols', { handle: 'usd', factor: 100 }, key);
  await says(/✓ .* wallet-created +evt_[-\w]{17} +bob created/);
  await ledger.settle(key, 'issue bob 5 usd');
  await says(/✓ .* intent-updated +evt_[-\w]{17} +\S+ completed/);
  await says(/✓ .* balance-received +evt_[-\w]{17} +bob received 5 usd/);

  const [arrival] = receiver.arrivals('/hook') as [Arrival];
  const forged = arrival.text.replace('alice', 'clive');
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
  const headers = Object.fromEntries(names.map((name) => [name, String(arrival.headers[name])]));
  const reply = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: forged });
  expect(reply.status).toBe(401);
  await says(/✗ refused/);

  const ended = once(child, 'exit');
  child.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
  const { items } = await ledger.get('/effects');
  expect(items.map(({ data }) => data.handle)).toEqual(['hook']);
});

test('watch leaves no subscription behind when one of them is refused', async () => {
  const before = await ledger.get('/effects');
  const words = ['watch', 'wallet-created', 'nothing-like-it'];
  const { code, err } = await ran(words, { SERVER: runtime.url });
  expect([code, err]).toEqual([6, expect.stringMatching(/^POST \/effects: [^\n]+\n$/)]);
  const after = await ledger.get('/effects');
  expect(after.items.map(({ data }) => data.handle)).toEqual(
    before.items.map(({ data }) => data.handle),
  );
});
