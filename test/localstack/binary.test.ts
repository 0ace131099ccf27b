import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { binaryPath, type Machine } from '../../localstack/runtime/binary.ts';

const folder = mkdtempSync(join(tmpdir(), 'countersign-test-'));
afterEach(() => vi.unstubAllEnvs());
afterAll(() => rmSync(folder, { recursive: true }));

/** A machine without a package and without a program on its path. */
const bare: Machine = {
  platform: 'darwin',
  arch: 'arm64',
  path: '',
  resolve: () => {
    throw new Error('not installed');
  },
};

function program(name: string): string {
  const path = join(folder, name);
  writeFileSync(path, '#!/bin/sh\n');
  chmodSync(path, 0o700);
  return path;
}

test.each([
  ['linux', 'x64', '@dynoxide/linux-x64/dynoxide'],
  ['linux', 'arm64', '@dynoxide/linux-arm64/dynoxide'],
  ['darwin', 'arm64', '@dynoxide/darwin-arm64/dynoxide'],
  ['darwin', 'x64', '@dynoxide/darwin-x64/dynoxide'],
  ['win32', 'x64', '@dynoxide/win32-x64/dynoxide.exe'],
])('on %s %s the database is in the package of the platform', (platform, arch, file) => {
  expect(binaryPath({ ...bare, platform, arch, resolve: (asked) => `/modules/${asked}` })).toBe(
    `/modules/${file}`,
  );
});

test('without a package it is the first one on the path', () => {
  const path = program('dynoxide');
  const folders = ['', join(folder, 'none'), folder].join(delimiter);
  expect(binaryPath({ ...bare, path: folders })).toBe(path);
});

test('the variable comes before the package', () => {
  const path = program('own');
  vi.stubEnv('DYNOXIDE_PATH', path);
  expect(binaryPath({ ...bare, resolve: (file) => file })).toBe(path);
});

test('a variable that names no file is refused', () => {
  vi.stubEnv('DYNOXIDE_PATH', '/nowhere/dynoxide');
  expect(() => binaryPath(bare)).toThrow("DYNOXIDE_PATH is '/nowhere/dynoxide', where no file is.");
});

test('where there is none, the error gives the command that gets it', () => {
  expect(() => binaryPath(bare)).toThrow(
    'The embedded database is not installed for darwin-arm64. Get it: npm install @dynoxide/darwin-arm64@1.2.1; or put',
  );
});

test('where none is published, the error says so', () => {
  expect(() => binaryPath({ ...bare, platform: 'sunos', arch: 'x64' })).toThrow(
    'not installed for sunos-x64. It is not published for this machine; or put dynoxide on the PATH, name it in DYNOXIDE_PATH, or set DYNAMODB_ENDPOINT',
  );
});
