/**
 * Goal: a command that is asked to end leaves nothing of a ledger behind. Method: an import into a database that never
 * answers, so that it ends only by the signal.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { processesBelow } from '../bench/cpu.ts';
import { newFolder, saved } from '../fixture/archived.ts';
import { type Ground, startGround } from '../fixture/audited.ts';
import { until } from '../fixture/receiver.ts';
import { command } from '../fixture/runtime.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = newFolder();
const archive = folder.path('archive.ndjson');
let ground: Ground;

beforeAll(async () => {
  ground = await startGround();
  const { tableName } = await ground.newWorld();
  await saved(ground.client, tableName, archive);
});
afterAll(async () => {
  await ground.stop();
  folder.remove();
});

/** What commands have in a temporary folder. */
function ownIn(temporary: string): string[] {
  return readdirSync(temporary).filter((name) => name.startsWith('countersign-'));
}

test.each([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends an import, and the folder of what it has read is gone', async (...row) => {
  const [signal, code] = row;
  const temporary = folder.path(signal);
  mkdirSync(temporary);
  const silent = createServer((request, response) => {
    // Whether it is there it says; to what it is asked for then it does not answer.
    if (request.method === 'GET') response.end();
    else silent.emit('asked');
  }).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const words = ['--import', 'tsx', 'localstack/command/main.ts', 'import', archive];
  const child = spawn(process.execPath, words, {
    cwd: root,
    env: {
      ...process.env,
      TMPDIR: temporary,
      DYNAMODB_ENDPOINT: `http://127.0.0.1:${port}`,
      MASTER_KEY_FILE: join(ground.folder, 'master.key'),
    },
    stdio: 'ignore',
  });
  const own = () => ownIn(temporary);
  try {
    await once(silent, 'asked');
    expect(own()).not.toEqual([]);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([code, null]);
    expect(own()).toEqual([]);
  } finally {
    child.kill('SIGKILL');
    silent.closeAllConnections();
    silent.close();
  }
});

test.runIf(process.platform === 'linux')(
  'the next command removes what a killed one has left, and nothing else',
  async () => {
    const temporary = folder.path('killed');
    mkdirSync(temporary);
    const others = ['countersign-import-abcdef', 'countersign-abcdef', 'countersign-data'];
    for (const name of others) mkdirSync(join(temporary, name), { mode: 0o700 });
    writeFileSync(join(temporary, 'countersign-abcdef', 'ledger.mdb'), 'of somebody');
    const silent = createServer((request, response) => {
      if (request.method === 'GET') response.end();
      else silent.emit('asked');
    }).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const words = ['--import', 'tsx', 'localstack/command/main.ts', 'import', archive];
    const env = {
      ...{ TMPDIR: temporary, DYNAMODB_ENDPOINT: `http://127.0.0.1:${port}` },
      MASTER_KEY_FILE: join(ground.folder, 'master.key'),
    };
    const begun = () =>
      spawn(process.execPath, words, {
        ...{ cwd: root, env: { ...process.env, ...env } },
        stdio: 'ignore',
      });
    const left = () => ownIn(temporary).filter((name) => !others.includes(name));
    const killed = begun();
    let running: ReturnType<typeof begun> | undefined;
    try {
      await once(silent, 'asked');
      killed.kill('SIGKILL');
      await once(killed, 'exit');
      const ofKilled = left();
      expect(ofKilled.length).toBeGreaterThan(0);
      // A folder of the same kind that a link leads to is not followed.
      const aside = join(temporary, 'aside');
      renameSync(join(temporary, ofKilled[0] ?? ''), aside);
      symlinkSync(aside, join(temporary, ofKilled[0] ?? ''));
      running = begun();
      await once(silent, 'asked');
      const before = left();
      expect(before).toContain(ofKilled[0]);
      rmSync(join(temporary, ofKilled[0] ?? ''));
      renameSync(aside, join(temporary, ofKilled[0] ?? ''));
      const taken = { TMPDIR: temporary, PORT: String(port) };
      expect((await command('start', ':memory:', { env: taken })).code).not.toBe(0);
      // What runs keeps its own.
      expect(left()).toEqual(before.filter((name) => name !== ofKilled[0]));
      expect(left().length).toBeGreaterThan(0);
      expect(readdirSync(temporary)).toEqual(expect.arrayContaining(others));
      expect(readdirSync(join(temporary, 'countersign-abcdef'))).toEqual(['ledger.mdb']);
    } finally {
      running?.kill('SIGKILL');
      killed.kill('SIGKILL');
      silent.closeAllConnections();
      silent.close();
    }
  },
);

test('a start in memory that fails leaves no folder with its master key', async () => {
  const temporary = folder.path('start');
  mkdirSync(temporary);
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  try {
    const env = { TMPDIR: temporary, PORT: String(port) };
    const { code, said } = await command('start', ':memory:', { env });
    expect([code, said]).toEqual([expect.any(Number), expect.stringContaining('port')]);
    expect(code).not.toBe(0);
    expect(ownIn(temporary)).toEqual([]);
  } finally {
    other.close();
  }
});

test.each(['SIGHUP', 'SIGINT', 'SIGTERM'] as const)(
  '%s ends a ledger in memory, before and after it is ready, and its folder is gone',
  async (signal) => {
    const temporary = folder.path(`memory-${signal}`);
    mkdirSync(temporary);
    const words = ['--import', 'tsx', 'localstack/command/main.ts', 'start', '--data', ':memory:'];
    const env = { ...process.env, TMPDIR: temporary, PORT: '0' };
    const isThere = () => ownIn(temporary).length > 0;
    for (const isReady of [false, true]) {
      const child = spawn(process.execPath, words, {
        ...{ cwd: root, env },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      try {
        await (isReady ? once(child.stdout, 'data') : until('it has begun', isThere));
        expect(isThere()).toBe(true);
        child.kill(signal);
        expect(await once(child, 'exit')).toEqual([0, null]);
        expect(isThere()).toBe(false);
      } finally {
        child.kill('SIGKILL');
      }
    }
  },
);

test('a ledger that is starting ends when what has started it is gone', async () => {
  const silent = createServer(() => silent.emit('asked')).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const words = ['--import', 'tsx', 'localstack/command/main.ts', 'start', '--data', ':memory:'];
  const env = {
    ...process.env,
    PORT: '0',
    DYNAMODB_ENDPOINT: `http://127.0.0.1:${port}`,
    npm_lifecycle_event: 'start',
  };
  const script = ['-c', '"$@" & wait', 'sh', process.execPath, ...words];
  const shell = spawn('sh', script, { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    await once(silent, 'asked');
    // The ledger has the same output, which is closed once both are gone.
    const closed = once(shell, 'close');
    shell.kill('SIGKILL');
    await closed;
  } finally {
    shell.kill('SIGKILL');
    silent.closeAllConnections();
    silent.close();
  }
});

test('Ctrl-C ends a drill with the ledger that it has started', async () => {
  const temporary = folder.path('drill');
  mkdirSync(temporary);
  const words = ['--import', 'tsx', 'localstack/command/main.ts', 'drill', '--seconds', '600'];
  const env = { ...process.env, TMPDIR: temporary };
  const child = spawn(process.execPath, words, { cwd: root, env, stdio: 'ignore' });
  const own = () => readdirSync(temporary).filter((name) => name.startsWith('countersign-drill-'));
  const isRunning = () => existsSync(join(temporary, own()[0] ?? '', 'live', 'endpoint'));
  try {
    await until('the ledger runs', isRunning);
    const ledgers = processesBelow(child.pid ?? 0);
    expect(ledgers.length).toBeGreaterThan(0);
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([130, null]);
    expect(own()).toEqual([]);
    await until('the ledger is gone', () => ledgers.every((pid) => !existsSync(`/proc/${pid}`)));
  } finally {
    child.kill('SIGKILL');
  }
});
