/** Goal: `npm run lambda` says what it was asked wrong, in a line, and leaves nothing behind however it ends. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { clientOf, newKey, signed, unique } from '../fixture/client.ts';
import { type Runtime, start } from '../fixture/runtime.ts';

const script = 'test/lambda/start.ts';
const folder = mkdtempSync(join(tmpdir(), 'countersign-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What it says of these words; its temporary files would lie in a folder of our own. */
function said(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', script, ...words],
    { encoding: 'utf8', env: { ...process.env, TMPDIR: folder } },
  );
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(stdout).toBe('');
  return { status, stderr };
}

test.each([
  [['--port', 'x'], '--port must be a number from 0 to 65535'],
  [['--port', '70000'], '--port must be a number from 0 to 65535'],
  [['--instances', '0'], '--instances must be a number from 1 to 100'],
  [['--tick', '-1'], '--tick'],
  [['--nothing'], '--nothing'],
  [['-c', 'ledger'], 'A parameter must be name=value'],
  [['word'], 'word'],
])('%j is refused', (words, text) => {
  const { status, stderr } = said(...words);
  expect(status).toBe(2);
  expect(stderr).toContain(text);
  expect(stderr).toContain('npm run lambda -- [--port');
});

const left = () => readdirSync(folder).filter((name) => name.startsWith('countersign-'));

test('a parameter that cannot be right is refused as at deployment', () => {
  const { status, stderr } = said('--port', '0', '-c', 'ledger=no handle');
  expect(status).toBe(2);
  expect(stderr).toMatch(/^The parameter ledger must be the handle of a ledger/m);
  expect(left()).toEqual([]);
});

test('a port that is taken is named', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const { status, stderr } = said('--port', String(port));
  server.close();
  expect(status).toBe(1);
  expect(stderr).toContain('The port is in use; choose another --port.');
  expect(left()).toEqual([]);
});

test('it runs until it is asked to stop, and then nothing of it is left', async () => {
  const runtime: Runtime = await start({ script: [script], env: { TMPDIR: folder } });
  const [ours = ''] = left();
  expect(existsSync(join(folder, ours, 'wallets', 'index.mjs'))).toBe(true);
  const key = newKey();
  const home = clientOf(runtime.url, runtime.key);
  const made = await home.post('/wallets', signed({ handle: unique('wallet') }, key));
  expect(made.status).toBe(201);
  await runtime.stop();
  expect([left(), runtime.complaints]).toEqual([[], []]);
  await expect(fetch(runtime.url)).rejects.toThrow();
});
