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
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { compiledFolder } from '../fixture/compiled.ts';
import { newDataFolder } from '../fixture/runtime.ts';

const compiler = pathToFileURL(join(process.cwd(), 'localstack', 'compiled.mjs')).href;
const cacheOf = (root: string) => join(root, 'node_modules', '.cache', 'countersign');

function write(root: string, path: string, text: string): void {
  const target = join(root, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}

/** A clone with a module of each folder. */
function newClone(): string {
  const root = newDataFolder();
  onTestFinished(() => rmSync(root, { recursive: true }));
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

/** Compiles a clone in a process of its own. */
async function compiledBy(root: string): Promise<{ code: number | null; said: string }> {
  const script = `import { compiledFolder } from ${JSON.stringify(compiler)}; await compiledFolder(${JSON.stringify(root)});`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script]);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
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
    writeFileSync(main, '// Not compiled again.\n');
    expect(await compiledFolder(root)).toBe(first);
    expect(readFileSync(main, 'utf8')).toBe('// Not compiled again.\n');

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

  it('is compiled whole by processes that start at a time', async () => {
    const root = newClone();
    const ends = await Promise.all(Array.from({ length: 3 }, () => compiledBy(root)));
    expect(ends.map(({ code, said }) => [code, said])).toEqual(Array(3).fill([0, '']));
    const [state = '', ...more] = readdirSync(cacheOf(root));
    expect(more).toEqual([]);
    expect(await answerOf(join(cacheOf(root), state))).toMatchObject({ total: 42n });
  });

  it('leaves nothing behind where a module does not compile, and says where', async () => {
    const root = newClone();
    write(root, 'shared/sum.ts', 'export const sum = ;\n');
    const { code, said } = await compiledBy(root);
    expect(code).toBe(1);
    expect(said).toContain('shared/sum.ts:1:19');
    expect(readdirSync(cacheOf(root))).toEqual([]);
  });

  it('keeps the five states that were used last, and no draft that was never ended', async () => {
    const root = newClone();
    const first = await compiledFolder(root);
    const old = new Date(Date.now() - 86_400_000);
    const left = join(cacheOf(root), 'draft-left');
    mkdirSync(left);
    utimesSync(left, old, old);
    for (let count = 0; count < 5; count += 1) {
      utimesSync(first, old, old);
      // Used again before the last two.
      if (count === 3) await compiledFolder(root);
      write(root, 'functions/one/page.md', `Page ${count}.\n`);
      await compiledFolder(root);
    }
    const kept = readdirSync(cacheOf(root));
    expect(kept).toHaveLength(5);
    expect(kept).not.toContain('draft-left');
    expect(kept).not.toContain(basename(first));
  });
});
