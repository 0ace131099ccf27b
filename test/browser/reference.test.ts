/**
 * Goal: the reference is found, read, copied and tried by people, at any width, in light and dark, without a request to
 * any other host and without a violation of its content policy. Ruling 102.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newKey } from '../../shared/client/client.ts';
import { axeFindings, look, type Visit, type VisitOptions, visit } from '../fixture/chromium.ts';
import { newLedger, newKey as plainKey, unique } from '../fixture/client.ts';
import { sharedHome } from '../fixture/served.ts';

const home = await sharedHome();

async function open(path: string, options?: VisitOptions): Promise<Visit> {
  const visited = await visit(options);
  await visited.page.goto(`${home.url}/docs${path}`);
  return visited;
}

/** Nothing was asked of another host, and nothing was refused or failed. */
function expectClean({ requested, faults }: Visit): void {
  const { origin } = new URL(home.url);
  expect(requested.filter((url) => !url.startsWith(`${origin}/v2/`))).toEqual([]);
  expect(faults).toEqual([]);
}

/** A key file, as `countersign key` makes it. */
function keyFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'own.key');
  writeFileSync(path, `${newKey().exportSecret()}\n`);
  return path;
}

test.each([
  '',
  '/intents',
  '/policies',
  '/errors',
  '/events',
  '/calls',
  '/shapes',
  '/signing',
  '/concepts/hold',
  '/recipes/hold',
])('the page %s is read at any width, in light and dark', async (path) => {
  const visited = await open(path);
  await look(visited.page, `reference${path.replaceAll('/', '-')}`);
  expectClean(visited);
});

test('a member is found by the search, with the keyboard alone', async () => {
  const visited = await open('/wallets');
  const { page } = visited;
  await page.keyboard.press('/');
  await page.keyboard.type('notBefore');
  const hit = page.locator('#hits li').first();
  await hit.getByText('notBefore', { exact: true }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/intents#data-config-notBefore');
  const member = page.locator('#data-config-notBefore');
  expect(await member.isVisible()).toBe(true);
  expect(await member.textContent()).toContain('from which it takes effect');
  expectClean(visited);
});

test.each([
  ['limit exceeded', 'core.limit-exceeded', '/docs/errors#core.limit-exceeded'],
  ['balance-crossed', 'balance-crossed', '/docs/events#balance-crossed'],
  ['commit a debit', 'POST {server}/debits/{handle}/commit', '/docs/calls#commitDebit'],
  ['dailyCount', 'metric', '/docs/intents#data-claims'],
  ['POST /wallets', 'POST /wallets', '/docs/wallets#createWallet'],
])('the search for %s finds %s', async (words, title, address) => {
  const { page } = await open('/concepts/intent');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill(words);
  await page.locator('#hits li').first().waitFor();
  const hits = page.locator('#hits a').filter({ has: page.getByText(title, { exact: true }) });
  const links = await hits.evaluateAll((all) =>
    all.map((one) => (one as unknown as { href: string }).href),
  );
  expect(links.map((href) => href.slice(href.indexOf('/docs')))).toContain(address);
});

test('a sample is copied in the language that was chosen, which all samples have from then on', async () => {
  const { page } = await open('/wallets');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const first = page.locator('#createWallet');
  await first.getByRole('tab', { name: 'Python' }).click();
  // The page itself notes the word, which is there for a second and a half.
  const said = page.evaluate(`new Promise((resolve) => {
    const section = document.querySelector('#createWallet');
    const isCopied = ({ textContent }) => textContent === 'Copied';
    const look = () => [...section.querySelectorAll('button')].some(isCopied) && resolve(true);
    new MutationObserver(look).observe(section, { childList: true, subtree: true });
  })`);
  await first.getByRole('button', { name: 'Copy' }).first().click();
  expect(await said).toBe(true);
  const copied = await page.evaluate('navigator.clipboard.readText()');
  expect(copied).toContain('ledger.create("/wallets"');
  expect(copied).toContain(home.url);
  await page.goto(`${home.url}/docs/symbols`);
  expect(await page.locator('#createSymbol-python').isVisible()).toBe(true);
  expect(await page.locator('#createSymbol-curl').isVisible()).toBe(false);
});

test('the contents follow what is read', async () => {
  const { page } = await open('/wallets');
  await page.locator('#updateWallet').scrollIntoViewIfNeeded();
  await page.evaluate("document.getElementById('updateWallet').scrollIntoView()");
  const current = page.locator('#contents .places a[aria-current=location]');
  await page.locator('#contents a[href="#updateWallet"][aria-current=location]').waitFor();
  expect(await current.count()).toBe(1);
});

test('on a telephone the contents unfold, lead somewhere, and fold', async () => {
  const visited = await open('', { width: 390 });
  const { page } = visited;
  const contents = page.locator('#contents');
  expect(await contents.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Menu' }).click();
  expect(await axeFindings(page)).toEqual([]);
  await contents.getByRole('link', { name: 'Wallets' }).click();
  await page.waitForURL('**/docs/wallets');
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Wallets');
  expect(await contents.isVisible()).toBe(false);
  expectClean(visited);
});

test('a request is signed with a key that stays in the tab, answered and verified', async () => {
  const { ledger = '' } = await newLedger(home, plainKey());
  const visited = await open('/wallets');
  const { page } = visited;
  const bodies: string[] = [];
  page.on('request', (request) => bodies.push(`${request.url()} ${request.postData() ?? ''}`));
  const create = page.locator('#createWallet');
  await create.getByRole('button', { name: 'Try it' }).click();
  const path = keyFile();
  const handle = unique('tried');
  const send = create.getByRole('button', { name: 'Send POST' });
  await create.getByLabel('data').fill(JSON.stringify({ handle }));
  await send.click();
  await create.getByRole('alert').getByText('Choose a key first').waitFor();
  await create.getByLabel('x-ledger').fill(ledger);
  await create.getByLabel('Key file').setInputFiles(path);
  await send.click();
  await create.getByText('✓ Verified').waitFor();
  expect(await create.locator('.outcome .status').textContent()).toBe('201');
  expect(await create.locator('.outcome .answer pre').textContent()).toContain(handle);
  await look(page, 'reference-tried');

  // The next page of the tab has the key still; another tab has not.
  const read = page.locator('#dropWalletByPost');
  await read.getByRole('button', { name: 'Try it' }).click();
  await read.getByLabel('id').fill(handle);
  await read.getByRole('button', { name: 'Send POST' }).click();
  await read.getByText('No body.').waitFor();
  expect(await read.locator('.outcome .status').textContent()).toBe('204');

  const secret = (await import('node:fs')).readFileSync(path, 'utf8').trim();
  expect(bodies.filter((body) => body.includes(secret))).toEqual([]);
  expect(
    await page.evaluate('JSON.stringify([{ ...localStorage }, document.cookie])'),
  ).not.toContain(secret);
  const other = await page.context().newPage();
  await other.goto(`${home.url}/docs/wallets`);
  expect(await other.evaluate('sessionStorage.length')).toBe(0);
  await create.getByRole('button', { name: 'Forget' }).click();
  expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain(secret);
  expectClean(visited);
});

test('an answer that is changed on its way is not verified', async () => {
  const { page } = await open('/wallets');
  await page.route('**/v2/wallets?*', async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    await route.fulfill({
      response,
      body: text.replace('"limit":20', '"limit":20').replace('"data":[]', '"data":[{}]'),
    });
  });
  const list = page.locator('#listWallets');
  await list.getByRole('button', { name: 'Try it' }).click();
  await list.locator('.request summary').click();
  await list.getByLabel('filters').fill('data.handle=nobody-has-this-handle');
  await list.getByRole('button', { name: 'Send GET' }).click();
  await list.getByText('✗ Not verified').waitFor();
});

test('a name that no URL can carry asks for no other path', async () => {
  const { page } = await open('/wallets');
  const read = page.locator('#readWallet');
  await read.getByRole('button', { name: 'Try it' }).click();
  await read.getByLabel('id').fill('..');
  await read.getByRole('button', { name: 'Send GET' }).click();
  await read.getByText("No URL can carry '.' or '..'").waitFor();
});

test('what somebody calls a record is shown as text', async () => {
  const visited = await open('/wallets');
  const { page } = visited;
  const evil = '<img src=x onerror=alert(1)>';
  const create = page.locator('#createWallet');
  await create.getByRole('button', { name: 'Try it' }).click();
  await create.getByLabel('Key file').setInputFiles(keyFile());
  await create
    .getByLabel('data')
    .fill(JSON.stringify({ handle: unique('evil'), custom: { evil } }));
  await create.getByRole('button', { name: 'Send POST' }).click();
  await create.getByText('✓ Verified').waitFor();
  expect(await create.locator('.outcome .answer pre').textContent()).toContain(evil);
  expect(await page.locator('main img').count()).toBe(0);
  expectClean(visited);
});

test('a page can be read without scripts', async () => {
  const text = await (await fetch(`${home.url}/docs/wallets`)).text();
  expect(text).toContain('Creates a wallet');
  expect(text).toContain('npx countersign sign');
});
