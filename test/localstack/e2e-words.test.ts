/** Goal: `npm run test:e2e` says what it was asked wrong, in a line, before anything is started. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

test.each([
  [['--url', 'ledger.example'], {}, 'An address begins with http'],
  [['--url', 'https://a.example/v2', '--lambda'], {}, 'Either --lambda or --url.'],
  [['--inside'], {}, '--inside is for a target of --url.'],
  [['--uri', 'https://a.example/v2'], {}, '--uri'],
  [['--url', 'https://a.example/v2'], { LEDGER_KEY: 'short' }, 'LEDGER_KEY must be the 32 bytes'],
])('%j with %j is refused', (words, env, text) => {
  const { status, stdout, stderr } = spawnSync('node', ['test/e2e/run.mjs', ...words], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain(text);
  expect(stderr).toContain('npm run test:e2e -- [--lambda');
  expect(stderr).not.toMatch(/\n\s+at /);
});
