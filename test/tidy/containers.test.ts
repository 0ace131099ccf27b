/** The files for containers: no engine is needed to check them, and none is used. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { validate } from 'dockerfile-utils';
import { expect, test } from 'vitest';

test('the Dockerfile has no mistake that its linter knows', () => {
  expect(validate(readFileSync('localstack/Dockerfile', 'utf8'))).toEqual([]);
});

test('the linter of the Dockerfile sees a mistake', () => {
  expect(validate('FROM node:24-slim\nCMD ["a"]\nCMD ["b"]\n')).not.toEqual([]);
});

test.each(['compose.yml', 'docker-compose.yml'])('%s is a compose file in order', (name) => {
  const linter = 'node_modules/dclint/bin/dclint.cjs';
  const words = [linter, '--max-warnings', '0', '--no-color', `localstack/${name}`];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  expect([status, stdout + stderr]).toEqual([0, expect.not.stringContaining('error')]);
});

test('every place names the same version of the database', () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
    optionalDependencies: Record<string, string>;
  };
  const versions = [
    ...Object.values(manifest.optionalDependencies).map((range) => range.replace('^', '')),
    /const version = '(.+)';/.exec(readFileSync('localstack/runtime/binary.ts', 'utf8'))?.[1],
    /@dynoxide\/linux-.+@([\d.]+)"/.exec(readFileSync('localstack/Dockerfile', 'utf8'))?.[1],
  ];
  expect(new Set(versions).size).toBe(1);
});
