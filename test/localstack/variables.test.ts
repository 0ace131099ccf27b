/**
 * Goal: what is mistyped does not count as not said. Each variable that the runtime and its commands are told by is
 * refused by a line that names it, before anything is made.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { command, newDataFolder } from '../fixture/runtime.ts';

const folder = newDataFolder();
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['PORT', 'abc', 'a whole number from 0 to 65535'],
  ['PORT', '70000', 'a whole number from 0 to 65535'],
  ['PORT', '80.5', 'a whole number from 0 to 65535'],
  ['LEDGER_HANDLE', 'Bad Handle', 'the handle of a ledger'],
  ['LEDGER_HANDLE', '$wlt.x', 'the handle of a ledger'],
  ['LEDGER_OWNER', 'me', 'an ed25519 public key in base64'],
  ['LEDGER_OWNER', '', 'an ed25519 public key in base64'],
  ['LEDGER_THREADS', '0', 'a whole number from 1 to 99'],
  ['LEDGER_LOG', 'debug', 'info, error or none'],
  ['LEDGER_LOG_FORMAT', 'xml', 'json or text'],
  ['OUTGOING_HOSTS', 'a.example, b.example', 'names of hosts'],
  ['ALLOWED_ORIGINS', 'app.example', 'origins as browsers write them'],
  ['ALLOWED_ORIGINS', '', 'origins as browsers write them'],
  ['EFFECTS_PER_SIGNAL', '0', 'a whole number from 1 to 10000'],
  ['SENT_BYTES_PER_SECOND', '1e6', 'a whole number of bytes'],
  ['REPORT_DELAY_MS', 'soon', 'a whole number of milliseconds'],
  ['TABLE_NAME', 'a table', 'the name of a table'],
  ['DYNAMODB_ENDPOINT', 'localhost', 'an http or https address'],
])('%s=%s is refused, with what it may say', async (name, value, must) => {
  const data = join(folder, 'new');
  const { code, said: line } = await command('start', data, {
    env: { PORT: '0', [name]: value },
  });
  const said = line.trim();
  expect([code, said.split('\n')]).toEqual([
    2,
    [expect.stringMatching(new RegExp(`^${name} must be ${must}.*, not '.*'\\.$`))],
  ]);
  expect(said).toContain(`'${value}'`);
  expect(existsSync(data)).toBe(false);
});

test('a variable is told with all others that are wrong', async () => {
  const env = { LEDGER_LOG: 'debug', PORT: 'x' };
  const { said } = await command('start', ':memory:', { env });
  expect(
    said
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0]),
  ).toEqual(['PORT', 'LEDGER_LOG']);
});

test.each([
  ['audit', { TABLE_NAME: 'a table' }, 'TABLE_NAME must be'],
  ['reindex', { DYNAMODB_ENDPOINT: 'x' }, 'DYNAMODB_ENDPOINT must be'],
  ['export', { LEDGER_HANDLE: 'a b' }, 'LEDGER_HANDLE must be'],
  ['quickstart', { SERVER: 'nowhere' }, 'SERVER must be'],
  ['watch', { SERVER: 'nowhere' }, 'SERVER must be'],
  ['localstack', { EDGE_PORT: 'x' }, 'EDGE_PORT must be'],
  ['test/lambda/start', { LEDGER_LOG: 'debug' }, 'LEDGER_LOG must be'],
])('`%s` refuses one too: %o', async (name, env, line) => {
  const { code, said } = await command(name, ':memory:', { env });
  expect(said.split('\n').filter(Boolean)).toEqual([expect.stringContaining(line)]);
  expect(code).not.toBe(0);
});
