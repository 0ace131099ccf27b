import { spawnSync } from 'node:child_process';
import { App } from 'aws-cdk-lib';
import { expect, test } from 'vitest';
import { parametersOf } from '../../infra/parameters.ts';
import { owner } from './template.ts';

const parametersIn = (context: Readonly<Record<string, unknown>>) =>
  parametersOf(new App({ context: { owner, ...context } }).node);

const defaults = {
  ledger: 'main',
  effectsPerSignal: 100,
  sentBytesPerSecond: 10_000_000,
  requestsPerSecond: 5_000,
  requestsAtOnce: 2_500,
  logDays: 90,
  archiveDays: 90,
};

test('with an owner alone, the ledger main is closed, at the address of the API', () => {
  expect(parametersIn({})).toEqual({ ...defaults, owner });
});

test('a ledger is open only where that is said', () => {
  expect(parametersIn({ access: 'closed' })).toEqual({ ...defaults, owner });
  expect(parametersIn({ access: 'open', owner: undefined })).toEqual(defaults);
  expect(() => parametersIn({ access: 'open' })).toThrow(
    'The parameter owner must be left out where access is open, not',
  );
  expect(() => parametersIn({ access: 'Open' })).toThrow(
    'The parameter access must be closed or open, not "Open".',
  );
});

// The last one is a point of small order: anyone could sign for it.
test.each([undefined, '', 'me', 7, owner.slice(1), Buffer.alloc(32).toString('base64')])(
  'the owner %j is refused, and it is said how to make one',
  (value) => {
    const found = value === undefined ? '. It is missing' : `, not ${JSON.stringify(value)}`;
    expect(() => parametersIn({ owner: value })).toThrow(
      `The parameter owner must be an ed25519 public key in base64, as \`countersign key owner.key\` makes one, or left out with \`access=open\` for a ledger that belongs to nobody${found}.`,
    );
  },
);

test('what the command line says counts as what a file says', () => {
  const said = {
    outgoingHosts: 'hooks.example,*.bank.example',
    allowedOrigins: 'https://app.bank.example,http://localhost:5173',
    requestsPerSecond: '10',
    requestsAtOnce: 20,
    logDays: '365',
    archiveDays: '7',
    alarmEmail: 'duty@bank.example',
  };
  expect(parametersIn(said)).toMatchObject({
    outgoingHosts: ['hooks.example', '*.bank.example'],
    allowedOrigins: ['https://app.bank.example', 'http://localhost:5173'],
    requestsPerSecond: 10,
    requestsAtOnce: 20,
    logDays: 365,
    archiveDays: 7,
    alarmEmail: 'duty@bank.example',
  });
});

const certificate =
  'arn:aws:acm:eu-central-1:123456789012:certificate/0a1b2c3d-0000-0000-0000-0a1b2c3d4e5f';
const tableStream =
  'arn:aws:dynamodb:eu-central-1:123456789012:table/Restored/stream/2026-11-21T00:00:00.000';

test('a domain comes with its certificate, and a table with its stream', () => {
  expect(parametersIn({ domain: 'ledger.bank.example', certificate })).toMatchObject({
    domain: { name: 'ledger.bank.example', certificate },
  });
  expect(parametersIn({ table: 'Restored', tableStream })).toMatchObject({
    table: { name: 'Restored', stream: tableStream },
  });
});

test.each([
  [{ domain: 'ledger.bank.example' }, 'certificate must be the ARN of a certificate'],
  [{ certificate }, 'domain must be a name such as'],
  [{ domain: 'ledger', certificate }, 'domain must be a name such as'],
  [{ domain: '*.bank.example', certificate }, 'domain must be a name such as'],
  [{ domain: 'https://bank.example', certificate }, 'domain must be a name such as'],
  [{ domain: 'a.example', certificate: 'arn:aws:iam::1:x' }, 'certificate must be the ARN'],
  [{ table: 'Restored' }, 'tableStream must be the ARN of the stream'],
  [{ tableStream }, 'table must be the name of a table'],
  [{ table: 'Other', tableStream }, 'tableStream must be the ARN of the stream'],
  [
    { table: 'Restored', tableStream: tableStream.replace(/[^/]+$/, '') },
    'tableStream must be the ARN of the stream',
  ],
  [{ table: 'a/b', tableStream }, 'table must be the name of a table'],
  [{ outgoingHosts: '' }, 'outgoingHosts must be names of hosts'],
  [{ outgoingHosts: 'https://hooks.example' }, 'outgoingHosts must be names of hosts'],
  [{ outgoingHosts: ['hooks.example', 7] }, 'outgoingHosts must be names of hosts'],
  [{ allowedOrigins: '' }, 'allowedOrigins must be origins as browsers write them'],
  [{ allowedOrigins: '*' }, 'allowedOrigins must be origins as browsers write them'],
  [{ allowedOrigins: 'https://app.example/' }, 'allowedOrigins must be origins'],
  [{ allowedOrigins: ['https://app.example', 7] }, 'allowedOrigins must be origins'],
  [{ alarmEmail: 'duty' }, 'alarmEmail must be an e-mail address'],
  [{ requestsPerSecond: 0 }, 'requestsPerSecond must be a whole number from 1 to 100000, not 0.'],
  [{ requestsPerSecond: '1.5' }, 'requestsPerSecond must be a whole number'],
  [{ requestsAtOnce: -1 }, 'requestsAtOnce must be a whole number'],
  [{ requestsAtOnce: '100001' }, 'requestsAtOnce must be a whole number'],
  [{ effectsPerSignal: 10_001 }, 'effectsPerSignal must be a whole number from 1 to 10000'],
  [
    { sentBytesPerSecond: 99_999 },
    'sentBytesPerSecond must be a whole number from 100000 to 10000000000, not 99999.',
  ],
  [{ archiveDays: 'all' }, 'archiveDays must be a whole number from 1 to 3650, not "all".'],
  [{ logDays: 91 }, 'logDays must be one of 1, 3, 5, 7, 14, 30, 60, 90, '],
])('%j is refused', (context, message) => {
  expect(() => parametersIn(context)).toThrow(`The parameter ${message}`);
});

test('the addresses are a list, or one text with commas', () => {
  const serverUrls = ['https://ledger.example/v2', 'http://localhost:4566/v2'];
  expect(parametersIn({ serverUrls })).toMatchObject({ serverUrls });
  expect(parametersIn({ serverUrls: serverUrls.join(',') })).toMatchObject({ serverUrls });
});

test.each([
  ['two words', 'The parameter ledger must be the handle of a ledger, not "two words".'],
  ['', 'The parameter ledger must be the handle of a ledger, not "".'],
  ['$wlt.abc', 'The parameter ledger must be the handle of a ledger, not "$wlt.abc".'],
  [7, 'The parameter ledger must be the handle of a ledger, not 7.'],
  ['a#b', 'The parameter ledger must be the handle of a ledger, not "a#b".'],
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
    `The parameter serverUrls must be ${must}, not ${JSON.stringify(serverUrls)}.`,
  );
});

test.each(['', 'My', 'a-b', 'a'.repeat(33), true, 7])(
  'the API %j on LocalStack is refused',
  (localstack) => {
    expect(() => parametersIn({ localstack })).toThrow(
      `The parameter localstack must be 1 to 32 small letters and digits, not ${JSON.stringify(localstack)}.`,
    );
  },
);

test('the app says only what is wrong, and fails', () => {
  const context = JSON.stringify({ owner, ledger: 'two words' });
  const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'infra/app.ts'], {
    env: { ...process.env, CDK_CONTEXT_JSON: context },
    encoding: 'utf8',
  });
  expect(stderr).toBe('The parameter ledger must be the handle of a ledger, not "two words".\n');
  expect(status).toBe(1);
});

test.each([
  ...['outgoingHost', 'acces', 'Owner', 'outgoing-hosts', 'outgoing_hosts', 'outgoingHosts '],
  ...['alarmEmail2', 'alarm.email', ''],
])('%j is no parameter, and not passed over', (name) => {
  expect(() => parametersIn({ [name]: 'x' })).toThrow(
    `There is no parameter ${name}. There are ledger, owner, access,`,
  );
});

test('what CDK says to itself is no concern of ours', () => {
  const context = {
    ...{ '@aws-cdk/core:x': true, 'aws:cdk:y': 1, 'vpc:a=b': 2 },
    ...{ 'cli-telemetry': false, 'acknowledged-issue-numbers': [1], 'cdk-migrate': true },
  };
  expect(parametersIn(context)).toEqual({ ...defaults, owner });
});
