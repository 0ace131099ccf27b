/**
 * Goal: the reference that is served is the one that was checked in, and what it teaches works. Method:
 * it is fetched as a browser does, and its program is run as a reader does.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openApi } from '../../functions/openapi.ts';
import { assertDeclared } from '../fixture/declared.ts';
import { sharedHome } from '../fixture/served.ts';

const home = await sharedHome();

async function fetched(path: string) {
  const response = await fetch(`${home.url}${path}`);
  const { status, headers } = response;
  const text = await response.text();
  assertDeclared('GET', path, { status, headers, text });
  return { status, headers, text };
}

test('the document is served as it was checked in, with the addresses of this runtime', async () => {
  const { status, headers, text } = await fetched('/openapi.json');
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
  const served = JSON.parse(text) as typeof openApi;
  expect(served).toEqual({ ...openApi, servers: served.servers });
  expect(served.servers).toContainEqual({ url: home.url });
});

test('the page is served with a policy that lets nothing run', async () => {
  const { status, headers, text } = await fetched('/docs');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(text).toContain(`${home.url}/wallets`);
});

test('the program of the page makes a wallet', async () => {
  const { text } = await fetched('/docs');
  const [, shown = ''] = /<pre id="program">([\s\S]*?)<\/pre>/.exec(text) ?? [];
  const signs = { '&quot;': '"', '&lt;': '<', '&gt;': '>', '&amp;': '&' };
  const program = shown.replaceAll(/&\w+;/g, (name) => signs[name as keyof typeof signs]);
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program]);
  expect(stdout).toMatch(/^201 \{/);
});

test('an unknown ledger has no reference', async () => {
  const headers = { 'x-ledger': 'nowhere' };
  for (const path of ['/openapi.json', '/docs'])
    expect((await fetch(`${home.url}${path}`, { headers })).status).toBe(404);
});
