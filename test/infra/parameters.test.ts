import { spawnSync } from 'node:child_process';
import { App } from 'aws-cdk-lib';
import { expect, test } from 'vitest';
import { parametersOf } from '../../infra/parameters.ts';

const parametersIn = (context: Readonly<Record<string, unknown>>) =>
  parametersOf(new App({ context }).node);

test('without parameters the default ledger is main, at the address of the API', () => {
  expect(parametersIn({})).toEqual({ ledger: 'main' });
});

test('the addresses are a list, or one text with commas', () => {
  const serverUrls = ['https://ledger.example/v2', 'http://localhost:4566/v2'];
  expect(parametersIn({ serverUrls })).toMatchObject({ serverUrls });
  expect(parametersIn({ serverUrls: serverUrls.join(',') })).toMatchObject({ serverUrls });
});

test.each([
  ['two words', 'The context parameter ledger must be the handle of a ledger, not "two words".'],
  ['', 'The context parameter ledger must be the handle of a ledger, not "".'],
  ['$wlt.abc', 'The context parameter ledger must be the handle of a ledger, not "$wlt.abc".'],
  [7, 'The context parameter ledger must be the handle of a ledger, not 7.'],
  ['a#b', 'The context parameter ledger must be the handle of a ledger, not "a#b".'],
])('the ledger %j is refused', (ledger, message) => {
  expect(() => parametersIn({ ledger })).toThrow(message);
});

test.each([
  'ledger.example',
  'http://ledger.example',
  'https://ledger.example/',
  'https://ledger.example/v2/',
  'https://ledger.example/v2?a=b',
  'https://ledger.example/v2#a',
  'https://user:word@ledger.example',
  'https://ledger.example,',
  'https://ledger.example, https://other.example',
  'http://localhost.example',
  '',
  7,
  [],
  [7],
])('the addresses %j are refused', (serverUrls) => {
  const must = 'https addresses without a query and without a slash at the end';
  expect(() => parametersIn({ serverUrls })).toThrow(
    `The context parameter serverUrls must be ${must}, not ${JSON.stringify(serverUrls)}.`,
  );
});

test.each(['', 'My', 'a-b', 'a'.repeat(33), true, 7])(
  'the API %j on LocalStack is refused',
  (localstack) => {
    expect(() => parametersIn({ localstack })).toThrow(
      `The context parameter localstack must be 1 to 32 small letters and digits, not ${JSON.stringify(localstack)}.`,
    );
  },
);

test('the app says only what is wrong, and fails', () => {
  const context = JSON.stringify({ ledger: 'two words' });
  const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'infra/app.ts'], {
    env: { ...process.env, CDK_CONTEXT_JSON: context },
    encoding: 'utf8',
  });
  expect(stderr).toBe(
    'The context parameter ledger must be the handle of a ledger, not "two words".\n',
  );
  expect(status).toBe(1);
});
