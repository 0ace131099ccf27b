/**
 * Goal: what begins on a full disk leaves nothing that stands in the way once there is room. Method: the processes may
 * write no longer files than so many blocks, which the system refuses as a full disk does.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dataFolders } from '../fixture/data-folders.ts';
import { commandWords } from '../fixture/program.ts';
import { assertSilent, audit, command, start } from '../fixture/runtime.ts';

const folderOf = dataFolders();

/** Runs a command that can write no longer files than this, in blocks of 512 bytes; answers its code and its complaint. */
function within(
  fileBlocksMax: number,
  words: readonly string[],
  data: string,
): [number | null, string] {
  const program = [process.execPath, ...commandWords(), ...words];
  const { status, stderr } = spawnSync(
    'sh',
    ['-c', `ulimit -f ${fileBlocksMax}; exec "$@"`, 'sh', ...program],
    { encoding: 'utf8', env: { ...process.env, PORT: '0', LEDGER_DATA: data } },
  );
  return [status, stderr.trim()];
}

const places = [
  ['the master key', 0],
  ['the lock of the database', 8],
  ['the database', 64],
] as const;

test.each(places)(
  'a start that has no room for %s leaves its folder empty',
  async (_, blocksMax) => {
    const data = folderOf();
    const [code, said] = within(blocksMax, ['start'], data);
    expect([code, said]).toEqual([4, expect.stringMatching(/ cannot be used: EFBIG: /)]);
    expect(readdirSync(data)).toEqual([]);
    const runtime = await start({ data });
    await runtime.stop();
    assertSilent(runtime.complaints);
    expect(await audit(data)).toMatchObject({ code: 0 });
  },
);

test('a master key that was there before stays, and so does a database', async () => {
  const [data, beside] = [folderOf(), folderOf()];
  const runtime = await start({ data });
  await runtime.stop();
  copyFileSync(join(data, 'master.key'), join(beside, 'master.key'));
  expect(within(8, ['start'], beside)[0]).toBe(4);
  expect(readdirSync(beside)).toEqual(['master.key']);
  const { size } = statSync(join(data, 'ledger.mdb'));
  rmSync(join(data, 'ledger.mdb-lock'));
  expect(within(8, ['start'], data)[0]).toBe(4);
  expect(statSync(join(data, 'ledger.mdb')).size).toBe(size);
  const next = await start({ data });
  await next.stop();
  expect(next.key).toBe(runtime.key);
});

test('a key for which there is no room leaves no file', async () => {
  const data = folderOf();
  const path = join(data, 'owner.key');
  const refused = [4, expect.stringContaining(`${path} cannot be written: EFBIG: `)];
  expect(within(0, ['key', path], data)).toEqual(refused);
  expect(existsSync(path)).toBe(false);
  expect(readdirSync(data)).toEqual([]);
  expect(await command('key', data, { words: [path] })).toMatchObject({ code: 0 });
});

test('what has no room for its temporary files names their folder, and imports nothing', async () => {
  const [data, other] = [folderOf(), folderOf()];
  const runtime = await start({ data });
  await runtime.stop();
  const [file, passphrase] = [join(data, 'main.ndjson'), join(data, 'passphrase')];
  writeFileSync(passphrase, 'of a test, and long enough');
  const exported = { words: ['--out', file, '--with-key', passphrase] };
  expect(await command('export', data, exported)).toMatchObject({ code: 0 });
  const said = `The folder for temporary files, ${tmpdir()}, cannot be used: EFBIG: `;
  const refused = [4, expect.stringContaining(said)];
  expect(within(0, ['audit', file], data)).toEqual(refused);
  expect(within(0, ['import', file, '--passphrase', passphrase], other)).toEqual(refused);
  expect(readdirSync(other)).toEqual([]);
});

test('an import that is not audited, and has no room for its temporary files, leaves nothing', async () => {
  const [data, other, beside] = [folderOf(), folderOf(), folderOf()];
  const runtime = await start({ data });
  await runtime.stop();
  const [file, passphrase] = [join(data, 'main.ndjson'), join(data, 'passphrase')];
  writeFileSync(passphrase, 'of a test, and long enough');
  const exported = { words: ['--out', file, '--with-key', passphrase] };
  expect(await command('export', data, exported)).toMatchObject({ code: 0 });
  const words = [file, '--passphrase', passphrase, '--unaudited'];
  const env = { TMPDIR: join(data, 'nowhere') };
  const refused = { code: 4, said: expect.stringContaining(`${env.TMPDIR}, cannot be used`) };
  expect(await command('import', other, { words, env })).toMatchObject(refused);
  expect(readdirSync(other)).toEqual([]);
  // What was there before stays.
  copyFileSync(join(data, 'master.key'), join(beside, 'master.key'));
  expect(await command('import', beside, { words, env })).toMatchObject(refused);
  expect(readdirSync(beside)).toEqual(['master.key']);
  const before = readdirSync(data);
  expect(await command('import', data, { words, env })).toMatchObject(refused);
  expect(readdirSync(data)).toEqual(before);
  expect(await audit(data)).toMatchObject({ code: 0 });
  expect(await command('import', other, { words })).toMatchObject({ code: 0 });
  expect(await audit(other)).toMatchObject({ code: 0 });
});

test.each(['audit', 'import', 'drill', 'start --data :memory:'])(
  '%s names a folder for temporary files that cannot be used',
  async (words) => {
    const data = folderOf();
    const runtime = await start({ data });
    await runtime.stop();
    const file = join(data, 'main.ndjson');
    expect(await command('export', data, { words: ['--out', file] })).toMatchObject({ code: 0 });
    const [name = '', ...more] = words.split(' ');
    const given = ['audit', 'import'].includes(name) ? [file] : more;
    const env = { TMPDIR: join(data, 'nowhere') };
    const { code, said } = await command(name, data, { words: given, env });
    expect(said).toContain(`The folder for temporary files, ${env.TMPDIR}, cannot be used: ENOENT`);
    expect(code).toBe(4);
  },
);
