/**
 * Goal: a first start that is ended at any moment leaves a folder that the next one takes, and a ledger whose file was
 * emptied is never taken for a new one. Method: starts that are killed as soon as they have begun, and folders as such
 * a start leaves them.
 */
import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { dataFolders } from '../fixture/data-folders.ts';
import { commandWords } from '../fixture/program.ts';
import { audit, command, start } from '../fixture/runtime.ts';

const folderOf = dataFolders();
const empty = '';

/** Starts a ledger in this folder and stops it again; it has made all that it needs and no more. */
async function expectStarts(data: string): Promise<void> {
  const runtime = await start({ data });
  await runtime.stop();
  expect(readdirSync(data).sort()).toEqual(['ledger.mdb', 'ledger.mdb-lock', 'master.key']);
  expect(await audit(data)).toMatchObject({ code: 0 });
}

test.each([
  ['said that it begins', { founding: empty }],
  ['locked the folder', { founding: empty, 'ledger.mdb': empty }],
  [
    'written a master key that has no name yet',
    {
      ...{ founding: empty, 'ledger.mdb': empty },
      [`master.key.${randomUUID()}`]: randomBytes(32),
      [`founding.${randomUUID()}`]: empty,
    },
  ],
  ['made the master key', { founding: empty, 'ledger.mdb': empty, 'master.key': randomBytes(32) }],
  [
    'made the lock of the database',
    {
      ...{ founding: empty, 'ledger.mdb': empty, 'master.key': randomBytes(32) },
      ...{ 'ledger.mdb-lock': Buffer.alloc(12_288), [`ledger.mdb-${randomUUID()}`]: empty },
    },
  ],
])('after a start that was ended when it had %s the next one goes on', async (_, files) => {
  const data = folderOf();
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(data, name), content, { mode: 0o600 });
  await expectStarts(data);
});

test('a first start that is killed at any moment is repeated, also beside a copied master key', async () => {
  for (let round = 0; round < 8; round += 1) {
    const data = folderOf();
    const key = join(data, 'master.key');
    const hasKey = round % 2 === 1;
    if (hasKey) writeFileSync(key, randomBytes(32), { mode: 0o600 });
    const before = hasKey ? readFileSync(key) : undefined;
    const child = spawn(process.execPath, [...commandWords(), 'start'], {
      env: { ...process.env, PORT: '0', LEDGER_DATA: data },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    while (readdirSync(data).length <= Number(hasKey)) await setImmediate();
    const untilMs = performance.now() + 5 * round;
    while (performance.now() < untilMs) await setImmediate();
    child.kill('SIGKILL');
    await ended;
    await expectStarts(data);
    if (before) expect(readFileSync(key)).toEqual(before);
  }
});

test('a ledger that was emptied is refused, also after a second start beside it', async () => {
  const data = folderOf();
  const runtime = await start({ data });
  expect(await command('start', data)).toMatchObject({ code: 3 });
  expect(readdirSync(data)).not.toContain('founding');
  await runtime.stop();
  const copy = folderOf();
  for (const name of ['ledger.mdb', 'master.key']) copyFileSync(join(data, name), join(copy, name));
  // As of a founding whose end was not noted.
  writeFileSync(join(copy, 'founding'), '');
  await expectStarts(copy);
  for (const folder of [data, copy]) {
    truncateSync(join(folder, 'ledger.mdb'), 0);
    const damaged = { code: 4, said: expect.stringContaining('is damaged (it is empty') };
    expect(await command('start', folder)).toEqual(damaged);
  }
});
