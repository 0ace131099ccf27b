/** Goal: a ledger that rotated its key stays green for who knows the old key, and for who knows the new one. Rulings 99 and 103. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { visit } from '../fixture/chromium.ts';
import { type Client, clientOf, newKey } from '../fixture/client.ts';
import { enter, expectClean } from '../fixture/console.ts';
import { command, newDataFolder, type Runtime, start } from '../fixture/runtime.ts';

const data = newDataFolder();
const owner = newKey();
let runtime: Runtime;
let ledger: Client;
let newest = '';

beforeAll(async () => {
  runtime = await start({ data });
  ledger = clientOf(runtime.url, runtime.key);
  await ledger.make('symbols', { handle: 'usd', factor: 100 }, owner);
  await ledger.make('wallets', { handle: 'alice' }, owner);
  await ledger.submit(owner, ['issue alice 100 usd'], { handle: 'before' });
  for (const name of ['system', 'log']) {
    const { code, said } = await command('rotate-key', data, { words: ['main', name, '--json'] });
    expect([code, said]).toEqual([0, expect.stringContaining('"newest"')]);
    if (name === 'system')
      newest = JSON.parse(said.slice(said.indexOf('{'))).newest.public as string;
  }
});
afterAll(async () => {
  await runtime.stop();
  rmSync(data, { recursive: true });
});

test.each(['old', 'new'])(
  'whoever knows the %s key sees what either key signed in green',
  async (which) => {
    const visited = await visit();
    const { page } = visited;
    await page.goto(`${ledger.url}/console#/intents/before`);
    await page.getByText('Server and trusted key').click();
    const trust = page.getByLabel('Public key of the ledger');
    await trust.fill(which === 'old' ? runtime.key : newest);
    await enter(page, ledger, owner);
    await page.getByRole('heading', { name: 'Timeline of proofs' }).waitFor();
    expect(await page.locator('.timeline > li').count()).toBeGreaterThan(5);
    expect(await page.locator('.timeline > li.bad').count()).toBe(0);
    await page.getByRole('button', { name: 'Verify its receipt' }).click();
    await page.getByText('Verified here: the log has this change').waitFor();
    await page.getByRole('link', { name: 'Health' }).click();
    await page.getByText(/^countersign\/\$ldg/).waitFor();
    expect(await page.locator('.seal.bad').count()).toBe(0);
    expectClean(visited);
  },
);

test('a key that a rotated ledger never had is refused', async () => {
  const { page } = await visit();
  await page.goto(`${ledger.url}/console`);
  await page.getByText('Server and trusted key').click();
  await page.getByLabel('Public key of the ledger').fill(owner.public);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('navigation').count()).toBe(0);
});
