/**
 * Goal: the keys of a running ledger rotate without a gap, for clients that keep the old key and for those that have the
 * new one; what was signed before goes on to verify, and a compromised key is followed by nobody. Method: the command
 * of operators, and a clock that is set. Ruling 99, Decision 116.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createKeyPair } from '@minka/ledger-sdk/crypto/src/index.js';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  connect,
  destroy,
  issue,
  type Ledger,
  LedgerUntrusted,
  ledgerKeysOf,
  money,
  newKey,
  verifyReceipt,
  verifyRecord,
  verifyWebhook,
} from '../../shared/client/client.ts';
import { type Client, clientOf, newKey as newAuthor } from '../fixture/client.ts';
import { setClock } from '../fixture/clock.ts';
import { intentBody } from '../fixture/payment.ts';
import { python } from '../fixture/python.ts';
import { type Arrival, type Receiver, startReceiver, until } from '../fixture/receiver.ts';
import { audit, command, newDataFolder, type Runtime, start } from '../fixture/runtime.ts';
import { errorOf, loose, sdkOf } from '../fixture/sdk.ts';

const minuteMs = 60_000;
/** The longest wait for what a worker does. */
const waitMs = 30_000;
const data = newDataFolder();
const clock = setClock();
const { env } = clock;
const signer = newKey();
const usd = money('usd', 100);
const modes = ['independent', 'atomic'];
const inOrder = { code: 0, said: expect.stringContaining('in order') };

let runtime: Runtime;
let receiver: Receiver;
let pinned: Ledger;
let plain: Client;
let aheadMs = 0;

/** Moves the clock of the runtime and of this process on. */
const True = Date;
const pass = async (ms: number) => {
  aheadMs += ms;
  await clock.set(aheadMs);
};
vi.stubGlobal(
  'Date',
  class extends True {
    constructor(...parts: ConstructorParameters<typeof True> | []) {
      if (parts.length > 0) super(...(parts as [string]));
      else super(True.now() + aheadMs);
    }
    static override now(): number {
      return True.now() + aheadMs;
    }
  },
);

const rotate = async (...words: string[]) => {
  const { code, said } = await command('rotate-key', data, {
    words: ['main', ...words, '--json'],
    env,
  });
  expect([code, said]).toEqual([0, expect.stringContaining('"newest"')]);
  const { newest } = JSON.parse(said.slice(said.indexOf('{'))) as { newest: { public: string } };
  return newest.public;
};
const textAt = async (path: string) => (await fetch(`${runtime.url}${path}`)).text();
const receiptOf = async (handle: string) => {
  let text = '';
  await until(
    `a receipt of ${handle}`,
    async () => {
      text = await textAt(`/intents/${handle}/receipt`);
      return !text.includes('record.not-found');
    },
    waitMs,
  );
  return text;
};
const signaturesIn = async () =>
  (await textAt('/log/checkpoint')).split('\n').filter((line) => line.startsWith('\u2014')).length;
/** Runs a block of the operator's manual, as it is pasted; answers the files that it leaves. */
const pasted = async (block: RegExp): Promise<(name: string) => string> => {
  const [, script = ''] = block.exec(readFileSync('infra/README.md', 'utf8')) ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'countersign-manual-'));
  const main = join(process.cwd(), 'localstack/command/main.ts');
  const loader = pathToFileURL(join(process.cwd(), 'node_modules/tsx/dist/loader.mjs'));
  // In a clone `npx countersign` is this program.
  const npx = `npx() { shift; "${process.execPath}" --import ${loader} "${main}" "$@"; }`;
  await promisify(execFile)('bash', ['-euc', `${npx}\n${script}`], {
    cwd: folder,
    env: { ...process.env, ...env, SERVER: runtime.url, LEDGER_DATA: data },
  });
  return (name) => readFileSync(join(folder, name), 'utf8');
};
/** The webhook about a wallet. */
const arrivalOf = async (wallet: string): Promise<Arrival> => {
  const found = () => receiver.arrivals('/hook').find(({ text }) => text.includes(`"${wallet}"`));
  await until(`a webhook of ${wallet}`, () => found() !== undefined, waitMs);
  return found() as Arrival;
};
/** The public keys of the ledger among the proofs of an answer. */
const signersOf = async (path: string, signer = keys.first) => {
  const { body } = await plain.get(path, { signer });
  return body.meta.proofs.filter(({ origin }) => !origin).map((proof) => proof.public);
};

/** The same for each line of a batch that was stored before, and that of a broken body. */
const signersOfLines = async (mode: string, signer = keys.first) => {
  const lines = mode === 'atomic' ? [stored] : [stored, 'nothing'];
  const { items } = await plain.post('/intents/!batch', { mode, data: lines }, { signer });
  expect(items).toHaveLength(lines.length);
  return items.map(({ meta }) =>
    meta.proofs.filter(({ origin }) => !origin).map((proof) => proof.public),
  );
};

const keys: { first: string; second: string; third: string } = { first: '', second: '', third: '' };
let old: string;
/** The body of an intent from before the rotations. */
const stored = intentBody(['issue alice 1 usd'], newAuthor());

beforeAll(async () => {
  receiver = await startReceiver();
  runtime = await start({ data, env });
  keys.first = runtime.key;
  plain = clientOf(runtime.url, runtime.key);
  pinned = await connect(runtime.url, { signer, trust: keys.first });
  await pinned.create('/symbols', { handle: 'usd', factor: 100 });
  await pinned.create('/wallets', { handle: 'alice' });
  for (const handle of ['before', 'turned'])
    await pinned.pay(issue('alice', usd('10')), { handle });
  await plain.post('/intents', stored);
  const action = { schema: 'webhook', endpoint: receiver.at('/hook') } as const;
  await pinned.create('/effects', { handle: 'hook', signal: 'wallet-created', action });
  old = await receiptOf('before');
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await runtime.stop();
  await receiver.stop();
  clock.remove();
  rmSync(data, { recursive: true });
});

/** What the public client does, which refuses answers without a proof by its key. */
async function expectSdk(key: string, handle: string): Promise<void> {
  const sdk = sdkOf(runtime.url, key);
  expect((await sdk.wallet.read('alice')).wallet.handle).toBe('alice');
  expect((await sdk.intent.read('before')).meta.status).toBe('completed');
  expect((await sdk.wallet.list()).wallets.length).toBeGreaterThan(0);
  const keyPair = await createKeyPair();
  await sdk.wallet.init().data(loose({ handle })).hash().sign([{ keyPair }]).send();
}

/** The key of the ledger for a client in Python that trusts this one; or why there is none. */
async function byPython(trust: string, wallet: string): Promise<string> {
  const script = `
from countersign import LedgerUntrusted, connect
ledger = connect("${runtime.url}", trust="${trust}")
try:
    ledger.get("/wallets/{id}", id="${wallet}")
    print(ledger.key)
except LedgerUntrusted as error:
    print(error)
`;
  return printedBy(script);
}

/** What the client for Python says of a receipt, by this key, and with the signer `system` of today. */
async function judgedByPython(receipt: string, trust: string, today = ''): Promise<string> {
  const script = `
import os
from countersign import LedgerUntrusted, verify_receipt
from countersign.canonical import parse
today = os.environ["TODAY"]
try:
    verify_receipt(os.environ["RECEIPT"], trust="${trust}", signer=parse(today) if today else None)
    print("proven")
except LedgerUntrusted as error:
    print(error)
`;
  return printedBy(script, { RECEIPT: receipt, TODAY: today });
}

/** What a script in Python prints. */
async function printedBy(script: string, more: Record<string, string> = {}): Promise<string> {
  const { stdout } = await promisify(execFile)(python ?? '', ['-c', script], {
    cwd: 'shared/client/python',
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...more },
  });
  return stdout.trim();
}

describe('while the overlap lasts', () => {
  beforeAll(async () => {
    keys.second = await rotate('system');
    await rotate('log');
    // By then every process has read the new key.
    await pass(minuteMs);
  });

  test('all answers have a proof by each of the two keys', async () => {
    const both = [keys.first, keys.second].sort();
    for (const path of [
      '/wallets/alice',
      '/intents/before',
      '/wallets',
      '/nowhere',
      '/signers/log',
      '/ledger',
      '/health',
    ])
      expect([path, [...new Set(await signersOf(path))].sort()]).toEqual([path, both]);
  });

  test.each(modes)('so has each line of an %s batch', async (mode) => {
    for (const line of await signersOfLines(mode))
      expect([...new Set(line)].sort()).toEqual([keys.first, keys.second].sort());
  });

  test('the public client and this one work with the old key and with the new one', async () => {
    await expectSdk(keys.first, 'by-old');
    await expectSdk(keys.second, 'by-new');
    await pinned.pay(issue('alice', usd('1')), { handle: 'between' });
    expect(pinned.key).toBe(keys.first);
    const fresh = await connect(runtime.url, { signer });
    expect(fresh.key).toBe(keys.second);
    const trusting = await connect(runtime.url, { signer, trust: keys.second });
    const intent = await trusting.pay(issue('alice', usd('1')));
    expect(intent.meta.status).toBe('completed');
  });

  test('webhooks have two signatures, and are verified by either key', async () => {
    const arrival = await arrivalOf('by-old');
    expect(String(arrival.headers['webhook-signature']).split(' ')).toHaveLength(2);
    for (const key of [keys.first, keys.second])
      expect(verifyWebhook(arrival.headers, arrival.text, { key }).data.handle).toBe(
        arrival.handle,
      );
  });

  test('a second rotation is refused, and says until when', async () => {
    const { code, said } = await command('rotate-key', data, { words: ['main', 'system'], env });
    expect([code, said]).toEqual([1, expect.stringMatching(/counts until \d{4}-/)]);
  });

  test('receipts from before and after it are verified by either key', async () => {
    const [again, later] = [await receiptOf('before'), await receiptOf('between')];
    await until('two signatures', async () => (await signaturesIn()) === 2, waitMs);
    for (const key of [keys.first, keys.second])
      for (const text of [again, later])
        expect(verifyReceipt(text, { key })).toMatchObject({
          isProven: true,
          faults: [],
          trusts: key,
        });
    expect(verifyReceipt(again).facts.join(' ')).toContain(`an earlier key, ${keys.first}`);
    expect(verifyReceipt(old, { key: keys.first }).isProven).toBe(true);
    const alone = verifyReceipt(old, { key: keys.second });
    expect(alone.faults).toEqual([
      `The receipt is of the ledger with the key ${keys.first}, not of that with ${keys.second}.`,
    ]);
    const system = JSON.parse(await textAt('/signers/system')) as unknown;
    expect(verifyReceipt(old, { key: keys.second, signer: system })).toMatchObject({
      isProven: true,
      faults: [],
    });
    const [receipt, shown] = ['old.json', 'system.json'].map((name) => join(data, name)) as [
      string,
      string,
    ];
    writeFileSync(receipt, old);
    writeFileSync(shown, JSON.stringify(system));
    const judged = (...words: string[]) =>
      command('verify', data, { words: [receipt, '--trust', keys.second, ...words], env });
    expect(await judged()).toMatchObject({ code: 1 });
    expect(await judged('--signer', shown)).toMatchObject({ code: 0 });
    const log = JSON.parse(await textAt('/signers/log')) as unknown;
    expect(verifyReceipt(old, { key: keys.second, signer: log }).isProven).toBe(false);
  });
});

describe('after the overlap', () => {
  beforeAll(async () => {
    await pass(8 * 24 * 60 * minuteMs);
  });

  test('answers have a proof by the new key alone, also of what the old one has signed', async () => {
    for (const path of ['/wallets', '/nowhere'])
      expect(await signersOf(path, keys.second)).toEqual([keys.second]);
    for (const path of ['/wallets/alice', '/intents/before', '/signers/log'])
      expect((await signersOf(path, keys.second)).at(-1)).toBe(keys.second);
    await expectSdk(keys.second, 'by-new-too');
    await errorOf(sdkOf(runtime.url, keys.first).wallet.list());
  });

  test.each(modes)('so have the lines of an %s batch', async (mode) => {
    const [intent, refused] = await signersOfLines(mode, keys.second);
    expect(intent?.at(-1)).toBe(keys.second);
    if (refused) expect(refused).toEqual([keys.second]);
  });

  test('the new key states the status also of an intent of which it has signed the reversal alone', async () => {
    const trusting = await connect(runtime.url, { signer, trust: keys.second });
    await trusting.pay(destroy('alice', usd('10')), { handle: 'undo', reverses: 'turned' });
    const { luid, ...turned } = JSON.parse(await textAt('/intents/turned'));
    const { meta } = turned as { meta: { proofs: { public: string; custom: object }[] } };
    const said = meta.proofs.filter((proof) => proof.public === keys.second);
    expect(said.map(({ custom }) => custom)).toEqual([
      expect.objectContaining({ status: 'reversed', by: 'undo' }),
      { luid, moment: expect.any(String), status: 'completed' },
    ]);
    const judged = (status: string) =>
      verifyRecord({ luid, ...turned, meta: { ...meta, status } }, { trust: keys.second });
    expect(judged('completed')).toMatchObject({ isProven: true, status: 'completed' });
    expect(judged('rejected').isProven).toBe(false);
  });

  test('a client that kept the old key follows the one that it has signed', async () => {
    const late = await connect(runtime.url, { signer, trust: keys.first });
    expect((await late.pay(issue('alice', usd('1')), { handle: 'late' })).meta.status).toBe(
      'completed',
    );
    expect(late.key).toBe(keys.second);
    const other = await connect(runtime.url, { trust: newKey().public });
    await expect(other.get('/wallets/{id}', { path: { id: 'alice' } })).rejects.toThrow(
      /no link leads there/,
    );
  });

  test.skipIf(python === undefined)('so does the client for Python', async () => {
    expect(await byPython(keys.first, 'by-new-too')).toBe(keys.second);
    const late = await receiptOf('late');
    expect(await judgedByPython(old, keys.first)).toBe('proven');
    for (const key of [keys.first, keys.second])
      expect([key, await judgedByPython(late, key)]).toEqual([key, 'proven']);
    expect(await judgedByPython(old, keys.second)).toBe(
      `The receipt is of the ledger with the key ${keys.first}, not of that with ${keys.second}.`,
    );
    const today = await textAt('/signers/system');
    expect(await judgedByPython(old, keys.second, today)).toBe('proven');
  });

  test('webhooks and checkpoints have one signature', async () => {
    const arrival = await arrivalOf('by-new-too');
    expect(String(arrival.headers['webhook-signature']).split(' ')).toHaveLength(1);
    await until('a checkpoint', async () => (await signaturesIn()) === 1, waitMs);
    expect(verifyReceipt(await receiptOf('late'), { key: keys.first }).faults).toEqual([]);
  });
});

describe('a compromised key', () => {
  let before: string;
  beforeAll(async () => {
    before = await receiptOf('late');
    await until('the end of the overlap', async () => (await signaturesIn()) === 1, waitMs);
    const files = await pasted(
      /A ledger's `system` or `log` key is known to others\.[\s\S]*?```sh\n([\s\S]*?)```/,
    );
    const { data: shown } = JSON.parse(files('system.json')) as { data: { public: string } };
    keys.third = shown.public;
    expect(files('before-the-rotation.note')).toContain('countersign/$ldg.');
    expect(files('log.json')).toContain('"compromised"');
    await pass(11 * minuteMs);
  });

  test('is followed by no client, which says so', async () => {
    const kept = await connect(runtime.url, { signer, trust: keys.second });
    const asked = kept.get('/wallets/{id}', { path: { id: 'alice' } });
    await expect(asked).rejects.toThrow(LedgerUntrusted);
    await expect(asked).rejects.toThrow(`${keys.second} was reported as compromised`);
    const system = JSON.parse(await textAt('/signers/system')) as unknown;
    expect(() => ledgerKeysOf(system, keys.first)).toThrow(/reported as compromised/);
    expect(ledgerKeysOf(system, keys.third)).toEqual([keys.third]);
    if (python !== undefined)
      expect(await byPython(keys.second, 'alice')).toContain(
        `${keys.second} was reported as compromised`,
      );
    const told = await connect(runtime.url, { signer, trust: keys.third });
    expect((await told.pay(issue('alice', usd('1')))).meta.status).toBe('completed');
  });

  test('leaves its receipts to those who have the new key, with a warning', async () => {
    const now = await receiptOf('late');
    expect(verifyReceipt(now, { key: keys.second }).isProven).toBe(false);
    const verified = verifyReceipt(now, { key: keys.third });
    expect(verified).toMatchObject({ isProven: true, faults: [] });
    expect(verified.facts.join(' ')).toContain('by then the log had this change.');
    expect(verifyReceipt(before, { key: keys.second }).isProven).toBe(true);
  });
});

test('the ledger is in order, in its table, in an archive, and where that is imported', async () => {
  await runtime.stop();
  expect(await audit(data)).toEqual(inOrder);
  const [file, passphrase, other] = ['main.ndjson', 'passphrase', 'other'].map((name) =>
    join(data, name),
  ) as [string, string, string];
  writeFileSync(passphrase, 'a long enough passphrase');
  const words = ['--out', file, '--with-key', passphrase];
  expect(await command('export', data, { words, env })).toMatchObject({ code: 0 });
  expect(await command('audit', data, { words: [file], env })).toEqual(inOrder);
  const imported = { words: [file, '--passphrase', passphrase], env };
  expect(await command('import', other, imported)).toMatchObject({ code: 0 });
  expect(await command('audit', other, { env })).toEqual(inOrder);
  const again = await start({ data: other, env });
  expect(again.key).toBe(keys.third);
  await again.stop();
});
