import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings, look, visit } from '../fixture/chromium.ts';

const readable = `<!doctype html><html lang="en"><title>A page</title>
<meta name="viewport" content="width=device-width"><style>:root { color-scheme: light dark }</style>
<main><h1>A page</h1><p>It can be read.</p></main></html>`;
const server = createServer((request, answer) => {
  const isStrict = request.url === '/strict';
  answer.setHeader('content-type', 'text/html');
  if (isStrict) answer.setHeader('content-security-policy', "default-src 'none'");
  if (request.url === '/never') return;
  if (request.url === '/readable') answer.end(readable);
  else answer.end('<html><img src="/seen.png"><script>document.title = "ran"</script></html>');
});
let base = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

test('a page runs, and its requests and what is wrong with it are seen', async () => {
  const { page, requested } = await visit();
  await page.goto(`${base}/plain`);
  expect(await page.title()).toBe('ran');
  expect(requested).toEqual([`${base}/plain`, `${base}/seen.png`]);
  const rules = (await axeFindings(page)).map((text) => text.split(':')[0]);
  expect(rules).toEqual(expect.arrayContaining(['html-has-lang', 'image-alt']));
});

test('the content policy holds, and what it refuses is a fault', async () => {
  const { page, faults } = await visit();
  await page.goto(`${base}/strict`);
  expect(await page.title()).toBe('');
  expect(faults).toHaveLength(2);
  for (const fault of faults) expect(fault).toContain('Content Security Policy');
});

test('a page of another origin reads nothing of a server that does not allow it', async () => {
  const { page } = await visit();
  await page.goto(`${base.replace('127.0.0.1', 'localhost')}/plain`);
  const read = `fetch('${base}/plain').then(() => 'read', () => 'refused')`;
  expect(await page.evaluate(read)).toBe('refused');
});

test('a page is looked at in two widths, light and dark; one that is too wide is told', async () => {
  const { page } = await visit();
  await page.goto(`${base}/readable`);
  await look(page, 'browser');
  await page.evaluate('document.querySelector("p").innerHTML = "x".repeat(2000)');
  await expect(look(page, 'browser-wide')).rejects.toThrow('is wider than its window');
});

test('a request that a route still fetches when its test ends does no harm', async () => {
  const { page } = await visit();
  const routed = new Promise<void>((resolve) =>
    page.route('**/never', async (route) => {
      resolve();
      // It throws when the page closes: an error of no test, unless the visit lets go of its routes first.
      await route.fetch();
    }),
  );
  await page.goto(`${base}/plain`);
  await page.evaluate(`void fetch('/never').catch(() => 0)`);
  await routed;
});
