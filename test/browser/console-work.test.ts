/** Goal: work that waits is found in the console, and done there with the key of whoever signed in. Ruling 103. */
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { look, visit } from '../fixture/chromium.ts';
import { active, type Client, newKey, newLedger, signed } from '../fixture/client.ts';
import { expectClean, keyFileAs, signIn } from '../fixture/console.ts';
import { failing, ok, startReceiver } from '../fixture/receiver.ts';
import { sharedHome } from '../fixture/served.ts';
import { bearing } from '../fixture/token.ts';

const home = await sharedHome();
const receiver = await startReceiver();
afterAll(() => receiver.stop());
const [owner, teller, manager] = [newKey(), newKey(), newKey()];

/** A ledger with tellers and managers; from 1,000.00 on, one of each signs. */
async function newBank(): Promise<Client> {
  const ledger = await newLedger(home, owner);
  for (const [handle, { public: key }] of Object.entries({ owner, teller, manager }))
    await ledger.make('signers', { handle, public: key, format: 'ed25519-raw' }, owner);
  const access = [{ action: 'commit', record: 'intent', filter: { schema: 'payroll' } }];
  await ledger.make('circles', { handle: 'managers', access }, owner);
  const member = { circle: 'managers', signer: 'manager' };
  await ledger.post('/circles/managers/signers', signed(member, owner));
  await ledger.make('symbols', { handle: 'usd', factor: 100 }, owner);
  for (const handle of ['alice', 'bob']) await ledger.make('wallets', { handle }, owner);
  await ledger.settle(owner, 'issue alice 90000 usd');
  const values = [{ status: 'committed', quorum: [{ handle: 'teller' }, { $circle: 'managers' }] }];
  const filter = { 'amounts.usd': { $gte: 100000 } };
  const large = { handle: 'large-payments', schema: 'status', record: 'intent', filter, values };
  await ledger.make('policies', large, owner);
  await ledger.settle([teller, manager], 'issue alice 500000 usd');
  return ledger;
}

test('a payment that waits for a second pair of eyes is approved by them', async () => {
  const ledger = await newBank();
  await ledger.submit(teller, ['transfer alice bob 120000 usd'], { handle: 'bicycle' });
  const held = { handle: 'deposit', config: { commit: 'manual' } };
  await ledger.submit(teller, ['transfer alice bob 5000 usd'], held);

  const visited = await signIn(ledger, manager);
  const { page } = visited;
  await page.getByRole('link', { name: 'Approvals' }).click();
  const card = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: 'bicycle' }) });
  await card.getByText('Waits for a member of circle managers').waitFor();
  const text = (await card.first().textContent()) ?? '';
  expect(text).toContain('Signed by teller, as signer teller');
  expect(text).toContain('(you may)');
  await page.getByRole('button', { name: 'Commit…' }).waitFor();
  await look(page, 'approvals');

  await card.getByRole('button', { name: 'Approve…' }).click();
  await card.getByRole('button', { name: 'Sign', exact: true }).click();
  await card.getByText('completed').first().waitFor();
  expect((await ledger.get('/intents/bicycle')).body.meta.status).toBe('completed');
  expect(await ledger.balances('bob')).toEqual({ usd: '120000' });

  await page.getByRole('link', { name: 'deposit' }).click();
  await page.getByRole('button', { name: 'Abort…' }).click();
  await page.getByRole('button', { name: 'Sign', exact: true }).click();
  await page.locator('.status', { hasText: 'rejected' }).first().waitFor();
  expectClean(visited);
});

test('what is refused is said, and nothing is stored', async () => {
  const access = [
    { action: 'any', record: 'any', signer: { $ledger: 'owner' } },
    { action: { $in: ['read', 'query'] }, record: 'any' },
  ];
  const ledger = await newLedger(home, owner, { access });
  await ledger.make('symbols', { handle: 'usd', factor: 100 }, owner);
  await ledger.make('wallets', { handle: 'alice' }, owner);
  const held = { handle: 'deposit', config: { commit: 'manual' } };
  await ledger.submit(owner, ['issue alice 5000 usd'], held);
  const { page } = await signIn(ledger, manager, { place: '#/intents/deposit' });
  await page.getByRole('button', { name: 'Commit…' }).click();
  await page.getByText('You sign “committed” over deposit, ').waitFor();
  await look(page, 'decide');
  await page.getByRole('button', { name: 'Sign', exact: true }).click();
  await page.getByText('Your key has no right to do this. Cannot').waitFor();
  expect((await ledger.get('/intents/deposit', bearing(owner))).body.meta.status).toBe('prepared');
});

test('a delivery that failed is sent again', async () => {
  const ledger = await newBank();
  // The ledger itself would not come back before an hour.
  receiver.behave('/hook', [{ status: 503, headers: { 'retry-after': '3600' } }, ok]);
  const action = { schema: 'webhook', endpoint: receiver.at('/hook') };
  await ledger.make(
    'effects',
    { handle: 'hook', signal: 'wallet-created', filter: { 'wallet.data.handle': 'carla' }, action },
    owner,
  );
  await ledger.make('wallets', { handle: 'carla' }, owner);
  await receiver.until('/hook', 1);
  const visited = await signIn(ledger, owner);
  const { page } = visited;
  await page.getByRole('link', { name: 'Deliveries' }).click();
  const row = page.getByRole('row', { name: /wallet-created/ });
  await row.getByText('HTTP 503').waitFor();
  await look(page, 'deliveries');
  await row.getByRole('button', { name: /^Retry/ }).click();
  await receiver.until('/hook', 2);
  await row.getByText('delivered').first().waitFor();
  expectClean(visited);
});

/** Presses Tab until this is focused: a text, or the name of a field; the focus is seen. */
async function tabTo(page: Page, name: string): Promise<void> {
  const focused = `(({ labels, ariaLabel, textContent }) =>
    labels?.[0]?.textContent ?? ariaLabel ?? textContent)(document.activeElement).trim()`;
  for (let count = 0; count < 60; count += 1) {
    await page.keyboard.press('Tab');
    if (!String(await page.evaluate(focused)).startsWith(name)) continue;
    const seen = `(({ outlineStyle, boxShadow }) => outlineStyle !== 'none' || boxShadow !== 'none')(
      getComputedStyle(document.activeElement))`;
    expect(await page.evaluate(seen), `the focus on ${name}`).toBe(true);
    return;
  }
  throw new Error(`The keyboard does not get to ${name}.`);
}

test('signing in, approving a payment and sending a delivery again need no mouse', async () => {
  const ledger = await newBank();
  receiver.behave('/keyed', [{ status: 503, headers: { 'retry-after': '3600' } }, ok]);
  const action = { schema: 'webhook', endpoint: receiver.at('/keyed') };
  const filter = { 'wallet.data.handle': 'carla' };
  await ledger.make(
    'effects',
    { handle: 'keyed', signal: 'wallet-created', filter, action },
    owner,
  );
  await ledger.make('wallets', { handle: 'carla' }, owner);
  await receiver.until('/keyed', 1);
  await ledger.submit(teller, ['transfer alice bob 120000 usd'], { handle: 'bicycle' });

  const visited = await visit();
  const { page } = visited;
  await page.goto(`${ledger.url}/console`);
  await page.getByRole('heading', { name: 'Sign in with your key' }).waitFor();
  const chooser = page.waitForEvent('filechooser');
  await tabTo(page, 'Key file');
  await page.keyboard.press('Enter');
  await (await chooser).setFiles(keyFileAs(manager));
  await tabTo(page, 'Ledger');
  await page.keyboard.type(ledger.ledger ?? '');
  await tabTo(page, 'Sign in');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'carla' }).waitFor();

  await page.keyboard.press('/');
  await page.keyboard.type('bicycle');
  await page.keyboard.press('Enter');
  await page.getByRole('row', { name: /bicycle.*intents/ }).waitFor();
  await tabTo(page, 'bicycle');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Approve…' }).waitFor();
  await tabTo(page, 'Approve…');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Sign');
  await page.keyboard.press('Enter');
  await page.locator('.status', { hasText: 'completed' }).first().waitFor();

  await tabTo(page, 'Deliveries');
  await page.keyboard.press('Enter');
  await page.getByText('HTTP 503').waitFor();
  await tabTo(page, 'Retry');
  await page.keyboard.press('Enter');
  await receiver.until('/keyed', 2);
  await page.getByRole('row').getByText('delivered').first().waitFor();
  // The search asks for the name in every group.
  expect(visited.faults.filter((text) => !text.includes('404'))).toEqual([]);
});

test('bridges show what waits for them', async () => {
  const ledger = await newBank();
  receiver.behave('/bank/debits', failing);
  const bank = { handle: 'bank', config: { server: receiver.at('/bank') } };
  await ledger.make('bridges', bank, owner, active());
  await ledger.make('wallets', { handle: 'till', bridge: 'bank' }, owner);
  await ledger.submit(owner, ['transfer till bob 700 usd'], { handle: 'payout' });
  const visited = await signIn(ledger, owner);
  const { page } = visited;
  await page.getByRole('link', { name: 'Bridges' }).click();
  await page.getByText(/for bridge bank to accept the call “prepare”/).waitFor();
  await look(page, 'bridges');
  await page.getByRole('link', { name: 'bank', exact: true }).click();
  await page.getByRole('row', { name: /prepare/ }).waitFor();
  await look(page, 'bridge');
  expectClean(visited);
});

test('policies, circles, access and health are explained', async () => {
  const ledger = await newBank();
  const visited = await signIn(ledger, manager);
  const { page } = visited;
  await page.getByRole('link', { name: 'Policies' }).click();
  await page.getByText('status committed: signer teller and a member of circle managers').waitFor();
  await look(page, 'policies');
  await page.getByRole('link', { name: 'large-payments' }).click();
  await page.getByText('Filter', { exact: true }).click();
  await page.getByText('"amounts.usd"').waitFor();
  await look(page, 'policy');
  await page.getByRole('link', { name: 'Circles' }).click();
  await page.getByRole('link', { name: 'managers' }).click();
  await page.getByText('commit on intent').waitFor();
  await page.getByRole('link', { name: 'manager', exact: true }).waitFor();
  await look(page, 'circle');
  await page.getByRole('link', { name: 'manager', exact: true }).click();
  await page.getByText('All of its data').click();
  await page.getByText('"ed25519-raw"').waitFor();
  await look(page, 'signer');
  await page.getByRole('link', { name: 'Health' }).click();
  await page.getByText('come to zero').waitFor();
  await page.getByText(/^countersign\/\$ldg/).waitFor();
  await page.getByRole('table', { name: 'Backlogs' }).waitFor();
  expect(await page.locator('.seal.bad').count()).toBe(0);
  await look(page, 'health');
  await page.getByRole('link', { name: 'Access' }).click();
  const ask = async (action: string, kind: string) => {
    await page.getByLabel('Action').selectOption(action);
    await page.getByLabel('Kind').selectOption(kind);
    await page.getByRole('button', { name: 'Ask' }).click();
    return page.getByRole('status').filter({ hasText: /Yes|No/ });
  };
  expect(await (await ask('commit', 'intent')).textContent()).toContain('Yes.');
  await look(page, 'access');
  expectClean(visited);
});

test('an inactive circle grants nothing and has no votes, and a part of a list is said to be one', async () => {
  const ledger = await newBank();
  for (let count = 1; count < 100; count += 1)
    await ledger.make('circles', { handle: `circle-${count}` }, owner);
  await ledger.submit(manager, ['transfer alice bob 120000 usd'], { handle: 'bicycle' });
  const visited = await signIn(ledger, owner, { place: '#/approvals' });
  const { page } = visited;
  const waits = page.getByText('Signed by manager, as a member of circle managers');
  await waits.waitFor();
  const partial = page.getByText('Of the circles, the newest 100 are shown.');
  const rules = page.getByRole('heading', { name: 'Rules of circle managers' });
  await page.getByRole('link', { name: 'Access' }).click();
  await rules.waitFor();
  expect(await partial.count()).toBe(0);

  const { body: circle } = await ledger.get('/circles/managers', bearing(owner));
  const stopped = await ledger.prove('circles', circle, owner, { status: 'inactive' });
  expect(stopped.status).toBe(200);
  await page.getByRole('link', { name: 'Approvals' }).click();
  await page.getByText('Waits for a member of circle managers').waitFor();
  expect(await waits.count()).toBe(0);
  await page.getByRole('link', { name: 'Access' }).click();
  await page.getByText('It is inactive: its rules grant nothing.').waitFor();

  await ledger.make('circles', { handle: 'circle-100' }, owner);
  await page.getByRole('link', { name: 'Approvals' }).click();
  await page.getByText('Waits for a member of circle managers').waitFor();
  await page.getByRole('link', { name: 'Access' }).click();
  await partial.waitFor();
  expectClean(visited);
});

test('what a key may not do is answered with no, and with who may', async () => {
  const access = [
    { action: 'any', record: 'any', signer: { $ledger: 'owner' } },
    { action: { $in: ['read', 'query'] }, record: 'any' },
    { action: 'spend', record: 'wallet', signer: { handle: 'teller' } },
  ];
  const ledger = await newLedger(home, owner, { access });
  const { page } = await signIn(ledger, manager, { place: '#/access' });
  await page.getByLabel('Action').selectOption('spend');
  await page.getByRole('button', { name: 'Ask' }).click();
  const answer = page.getByRole('status').filter({ hasText: 'No.' });
  await answer.getByText('spend on wallet').waitFor();
  expect(await answer.textContent()).toContain('for signer teller');
  await answer.getByText('✗ You are not signer teller.').waitFor();
  await answer.getByText('✗ You are not an owner of the ledger.').waitFor();
  await look(page, 'access-no');
  await page.getByRole('link', { name: 'Wallets' }).click();
  await page.getByText('There are no such wallets.').waitFor();
});

test('a closed ledger shows nothing to a stranger, and says so', async () => {
  const access = [{ action: 'any', record: 'any', signer: { $ledger: 'owner' } }];
  const { page } = await signIn(await newLedger(home, owner, { access }), manager);
  await page.getByText('Your key has no right to do this. Cannot query wallet.').waitFor();
  await look(page, 'closed');
});

test('what a ledger does not show to a stranger is not said to be none', async () => {
  const access = [{ action: 'any', record: 'any', signer: { $ledger: 'owner' } }];
  const ledger = await newLedger(home, owner, { access });
  for (const [key, log] of [
    [newKey(), 'Your key has no right to read the log of the ledger.'],
    [undefined, 'Only signed-in callers may read the log of the ledger.'],
  ] as const) {
    const { page } = await signIn(ledger, key, { place: '#/access' });
    await page.getByText('not shown: you may not read the ledger').first().waitFor();
    expect(await page.getByText('not shown: you may not read the ledger').count()).toBe(2);
    await page.getByRole('link', { name: 'Health' }).click();
    await page.getByText(log).waitFor();
  }
});

test('the search finds by handle, luid and hash, and a key leads to it', async () => {
  const ledger = await newBank();
  const item = await ledger.submit(owner, ['transfer alice bob 100 usd'], { handle: 'lunch' });
  const visited = await signIn(ledger, owner);
  const { page } = visited;
  const find = async (text: string) => {
    await page.locator('h1').first().focus();
    await page.keyboard.press('/');
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `Search: ${text}` }).waitFor();
  };
  await find('lunch');
  await page.getByRole('row', { name: /lunch.*intents/ }).waitFor();
  await look(page, 'search');
  await find(item.luid);
  await page.getByRole('row', { name: /lunch.*intents/ }).waitFor();
  await find(item.hash);
  await page.getByRole('link', { name: item.luid }).first().click();
  await page.getByRole('heading', { name: 'Timeline of proofs' }).waitFor();
  for (const nobody of ['nobody', '..']) {
    await find(nobody);
    await page.getByText('Nothing that you may see').waitFor();
  }
  expect(visited.faults.filter((text) => !text.includes('404'))).toEqual([]);
});
