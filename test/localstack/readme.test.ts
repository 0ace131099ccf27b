/**
 * Goal: the blocks of the front page and of the pages of its first steps can be pasted, one after the other, into a fresh clone, and no link of a document
 * is broken. Method: each block runs in a shell of its own, as in a terminal; the test waits until a server prints that it is ready.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { freePort } from '../../localstack/runtime/database.ts';
import { until } from '../fixture/receiver.ts';

/** The line that a block prints when it keeps running and is ready. */
const ready: readonly (readonly [command: RegExp, line: RegExp])[] = [
  [/npm start$/, /^Countersign is ready/m],
  [/npm run listen/, /^Listening on port/m],
  [/npm run bridge/, /: ready at http/m],
];
const kept = ['.countersign', '.closed', 'owner.key'];

const folder = freshClone();
const running: ChildProcess[] = [];
const said = new Map<string, string>();
const ports = new Map<string, number>();

afterAll(async () => {
  for (const child of running.reverse()) {
    const ended = once(child, 'exit');
    if (child.exitCode !== null) continue;
    process.kill(-(child.pid as number), 'SIGTERM');
    await ended;
  }
  rmSync(folder, { recursive: true });
});

/** The project after checkout and `npm ci`, in a new folder. */
function freshClone(): string {
  const path = mkdtempSync(join(tmpdir(), 'countersign-clone-'));
  for (const name of readdirSync('.'))
    if (!kept.includes(name)) symlinkSync(resolve(name), join(path, name));
  return path;
}

/** The shell blocks of a document or of one of its sections, with ports that are free on this machine. */
async function blocksOf(path: string, heading = ''): Promise<string[]> {
  const text = readFileSync(path, 'utf8');
  const begin = heading === '' ? 0 : text.indexOf(`\n## ${heading}\n`);
  expect(begin).toBeGreaterThanOrEqual(0);
  const end = heading === '' ? text.length : text.indexOf('\n## ', begin + 1);
  const blocks = [...text.slice(begin, end).matchAll(/^```sh\n(.*?)^```$/gms)];
  for (const port of new Set(text.match(/\b(?:300[01]|400[12])\b/g)))
    if (!ports.has(port)) ports.set(port, await freePort());
  return blocks.map(([, block = '']) =>
    block.replace(/\b(?:300[01]|400[12])\b/g, (port) => String(ports.get(port))),
  );
}

/** Runs a block until it ends or is ready; returns its output. */
async function paste(block: string): Promise<string> {
  const port = ports.get('3000') as number;
  const server = `http://127.0.0.1:${port}/v2`;
  const child = spawn('bash', ['-e', '-c', block.replace(/^npm ci\n/m, '')], {
    cwd: folder,
    env: { ...process.env, PORT: String(port), SERVER: server },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  let printed = '';
  const hear = (chunk: Buffer) => {
    printed += chunk;
    said.set(block, printed);
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const line = ready.find(([command]) => command.test(block.trim()))?.[1];
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  const closed = once(child, 'close');
  await until(
    () => `${block} is ready: ${printed}`,
    () => isOver() || (line?.test(printed) ?? false),
  );
  if (line === undefined) await closed;
  expect([block, printed, line ? null : 0]).toEqual([block, printed, child.exitCode]);
  return printed;
}

test('each block of the front page does what it says, in its order', async () => {
  const printed = [];
  const blocks = [
    ...(await blocksOf('README.md')),
    ...(await blocksOf('localstack/bank/README.md', 'Pay from one bank to another')),
  ];
  for (const block of blocks) printed.push(await paste(block));
  expect(printed.join('\n')).toContain('The intent is completed; every proof of it verifies.');
  const proofs = 'created pending resolved resolved prepared committed completed';
  expect(printed.join('\n')).toContain(`completed ${proofs}\n`);
  expect(printed.join('\n')).toMatch(/pay-\w+ is completed\./);
  expect(printed.join('\n')).toMatch(/69500[\s\S]*500/);
  // The listener receives the transfer.
  const heard = () => [...said].find(([block]) => block.includes('listen'))?.[1] ?? '';
  await until('an event is printed', () => /✓ .+ transfer-1 completed/.test(heard()));
});

test('the open ledger is closed by the script of its page, and others are let in', async () => {
  const page = ['localstack/README.md', 'Close a ledger, and let others in'] as const;
  const [owned = '', asked = '', script = ''] = await blocksOf(...page);
  await paste(owned);
  const answered = await paste(asked);
  expect(answered).toContain('The intent is completed; every proof of it verifies.');
  expect(answered).toContain('auth.unauthorized');
  expect(await paste(script)).toContain('POST /wallets: auth.forbidden: Cannot create wallet.\n');
  const block = 'npm run listen -- --key owner.key wallet-created';
  await paste(block);
  const members = `SERVER=http://127.0.0.1:${ports.get('3000')}/v2 npm run quickstart -- owner.key`;
  expect(await paste(members)).toContain('every proof of it verifies.');
  await until('an event is printed', () => /✓ .+wallet-created/.test(said.get(block) ?? ''));
});

/** All Markdown files. */
function documents(): string[] {
  const folders = ['.github', 'functions', 'infra', 'localstack', 'shared', 'test'];
  const below = folders.flatMap((name) =>
    readdirSync(name, { recursive: true, encoding: 'utf8' }).map((path) => join(name, path)),
  );
  return [...readdirSync('.'), ...below].filter((path) => path.endsWith('.md'));
}

/** The text of a document without its code blocks. */
function proseOf(path: string): string {
  return readFileSync(path, 'utf8').replace(/^ *```.*?^ *```$/gms, '');
}

/** The anchors of the headings, as GitHub makes them. */
function anchorsOf(path: string): string[] {
  return [...proseOf(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test.each(documents())('each link of %s leads to a file, and to a heading in it', (path) => {
  const links = [...proseOf(path).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)];
  const broken = links.filter(([, to = '', anchor]) => {
    const target = to === '' ? path : join(dirname(path), to);
    if (!existsSync(target)) return true;
    return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});
