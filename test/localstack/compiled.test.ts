/** The command of a clone, compiled at its first run. Decision 151. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { compiler } from '../fixture/compiled.ts';
import { newDataFolder } from '../fixture/runtime.ts';

const { compiledFolder, compiledCommand } = compiler;
const module = pathToFileURL(join(process.cwd(), 'localstack', 'compiled.mjs')).href;
const cacheOf = (root: string) => join(root, 'node_modules', '.cache', 'countersign');
const old = new Date(Date.now() - 86_400_000);

function write(root: string, path: string, text: string): void {
  const target = join(root, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}

function newFolder(): string {
  const folder = newDataFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A clone with a module of each folder. */
function newClone(): string {
  const root = newFolder();
  write(root, 'package.json', '{ "name": "clone", "version": "1.0.0", "type": "module" }');
  write(root, 'functions/one/handler.ts', 'export const one: number = 1;\n');
  write(root, 'functions/one/page.md', 'A page.\n');
  write(root, 'infra/topology.ts', 'export interface Group { readonly name: string }\n');
  write(root, 'shared/sum.ts', 'export const sum = (a: bigint, b: bigint): bigint => a + b;\n');
  const main = [
    "import { readFileSync } from 'node:fs';",
    "import { sum } from '../../shared/sum.ts';",
    "import type { Group } from '../../infra/topology.ts';",
    "const page = readFileSync(new URL('../../functions/one/page.md', import.meta.url), 'utf8');",
    'const group: Group = { name: page.trim() };',
    'export const answer = { group, total: sum(40n, 2n) };',
  ];
  write(root, 'localstack/command/main.ts', `${main.join('\n')}\n`);
  return root;
}

async function answerOf(folder: string): Promise<unknown> {
  const main = pathToFileURL(join(folder, 'localstack', 'command', 'main.js')).href;
  return ((await import(main)) as { readonly answer: unknown }).answer;
}

/** A process that compiles a clone, or runs its command until it is ended. */
function processOf(root: string, name: keyof typeof compiler) {
  const script = `import { ${name} } from ${JSON.stringify(module)};
    await ${name}(${JSON.stringify(root)});
    console.log('done');
    if (${name === 'compiledCommand'}) setInterval(() => {}, 1_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = { text: '' };
  child.stderr.on('data', (chunk: Buffer) => {
    said.text += chunk;
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const end = async () => ({ code: (await ended)[0], said: said.text });
  return { child, end, ready: once(child.stdout, 'data') };
}

/** Compiles a clone in so many states that only those in use are kept of the ones before. */
async function change(root: string): Promise<void> {
  for (let count = 0; count < 5; count += 1) {
    write(root, 'functions/one/page.md', `Page ${count} of ${Math.random()}.\n`);
    await compiledFolder(root);
  }
}

describe('a clone, compiled', () => {
  it('runs its modules, each with what lies beside it', async () => {
    const folder = await compiledFolder(newClone());
    expect(await answerOf(folder)).toEqual({ group: { name: 'A page.' }, total: 42n });
  });

  it('is compiled once for each state of its sources', async () => {
    const root = newClone();
    const first = await compiledFolder(root);
    const main = join(first, 'localstack', 'command', 'main.js');
    const before = readFileSync(main, 'utf8');
    writeFileSync(main, before.replace('40n', '50n'));
    expect(await compiledFolder(root)).toBe(first);
    expect(await answerOf(first)).toMatchObject({ total: 52n });

    write(root, 'shared/sum.ts', 'export const sum = (a: bigint, b: bigint): bigint => a - b;\n');
    const second = await compiledFolder(root);
    expect(second).not.toBe(first);
    expect(await answerOf(second)).toMatchObject({ total: 38n });
    expect(existsSync(first)).toBe(true);
  });

  it('is another one after a file was renamed, or a page was changed', async () => {
    const root = newClone();
    const first = await compiledFolder(root);
    renameSync(join(root, 'infra', 'topology.ts'), join(root, 'infra', 'other.ts'));
    const second = await compiledFolder(root);
    write(root, 'functions/one/page.md', 'Another page.\n');
    const third = await compiledFolder(root);
    expect(new Set([first, second, third]).size).toBe(3);
  });

  it('has no copy of what is no source, as the data of a ledger', async () => {
    const root = newClone();
    const first = await compiledFolder(root);
    write(root, 'localstack/data/master.key', 'A key.\n');
    write(root, 'localstack/.countersign/profile.json', '{}');
    expect(await compiledFolder(root)).toBe(first);
    expect(readdirSync(join(first, 'localstack'))).toEqual(['command']);
  });

  it.each([
    ['is cut off', (main: string) => truncateSync(main, 3)],
    ['is missing', (main: string) => rmSync(main)],
  ])('is compiled again where a file %s', async (_, spoil) => {
    const root = newClone();
    const folder = await compiledFolder(root);
    spoil(join(folder, 'localstack', 'command', 'main.js'));
    expect(await compiledFolder(root)).toBe(folder);
    expect(await answerOf(folder)).toMatchObject({ total: 42n });
  });

  it('is compiled whole by processes that start at a time', async () => {
    const root = newClone();
    const all = Array.from({ length: 3 }, () => processOf(root, 'compiledFolder').end());
    expect(await Promise.all(all)).toEqual(Array(3).fill({ code: 0, said: '' }));
    const [state = '', ...more] = readdirSync(cacheOf(root));
    expect(more).toEqual([]);
    expect(await answerOf(join(cacheOf(root), state))).toMatchObject({ total: 42n });
  });

  it('is compiled where the packages are elsewhere', async () => {
    const root = newClone();
    symlinkSync(newFolder(), join(root, 'node_modules'), 'junction');
    expect(await answerOf(await compiledFolder(root))).toMatchObject({ total: 42n });
  });

  it('leaves nothing behind where a module does not compile, and says where', async () => {
    const root = newClone();
    write(root, 'shared/sum.ts', 'export const sum = ;\n');
    const { code, said } = await processOf(root, 'compiledFolder').end();
    expect(code).toBe(1);
    expect(said).toContain('shared/sum.ts:1:19');
    expect(readdirSync(cacheOf(root))).toEqual([]);
  });

  it('is not, but runs from its sources, where nothing can be written beside the packages', async () => {
    const root = newClone();
    mkdirSync(join(root, 'node_modules'));
    writeFileSync(join(root, 'node_modules', '.cache'), 'No folder.');
    expect(await compiledCommand(root)).toBeUndefined();
  });

  it('keeps the five states that were made last, and no draft that was never ended', async () => {
    const root = newClone();
    const first = await compiledFolder(root);
    const left = join(cacheOf(root), 'draft-left');
    mkdirSync(left);
    utimesSync(left, old, old);
    await change(root);
    const kept = readdirSync(cacheOf(root));
    expect(kept).toHaveLength(5);
    expect(kept).not.toContain('draft-left');
    expect(kept).not.toContain(basename(first));
  });

  it('keeps the modules that a process runs until it has ended', async () => {
    const root = newClone();
    const runner = processOf(root, 'compiledCommand');
    await runner.ready;
    const [state = ''] = readdirSync(cacheOf(root));
    await change(root);
    expect(readdirSync(cacheOf(root))).toContain(state);
    runner.child.kill('SIGKILL');
    await runner.end();
    await change(root);
    expect(readdirSync(cacheOf(root))).not.toContain(state);
  });
});
