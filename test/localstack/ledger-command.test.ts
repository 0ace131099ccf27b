/**
 * Goal: the commands that talk to a ledger do what a user expects of them, from a profile to a verified intent: amounts are
 * exact, a program reads one JSON document, the end is in the exit code, and no answer is believed that is not the ledger's.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { amountText } from '../../localstack/command/amounts.ts';
import { targetOf } from '../../localstack/command/records.ts';
import { money, newKey } from '../../shared/client/client.ts';
import { newLedger, newKey as plainKey } from '../fixture/client.ts';
import { type Ran, ran } from '../fixture/command.ts';
import { lastingPort } from '../fixture/lasting-port.ts';
import { until } from '../fixture/receiver.ts';
import { sharedHome } from '../fixture/served.ts';

const home = await sharedHome();
const nobody = 'http://127.0.0.1:9/v2';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-test-'));
  folders.push(folder);
  return folder;
}
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function keyFileIn(folder: string, name = 'default.key'): string {
  const path = join(folder, name);
  writeFileSync(path, newKey().exportSecret(), { mode: 0o600 });
  return path;
}

/** A user with a configuration folder, a key, and a new ledger of the shared server in the environment. */
async function newUser() {
  const { ledger = '' } = await newLedger(home, plainKey());
  const folder = newFolder();
  keyFileIn(folder);
  const env = {
    COUNTERSIGN_CONFIG: folder,
    COUNTERSIGN_SERVER: home.url,
    COUNTERSIGN_LEDGER: ledger,
  };
  const cs = (line: string, more: Readonly<Record<string, string>> = {}) =>
    ran(wordsOf(line), { ...env, ...more });
  return { ledger, folder, cs };
}

/** Words as a shell splits them, with single quotes. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

/** A user of a ledger with alice, who has a hundred dollars, and bob. */
async function newPayer() {
  const user = await newUser();
  for (const line of [
    'symbol create usd --factor 100',
    'wallet create alice',
    'wallet create bob',
    'issue alice 100 usd',
  ])
    expect(await user.cs(line)).toMatchObject({ code: 0, err: '' });
  return user;
}

const linesOf = ({ out }: Ran) => out.trimEnd().split('\n');
const rowOf = (ended: Ran, word: string) =>
  linesOf(ended)
    .find((line) => line.includes(word))
    ?.trim()
    .split(/ {2,}/);

describe('sign', () => {
  /** Sends what the command printed, as curl does. */
  const sent = async (method: string, path: string, ledger: string, { out }: Ran) => {
    const headers = { 'content-type': 'application/json', 'x-ledger': ledger };
    const reply = await fetch(`${home.url}/${path}`, { method, headers, body: out });
    return reply.status;
  };

  test('prints what another program sends: a create, an update, a proof and a drop', async () => {
    const { ledger, cs } = await newUser();
    const created = await cs(`sign '{"handle": "carol", "custom": {"city": "Bern"}}'`);
    expect(JSON.parse(created.out).meta.proofs[0].custom.status).toBe('created');
    expect(await sent('POST', 'wallets', ledger, created)).toBe(201);
    const update = `sign '{"custom": null, "schema": "savings"}' --update wallets/carol`;
    expect(await sent('PUT', 'wallets/carol', ledger, await cs(update))).toBe(200);
    expect(JSON.parse((await cs('get wallets/carol --json')).out).data).toMatchObject({
      handle: 'carol',
      schema: 'savings',
    });
    const proof = await cs('sign --prove wallets/carol --status inactive');
    expect(await sent('POST', 'wallets/carol/proofs', ledger, proof)).toBe(200);
    const drop = await cs('sign --drop wallets/carol');
    expect(await sent('DELETE', 'wallets/carol', ledger, drop)).toBe(204);
  });

  test('prints a token of the key, by which a closed ledger is read', async () => {
    const { cs } = await newUser();
    const { out } = await cs('token');
    expect(out).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    const headers = { authorization: `Bearer ${out.trim()}` };
    expect((await fetch(`${home.url}/wallets`, { headers })).status).toBe(200);
  });

  test.each([
    ['sign', 'The data is missing'],
    ['sign --drop a/b --prove a/b', 'exclude each other'],
    [`sign '{}' --drop wallets/alice`, 'take no data'],
    ['sign [1]', 'no JSON object'],
  ])('refuses %s', async (line, words) => {
    const { cs } = await newUser();
    expect(await cs(line)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(words) });
  });
});

describe('from a profile to a verified intent', () => {
  test('each step shows what came of it', async () => {
    const { folder, ledger, cs } = await newPayer();
    const none = { COUNTERSIGN_SERVER: '', COUNTERSIGN_LEDGER: '' };
    const set = await cs(`profile set test --server ${home.url} --ledger ${ledger}`, none);
    expect(set.out).toContain('The key of the ledger is ');
    const { profiles, current } = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
    expect([current, profiles.test.ledger]).toEqual(['test', ledger]);
    expect(profiles.test.trust).toMatch(/^[\w+/]{43}=$/);

    const paid = await cs('pay alice bob 25.50 usd --handle rent', none);
    const words = linesOf(paid).map((line) => /\d {2}(\S+) +(\w+)/.exec(line)?.slice(1).join(' '));
    const bySystem = ['pending', 'resolved', 'resolved', 'prepared', 'committed', 'completed'];
    expect(words.slice(1, -1)).toEqual(['you created', ...bySystem.map((one) => `system ${one}`)]);
    expect(linesOf(paid)[0]).toBe('rent: 25.50 usd from alice to bob');
    expect(linesOf(paid).at(-1)).toBe('rent is completed.');

    expect(rowOf(await cs('wallet bob', none), 'available')?.at(-1)).toBe('25.50');
    const statement = await cs('statement alice usd', none);
    expect(rowOf(statement, 'rent')?.slice(1)).toEqual(['rent', 'bob', '25.50', '74.50']);
    expect(rowOf(statement, 'closing balance')?.at(-1)).toBe('74.50');
    const unknown = await cs('statement alice nothing', none);
    expect(unknown).toMatchObject({ code: 6, out: '' });
    const [head = ''] = linesOf(statement);
    const row = linesOf(statement).find((line) => line.includes('rent')) ?? '';
    const endOf = (text: string, word: string) => text.indexOf(word) + word.length;
    expect(endOf(row, '25.50')).toBe(endOf(head, 'debit'));
    const verified = await cs('verify intents/rent', none);
    expect(verified).toMatchObject({ code: 0, err: '' });
    expect(verified.out).toContain(`(profile test)`);
    expect(verified.out).toContain('The status completed is stated by the trusted key.');
  });

  test('an intent with a handle is made once, however often it is sent', async () => {
    const { cs } = await newPayer();
    for (const _ of [1, 2])
      expect(await cs('pay alice bob 10 usd --handle once')).toMatchObject({ code: 0 });
    expect(rowOf(await cs('wallet bob'), 'available')?.at(-1)).toBe('10.00');
    const other = await cs('pay alice bob 11 usd --handle once');
    expect(other).toMatchObject({ code: 6, out: '' });
    expect(other.err).toContain('record.duplicated');
  });

  test('one whose answer was lost is named, so that it can be sent again', async () => {
    const { cs } = await newPayer();
    // Forwards what is read, and loses the answers to changes.
    const way = createServer(async (request, answer) => {
      const { 'x-ledger': ledger, authorization } = request.headers as Record<string, string>;
      const url = new URL(home.url).origin + request.url;
      if (request.method !== 'GET') return answer.destroy();
      const forwarded = await fetch(url, {
        headers: { 'x-ledger': ledger ?? '', authorization: authorization ?? '' },
      });
      return answer.writeHead(forwarded.status).end(await forwarded.text());
    }).listen(0, '127.0.0.1');
    await once(way, 'listening');
    const { port } = way.address() as AddressInfo;
    const { code, err } = await cs(`pay alice bob 1 usd --server http://127.0.0.1:${port}/v2`);
    way.close();
    expect([code, err]).toEqual([
      7,
      expect.stringMatching(/send it again with --handle pay-\w+, which makes it once\.\n$/),
    ]);
  });

  test('a rejected one ends with 1 and the reason', async () => {
    const { cs } = await newPayer();
    const { code, out } = await cs('pay alice bob 100.01 usd --handle much');
    expect(code).toBe(1);
    expect(out).toMatch(/much is rejected: core\.insufficient-balance: .+\n$/);
  });

  test('a dry run tells what would come of it, and stores nothing', async () => {
    const { cs } = await newPayer();
    const good = await cs('pay alice bob 40 usd --dry-run');
    expect([good.code, rowOf(good, 'alice')?.at(-1)]).toEqual([0, '60.00']);
    const bad = await cs('pay alice bob 400 usd --dry-run');
    expect([bad.code, bad.out]).toEqual([1, expect.stringContaining('core.insufficient-balance')]);
    expect(rowOf(await cs('wallet alice'), 'available')?.at(-1)).toBe('100.00');
  });

  test('what waits for a signature has not ended, and ends with 0 only when that is wanted', async () => {
    const { cs } = await newPayer();
    const values = [{ status: 'committed', quorum: [{ public: newKey().public }] }];
    const policy = { handle: 'eyes', schema: 'status', record: 'intent', values };
    await cs(`post policies '${JSON.stringify(policy)}'`);
    const waiting = await cs('pay alice bob 1 usd --no-wait --handle w');
    expect([waiting.code, linesOf(waiting).at(-1)]).toEqual([0, 'w is pending.']);
    const late = await cs('pay alice bob 1 usd --wait 1 --handle v');
    expect([late.code, late.out]).toEqual([1, expect.stringContaining('v is pending. It goes on')]);
  });
});

describe('records', () => {
  test('are made, changed, stated on and ended by their paths', async () => {
    const { cs, folder } = await newUser();
    const path = join(folder, 'data.json');
    writeFileSync(path, '{"handle": "carol", "custom": {"city": "Bern"}}');
    expect((await cs(`post wallets @${path}`)).out).toContain('{"city":"Bern"}');
    const changed = await cs(`put wallets/carol '{"schema": "savings", "custom": null}' --json`);
    expect(JSON.parse(changed.out).data).toEqual({
      handle: 'carol',
      schema: 'savings',
      parent: expect.any(String),
    });
    const stated = await cs('prove wallets/carol --status inactive');
    expect(rowOf(stated, 'status')).toEqual(['status', 'inactive']);
    const labels = `prove wallets/carol --custom '{"labels": {"$push": "vip"}}' --json`;
    expect(JSON.parse((await cs(labels)).out).meta.labels).toEqual(['vip']);
    expect(await cs('drop wallets/carol')).toMatchObject({ out: 'wallets/carol is dropped.\n' });
    const gone = await cs('get wallets/carol');
    expect(gone).toMatchObject({ code: 6, out: '' });
    expect(gone.err).toBe('GET /wallets/carol: record.not-found: Wallet not found\n');
  });

  test('are listed by filters, a number of them or all', async () => {
    const { cs } = await newUser();
    const names = Array.from({ length: 23 }, (_, index) => `w${index}`);
    for (const handle of names)
      await cs(`post wallets '{"handle": "${handle}", "schema": "many"}'`);
    await cs('wallet create other');
    const filter = '--query data.schema=many';
    const page = await cs(`list wallets ${filter}`);
    expect([linesOf(page).length, page.err]).toEqual([22, expect.stringContaining('more')]);
    expect(linesOf(await cs(`list wallets ${filter} --limit 3`)).length).toBe(5);
    const all = await cs(`list wallets ${filter} --all --json`);
    const handles = JSON.parse(all.out).data.map(
      (one: { data: { handle: string } }) => one.data.handle,
    );
    expect([handles.sort(), all.err]).toEqual([names.sort(), '']);
    expect((await cs('list wallets --all --limit 3')).code).toBe(2);
  });

  test('that are deliveries are listed by what a reader looks for, and not with their events', async () => {
    const { cs } = await newUser();
    const gone = JSON.stringify({
      ...{ handle: 'gone', signal: 'wallet-created' },
      action: { schema: 'webhook', endpoint: `http://127.0.0.1:${await lastingPort()}/` },
    });
    expect(await cs(`post effects '${gone}'`)).toMatchObject({ code: 0 });
    await cs('wallet create carol');
    const tried = async () => (await cs('list effects/gone/events --query meta.status=failed')).out;
    await until('an attempt has failed', async () => (await tried()).includes('evt_'));
    const [head = '', , row = '', ...others] = (await tried()).trimEnd().split('\n');
    const columns = ['handle', 'signal', 'subject', 'status', 'last answer'];
    expect(head.split(/ {2,}/)).toEqual([...columns, 'moment (UTC)', 'attempts']);
    expect(row.split(/ {2,}/)).toEqual([
      ...[expect.stringMatching(/^evt_/), 'wallet-created', 'carol', 'failed'],
      ...['refused delivery.target-unreachable', expect.stringMatching(/^2/)],
      expect.stringMatching(/^\d$/),
    ]);
    expect(others).toEqual([]);
  });

  test('a key hands over to the new one of its signer', async () => {
    const { cs, folder } = await newUser();
    const next = keyFileIn(folder, 'next.key');
    const keyIn = async (file: string) => (await cs(`key ${file}`)).out.trim();
    const [own, other] = [await keyIn(join(folder, 'default.key')), await keyIn(next)];
    const data = { handle: 'ann', format: 'ed25519-raw', public: own };
    expect(await cs(`post signers '${JSON.stringify(data)}'`)).toMatchObject({ code: 0 });
    const after = await cs(`put signers/ann '{"public": "${other}"}' --hand-over --json`);
    expect(JSON.parse(after.out).meta.predecessors).toEqual([own]);
    const again = await cs(`put signers/ann '{"public": "${own}"}' --hand-over --key ${next}`);
    expect([again.code, again.err]).toEqual([6, expect.stringContaining('has handed over before')]);
  });

  test.each([
    ['get ../ledger', 'no path'],
    ['get wallets//alice', 'no path'],
    ['get wallets --query nonsense', 'name=value'],
    ['list ledger', 'no list'],
    ['get ledger --limit 1', 'unknown option'],
    ['post wallets nonsense', 'no JSON'],
    ['post wallets []', 'no JSON object'],
    ['post wallets @missing.json', 'cannot be read'],
    ['post intents/x/proofs {}', 'countersign prove'],
    ['post wallets/x/drop {}', 'countersign drop'],
    ['put wallets {}', 'is a list'],
    ['put signers/ann {} --hand-over', 'needs the new key'],
    ['prove wallets/alice', '--status'],
    ['list wallets --limit 0', 'a whole number from 1'],
    ['pay alice bob', 'missing required argument'],
    ['statement alice usd --from yesterday', '--from must be'],
    ['get wallets --server nonsense', '--server must be'],
    ['get wallets --trust nonsense', '--trust must be'],
    ['get wallets --key missing.key', 'missing.key'],
    ['get wallets --profile none', "no profile 'none'"],
    ['completion tcsh', 'bash, zsh, fish'],
  ])('%s is misused: %s', async (line, why) => {
    const { cs } = await newUser();
    const { code, out, err } = await cs(line);
    expect([code, out, err]).toEqual([2, '', expect.stringContaining(why)]);
  });

  test('hostile text does nothing to a terminal', async () => {
    const { cs } = await newUser();
    const custom = { note: '\u001b[2J\u009b31m\u202eevil\r\n' };
    await cs(`post wallets '${JSON.stringify({ handle: 'alice', custom })}'`);
    for (const flag of ['', ' --json']) {
      const { out } = await cs(`get wallets/alice${flag}`);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the point.
      expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
      expect(out).toContain('evil');
    }
    expect(JSON.parse((await cs('get wallets/alice --json')).out).data.custom).toEqual(custom);
  });

  test('a path names the same record, encoded or not', () => {
    expect(targetOf('/wallets/svgs:1001@blue').path).toBe('/wallets/svgs%3A1001%40blue');
    expect(targetOf('wallets/a%2Fb').path).toBe('/wallets/a%2Fb');
    const { path, query } = targetOf('wallets/alice/balances?moment=x', ['a.$in=1', 'a.$in=2=3']);
    expect([path, query]).toEqual([
      '/wallets/alice/balances',
      { moment: ['x'], 'a.$in': ['1', '2=3'] },
    ]);
  });
});

describe('amounts', () => {
  test('become units and text again, exactly', () => {
    const amount = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 15 }), (units, digits) => {
        const factor = 10 ** digits;
        const text = amountText(units, 'usd', new Map([['usd', factor]]));
        expect(money('usd', factor)(text).amount).toBe(units);
      }),
    );
  });

  test.each(['25.555', '0', '-1', '1e3', '1,50', 'ten', '90071992547409.92', ''])(
    '%j is refused, and nothing is sent',
    async (amount) => {
      const { cs } = await newPayer();
      expect(await cs(`pay alice bob '${amount}' usd`)).toMatchObject({ code: 2, out: '' });
      expect(JSON.parse((await cs('list intents --json')).out).data).toHaveLength(1);
    },
  );

  test('beyond 2^53 are exact in tables and in JSON', async () => {
    const { cs } = await newUser();
    await cs('symbol create wei --factor 1000');
    await cs('wallet create alice');
    const most = '9007199254740.991';
    for (const _ of [1, 2, 3]) expect((await cs(`issue alice ${most} wei`)).code).toBe(0);
    expect(rowOf(await cs('wallet alice'), 'available')?.at(-1)).toBe('27021597764222.973');
    expect((await cs('get wallets/alice/balances --json')).out).toContain(
      '"amount":27021597764222973,',
    );
  });
});

test('--json prints one document, and nothing beside it', async () => {
  const { cs } = await newPayer();
  for (const line of [
    'get wallets/alice',
    'list wallets',
    'list wallets --all',
    'wallet alice',
    'wallet',
    'symbol usd',
    'wallet create carol',
    'pay alice bob 1 usd',
    'pay alice bob 1 usd --dry-run',
    'issue alice 1 usd',
    'statement alice usd',
    'statement alice',
    'verify wallets/alice',
    'profile list',
    'drop wallets/carol',
  ]) {
    const { out, err, code } = await cs(`${line} --json`);
    expect([line, code, err, linesOf({ out, err, code }).length]).toEqual([line, 0, '', 1]);
    JSON.parse(out);
  }
});

describe('the ledger of a command', () => {
  test('is that of its option, then of the environment, then of the profile', async () => {
    const { cs, ledger, folder } = await newUser();
    const { ledger: second } = await newUser();
    const { ledger: third } = await newUser();
    const seen = async (line: string, more: Readonly<Record<string, string>>) =>
      JSON.parse((await cs(`${line} --json`, more)).out).data.handle;
    await cs(`profile set one --ledger ${ledger}`, { COUNTERSIGN_SERVER: '' });
    await cs(`profile set two --server ${home.url} --ledger ${second}`);
    const bare = { COUNTERSIGN_LEDGER: '' };
    expect(await seen('get ledger', bare)).toBe(ledger);
    expect(await seen('get ledger', { ...bare, COUNTERSIGN_PROFILE: 'two' })).toBe(second);
    expect(await seen('get ledger --profile two', { ...bare, COUNTERSIGN_PROFILE: 'one' })).toBe(
      second,
    );
    expect(await seen('get ledger --profile two', {})).toBe(ledger);
    expect(await seen(`get ledger --ledger ${third}`, {})).toBe(third);
    const own = { ...bare, COUNTERSIGN_SERVER: '', SERVER: home.url };
    expect(await seen('get ledger', own)).toBe(ledger);
    const wrong = { COUNTERSIGN_SERVER: nobody, COUNTERSIGN_PROFILE: 'two' };
    expect((await cs('get ledger', wrong)).code).toBe(7);
    expect(readdirSync(folder).sort()).toEqual(['config.json', 'default.key']);
    expect(statSync(join(folder, 'config.json')).mode & 0o777).toBe(0o600);
  });

  test('is written to with a key only', async () => {
    const { cs } = await newUser();
    const { code, err } = await cs('wallet create alice', { COUNTERSIGN_CONFIG: newFolder() });
    expect([code, err]).toEqual([2, expect.stringContaining('`countersign key`')]);
  });

  test('that is closed is read with the key of its owner', async () => {
    const { cs, ledger } = await newUser();
    const own = `${ledger}-own`;
    expect((await cs(`post ledgers '{"handle": "${own}"}'`, { COUNTERSIGN_LEDGER: '' })).code).toBe(
      0,
    );
    expect((await cs(`list wallets --ledger ${own}`)).code).toBe(0);
    const stranger = { COUNTERSIGN_CONFIG: newFolder() };
    const { code, err } = await cs(`list wallets --ledger ${own}`, stranger);
    expect([code, err]).toEqual([6, expect.stringContaining('auth.unauthorized')]);
  });

  test('that does not answer ends with 7, and the way to start one', async () => {
    const { cs } = await newUser();
    const { code, out, err } = await cs(`get wallets/alice --server ${nobody}`);
    expect([code, out]).toEqual([7, '']);
    expect(err).toBe(`No ledger answers at ${nobody}. Start one with \`countersign start\`.\n`);
  });

  test('that is sought without the path of its address ends with 7, and the path', async () => {
    const { cs } = await newUser();
    const server = new URL(home.url).origin;
    const { code, out, err } = await cs(`get wallets/alice --server ${server}`);
    const said = `The server at ${server} has no ledger there: a base address ends with /v2.\n`;
    expect([code, out, err]).toEqual([7, '', said]);
  });

  test('that the server does not host is named', async () => {
    const { cs } = await newUser();
    const { code, err } = await cs('get wallets/alice --ledger nope');
    expect([code, err]).toEqual([6, expect.stringContaining(": 'nope' (--ledger).")]);
  });

  test('that answers with another key than the trusted one ends with 8', async () => {
    const { cs } = await newUser();
    const other = newKey().public;
    const { code, out, err } = await cs(`get ledger --trust ${other}`);
    expect([code, out, err]).toEqual([8, '', expect.stringContaining(`${other} (--trust)`)]);
    expect((await cs('get ledger', { COUNTERSIGN_TRUST: other })).code).toBe(8);
  });
});

describe('a profile', () => {
  test('keeps the key of its ledger, and refuses another', async () => {
    const { cs, ledger, folder } = await newUser();
    const { ledger: second } = await newUser();
    await cs(`profile set a --server ${home.url} --ledger ${ledger}`);
    const path = join(folder, 'config.json');
    const stored = JSON.parse(readFileSync(path, 'utf8'));
    const trust = newKey().public;
    stored.profiles.a.trust = trust;
    writeFileSync(path, JSON.stringify(stored));
    const bare = { COUNTERSIGN_SERVER: '', COUNTERSIGN_LEDGER: '' };
    const refused = await cs('get ledger', bare);
    expect([refused.code, refused.err]).toEqual([8, expect.stringContaining('(profile a)')]);
    // Setting another member does not replace it in silence, and the key of another ledger is its own.
    await cs(`profile set a --key ${join(folder, 'default.key')}`, bare);
    expect((await cs('get ledger', bare)).code).toBe(8);
    expect((await cs(`get ledger --ledger ${second}`, bare)).code).toBe(0);
    await cs(`profile set a --ledger ${second}`, bare);
    expect((await cs('get ledger', bare)).code).toBe(0);
  });

  test('is used, listed and dropped by its name', async () => {
    const { cs } = await newUser();
    await cs(`profile set a --server ${home.url}`);
    const silent = await cs(`profile set b --server ${nobody}`);
    expect([silent.code, silent.out]).toEqual([0, expect.stringContaining('not known yet')]);
    await cs('profile use b');
    expect(rowOf(await cs('profile list'), 'b *')?.slice(0, 2)).toEqual(['b *', nobody]);
    await cs('profile drop b');
    expect(JSON.parse((await cs('profile list --json')).out)).toEqual({
      profiles: { a: { server: home.url, trust: expect.any(String) } },
    });
    expect((await cs('profile use b')).code).toBe(2);
    expect((await cs('profile set ../b')).code).toBe(2);
  });

  test('file that is damaged is named, and left as it is', async () => {
    const { cs, folder } = await newUser();
    const path = join(folder, 'config.json');
    writeFileSync(path, '{"profiles": {"a": {"servr": "x"}}}');
    const { code, err } = await cs('get ledger');
    expect([code, err]).toEqual([4, expect.stringContaining(path)]);
    expect((await cs('profile set b')).code).toBe(4);
    expect(readFileSync(path, 'utf8')).toContain('servr');
  });
});

describe('verify', () => {
  test('a record in a file is proven, and one that was changed is not', async () => {
    const { cs, folder } = await newPayer();
    await cs('pay alice bob 25.50 usd --handle rent');
    const path = join(folder, 'rent.json');
    const { out: text } = await cs('get intents/rent --json');
    writeFileSync(path, text);
    const believed = await cs(`verify ${path}`);
    expect([believed.code, believed.out]).toEqual([0, expect.stringContaining('believed from')]);
    const trust = JSON.parse((await cs('get signers/system --json')).out).data.public;
    // With a trusted key nobody is asked.
    const offline = { COUNTERSIGN_SERVER: nobody };
    expect(await cs(`verify ${path} --trust ${trust}`, offline)).toMatchObject({
      code: 0,
      err: '',
    });
    expect((await cs(`verify ${path} --trust ${newKey().public}`, offline)).code).toBe(1);
    expect((await cs(`verify ${path}`, offline)).code).toBe(7);
    for (const [from, to] of [
      ['2550', '2551'],
      ['"status":"committed"', '"status":"aborted"'],
      [/"status":"completed"\}\}\s*$/, '"status":"rejected"}}'],
    ] as const) {
      const changed = text.replace(from, to);
      expect(changed).not.toBe(text);
      writeFileSync(path, changed);
      const { code, out } = await cs(`verify ${path} --trust ${trust}`, offline);
      expect([code, out]).toEqual([1, expect.stringMatching(/✗[\s\S]*NOT proven\.\n$/)]);
    }
  });

  test.each([
    ['verify missing.json', 'cannot be read'],
    ['verify missing.ndjson', 'no file'],
    ['verify missing.ndjson --ledger main', '--ledger has no meaning'],
  ])('%s is misused: %s', async (line, why) => {
    const { cs } = await newUser();
    const { code, err } = await cs(line);
    expect([code, err]).toEqual([2, expect.stringContaining(why)]);
  });
});

describe('completion', () => {
  test('of bash offers commands, options and profiles', async () => {
    const { cs, folder } = await newUser();
    await cs(`profile set work --server ${nobody}`);
    await cs(`profile set worn --server ${nobody}`);
    const { out: script } = await cs('completion bash');
    const bin = resolve('localstack/countersign.mjs');
    const offered = (...words: readonly string[]) => {
      const shell = [
        `countersign() { '${process.execPath}' '${bin}' "$@"; }`,
        script,
        `COMP_WORDS=(countersign ${words.map((word) => `'${word}'`).join(' ')})`,
        `COMP_CWORD=${words.length}`,
        '_countersign',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the shell.
        'printf "%s\\n" "${COMPREPLY[@]}"',
      ].join('\n');
      const env = { ...process.env, COUNTERSIGN_CONFIG: folder };
      return execFileSync('bash', ['-c', shell], { env, encoding: 'utf8' }).trim().split('\n');
    };
    expect(offered('sta')).toEqual(expect.arrayContaining(['start', 'statement']));
    expect(offered('pay', 'alice', '--dr')).toEqual(['--dry-run']);
    expect(offered('get', 'wallets', '--profile', 'w')).toEqual(['work', 'worn']);
    expect(offered('profile', 'use', '')).toEqual(['work', 'worn']);
    expect(offered('list', 'sy')).toEqual(['symbols']);
  });

  test.each(['zsh', 'fish'])('of %s asks the command for its words', async (shell) => {
    const { cs } = await newUser();
    expect((await cs(`completion ${shell}`)).out).toContain('countersign __complete -- ');
  });
});

test.each([
  ...[
    'get',
    'list',
    'post',
    'put',
    'drop',
    'prove',
    'sign',
    'token',
    'pay',
    'issue',
    'wallet',
    'wallet create',
  ],
  ...['symbol', 'symbol create', 'statement', 'verify', 'completion'],
  ...['profile', 'profile set', 'profile list', 'profile use', 'profile drop'],
])('%s --help has examples and ends with 0', async (command) => {
  const { code, out } = await ran([...command.split(' '), '--help']);
  expect([code, out]).toEqual([0, expect.stringMatching(/Examples:\n {2}.*countersign /)]);
});
