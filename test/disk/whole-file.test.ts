/**
 * Goal: a file is there whole or as it was, and on the disk before anybody builds on it. Method: the calls that this
 * process makes to its disk are watched, and one of them fails.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeWhole, nameWhole, writeWhole } from '../../shared/disk/whole-file.ts';
import { makeMasterKey } from '../../shared/keyring/local.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'whole-'));
  path = join(folder, 'a.key');
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  fs.rmSync(folder, { recursive: true, force: true });
});

type Call = 'openSync' | 'writeFileSync' | 'fsyncSync' | 'linkSync' | 'renameSync';

/** Has a call of the disk fail. */
function failing(call: Call, code: string): void {
  vi.spyOn(fs, call).mockImplementation(() => {
    throw Object.assign(new Error(`${code}: ${call}`), { code });
  });
  syncBuiltinESMExports();
}

/** The names that files get, and what is synced, in the order of the calls. */
function watched(): string[] {
  const calls: string[] = [];
  const opened = new Map<number, string>();
  const { openSync, fsyncSync, linkSync, renameSync } = fs;
  vi.spyOn(fs, 'openSync').mockImplementation((name, ...others) => {
    const file = openSync(name, ...others);
    opened.set(file, name === folder ? 'the folder' : 'the file');
    return file;
  });
  vi.spyOn(fs, 'fsyncSync').mockImplementation((file) => {
    calls.push(`sync ${opened.get(file)}`);
    fsyncSync(file);
  });
  vi.spyOn(fs, 'linkSync').mockImplementation((from, to) => {
    linkSync(from, to);
    calls.push(`name ${basename(String(to))}`);
  });
  vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
    renameSync(from, to);
    calls.push(`name ${basename(String(to))}`);
  });
  syncBuiltinESMExports();
  return calls;
}

const inOrder = ['sync the file', 'name a.key', 'sync the folder'];

test.each([
  ['is made', () => makeWhole(path, 'new')],
  ['is written', () => writeWhole(path, 'new')],
  ['is made with a master key', () => makeMasterKey(path)],
])(
  'a file that %s is on the disk before it has its name, and the name at the return',
  (_, write) => {
    const calls = watched();
    write();
    expect(calls).toEqual(inOrder);
    expect(fs.readdirSync(folder)).toEqual(['a.key']);
    expect(fs.statSync(path).mode & 0o777).toBe(0o600);
  },
);

test('a file that was written elsewhere gets its name for good', () => {
  fs.writeFileSync(`${path}.part`, 'new');
  const calls = watched();
  nameWhole(`${path}.part`, path);
  expect(calls).toEqual(['name a.key', 'sync the folder']);
});

test.each<[Call, string]>([
  ['openSync', 'EACCES'],
  ['writeFileSync', 'ENOSPC'],
  ['fsyncSync', 'ENOSPC'],
])('where %s fails, nothing is left, and a file stays as it was', (call, code) => {
  failing(call, code);
  expect(() => makeWhole(path, 'new')).toThrow(code);
  expect(fs.readdirSync(folder)).toEqual([]);
  vi.restoreAllMocks();
  fs.writeFileSync(path, 'old');
  failing(call, code);
  expect(() => writeWhole(path, 'new')).toThrow(code);
  expect(fs.readdirSync(folder)).toEqual(['a.key']);
  expect(fs.readFileSync(path, 'utf8')).toBe('old');
});

test('a file that is there is not made again, also where nothing can be written', () => {
  expect(makeWhole(path, 'first')).toBe(true);
  failing('openSync', 'EROFS');
  expect(makeWhole(path, 'second')).toBe(false);
  vi.restoreAllMocks();
  expect(fs.readFileSync(path, 'utf8')).toBe('first');
});

test.each([
  ['with links', undefined],
  ['without links', 'EPERM'],
])('a file that another process makes meanwhile is not replaced, %s', (_, code) => {
  const { fsyncSync } = fs;
  if (code) failing('linkSync', code);
  vi.spyOn(fs, 'fsyncSync').mockImplementation((file) => {
    fsyncSync(file);
    fs.writeFileSync(path, 'theirs');
  });
  syncBuiltinESMExports();
  expect(makeWhole(path, 'ours')).toBe(false);
  expect(fs.readdirSync(folder)).toEqual(['a.key']);
  expect(fs.readFileSync(path, 'utf8')).toBe('theirs');
});

test('a file is made where the file system has no links', () => {
  failing('linkSync', 'EPERM');
  expect(makeWhole(path, 'new')).toBe(true);
  expect(fs.readdirSync(folder)).toEqual(['a.key']);
  expect(fs.readFileSync(path, 'utf8')).toBe('new');
});
