/**
 * Goal: output that is cut off is never taken for whole, and no ledger ends for a log that cannot be written. Method:
 * commands whose output goes to a full disk, which is `/dev/full` or a file that may not grow, or to a reader that has gone.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../../localstack/runtime/database.ts';
import { dataFolders } from '../fixture/data-folders.ts';
import { commandWords } from '../fixture/program.ts';

const folderOf = dataFolders();
const program = [process.execPath, ...commandWords()];
const isLinux = process.platform === 'linux';

/** Runs a command in a shell, which sets its streams; answers its code and its complaint. */
function inShell(line: string): [number | null, string] {
  const { status, stderr } = spawnSync('sh', ['-c', line, 'sh', ...program], { encoding: 'utf8' });
  return [status, stderr.trim()];
}

/** A file with several violations. */
function badArchive(): string {
  const path = join(folderOf(), 'bad.ndjson');
  const header = { format: 'countersign-ledger', version: 2, ledger: 'main', luid: '$ldg.1' };
  const lines = [
    { what: 'archive', ...header, moment: '', secrets: { by: 'keyring' } },
    { what: 'end', lines: 2, counts: {}, sha256: '' },
  ];
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}

test('output that a disk has room for in part is said to be cut off', () => {
  const path = join(folderOf(), 'out');
  const [code, said] = inShell(`ulimit -f 1; "$@" --help > ${path}`);
  expect([code, said]).toEqual([4, expect.stringMatching(/^The output is cut off: EFBIG: .*$/)]);
  expect(statSync(path).size).toBe(512);
});

test.runIf(isLinux)(
  'a command on a full disk ends with 4, also where it prints several times',
  () => {
    const full = 'The output is cut off: ENOSPC: no space left on device, write';
    for (const words of ['--help', 'key', `audit ${badArchive()} --all`])
      expect(inShell(`COUNTERSIGN_CONFIG=${folderOf()} "$@" ${words} > /dev/full`)[0]).toBe(4);
    expect(inShell('"$@" --help > /dev/full')).toEqual([4, full]);
  },
);

test.runIf(isLinux)('a complaint that cannot be written changes no code', () => {
  expect(inShell('"$@" nonsense 2> /dev/full')).toEqual([2, '']);
  expect(inShell(`"$@" audit ${badArchive()} 2> /dev/full`)).toEqual([1, '']);
});

test('a command whose reader has gone ends with its own code', async () => {
  for (const [words, code] of [
    [['audit', badArchive(), '--all'], 1],
    [['--help'], 0],
  ] as const) {
    const child = spawn(program[0] as string, [...program.slice(1), ...words]);
    child.stdout.destroy();
    let said = '';
    child.stderr.on('data', (text) => {
      said += text;
    });
    expect(await once(child, 'close')).toEqual([code, null]);
    expect(said).toBe('');
  }
});

/** Starts a ledger with these streams, and waits until it answers. */
async function started(
  data: string,
  streams: readonly ('pipe' | number)[],
): Promise<{ child: ChildProcess; ask: () => Promise<number> }> {
  const port = await freePort();
  const child = spawn(program[0] as string, [...program.slice(1), 'start'], {
    env: {
      ...process.env,
      ...{ PORT: String(port), LEDGER_DATA: data, LEDGER_LOG: 'info', LEDGER_THREADS: '2' },
    },
    stdio: ['ignore', ...streams],
  });
  const ask = async () => (await fetch(`http://127.0.0.1:${port}/v2/wallets`)).status;
  const isUp = () => ask().catch(() => undefined);
  while ((await isUp()) === undefined && child.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 100));
  return { child, ask };
}

/** The ledger answers, and stops as it is asked to. */
async function expectGoesOn({ child, ask }: Awaited<ReturnType<typeof started>>): Promise<void> {
  for (let n = 0; n < 20; n += 1) expect(await ask()).toBe(200);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
}

test.runIf(isLinux)('a ledger goes on where its log is on a full disk', async () => {
  const full = openSync('/dev/full', 'w');
  try {
    await expectGoesOn(await started(folderOf(), [full, full]));
  } finally {
    closeSync(full);
  }
});

test('a ledger whose log nobody reads any more goes on, and leaves its folder as ever', async () => {
  const data = folderOf();
  const ledger = await started(data, ['pipe', 'pipe']);
  for (const stream of [ledger.child.stdout, ledger.child.stderr]) stream?.destroy();
  await expectGoesOn(ledger);
  expect(existsSync(join(data, 'endpoint'))).toBe(false);
});
