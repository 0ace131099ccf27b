import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { endTied, spawnTied, type Tie } from '../../localstack/runtime/tie.ts';

const folder = mkdtempSync(join(tmpdir(), 'countersign-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const patience = { timeout: 300_000, interval: 50 };

describe.each<Tie>(['shell', 'node'])('a program that a %s ties to its parent', (tie) => {
  test('ends when kill -9 ends the parent', async () => {
    const path = join(folder, tie);
    const parent = spawn(process.execPath, ['--import', 'tsx', 'test/fixture/tied.ts', tie, path]);
    await vi.waitFor(
      () => expect(existsSync(path) && readFileSync(path, 'utf8')).toMatch(/^\d+$/),
      patience,
    );
    const pid = Number(readFileSync(path, 'utf8'));
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), patience);
  });

  test.each([
    ['process.exit(7)', 7],
    ['process.kill(process.pid, "SIGKILL")', 137],
  ])('that ends alone by %s ends the child with %i', async (program, code) => {
    const child = spawnTied(process.execPath, ['--eval', program], tie);
    expect(await once(child, 'exit')).toEqual([code, null]);
  });

  test('ends with the tie', async () => {
    const child = spawnTied(
      process.execPath,
      ['--eval', 'console.error(process.pid); setInterval(() => {}, 1000)'],
      tie,
    );
    const [said] = (await once(child.stderr ?? child, 'data')) as [Buffer];
    const pid = Number(String(said));
    endTied(child);
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), patience);
  });

  test('gets its words as they are', async () => {
    const words = ['two words', '$HOME', '"', '--help'];
    const program = 'console.error(JSON.stringify(process.argv.slice(1)))';
    const child = spawnTied(process.execPath, ['--eval', program, '--', ...words], tie);
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said += String(chunk);
    });
    await once(child, 'close');
    expect(JSON.parse(said)).toEqual(words);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch {
    return false;
  }
}

/** An ended process whose parent has not asked for its end. */
function isZombie(pid: number): boolean {
  const path = `/proc/${pid}/stat`;
  return existsSync(path) && / Z /.test(readFileSync(path, 'utf8'));
}
