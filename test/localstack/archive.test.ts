/**
 * Goal: a ledger that somebody exported goes on at another server as if nothing had been. Method: the commands as their
 * users run them, on a ledger with records of every kind, keys, secrets, tokens and deliveries under way.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { lock } from '../../localstack/runtime/lock.ts';
import { type Client, clientOf, farewell, newKey, newLedger, revision } from '../fixture/client.ts';
import { furnish } from '../fixture/everywhere.ts';
import { ask, basicOf, newFactor } from '../fixture/oauth.ts';
import { until } from '../fixture/receiver.ts';
import { command, newDataFolder, start } from '../fixture/runtime.ts';
import { bearing } from '../fixture/token.ts';

const folders = Array.from({ length: 4 }, newDataFolder);
const [data, other, third, work] = folders as [string, string, string, string];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Runs a command on a data folder. */
const run = (name: string, folder: string, ...words: readonly string[]) =>
  command(name, folder, { words });

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the point.
const steering = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;

const groups = ['signers', 'circles', 'wallets', 'symbols', 'domains', 'bridges', 'effects'];
const more = ['policies', 'schemas', 'anchors', 'reports', 'intents'];

/** All that a ledger says of its records, their histories, balances and deliveries. */
async function saidBy(ledger: Client): Promise<unknown[]> {
  const said: unknown[] = [];
  for (const group of [...groups, ...more]) {
    const { items } = await ledger.get(`/${group}?page.limit=100`);
    said.push(items);
    for (const { luid } of items) {
      const { items: changes } = await ledger.get(`/${group}/${luid}/changes?page.limit=100`);
      said.push(changes);
    }
  }
  for (const wallet of ['wallet-1', 'wallet-3'])
    said.push((await ledger.get(`/wallets/${wallet}/balances`)).items.map(({ data: one }) => one));
  return said;
}

test('a ledger is exported, audited as a file, and goes on at another server', async () => {
  const key = newKey();
  const [file, passphrase] = [join(work, 'ledger.ndjson'), join(work, 'passphrase')];
  writeFileSync(passphrase, 'what nobody guesses\n');
  const runtime = await start({ data });
  const ledger = await newLedger(clientOf(runtime.url, runtime.key), key);
  const handle = String(ledger.ledger);
  await furnish(ledger, key);
  // Nobody hears it, so its deliveries wait.
  const action = { schema: 'webhook', endpoint: 'http://127.0.0.1:20009/' };
  await ledger.make('effects', { handle: 'waiting', signal: 'wallet-updated', action }, key);
  const { body: wallet } = await ledger.get('/wallets/wallet-1');
  await ledger.put('/wallets/wallet-1', revision(wallet, { custom: { note: 'other' } }, key));
  // A delivery is stored when its first attempt has ended. Decision 127.
  const waiting = async () => (await ledger.get('/effects/waiting/events')).items.length;
  await until('a delivery waits', async () => (await waiting()) > 0);
  const { body: ended } = await ledger.get('/wallets/wallet-2');
  await ledger.post('/wallets/wallet-2/drop', farewell(ended, key));
  // A frozen wallet has balances that are watched. Decision 109.
  const frozen = await ledger.make('wallets', { handle: 'frozen' }, key);
  const issued = (target: string, amount: number) => [
    { action: 'issue', target, symbol: 'symbol-3', amount },
  ];
  await ledger.make('intents', { handle: 'filling', claims: issued('frozen', 7) }, key);
  await ledger.prove('wallets', frozen, key, { status: 'inactive' });
  const factor = await newFactor(ledger, key);
  const credentials = { authorization: basicOf(factor) };
  const form = { grant_type: 'client_credentials' };
  expect((await ask(ledger, form, credentials)).status).toBe(200);
  const before = await saidBy(ledger);
  await runtime.stop();
  // The note of this audit lies at the ledger, and does not travel. Decision 121.
  expect(await run('audit', data)).toMatchObject({ code: 0 });
  const auditedMs = Date.now();

  const exported = await run(
    'export',
    data,
    '--ledger',
    handle,
    '--out',
    file,
    '--with-key',
    passphrase,
  );
  expect(exported).toEqual({ code: 0, said: expect.stringContaining('sha256') });
  expect(readFileSync(file, 'utf8')).toMatch(/"what":"delivery"/);
  expect(readFileSync(file, 'utf8')).toMatch(/"watched":1/);
  const below = await run('export', data, '--ledger', handle, '--out', join(file, 'below'));
  expect(below).toEqual({ code: 4, said: expect.stringContaining('below cannot be written: ') });
  const audited = await run('audit', third, file);
  expect(audited).toEqual({ code: 0, said: expect.stringContaining('The ledger is in order') });
  const imported = await run('import', other, file, '--passphrase', passphrase);
  expect(imported).toEqual({ code: 0, said: expect.stringContaining(`${handle}: `) });
  const noteOf = async (there: Client) => {
    const { body } = await there.get('/health', bearing(key));
    return (body.data as { readonly audit?: { readonly moment: string } }).audit?.moment;
  };
  const unaudited = await start({ data: other });
  expect(await noteOf(clientOf(unaudited.url, ledger.key, handle))).toBeUndefined();
  await unaudited.stop();
  expect(await run('audit', other)).toMatchObject({ code: 0 });

  const again = await start({ data: other });
  try {
    // The ledger has its own key there, and with that it signs what it says.
    const moved = clientOf(again.url, ledger.key, handle);
    expect(Date.parse((await noteOf(moved)) ?? '')).toBeGreaterThan(auditedMs);
    expect(await saidBy(moved)).toEqual(before);
    expect((await ask(moved, form, credentials)).status).toBe(200);
    const made = await moved.make(
      'intents',
      { handle: 'afterwards', claims: issued('wallet-3', 4) },
      key,
    );
    expect(made.meta.status).toBe('completed');
    const refused = await moved.make(
      'intents',
      { handle: 'refused', claims: issued('frozen', 1) },
      key,
    );
    expect(refused.meta.status).toBe('rejected');
    const { body: now } = await moved.get('/wallets/wallet-1');
    const reply = await moved.put('/wallets/wallet-1', revision(now, { custom: {} }, key));
    expect(reply.status).toBe(200);
    const { items } = await moved.get('/wallets/wallet-1/changes');
    expect(items.map(({ meta }) => meta['change'])).toEqual([3, 2, 1]);
  } finally {
    await again.stop();
  }
  expect(await run('audit', other)).toMatchObject({ code: 0 });
});

test('what is asked for wrongly is told so, and leaves nothing behind', async () => {
  const file = join(work, 'ledger.ndjson');
  const nowhere = join(work, 'nowhere');
  for (const [name, words, said] of [
    ['export', ['--out', join(work, 'new.ndjson')], 'There is no ledger in'],
    ['export', ['--out', file], 'is there already'],
    ['export', ['--odd'], "unknown option '--odd'"],
    ['import', [], "missing required argument 'file'"],
    ['import', [join(work, 'none')], 'There is no file'],
    ['import', [file], 'was exported with a passphrase'],
    ['drill', ['--seconds', 'soon'], 'It must be a whole number from 1 to 600.'],
  ] as const) {
    const done = await run(name, nowhere, ...words);
    expect(done).toEqual({ code: 2, said: expect.stringContaining(said) });
    expect(done.said).not.toMatch(/\n\s+at /);
  }
  const wrong = join(work, 'wrong');
  writeFileSync(wrong, 'another passphrase');
  const refused = await run('import', nowhere, file, '--passphrase', wrong);
  expect(refused).toEqual({ code: 1, said: expect.stringContaining('does not open') });
  const [cut] = [join(work, 'cut.ndjson')];
  writeFileSync(cut, readFileSync(file, 'utf8').slice(0, 5_000));
  expect(await run('audit', nowhere, cut)).toMatchObject({ code: 1 });
  const text = readFileSync(file, 'utf8').replace('"note":"other"', '"note":"mother"');
  writeFileSync(cut, text);
  const found = await run('audit', nowhere, cut);
  expect([found.code, found.said]).toEqual([1, expect.stringMatching(/^Invariant 3 .*wallet-1/)]);
  const right = await run('import', nowhere, cut, '--passphrase', join(work, 'passphrase'));
  expect(right).toEqual({ code: 1, said: expect.stringContaining('not those that were written') });
  writeFileSync(cut, withAnotherEnd(text));
  const forged = await run('import', nowhere, cut, '--passphrase', join(work, 'passphrase'));
  expect(forged).toEqual({
    code: 1,
    said: expect.stringMatching(/^The ledger in .* is not in order, .*Invariant 3 .*wallet-1.*\n$/),
  });
  expect(existsSync(nowhere)).toBe(false);
  expect(existsSync(join(work, 'new.ndjson.part'))).toBe(false);
});

test('an import that goes on with nothing is refused, and leaves no database', async () => {
  const folder = newDataFolder();
  folders.push(folder);
  const words = ['--passphrase', join(work, 'passphrase'), '--resume'];
  expect(await run('import', folder, join(work, 'ledger.ndjson'), ...words)).toEqual({
    code: 1,
    said: expect.stringContaining('No import of the ledger'),
  });
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ['a word', '"what":"version"', '"what":"HOSTILE"'],
  ['a status', '"status":"completed"', '"status":"HOSTILE"'],
  ['the name of its ledger', '"ledger":', '"ledger":"HOSTILE","more":'],
  ['what is no JSON', '{"what":"version"', 'HOSTILE{"what":"version"'],
])('a file that somebody made does nothing to a terminal: %s', async (_, member, instead) => {
  const made = join(work, 'made.ndjson');
  const text = readFileSync(join(work, 'ledger.ndjson'), 'utf8').replaceAll(member, instead);
  writeFileSync(
    made,
    withAnotherEnd(text.replaceAll('HOSTILE', '\\u001b[2J\u009b8m\u202eIt is in order.')),
  );
  const commands = [
    ['audit', '--all'],
    ['audit', '--json'],
    ['import', '--passphrase', join(work, 'passphrase')],
  ];
  for (const [name = '', ...more] of commands) {
    const { code, said } = await run(name, join(work, 'nowhere'), made, ...more);
    expect(code).toBe(1);
    expect(said).not.toMatch(steering);
  }
});

/** The file with an end that fits what it says now, as whoever changes it can write. */
function withAnotherEnd(text: string): string {
  const lines = text.trimEnd().split('\n');
  const end = JSON.parse(lines.pop() ?? '') as { sha256: string };
  const before = `${lines.join('\n')}\n`;
  const sha256 = createHash('sha256').update(before).digest('hex');
  return `${before}${JSON.stringify({ ...end, sha256 })}\n`;
}

test('a ledger comes back whole after its table was lost', async () => {
  // The ledger of a drill is its own, whomever the environment would close a ledger to.
  const env = { LEDGER_OWNER: newKey().public };
  const { code, said } = await command('drill', third, { words: ['--seconds', '2'], env });
  expect([code, said]).toEqual([0, expect.stringContaining('The ledger came back whole, twice.')]);
});

test('of two exports to one file the second is refused, and the first keeps its folder', async () => {
  const [folder, file] = [newDataFolder(), join(work, 'twice.ndjson')];
  folders.push(folder);
  const runtime = await start({ data: folder });
  mkdirSync(`${file}.part`);
  writeFileSync(join(`${file}.part`, 'archive'), 'of the first');
  const release = lock(join(`${file}.part`, 'lock'), 'taken');
  const taken = { code: 3, said: `Another process exports to ${file}.\n` };
  for (const words of [[], ['--resume']]) {
    expect(await run('export', folder, '--out', file, ...words)).toEqual(taken);
    expect(readdirSync(`${file}.part`)).toEqual(expect.arrayContaining(['archive', 'lock']));
  }
  release();
  const broken = { code: 1, said: expect.stringContaining('Go on with --resume') };
  expect(await run('export', folder, '--out', file)).toEqual(broken);
  expect(await run('export', folder, '--out', file, '--resume')).toMatchObject({ code: 0 });
  expect(existsSync(`${file}.part`)).toBe(false);
  expect(await run('audit', folder, file)).toMatchObject({ code: 0 });
  await runtime.stop();
});

test('an archive that cannot be read is told so, and its ledger is not said to be out of order', async () => {
  const file = join(work, 'unreadable.ndjson');
  // What nobody can follow stands for what this user may not open.
  symlinkSync(file, file);
  const unusable = { code: 4, said: expect.stringContaining(`${file} cannot be read: `) };
  for (const name of ['import', 'audit', 'verify'])
    expect([name, await run(name, third, file)]).toEqual([name, unusable]);
});
