/** Goal: a default ledger that an operator has closed is its owner's alone, and stays so. Decisions 75 and 76. */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, clientOf, newKey, revision, signed, unique } from '../fixture/client.ts';
import { forbidden, outcome, unauthorized } from '../fixture/house.ts';
import { assertSilent, audit, newDataFolder, type Runtime, start } from '../fixture/runtime.ts';
import { bearing } from '../fixture/token.ts';

const [owner, stranger, heir] = [newKey(), newKey(), newKey()];
const data = newDataFolder();
const env = { LEDGER_OWNER: owner.public, OUTGOING_HOSTS: 'hooks.example,*.bank.example' };

let runtime: Runtime;
let home: Client;

beforeAll(async () => {
  runtime = await start({ data, env });
  home = clientOf(runtime.url, runtime.key);
});
afterAll(async () => {
  await runtime.stop();
  assertSilent(runtime.complaints);
  expect(await audit(data)).toMatchObject({ code: 0 });
  rmSync(data, { recursive: true });
});

const wish = (by = stranger) => signed({ handle: unique('new') }, by);
const wallets = async (by = stranger) => outcome(await home.post('/wallets', wish(by)));

describe('a closed ledger', () => {
  test('lets its owner write, and read by token', async () => {
    const handle = unique('vault');
    await home.make('wallets', { handle }, owner);
    await home.make('symbols', { handle: unique('usd'), factor: 100 }, owner);
    expect(outcome(await home.get(`/wallets/${handle}`, bearing(owner)))).toEqual([200]);
    expect(outcome(await home.get('/wallets', bearing(owner)))).toEqual([200]);
  });

  test('lets a stranger do nothing, and whoever is nobody neither', async () => {
    expect(await wallets()).toEqual(forbidden);
    expect(outcome(await home.post('/ledgers', wish()))).toEqual(forbidden);
    // Whoever has a key may ask for what is theirs, and nothing is. Ruling 30.
    expect((await home.get('/wallets', bearing(stranger))).items).toEqual([]);
    expect(outcome(await home.get('/wallets'))).toEqual(unauthorized);
    expect(outcome(await home.get('/ledger'))).toEqual(unauthorized);
  });

  test('answers a stranger in short, however long the names of the body are', async () => {
    const config = { server: 'http://a.bank.example' };
    const body = signed({ handle: 'x', schema: 'rest', config }, stranger);
    for (const others of [0, 60]) {
      const rest = Array.from({ length: others }, (_, index) => [`a${index}`, 1] as const);
      const secret = Object.fromEntries([['~'.repeat(900_000), 1], ...rest]);
      const answer = await home.post('/bridges', { ...body, meta: { ...body.meta, secret } });
      expect(outcome(answer)).toEqual([422, 'record.schema-invalid']);
      expect(answer.text.length).toBeLessThan(300_000);
    }
  });

  test('shows everyone its status and the key that verifies its answers', async () => {
    expect(outcome(await home.get('/'))).toEqual([200]);
    expect(outcome(await home.get('/signers/system'))).toEqual([200]);
  });

  test('lets its owner make another ledger, which is closed as well', async () => {
    const handle = unique('branch');
    await home.make('ledgers', { handle }, owner);
    const response = await fetch(`${home.url}/wallets`, { headers: { 'x-ledger': handle } });
    expect(response.status).toBe(401);
  });

  test('calls only the hosts that it may', async () => {
    const effectTo = async (endpoint: string) => {
      const action = { schema: 'webhook', endpoint };
      const wanted = { handle: unique('hook'), signal: 'wallet-created', action };
      return home.post('/effects', signed(wanted, owner));
    };
    expect(outcome(await effectTo('https://a.bank.example/hook'))).toEqual([201]);
    const { status, detail } = await effectTo('https://elsewhere.example/hook');
    expect([status, detail]).toEqual([
      422,
      '/data/action/endpoint must not call elsewhere.example, which this service may not reach.',
    ]);
  });

  test('says which address of a bridge it must not call', async () => {
    const tokenUrl = 'https://elsewhere.example/token';
    const secure = [
      { schema: 'oauth2', clientId: 'us', clientSecret: '{{ secret.bank }}', tokenUrl },
    ];
    const config = { server: 'https://a.bank.example' };
    const body = signed({ handle: unique('bank'), config, secure }, owner);
    const meta = { ...body.meta, secret: { bank: 'hidden' } };
    const { detail } = await home.post('/bridges', { ...body, meta });
    expect(detail).toBe(
      '/data/secure/0/tokenUrl must not call elsewhere.example, which this service may not reach.',
    );
  });

  // An owner's key is replaced as any other rule is: by an update that the old key signs.
  test('can be handed over to another key, and a start with the old one gives nothing back', async () => {
    const { body } = await home.get('/ledger', bearing(owner));
    const text = JSON.stringify(body.data['access']).replaceAll(owner.public, heir.public);
    const access = JSON.parse(text) as unknown;
    expect(outcome(await home.put('/ledger', revision(body, { access }, owner)))).toEqual([200]);
    expect([await wallets(owner), await wallets(heir)]).toEqual([forbidden, [201]]);
    await runtime.stop();
    runtime = await start({ data, env });
    home = clientOf(runtime.url, runtime.key);
    expect([await wallets(owner), await wallets(heir)]).toEqual([forbidden, [201]]);
  });
});

test('an open ledger that is there already is not taken for a closed one', async () => {
  const folder = newDataFolder();
  const open = await start({ data: folder });
  await clientOf(open.url, open.key).make('wallets', { handle: unique('early') }, stranger);
  await open.stop();
  expect(said(folder, owner.public)).toEqual([
    1,
    'The ledger main is there already, and open to everyone. Lay down its first rule, or go on without an owner.\n',
  ]);
  const again = await start({ data: folder });
  const { status } = await clientOf(again.url, again.key).post('/wallets', wish());
  expect(status).toBe(201);
  await again.stop();
  rmSync(folder, { recursive: true });
});

// One was to be filled in; with a point of small order anyone could sign.
test.each(['me', '', Buffer.alloc(32).toString('base64')])('%j is no owner', (text) => {
  expect(said(':memory:', text)).toEqual([
    2,
    `LEDGER_OWNER must be an ed25519 public key in base64, as \`countersign key\` makes one, or left out, not '${text}'.\n`,
  ]);
});

/** How the runtime ends that cannot start, and what it says. */
function said(folder: string, ledgerOwner: string): [code: number | null, text: string] {
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'localstack/command/main.ts', 'start'],
    {
      env: { ...process.env, PORT: '0', LEDGER_DATA: folder, LEDGER_OWNER: ledgerOwner },
      encoding: 'utf8',
      timeout: 180_000,
    },
  );
  return [status, stderr];
}

describe('the commands of an owner', () => {
  const folder = newDataFolder();
  afterAll(() => rmSync(folder, { recursive: true }));
  const run = (name: string, path: string, env: Record<string, string> = {}) =>
    spawnSync(process.execPath, ['--import', 'tsx', 'localstack/command/main.ts', name, path], {
      env: { ...process.env, ...env },
      encoding: 'utf8',
    });

  test('make a key once, which only its owner may read, and close a ledger with it', async () => {
    const path = join(folder, 'owner.key');
    const made = run('key', path).stdout.trim();
    expect(run('key', path).stdout.trim()).toBe(made);
    expect(statSync(path).mode & 0o077).toBe(0);
    expect(made).not.toBe(readFileSync(path, 'utf8').trim());
    const closed = await start({ env: { LEDGER_OWNER: made } });
    const owned = run('quickstart', path, { SERVER: closed.url });
    expect([owned.status, owned.stderr]).toEqual([0, '']);
    expect(owned.stdout).toContain('The intent is completed; every proof of it verifies.');
    const other = run('quickstart', join(folder, 'none.key'), { SERVER: closed.url });
    expect([other.status, other.stderr]).toEqual([2, expect.stringContaining('There is no file')]);
    await closed.stop();
  });

  test('take no key from a folder, nor from a text that is not just one', () => {
    const refusal = (path: string) => {
      const { status, stderr } = run('key', path);
      return [status, stderr.trim()];
    };
    expect(refusal(folder)).toEqual([4, `${folder} contains no key: it is a folder.`]);
    const path = join(folder, 'damaged.key');
    const secret = Buffer.alloc(32, 7).toString('base64');
    for (const text of [
      '',
      secret.slice(1),
      `${secret}=`,
      `*${secret}`,
      secret.replace('c=', 'd='),
    ]) {
      writeFileSync(path, text, { mode: 0o600 });
      expect(refusal(path)).toEqual([4, `${path} contains no key.`]);
    }
    writeFileSync(path, `${secret}\n`, { mode: 0o600 });
    expect(run('key', path).status).toBe(0);
  });
});
