/** Goal: people see in the console what the ledger signed, and never something else in green. Ruling 103. */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { look, visit } from '../fixture/chromium.ts';
import { type Client, newKey, newLedger } from '../fixture/client.ts';
import { enter, expectClean, keyFileOf, signIn } from '../fixture/console.ts';
import { until } from '../fixture/receiver.ts';
import { sharedHome } from '../fixture/served.ts';

const home = await sharedHome();
const owner = newKey();

/** A ledger in which alice has paid bob twice. */
async function newBank(): Promise<Client> {
  const ledger = await newLedger(home, owner);
  await ledger.make(
    'signers',
    { handle: 'owner', public: owner.public, format: 'ed25519-raw' },
    owner,
  );
  await ledger.make('symbols', { handle: 'usd', factor: 100 }, owner);
  for (const handle of ['alice', 'bob']) await ledger.make('wallets', { handle }, owner);
  await ledger.settle(owner, 'issue alice 1000000 usd');
  await ledger.submit(owner, ['transfer alice bob 2550 usd'], { handle: 'rent' });
  await ledger.submit(owner, ['transfer alice bob 199 usd'], { handle: 'coffee' });
  return ledger;
}

test('a payment is followed from the wallet to its proofs', async () => {
  const visited = await signIn(await newBank(), owner);
  const { page } = visited;
  await page.getByRole('row', { name: /alice/ }).getByText('9,972.51 usd').waitFor();
  await look(page, 'wallets');
  await page.getByRole('link', { name: 'alice' }).click();
  await page.getByRole('heading', { name: 'Statement' }).waitFor();
  await page.getByRole('img', { name: /Balance in usd .* to 9,972.51/ }).waitFor();
  const row = page.getByRole('row', { name: /rent/ });
  await row.getByText('25.50 usd').waitFor();
  await page.getByText(/^Opening balance/).waitFor();
  await look(page, 'wallet');
  await row.getByRole('link', { name: 'rent' }).click();
  await page.getByRole('heading', { name: 'Timeline of proofs' }).waitFor();
  const timeline = page.locator('.timeline > li');
  expect(await timeline.count()).toBe(7);
  expect(await page.locator('.timeline .seal.good').count()).toBe(7);
  expect(await page.locator('.seal.bad').count()).toBe(0);
  await page.getByRole('button', { name: 'Verify its receipt' }).click();
  await page.getByText('Verified here: the log has this change').waitFor();
  await look(page, 'intent');
  expectClean(visited);
});

test('all balances of a wallet are shown, page by page, and a list says where there are more', async () => {
  const ledger = await newLedger(home, owner);
  await ledger.make('wallets', { handle: 'alice' }, owner);
  const symbols = Array.from({ length: 105 }, (_, index) => `s${100 + index}`);
  for (const handle of symbols) await ledger.make('symbols', { handle, factor: 100 }, owner);
  for (const some of [symbols.slice(0, 40), symbols.slice(40, 80), symbols.slice(80)])
    await ledger.settle(owner, ...some.map((symbol) => `issue alice 100 ${symbol}`));
  const visited = await signIn(ledger, owner);
  const { page } = visited;
  await page.getByRole('row', { name: /alice/ }).getByText('and more').waitFor();
  await page.getByRole('link', { name: 'alice' }).click();
  const balances = page.getByRole('region', { name: 'Balances' });
  const tiles = balances.locator('.tiles > li');
  await tiles.getByText('s199').waitFor();
  expect(await tiles.count()).toBe(100);
  await balances.getByRole('button', { name: 'Show more' }).first().click();
  await tiles.getByText('s204').waitFor();
  expect(await tiles.count()).toBe(105);
  await page.getByLabel('Symbol').selectOption('s204');
  await page.getByRole('row', { name: /1.00 s204/ }).waitFor();
  expectClean(visited);
});

test('a changed byte shows red, with what failed in words, and nothing can be signed on it', async () => {
  const ledger = await newBank();
  const item = await ledger.submit(owner, ['transfer alice bob 100 usd'], {
    handle: 'held',
    config: { commit: 'manual' },
  });
  const visited = await signIn(ledger, owner);
  const { page } = visited;
  let change = (text: string) => text;
  await page.route('**/intents/held', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: change(await response.text()) });
  });
  const open = async () => {
    await page.evaluate(`location.hash = '#/intents'`);
    await page.getByRole('link', { name: 'held' }).click();
    await page.getByRole('heading', { name: 'Timeline of proofs' }).waitFor();
  };

  await open();
  expect(await page.locator('.seal.bad').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Commit…' }).count()).toBe(1);

  const [first] = item.meta.proofs;
  const forged = `${first?.result[0] === 'A' ? 'B' : 'A'}${first?.result.slice(1)}`;
  change = (text) => text.replace(first?.result ?? '', forged);
  await open();
  const banner = page.getByRole('alert').filter({ hasText: 'Not verified.' });
  expect(await banner.textContent()).toContain('Proof 0 does not verify');
  expect(await page.locator('.timeline > li.bad').count()).toBe(1);
  expect(await page.locator('.timeline > li.bad').textContent()).toContain('Does not verify');
  expect(await page.getByRole('button', { name: 'Commit…' }).count()).toBe(0);
  await look(page, 'tampered');

  change = (text) => text.replace('"amount":100,', '"amount":900,');
  await open();
  expect(await banner.textContent()).toContain('The hash is not that of the data');
  expect(await page.locator('.seal.good').count()).toBe(0);

  change = (text) => text.replace('"status":"prepared"}', '"status":"completed"}');
  await open();
  expect(await banner.textContent()).toContain(
    'The status is not the last that the ledger has signed',
  );
  expectClean(visited);
});

test('a proof of anybody is shown as theirs, whatever it states, and by whose key it is', async () => {
  const ledger = await newBank();
  const [stranger, manager] = [newKey(), newKey()];
  await ledger.make(
    'signers',
    { handle: 'manager', public: manager.public, format: 'ed25519-raw' },
    owner,
  );
  const item = await ledger.submit(owner, ['transfer alice bob 100 usd'], {
    handle: 'held',
    config: { commit: 'manual' },
  });
  for (const said of [
    { status: 'completed' },
    { schema: 'credit', wallet: 'bob', symbol: 'usd', amount: 99999999 },
    { reason: 'bridge.refunded', detail: 'The ledger refunded it.' },
  ])
    expect((await ledger.prove('intents', item, stranger, said)).status).toBe(200);
  expect((await ledger.prove('intents', item, manager, { status: 'seen' })).status).toBe(200);

  const visited = await signIn(ledger, owner);
  const { page } = visited;
  await page.route('**/intents/held', async (route) => {
    const response = await route.fetch();
    // Only the name beside the proof is changed, which nobody has signed.
    const named = (text: string) =>
      text.replaceAll(`"public":"${stranger.public}"`, `$&,"signer":"manager"`);
    await route.fulfill({ response, body: named(await response.text()) });
  });
  await page.evaluate(`location.hash = '#/intents/held'`);
  const proofs = page.locator('.timeline > li');
  await proofs.getByText('manager', { exact: true }).waitFor();
  const texts = await proofs.allTextContents();
  const [completed = '', credit = '', refunded = '', seen = ''] = texts.slice(-4);
  expect(completed).toContain('States: status completed');
  expect(credit).toContain('amount 99999999');
  expect(refunded).toContain('States: ');
  for (const text of [completed, credit, refunded])
    expect(text).toMatch(
      /^Key [\w+/]{10}…the server calls it “manager”, which is not signed.*Verified/,
    );
  expect(seen).toMatch(/^manager\d/);
  expect(texts.join()).not.toMatch(/Done: the money|999,999/);
  expect(texts.at(0)).toContain('owner (you)');
  expect(await proofs.locator('.status').allTextContents()).not.toContain('completed');
  await look(page, 'strangers');
  expectClean(visited);
});

test('a key that a second signer shows is shown as a key, and not by the name of that one', async () => {
  const ledger = await newBank();
  const [clerk, stranger] = [newKey(), newKey()];
  const shown = { public: clerk.public, format: 'ed25519-raw' };
  await ledger.make('signers', { handle: 'clerk', ...shown }, clerk);
  const item = await ledger.submit(owner, ['transfer alice bob 100 usd'], {
    handle: 'held',
    config: { commit: 'manual' },
  });
  await ledger.prove('intents', item, clerk, { status: 'seen' });
  await ledger.make('signers', { handle: 'treasurer', ...shown }, stranger);
  const { page } = await signIn(ledger, owner);
  await page.evaluate(`location.hash = '#/intents/held'`);
  const proof = page.locator('.timeline > li').filter({ hasText: 'status seen' });
  await proof.waitFor();
  expect(await proof.textContent()).toMatch(
    /^Key [\w+/]{10}…the server calls it “clerk”, which is not signed.*Verified/,
  );
  expect(await proof.textContent()).not.toContain('treasurer');
});

test('an answer to something else shows red and its own name, and nothing can be signed on it', async () => {
  const ledger = await newBank();
  const custom = { config: { commit: 'manual' } };
  for (const handle of ['lease', 'theft'])
    await ledger.submit(owner, ['transfer alice bob 100 usd'], { handle, ...custom });
  const { page } = await signIn(ledger, owner);
  const to = (url: string) =>
    url.replace('/intents/lease', '/intents/theft').replace('/wallets/bob', '/wallets/alice');
  for (const path of ['**/intents/lease', '**/wallets/bob**', '**/wallets/bob/**'])
    await page.route(path, async (route) => {
      const url = to(route.request().url());
      await route.fulfill({ response: await route.fetch({ url }) });
    });
  await page.evaluate(`location.hash = '#/intents/lease'`);
  const banner = page.getByRole('alert').filter({ hasText: 'Not verified.' });
  await banner.waitFor();
  expect(await banner.textContent()).toContain('not to what was asked, /intents/lease');
  expect(await page.locator('h1').textContent()).toBe('theft');
  expect(await page.getByRole('button', { name: 'Commit…' }).count()).toBe(0);
  await look(page, 'exchanged');

  await page.evaluate(`location.hash = '#/wallets/bob'`);
  await page.getByRole('heading', { name: 'Balances' }).waitFor();
  await banner.filter({ hasText: '/wallets/bob/balances' }).waitFor();
  expect(await page.locator('h1').textContent()).toBe('alice');
  await page.unrouteAll({ behavior: 'ignoreErrors' });

  await until('there is no receipt', async () => {
    const { status } = await ledger.get('/intents/theft/receipt');
    return status === 200;
  });
  await page.route('**/intents/lease/receipt', async (route) => {
    const url = to(route.request().url());
    await route.fulfill({ response: await route.fetch({ url }) });
  });
  await page.evaluate(`location.hash = '#/intents/lease'`);
  await page.getByRole('button', { name: 'Verify its receipt' }).click();
  await banner.filter({ hasText: '/intents/lease/receipt' }).waitFor();
  expect(await page.getByText('the log has this change').count()).toBe(0);
});

test('a refusal that the ledger has not signed is not told as its own', async () => {
  const { page } = await signIn(await newBank(), owner);
  const body = '{"data":{"reason":"record.not-found","detail":"Intent not found"}}';
  await page.route('**/intents/rent', (route) => route.fulfill({ status: 404, body }));
  await page.evaluate(`location.hash = '#/intents/rent'`);
  await page.getByText('is not the ledger’s').or(page.getByText("is not the ledger's")).waitFor();
});

test('a list that somebody changed shows red', async () => {
  const { page } = await signIn(await newBank(), owner);
  await page.route('**/intents?**', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace('"rent"', '"debt"') });
  });
  await page.getByRole('link', { name: 'Intents' }).click();
  await page.getByRole('link', { name: 'coffee' }).waitFor();
  await look(page, 'intents-changed');
  const banner = page.getByRole('alert').filter({ hasText: 'Not verified.' });
  await banner.waitFor();
  expect(await banner.textContent()).toContain('The hash is not that of the data');
  expect(await page.locator('.seal.good').count()).toBe(0);
});

test('hostile texts are shown as text', async () => {
  const ledger = await newBank();
  const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
  const custom = {
    [hostile]: hostile,
    order: '\u202etxt.exe',
    link: 'javascript:document.title=3',
  };
  await ledger.submit(owner, ['transfer alice bob 1 usd'], { handle: 'odd', custom });
  const visited = await signIn(ledger, owner, { place: '#/intents/odd' });
  const { page } = visited;
  await page.getByText('Custom').click();
  const shown = await page.locator('pre').first().textContent();
  expect(shown).toContain(JSON.stringify(hostile));
  expect(shown).toContain('\\u202etxt.exe');
  expect(await page.locator('#app img, #app script').count()).toBe(0);
  await page.evaluate(
    `location.hash = '#/wallets/' + encodeURIComponent(${JSON.stringify(hostile)})`,
  );
  await page.getByRole('heading', { name: hostile }).waitFor();
  expect(await page.title()).toBe(`${hostile} · Countersign console`);
  await look(page, 'hostile');
  expect(visited.faults.filter((text) => !text.includes('404'))).toEqual([]);
});

test('a key leaves nothing behind: it is not sent, not stored, and gone with the page', async () => {
  const ledger = await newBank();
  const secret = keyFileOf(owner).trim();
  const visited = await visit();
  const { page } = visited;
  const sent: string[] = [];
  page.on('request', (request) => {
    sent.push(`${request.url()} ${JSON.stringify(request.headers())} ${request.postData()}`);
  });
  await page.goto(`${ledger.url}/console`);
  await look(page, 'sign-in');
  await enter(page, ledger, owner);
  await page.getByRole('link', { name: 'alice' }).click();
  await page.getByRole('heading', { name: 'Statement' }).waitFor();
  expect(sent.some((text) => text.includes('Bearer '))).toBe(true);
  expect(sent.filter((text) => text.includes(secret))).toEqual([]);
  const kept = '[localStorage.length, sessionStorage.length, document.cookie]';
  expect(await page.evaluate(kept)).toEqual([0, 0, '']);
  await page.reload();
  await page.getByRole('heading', { name: 'Sign in with your key' }).waitFor();
  await enter(page, ledger, owner);
  await page.getByRole('heading', { name: 'alice' }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in with your key' }).waitFor();
  expectClean(visited);
});

test('signing in refuses, in words, a file without a key, another server, and a ledger of another key', async () => {
  const ledger = await newBank();
  const { page } = await visit();
  await page.goto(`${ledger.url}/console`);
  const alert = page.getByRole('alert');
  const files = page.getByLabel('Key file');
  const wrong = { name: 'my.key', mimeType: 'text/plain', buffer: Buffer.from('no key') };
  await files.setInputFiles(wrong);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await alert.getByText('The file contains no key.').waitFor();
  await files.setInputFiles([]);
  await page.getByLabel('Ledger', { exact: true }).fill('nowhere');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await alert.getByText('Server does not host requested ledger').waitFor();
  await page.getByLabel('Ledger', { exact: true }).fill('');
  await files.setInputFiles({ ...wrong, buffer: Buffer.alloc(0) });
  await page.getByRole('button', { name: 'Sign in' }).click();
  await alert.getByText('The file contains no key.').waitFor();
  await files.setInputFiles([]);
  await page.getByText('Server and trusted key').click();
  await page.getByLabel('Base address').fill('https://elsewhere.example/v2');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await alert.getByText('This page asks nobody but the server that it came from').waitFor();
  await page.getByLabel('Base address').fill(ledger.url);
  await page.getByLabel('Public key of the ledger').fill(owner.public);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await alert.getByText('no link leads there from').waitFor();
  await page.getByLabel('Public key of the ledger').fill(ledger.key);
  await page.getByLabel('Ledger', { exact: true }).fill(ledger.ledger ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'alice' }).waitFor();
});

test('where WebCrypto has no Ed25519, the portable code signs', async () => {
  const ledger = await newBank();
  const { page } = await visit();
  await page.addInitScript('crypto.subtle.importKey = () => Promise.reject(new Error("none"))');
  await page.goto(`${ledger.url}/console`);
  await enter(page, ledger, owner);
  await page.getByRole('link', { name: 'alice' }).waitFor();
});

test('a language that is no valid tag leaves the page as it is', async () => {
  const { page, faults } = await visit();
  await page.addInitScript(
    `Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix' });`,
  );
  await page.goto(`${home.url}/console`);
  await page.getByRole('heading', { name: 'Sign in with your key' }).waitFor();
  expect(faults).toEqual([]);
});

test('the keyboard alone gets everywhere, and the focus is seen', async () => {
  const ledger = await newBank();
  const { page } = await signIn(ledger, owner);
  await page.getByRole('link', { name: 'alice' }).waitFor();
  await page.locator('body').press('Tab');
  await page.getByRole('button', { name: 'Skip to the content' }).press('Enter');
  await page.waitForFunction('document.activeElement.tagName === "H1"');
  for (let count = 0; count < 12; count += 1) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate('document.activeElement.textContent')) === 'bob') break;
  }
  const outline = 'getComputedStyle(document.activeElement).outlineStyle';
  expect(await page.evaluate(outline)).toBe('solid');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'bob' }).waitFor();
  await page.waitForFunction('document.activeElement.textContent === "bob"');
  expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
});

test('the console takes at most 150 KB, and its policy lets nothing in', async () => {
  const parts = await Promise.all(
    ['/console', '/console/app.js', '/console/app.css'].map((path) => fetch(`${home.url}${path}`)),
  );
  const texts = await Promise.all(parts.map((part) => part.text()));
  const bytes = texts.map((text) => gzipSync(text).length).reduce((sum, one) => sum + one);
  expect(bytes).toBeLessThan(150_000);
  expect(parts.map(({ status }) => status)).toEqual([200, 200, 200]);
  for (const { headers } of parts) {
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  }
});
