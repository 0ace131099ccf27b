/**
 * Goal: the reference that is served is the one that was checked in, and what it teaches works. Method:
 * it is fetched as a browser does, and its program is run as a reader does.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
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

test('a page is served with a policy that lets run only what is its own', async () => {
  const { status, headers, text } = await fetched('/docs/signing');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy.split('; ')).toEqual(
    expect.arrayContaining(["default-src 'none'", "script-src 'self'", "style-src 'self'"]),
  );
  expect(policy).not.toContain('unsafe');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(text).toContain(`${home.url}/wallets`);
});

test('the program of the page makes a wallet', async () => {
  const { text } = await fetched('/docs/signing');
  const [, shown = ''] = /id="program"><pre[^>]*>([\s\S]*?)<\/pre>/.exec(text) ?? [];
  const signs = { '&quot;': '"', '&lt;': '<', '&gt;': '>', '&amp;': '&', '&#x27;': "'" };
  const program = shown
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&[\w#]+;/g, (name) => signs[name as keyof typeof signs]);
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program]);
  expect(stdout).toMatch(/^201 \{/);
});

test('an unknown ledger has no reference', async () => {
  const headers = { 'x-ledger': 'nowhere' };
  for (const path of ['/openapi.json', '/docs'])
    expect((await fetch(`${home.url}${path}`, { headers })).status).toBe(404);
});

test('a page that there is not is refused by the ledger', async () => {
  for (const path of ['/docs/nothing', '/docs/concepts/nothing', '/docs/assets/nothing.js']) {
    const { status, text } = await fetched(path);
    expect([path, status]).toEqual([path, 404]);
    expect(JSON.parse(text).data.reason).toBe('api.route-not-found');
  }
});

describe('what is the same for everybody', () => {
  const asked = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${home.url}${path}`, { headers: { 'accept-encoding': 'identity', ...headers } });

  test.each(['/docs', '/docs/intents', '/openapi.json'])(
    '%s is compressed as it is accepted',
    async (path) => {
      const whole = await (await asked(path)).text();
      for (const [accepted, encoding] of [
        ['gzip, deflate, br', 'br'],
        ['gzip;q=0.5', 'gzip'],
        ['br;q=0, *', 'gzip'],
        ['identity', null],
        ['br;q=0, gzip;q=0', null],
      ] as const) {
        const reply = await asked(path, { 'accept-encoding': accepted });
        expect([accepted, reply.headers.get('content-encoding')]).toEqual([accepted, encoding]);
        expect(reply.headers.get('vary')).toBe('accept-encoding');
        expect(await reply.text()).toBe(whole);
      }
    },
  );

  test('is answered with 304 to who has it, and with a policy, in any encoding', async () => {
    const first = await asked('/docs/intents', { 'accept-encoding': 'br' });
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^W\/"[\w-]+"$/);
    for (const named of [tag, `"other", ${tag}`, tag.slice(2), '*']) {
      const reply = await asked('/docs/intents', { 'if-none-match': named });
      expect([named, reply.status, await reply.text()]).toEqual([named, 304, '']);
      expect(reply.headers.get('etag')).toBe(tag);
    }
    expect((await asked('/docs/intents', { 'if-none-match': '"other"' })).status).toBe(200);
    expect((await asked('/docs/wallets', { 'if-none-match': tag })).status).toBe(200);
  });

  test.each(['/console', '/docs', '/docs/concepts/ledger', '/openapi.json'])(
    'is found from its path with a slash at the end, which its files are not beside: %s',
    async (path) => {
      const reply = await fetch(`${home.url}${path}/`, { redirect: 'manual' });
      expect([reply.status, await reply.text()]).toEqual([308, '']);
      expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'");
      const found = await asked(`${path}/`);
      expect([found.status, found.url]).toEqual([200, `${home.url}${path}`]);
    },
  );

  test('is refused with a slash at the end where it is not there', async () => {
    expect((await asked('/docs/nothing/')).status).toBe(404);
  });

  test('is kept for good where its name has its hash, and else asked for again', async () => {
    const page = await asked('/docs');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const [, name = ''] = /href="docs\/(assets\/style-[^"]+)"/.exec(await page.text()) ?? [];
    const file = await asked(`/docs/${name}`);
    expect([file.status, file.headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
    expect(
      (await asked(`/docs/${name}`, { 'if-none-match': file.headers.get('etag') ?? '' })).status,
    ).toBe(304);
  });

  test('is nothing else: answers of the ledger have no tag, and short ones are as they were', async () => {
    const headers = { 'accept-encoding': 'br, gzip', 'if-none-match': '*' };
    for (const path of ['/wallets', '/signers/system', '/oauth/jwks', '/']) {
      const reply = await asked(path, headers);
      expect([path, reply.status, reply.headers.get('etag')]).toEqual([path, 200, null]);
    }
    for (const path of ['/signers/system', '/oauth/jwks', '/'])
      expect([path, (await asked(path, headers)).headers.get('content-encoding')]).toEqual([
        path,
        null,
      ]);
  });
});
