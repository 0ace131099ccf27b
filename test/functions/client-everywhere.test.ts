/**
 * Goal: `countersign/client` runs in a page of a browser at another origin, where nothing of Node is, and in Deno: it
 * connects, creates, pays, pages, and verifies a webhook.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, describe, expect, test } from 'vitest';
import { fetchOf, inPage } from '../fixture/browser.ts';
import { newKey, newLedger, unique } from '../fixture/client.ts';
import type { Arrived, Paid, Paying } from '../fixture/client-everywhere.ts';
import { startReceiver } from '../fixture/receiver.ts';
import { sharedHome } from '../fixture/served.ts';

const script = resolve('test/fixture/client-everywhere.ts');
const origin = 'https://app.bank.example';
const home = await sharedHome();
const receiver = await startReceiver();
afterAll(() => receiver.stop());

interface Program {
  readonly pay: (paying: Paying) => Promise<Paid>;
  readonly verify: (arrived: Arrived) => readonly string[] | Promise<readonly string[]>;
}

/** The program pays on a new ledger and takes its webhook. */
async function works({ pay, verify }: Program) {
  const { ledger = '', key } = await newLedger(home, newKey());
  const path = `/${unique('everywhere')}`;
  const paid = await pay({ url: home.url, ledger, endpoint: receiver.at(path) });
  expect(JSON.parse(JSON.stringify(paid))).toEqual({
    key,
    statuses: ['completed', 'completed'],
    wallets: ['alice', 'bob'],
    amounts: [2550],
  });
  const [arrival] = await receiver.until(path, 1);
  const { headers = {}, text = '' } = arrival ?? {};
  const seen = await verify({ headers: headers as Record<string, string>, text, key });
  expect([...seen]).toEqual(['balance-received', 'WebhookRefused']);
}

describe('in a page of another origin', () => {
  test('it works without anything of Node', async () => {
    await works(await inPage<Program>(script, origin));
  });

  test('no page has what Node has, and none sends what the ledger does not allow', async () => {
    const source =
      'data:text/javascript,export const has = [typeof process, typeof Buffer, typeof setImmediate]';
    const { has } = await inPage<{ has: readonly string[] }>(source, origin);
    expect([...has]).toEqual(['undefined', 'undefined', 'undefined']);
    const stranger = fetchOf(origin)(`${home.url}/wallets`, { headers: { 'x-stranger': '1' } });
    await expect(stranger).rejects.toThrow('Blocked by CORS');
    await expect(inPage('node:fs', origin)).rejects.toThrow('Could not resolve');
  });

  test('it is small', async () => {
    const { outputFiles } = await build({
      ...{ entryPoints: ['shared/client/client.ts'], bundle: true, minify: true, write: false },
      ...{ platform: 'browser', format: 'esm', target: 'es2022' },
    });
    // About 32 KB today. A library beside it wants a reason.
    expect(gzipSync(outputFiles[0]?.contents ?? '').length).toBeLessThan(32_000);
  });
});

const hasDeno = spawnSync('deno', ['--version'], { stdio: 'ignore' }).status === 0;
const title = hasDeno ? 'in Deno' : 'in Deno (which is not here)';

/** Runs an export of the script with Deno, which may use the network and nothing else. */
function denoOf<Given, Answer>(name: string): (given: Given) => Promise<Answer> {
  return async (given) => {
    const lines = [
      `import { ${name} } from 'file://${script}';`,
      `console.log(JSON.stringify(await ${name}(${JSON.stringify(given)})));`,
    ];
    const words = [
      'run',
      '--allow-net',
      '--no-lock',
      '--no-prompt',
      '--node-modules-dir=manual',
      '-',
    ];
    const child = spawn('deno', words, { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = once(child, 'close');
    child.stdin.end(lines.join('\n'));
    const out = await textOf(child.stdout);
    const [code] = (await ended) as [number | null];
    expect(code).toBe(0);
    return JSON.parse(out) as Answer;
  };
}

describe.skipIf(!hasDeno)(title, () => {
  test('it works with the network alone', async () => {
    await works({ pay: denoOf('pay'), verify: denoOf('verify') });
  });
});
