/**
 * Goal: a runtime whose surroundings fail goes on, or ends with a line and a code: its database dies, its folder is
 * another's, its file is damaged.
 */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { type EventEmitter, once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { onUncaughtDamage } from '../../localstack/runtime/database.ts';
import { runServer } from '../fixture/bridge.ts';
import { type Client, claimOf, clientOf, newKey, signed, unique } from '../fixture/client.ts';
import { dataFolders } from '../fixture/data-folders.ts';
import { assertSilent, audit, command, type Said, start } from '../fixture/runtime.ts';

const folderOf = dataFolders();

const inOrder = { code: 0, said: expect.any(String) };
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Starts a runtime that has no good reason to come up; answers how it ended. */
async function refused(data: string, env: Readonly<Record<string, string>> = {}): Promise<Said> {
  const { code, said } = await command('start', data, {
    env: { PORT: '0', ...env },
  });
  return { code, said: said.trim() };
}

const key = newKey();

/** A ledger that has what a transfer needs. */
async function furnished(ledger: Client): Promise<void> {
  await ledger.make('symbols', { handle: 'usd', factor: 1 }, key);
  for (const handle of ['ann', 'bob']) await ledger.make('wallets', { handle }, key);
  await ledger.post(
    '/intents',
    signed({ handle: 'first', claims: [claimOf('issue ann 1000 usd')] }, key),
  );
}

/** A folder as releases before made it: the native binary keeps its file. */
function earlierFolder(): string {
  const data = folderOf();
  writeFileSync(join(data, 'ledger.db'), '');
  return data;
}

describe('a database of an earlier release that dies alone', () => {
  test('is started again, under load, and nothing that was answered is lost', async () => {
    const data = earlierFolder();
    const runtime = await start({ data });
    const ledger = clientOf(runtime.url, runtime.key);
    await furnished(ledger);
    let isOver = false;
    const answered: number[] = [];
    const load = async (): Promise<void> => {
      while (!isOver) {
        const claims = [claimOf('transfer ann bob 1 usd')];
        const { status } = await ledger.post(
          '/intents',
          signed({ handle: unique('t'), claims }, key),
        );
        answered.push(status);
      }
    };
    const clients = [load(), load(), load(), load()];
    for (let round = 0; round < 3; round += 1) {
      const before = answered.length;
      while (answered.length < before + 5) await pause(5);
      expect(runtime.kill9Database()).toBe(true);
    }
    const before = answered.length;
    while (answered.length < before + 5) await pause(5);
    isOver = true;
    await Promise.all(clients);

    // Whoever asked while it was away was answered as well: once it was back.
    expect(new Set(answered)).toEqual(new Set([201]));
    expect(await ledger.balances('bob')).toMatchObject({ usd: String(answered.length) });
    await runtime.stop();
    const { said } = await runtime.ended;
    expect(said.match(/The embedded database ended \(signal 9\) and is restarted\./g)).toHaveLength(
      3,
    );
    expect(await audit(data)).toEqual(inOrder);
  });

  test('ends the runtime with a line and a code when it dies each time anew', async () => {
    const data = earlierFolder();
    const runtime = await start({ data });
    let isOver = false;
    const killing = (async () => {
      while (!isOver) {
        runtime.kill9Database();
        await pause(5);
      }
    })();
    const { code, said } = await runtime.ended;
    isOver = true;
    await killing;
    expect(code).toBe(5);
    expect(said.trim().split('\n').at(-1)).toMatch(
      /^The embedded database .+, and it was restarted too often; all that was answered is in .+ledger\.db\.$/,
    );
    // And comes back by the next start.
    await (await start({ data })).stop();
    expect(await audit(data)).toEqual(inOrder);
  });
});

describe('a folder', () => {
  test('is one ledger’s alone, by whatever path the others come to it', async () => {
    const data = folderOf();
    const runtime = await start({ data });
    const elsewhere = folderOf();
    // Another name of the folder, and a folder whose database is the same file: what a bind mount gives.
    symlinkSync(data, join(elsewhere, 'link'));
    mkdirSync(join(elsewhere, 'copy'));
    symlinkSync(join(data, 'ledger.mdb'), join(elsewhere, 'copy', 'ledger.mdb'));
    copyFileSync(join(data, 'master.key'), join(elsewhere, 'copy', 'master.key'));
    for (const path of [data, join(elsewhere, 'link'), join(elsewhere, 'copy')])
      expect(await refused(path)).toEqual({
        code: 3,
        said: `Another process uses ${path}: a ledger, or a command such as audit. Wait for the command, or stop the ledger, or choose another LEDGER_DATA.`,
      });
    // The lock has no name: what shares neither the network nor the folder for temporary files meets it too.
    expect(spawnSync('flock', ['-n', join(data, 'ledger.mdb'), 'true']).status).toBe(1);
    expect(await audit(data)).toEqual(inOrder);
    await runtime.kill9('runtime');
    expect(spawnSync('flock', ['-n', join(data, 'ledger.mdb'), 'true']).status).toBe(0);
    const next = await start({ data: join(elsewhere, 'link') });
    expect(next.key).toBe(runtime.key);
    await next.stop();
  });

  test('that has the databases of two releases is refused', async () => {
    const data = folderOf();
    await (await start({ data })).stop();
    writeFileSync(join(data, 'ledger.db'), 'of an earlier release');
    expect(await refused(data)).toEqual({
      code: 4,
      said: expect.stringContaining(`There are two databases in ${data}, ledger.db of an earlier`),
    });
  });

  test('is taken by one of those that start at once', async () => {
    const data = folderOf();
    const starts = await Promise.allSettled([1, 2, 3].map(() => start({ data })));
    const up = starts.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    const why = starts.flatMap((one) => (one.status === 'rejected' ? String(one.reason) : []));
    expect(up).toHaveLength(1);
    for (const text of why) expect(text).toMatch(/ended with 3 .+: Another process uses /);
    await up[0]?.stop();
    expect(await audit(data)).toEqual(inOrder);
  });

  test('that has no space left is read, and says that commands will not find the ledger', async () => {
    const variables = { LEDGER_DATA: folderOf(), PORT: '0' };
    const first = await runServer(['start'], 'unlimited', variables);
    await first.end('SIGTERM');
    const full = await runServer(['start'], 0, variables);
    expect((await fetch(`${full.url}/wallets`)).status).toBe(200);
    expect(full.said()).toContain('Commands will not find the running ledger');
    await full.end();
  });

  test('whose master key others may read is warned of, and serves', async () => {
    const data = folderOf();
    const first = await start({ data });
    await first.stop();
    assertSilent(first.complaints);
    const path = join(data, 'master.key');
    chmodSync(path, 0o644);
    const open = await start({ data });
    await open.stop();
    expect(open.complaints).toEqual([
      `Others may read the master key in ${path}. Forbid it: chmod 600 ${path}`,
    ]);
    chmodSync(path, 0o600);
    const closed = await start({ data });
    await closed.stop();
    assertSilent(closed.complaints);
  });

  test('that is a file, or in a place where nothing can be made, is named', async () => {
    const file = join(folderOf(), 'file');
    writeFileSync(file, '');
    for (const path of ['/proc/foo', '/dev/null/foo', file])
      expect(await refused(path)).toEqual({
        code: 4,
        said: expect.stringMatching(
          new RegExp(
            `^LEDGER_DATA is '${path}', which cannot be a folder: .+\\. Name an existing folder, or one that can be made\\.$`,
          ),
        ),
      });
  });
});

test('a request that its sender cuts short is nothing to report', async () => {
  const runtime = await start();
  const { port } = new URL(runtime.url);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write('POST /v2/wallets HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\n{');
  await pause(200);
  socket.destroy();
  const { status } = await clientOf(runtime.url, runtime.key).get('/wallets');
  expect(status).toBe(200);
  await runtime.stop();
  expect((await runtime.ended).said).not.toContain('aborted');
});

describe('a file that is damaged', () => {
  const whole = folderOf();
  beforeAll(async () => {
    const runtime = await start({ data: whole });
    await furnished(clientOf(runtime.url, runtime.key));
    await runtime.stop();
  });

  /** Where the ledger's own records lie, a page of the file would have to be read at the start. */
  const blank = (path: string, from: number, to: number): void => {
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(to - from), 0, to - from, from);
  };
  test.each([
    ['has nothing', (path: string) => truncateSync(path, 0)],
    ['is cut off within its first page', (path: string) => truncateSync(path, 100)],
    ['is cut off', (path: string) => truncateSync(path, 20_000)],
    ['is another file', (path: string) => writeFileSync(path, 'x'.repeat(50_000))],
    ['is blank behind its head', (path: string) => blank(path, 8192, statSync(path).size)],
  ])('is named at the start when it %s', async (_, damage) => {
    const data = folderOf();
    for (const name of ['ledger.mdb', 'master.key'])
      copyFileSync(join(whole, name), join(data, name));
    const path = join(data, 'ledger.mdb');
    damage(path);
    const { code, said } = await refused(data);
    expect(said).toMatch(/^The database file \S+ledger\.mdb is damaged \(.+\)\. .+$/m);
    expect(code).toBe(4);
    const found = await audit(data);
    expect(found.said).toMatch(/is damaged|There is no ledger/);
    expect(found.code).toBe(found.said.includes('is damaged') ? 4 : 2);
  });

  test('is named by an audit that cannot write its note', async () => {
    const data = folderOf();
    for (const name of ['ledger.mdb', 'master.key'])
      copyFileSync(join(whole, name), join(data, name));
    const path = join(data, 'ledger.mdb');
    const bytes = readFileSync(path);
    // The root of the free pages, by the newer one of the two meta pages: only a write reads it.
    const [first, second] = [0, 4096].map((at) => bytes.readBigUInt64LE(at + 152));
    const root = Number(bytes.readBigUInt64LE(((first ?? 0n) > (second ?? 0n) ? 0 : 4096) + 88));
    blank(path, root * 4096, (root + 1) * 4096);
    const { code, said } = await audit(data);
    expect(said).toMatch(/^The database file \S+ledger\.mdb is damaged \(.+\)\. .+$/m);
    expect(code).toBe(4);
  });

  test('is named where the package of LMDB throws what nobody can catch', () => {
    const ends: unknown[] = [];
    const isOver = onUncaughtDamage('/data/ledger.mdb', (error) => ends.push(error) as never);
    const thrown = (place: string) => {
      const error = new Error('Can not abort this transaction');
      error.stack = `${error.stack?.split('\n')[0]}\n    at ${place}`;
      (process as EventEmitter).emit('uncaughtExceptionMonitor', error, 'uncaughtException');
    };
    thrown('file:///app/dist/localstack/cli/audit.js:1:1');
    thrown('file:///app/node_modules/lmdb/write.js:679:11');
    isOver();
    thrown('file:///app/node_modules/lmdb/write.js:679:11');
    expect(ends).toEqual([
      expect.objectContaining({
        code: 4,
        message: expect.stringContaining('file /data/ledger.mdb is damaged (Can not abort'),
      }),
    ]);
  });

  test('that is gone is told at the start, also where a new ledger may begin', async () => {
    const data = folderOf();
    copyFileSync(join(whole, 'master.key'), join(data, 'master.key'));
    const first = await start({ data });
    await first.stop();
    expect(first.complaints).toEqual([
      expect.stringMatching(
        /^There is \S+master\.key and no \S+ledger\.mdb: this is a new ledger\./,
      ),
    ]);
    const next = await start({ data });
    await next.stop();
    assertSilent(next.complaints);
  });

  test('of the master key is named as well', async () => {
    const data = folderOf();
    copyFileSync(join(whole, 'ledger.mdb'), join(data, 'ledger.mdb'));
    expect(await refused(data)).toMatchObject({
      code: 4,
      said: expect.stringContaining('master.key is missing'),
    });
    writeFileSync(join(data, 'master.key'), 'short');
    expect(await refused(data)).toMatchObject({
      code: 4,
      said: expect.stringContaining('holds 5 bytes instead of 32'),
    });
  });

  test('of another master key is named, by the audit as well', async () => {
    const data = folderOf();
    copyFileSync(join(whole, 'ledger.mdb'), join(data, 'ledger.mdb'));
    writeFileSync(join(data, 'master.key'), randomBytes(32), { mode: 0o600 });
    const said = `${join(data, 'master.key')} is not the master key with which the keys of this database were encrypted. Restore the one that was backed up with it.`;
    expect(await refused(data)).toEqual({ code: 4, said });
    const audited = await audit(data);
    expect({ ...audited, said: audited.said.trim() }).toEqual({ code: 4, said });
  });
});
