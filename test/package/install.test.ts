/** The package, as somebody meets it: packed, installed into an empty folder, started and used from there. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { python } from '../fixture/python.ts';

const root = resolve('.');
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const folder = mkdtempSync(join(tmpdir(), 'countersign-package-'));
const home = join(folder, 'home');
const modules = join(folder, 'node_modules');
let ledger: Running;

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface Running {
  readonly url: string;
  /** Everything that it has printed. */
  readonly said: () => string;
  readonly child: ChildProcess;
}

/**
 * Runs a program in the folder, with a configuration of its own. The tests go on meanwhile: one that is blocked does not
 * see that the ledger closed a connection, and sends its next request into it.
 */
async function run(
  program: string,
  words: readonly string[],
  env: Record<string, string> = {},
): Promise<Ended> {
  const child = spawn(program, words, {
    cwd: folder,
    env: { ...withoutNpm(), COUNTERSIGN_CONFIG: home, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, out, err };
}

/** What npm adds to the environment of a script, but for how it reaches a registry; and what vitest adds. */
const ofScripts =
  /^(npm_(?!config_(registry|cache|userconfig|globalconfig|cafile|https?-proxy)$)|NODE_OPTIONS|VITEST)/;

function withoutNpm(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !ofScripts.test(name));
  return { ...Object.fromEntries(own), npm_config_update_notifier: 'false' };
}

const countersign = (...words: string[]): Promise<Ended> =>
  run(process.execPath, [join(modules, '.bin', 'countersign'), ...words], {
    SERVER: ledger?.url ?? '',
  });

/** Runs a module of somebody who uses the package. */
function script(name: string, content: string): Promise<Ended> {
  writeFileSync(join(folder, name), content);
  return run(process.execPath, [name], { SERVER: ledger.url });
}

/** The blocks of TypeScript of a document. */
function blocksOf(path: string): string[] {
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block = '']) => block);
}

const command = [process.execPath, join(modules, '.bin', 'countersign')];

/** Starts the ledger, and waits until it is ready. Its process leads a group, in which npx has its children. */
async function start([program = '', ...words]: readonly string[] = command): Promise<Running> {
  const child = spawn(program, [...words, 'start'], {
    cwd: folder,
    detached: true,
    env: { ...withoutNpm(), PORT: '0', LEDGER_DATA: 'data', LEDGER_LOG: 'error' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += String(chunk);
    });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`It ended with ${code}: ${said}`);
  });
  const ready = async (): Promise<string> => {
    for (;;) {
      const [, url] = /ready at (\S+)/.exec(said) ?? [];
      if (url) return url;
      await once(child.stdout, 'data');
    }
  };
  const url = await Promise.race([ready(), ended]);
  ended.catch(() => {});
  return { url, child, said: () => said };
}

/** Ends the group of a ledger. npx may end before its children. */
async function end({ child }: Running, signal: NodeJS.Signals): Promise<number | null> {
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const closed = once(child, 'close');
  process.kill(-(child.pid as number), signal);
  const [code] = await ended;
  await closed;
  return code;
}

/** The errors of npm when no registry answers it. */
const offline = /ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENOTCACHED/;

/** Installs as npm does. Without a registry the package is unpacked, and takes the dependencies of the clone. */
async function install(tarball: string): Promise<void> {
  const { code, err } = await run('npm', [
    'install',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--fetch-retries=0',
    tarball,
  ]);
  if (code === 0) return;
  expect(err).toMatch(offline);
  process.stderr.write('No registry answers: the dependencies are those of the clone.\n');
  const own = join(modules, 'countersign');
  for (const path of [own, join(modules, '.bin')]) mkdirSync(path, { recursive: true });
  expect(await run('tar', ['xzf', tarball, '--strip-components=1', '-C', own])).toMatchObject({
    code: 0,
  });
  symlinkSync(join(root, 'node_modules'), join(own, 'node_modules'));
  symlinkSync('../countersign/localstack/countersign.mjs', join(modules, '.bin', 'countersign'));
}

beforeAll(async () => {
  mkdirSync(home);
  const packed = spawnSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    encoding: 'utf8',
    env: withoutNpm(),
  });
  expect(packed).toMatchObject({ status: 0 });
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  await install(join(folder, `countersign-${version}.tgz`));
  ledger = await start(['npx', 'countersign']);
});

afterAll(async () => {
  if (ledger?.child.exitCode === null) await end(ledger, 'SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

describe('an installed package', () => {
  test('brings nothing that only tests, CDK or benches need', () => {
    const found = readdirSync(modules);
    const others = [
      'aws-cdk-lib',
      'constructs',
      'esbuild',
      'tsx',
      'typescript',
      'vitest',
      '@biomejs',
      '@minka',
    ];
    expect(found.filter((name) => others.includes(name))).toEqual([]);
    const all = readdirSync(join(modules, 'countersign'), { recursive: true }).map(String);
    const own = all.filter((path) => !path.startsWith('node_modules'));
    expect(own.filter((path) => /\.ts$/.test(path) && !/\.d\.ts$/.test(path))).toEqual([]);
    expect(own.filter((path) => /(^|\/)test\//.test(path))).toEqual([]);
  });

  test('has the command', async () => {
    expect(await countersign('--version')).toEqual({ code: 0, out: `${version}\n`, err: '' });
    expect((await countersign('--help')).out).toContain('countersign [options] [command]');
    expect(await countersign('strat')).toMatchObject({ code: 2, out: '' });
  });

  test('serves the console, which was built with it', async () => {
    const parts = ['console', 'console/app.js', 'console/app.css'];
    const answers = await Promise.all(parts.map((part) => fetch(`${ledger.url}/${part}`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const [page, code] = await Promise.all(answers.map((answer) => answer.text()));
    expect(page).toContain('src="console/app.js"');
    expect(code?.length).toBeGreaterThan(50_000);
  });

  test('pays with the command, and proves the payment', async () => {
    expect((await countersign('key')).err).toContain('default.key');
    const said = [
      await countersign('key'),
      await countersign('symbol', 'create', 'gbp', '--factor', '100'),
      await countersign('wallet', 'create', 'carol'),
      await countersign('wallet', 'create', 'dave'),
      await countersign('issue', 'carol', '100', 'gbp'),
      await countersign('pay', 'carol', 'dave', '25.50', 'gbp', '--handle', 'order-1'),
      await countersign('pay', 'carol', 'dave', '25.50', 'gbp', '--handle', 'order-1', '--json'),
    ];
    expect(said.map(({ code, err }) => [code, err])).toEqual(said.map(() => [0, '']));
    expect(said.at(-2)?.out).toMatch(/^order-1 is completed\.$/m);
    expect(JSON.parse(said.at(-1)?.out ?? '')).toMatchObject({ meta: { status: 'completed' } });
    const [, key = ''] = /key (\S+),/.exec(ledger.said()) ?? [];
    const proven = await countersign('verify', 'intents/order-1', '--trust', key);
    expect(proven).toMatchObject({ code: 0, out: expect.stringMatching(/^Proven\.$/m) });
    expect((await countersign('wallet', 'dave')).out).toMatch(/25\.50$/m);
    const poor = await countersign('pay', 'dave', 'carol', '25.51', 'gbp');
    expect(poor).toMatchObject({ code: 1, out: expect.stringContaining('core.') });
  });

  test.skipIf(python === undefined)('pays with the client for Python that it brings', async () => {
    const text = `
from countersign import Key, connect, issue, money, transfer
import os
jpy = money("jpy", 1)
ledger = connect(os.environ["SERVER"], signer=Key.new())
ledger.create("/symbols", {"handle": "jpy", "factor": 1})
for handle in ["emi", "fumi"]:
    ledger.create("/wallets", {"handle": handle})
ledger.pay(issue("emi", jpy("100")))
print(ledger.pay(transfer("emi", "fumi", jpy("60")))["meta"]["status"])
`;
    const own = join(modules, 'countersign', 'shared', 'client', 'python');
    const ended = await run(python ?? '', ['-c', text], { SERVER: ledger.url, PYTHONPATH: own });
    expect(ended).toEqual({ code: 0, out: 'completed\n', err: '' });
  });

  test('verifies a record offline, as a library', async () => {
    const record = (await countersign('get', 'wallets/carol', '--json')).out;
    const { code, out, err } = await script(
      'verify.mjs',
      `import { parseExactly, verifyRecord } from 'countersign/verify';
       const text = ${JSON.stringify(record)};
       const [, trust] = /key (\\S+),/.exec(${JSON.stringify(ledger.said())});
       console.log(verifyRecord(parseExactly(text), { trust }).isProven);
       console.log(verifyRecord(parseExactly(text.replace('carol', 'karol')), { trust }).isProven);`,
    );
    expect({ code, out, err }).toEqual({ code: 0, out: 'true\nfalse\n', err: '' });
  });

  test('pays with the client, as its manual shows', async () => {
    const [first = ''] = blocksOf('shared/client/README.md');
    const { code, out, err } = await script(
      'pay.mjs',
      first.replace('http://127.0.0.1:3000/v2', ledger.url),
    );
    expect({ code, out, err }).toEqual({ code: 0, out: 'completed\n', err: '' });
  });

  test('has types that a strict compiler takes, for all that the manual of the client shows', async () => {
    const blocks = blocksOf('shared/client/README.md');
    const text = blocks.join('\n');
    const imported = text.match(/^import .*$/gm) ?? [];
    const bodies = blocks.map((block) => block.replaceAll(/^import .*$/gm, ''));
    const given = `declare const server: string, ledgerKey: string, auditorKey: string;
      declare const kms: { sign(message: Uint8Array): Promise<Uint8Array> };
      declare const app: { post(path: string, handle: (request: { headers: Record<string, string>; rawBody: string }, response: { status(code: number): { end(): void } }) => Promise<void>): void };`;
    const wrong = `// @ts-expect-error: no wallet has such a member.
      await ledger.create('/wallets', { handel: 'alice' });`;
    const [first = '', ...rest] = bodies;
    const typed = [
      ...imported,
      "import type { WebhookEvent } from 'countersign/webhook';",
      given,
      first,
      wrong,
      ...rest.map((body) => `{ ${body} }`),
    ];
    writeFileSync(join(folder, 'typed.ts'), typed.join('\n'));
    const options = { module: 'nodenext', target: 'es2022', strict: true, noEmit: true, types: [] };
    const config = { compilerOptions: options, files: ['typed.ts'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    expect(await run(process.execPath, [compiler, '-p', '.'])).toEqual({
      code: 0,
      out: '',
      err: '',
    });
  });

  test('is a stack for an app with CDK, and needs no compiler for it', async () => {
    for (const name of ['aws-cdk-lib', 'constructs'])
      symlinkSync(join(root, 'node_modules', name), join(modules, name));
    const { code, out, err } = await script(
      'app.mjs',
      `import { App } from 'aws-cdk-lib';
       import { Countersign } from 'countersign/cdk';
       const app = new App({ outdir: 'cdk.out' });
       new Countersign(app, 'Ledger', { access: 'open' });
       const { template } = app.synth().getStackByName('Ledger');
       const kinds = Object.values(template.Resources).map(({ Type }) => Type);
       console.log(kinds.filter((kind) => kind === 'AWS::DynamoDB::Table').length, kinds.includes('AWS::Lambda::Function'));`,
    );
    expect({ code, out, err }).toEqual({ code: 0, out: '1 true\n', err: '' });
    const bundles = readdirSync(join(modules, 'countersign', 'dist', 'bundles'));
    expect(bundles).toEqual(expect.arrayContaining(['wallets', 'intents', 'relay']));
  });

  test('serves the reference ready-made, with what its pages load', async () => {
    const page = await fetch(`${ledger.url}/docs`);
    const content = await page.text();
    expect([page.status, content.includes('recipes/hold')]).toEqual([200, true]);
    const loaded = [...content.matchAll(/(?:src|href)="(docs\/assets\/[^"]+)"/g)].map(
      ([, path]) => path,
    );
    expect(loaded).toHaveLength(3);
    for (const path of loaded) expect((await fetch(`${ledger.url}/${path}`)).status).toBe(200);
    const site = join(modules, 'countersign', 'dist', 'shared', 'reference', 'site');
    expect(existsSync(site)).toBe(false);
  });

  test('stops with SIGTERM, survives kill -9, and keeps what was answered', async () => {
    await end(ledger, 'SIGTERM');
    ledger = await start();
    expect(await end(ledger, 'SIGTERM')).toBe(0);
    ledger = await start();
    await end(ledger, 'SIGKILL');
    ledger = await start();
    const wallet = await script(
      'get.mjs',
      `import { connect } from 'countersign/client';
       const ledger = await connect(process.env.SERVER);
       console.log((await ledger.get('/wallets/{id}', { path: { id: 'bob' } })).data.handle);`,
    );
    expect(wallet).toEqual({ code: 0, out: 'bob\n', err: '' });
  });
});
