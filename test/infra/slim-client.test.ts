/**
 * Goal: the slim client of bundles speaks to AWS as the SDK's clients do, and the packages that it reaches into stay the
 * ones that it was written for. Method: the clients are bundled as functions are, and talk to a server here that records
 * every request and answers what a test gives it.
 */
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { buildSync } from 'esbuild';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { bundleOptions, root } from '../../infra/bundling.ts';
import { addressIn } from '../../infra/slim-client/endpoints.ts';
import type { kmsKeyring } from '../../shared/keyring/kms.ts';
import type { eventBridge } from '../../shared/signal/eventbridge.ts';
import type { tableClient } from '../../shared/store/client.ts';
import { failedIndexesOf, natureOf } from '../../shared/store/retry.ts';

const folder = mkdtempSync(join(tmpdir(), 'countersign-slim-'));
const region = 'eu-central-1';
const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const environment = {
  AWS_REGION: region,
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: secret,
  AWS_SESSION_TOKEN: 'session',
};

interface Heard {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}
type Reply = readonly [status: number, body: object];

const heard: Heard[] = [];
let replies: Reply[] = [];
const server = createServer(async (message, response) => {
  heard.push({ headers: message.headers, body: await buffer(message) });
  const [status, body] = replies.shift() ?? [200, {}];
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
  response.end(JSON.stringify(body));
});

interface Bundled {
  readonly tableClient: typeof tableClient;
  readonly kmsKeyring: typeof kmsKeyring;
  readonly eventBridge: typeof eventBridge;
  readonly TransactWriteCommand: typeof TransactWriteCommand;
}
let bundled: Bundled;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  Object.assign(process.env, environment, { AWS_ENDPOINT_URL: `http://127.0.0.1:${port}` });
  const outfile = join(folder, 'clients.mjs');
  const contents = [
    "export { tableClient } from './shared/store/client.ts';",
    "export { kmsKeyring } from './shared/keyring/kms.ts';",
    "export { eventBridge } from './shared/signal/eventbridge.ts';",
    "export { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';",
  ].join('\n');
  const { outputFiles } = buildSync({
    ...bundleOptions,
    stdin: { contents, resolveDir: root, loader: 'ts' },
    outfile,
  });
  for (const { path, contents: bytes } of outputFiles) writeFileSync(path, bytes);
  bundled = (await import(outfile)) as Bundled;
});

afterEach(() => {
  heard.splice(0);
  replies = [];
});

afterAll(() => {
  for (const name of [...Object.keys(environment), 'AWS_ENDPOINT_URL']) delete process.env[name];
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
});

const write = () =>
  new bundled.TransactWriteCommand({
    ClientRequestToken: 'token-1',
    TransactItems: [
      {
        Put: {
          TableName: 't',
          Item: { pk: 'a', sk: 'b', sum: 9007199254740993n, bytes: Buffer.from('ÿ') },
        },
      },
    ],
  });

test('the database is asked in its own words: amounts exact, bytes in base64, with the token', async () => {
  await bundled.tableClient().send(write());
  const [{ headers, body } = { headers: {}, body: Buffer.of() }] = heard;
  expect(headers).toMatchObject({
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': 'DynamoDB_20120810.TransactWriteItems',
    'content-length': String(body.length),
  });
  expect(JSON.parse(body.toString())).toEqual({
    ClientRequestToken: 'token-1',
    TransactItems: [
      {
        Put: {
          TableName: 't',
          Item: {
            pk: { S: 'a' },
            sk: { S: 'b' },
            sum: { N: '9007199254740993' },
            bytes: { B: 'w78=' },
          },
        },
      },
    ],
  });
});

// The third opinion beside the SDK's signer and the emulators, which look at no signature: the four steps of
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
function signatureOf({ headers, body }: Heard, service: string): string {
  const [, names = ''] = /SignedHeaders=([^,]+)/.exec(String(headers.authorization)) ?? [];
  const date = String(headers['x-amz-date']);
  const hash = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
  const lines = names.split(';').map((name) => `${name}:${headers[name]}\n`);
  const canonical = ['POST', '/', '', lines.join(''), names, hash(body)].join('\n');
  const scope = [date.slice(0, 8), region, service, 'aws4_request'];
  const key = scope.reduce<string | Buffer>(
    (from, part) => createHmac('sha256', from).update(part).digest(),
    `AWS4${secret}`,
  );
  const text = ['AWS4-HMAC-SHA256', date, scope.join('/'), hash(canonical)].join('\n');
  return createHmac('sha256', key).update(text).digest('hex');
}

test('every request is signed with the credentials of the function, for its service', async () => {
  await bundled.tableClient().send(write());
  replies = [[200, { CiphertextBlob: 'AAAA' }]];
  await bundled.kmsKeyring('key').wrap(Buffer.from('x'), 'main');
  replies = [[200, { FailedEntryCount: 0, Entries: [{ EventId: '1' }] }]];
  const event = { luid: '$evt.1', data: { signal: 'wallet-created' } };
  await bundled.eventBridge('bus', { report: () => {} }).publish([[event as never]]);
  expect(heard).toHaveLength(3);
  for (const [index, service] of ['dynamodb', 'kms', 'events'].entries()) {
    const one = heard[index] as Heard;
    expect(one.headers['x-amz-security-token']).toBe('session');
    const { authorization } = one.headers;
    expect(authorization).toContain(`/${region}/${service}/aws4_request`);
    expect(authorization).toMatch(/SignedHeaders=[^,]*host;[^,]*x-amz-target/);
    expect(authorization).toContain(`Signature=${signatureOf(one, service)}`);
  }
});

test('the keyring names the ledger, and hands on the bytes that KMS answers', async () => {
  replies = [[200, { CiphertextBlob: 'AQID' }]];
  const keyring = bundled.kmsKeyring('key-1');
  const wrapped = await keyring.wrap(Buffer.from('secret'), 'bank');
  expect([...wrapped]).toEqual([1, 2, 3]);
  replies = [[200, { Plaintext: 'c2VjcmV0' }]];
  expect(Buffer.from(await keyring.unwrap(wrapped, 'bank')).toString()).toBe('secret');
  expect(
    heard.map(({ headers, body }) => [headers['x-amz-target'], JSON.parse(`${body}`)]),
  ).toEqual([
    [
      'TrentService.Encrypt',
      { KeyId: 'key-1', Plaintext: 'c2VjcmV0', EncryptionContext: { ledger: 'bank' } },
    ],
    [
      'TrentService.Decrypt',
      { KeyId: 'key-1', CiphertextBlob: 'AQID', EncryptionContext: { ledger: 'bank' } },
    ],
  ]);
});

test('KMS is asked again where it was busy or broken, and not where it has said no', async () => {
  const busy: Reply = [400, { __type: 'ThrottlingException' }];
  replies = [busy, [500, { __type: 'KMSInternalException' }], [200, { Plaintext: 'AA==' }]];
  const keyring = bundled.kmsKeyring('key-1');
  await keyring.unwrap(Buffer.from('x'), 'bank');
  replies = [busy, busy, busy];
  await expect(keyring.unwrap(Buffer.from('x'), 'bank')).rejects.toThrow();
  replies = [[400, { __type: 'AccessDeniedException', message: 'no' }]];
  await expect(keyring.unwrap(Buffer.from('x'), 'bank')).rejects.toMatchObject({
    name: 'AccessDeniedException',
    message: 'no',
  });
  expect(heard).toHaveLength(3 + 3 + 1);
});

test('the store hears from errors what it hears from those of the SDK, and asks again by itself', async () => {
  const type = 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException';
  const cases: [Reply, string][] = [
    [
      [
        400,
        {
          __type: type,
          CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }],
        },
      ],
      'refused',
    ],
    [[400, { __type: type, CancellationReasons: [{ Code: 'TransactionConflict' }] }], 'busy'],
    [[400, { __type: 'x#ProvisionedThroughputExceededException' }], 'busy'],
    [[500, { __type: 'x#InternalServerError' }], 'unknown'],
    [[503, {}], 'unknown'],
    [[400, { __type: 'x#ValidationException' }], 'broken'],
  ];
  const client = bundled.tableClient();
  for (const [reply, nature] of cases) {
    replies = [reply];
    const error: unknown = await client.send(write()).catch((thrown: unknown) => thrown);
    expect(natureOf(error), JSON.stringify(reply)).toBe(nature);
    if (nature === 'refused') expect(failedIndexesOf(error)).toEqual([1]);
  }
  expect(heard).toHaveLength(cases.length);
});

test('an answer that does not come within its time is given up, and may have been taken', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const client = bundled.tableClient({ endpoint: `http://127.0.0.1:${port}` });
  const error: unknown = await client
    .send(write(), { requestTimeout: 50 })
    .catch((thrown: unknown) => thrown);
  expect(natureOf(error)).toBe('unknown');
  silent.close();
  silent.closeAllConnections();
});

test('the packages that it reaches into, or stands for, are pinned to one exact version', () => {
  const code = readdirSync('infra/slim-client').map((name) =>
    readFileSync(join('infra/slim-client', name), 'utf8'),
  );
  const paths = [
    ...code.join('\n').matchAll(/'(?:\.\.\/\.\.\/node_modules\/)?(@(?:aws-sdk|smithy)\/[\w-]+)/g),
  ];
  const stoodFor = Object.keys(bundleOptions.alias).flatMap(
    (path) => /^@(?:aws-sdk|smithy)\/[\w-]+/.exec(path)?.[0] ?? [],
  );
  // What lies between our code and the client of the database shares its commands.
  const names = new Set([
    ...paths.map(([, name = '']) => name),
    ...stoodFor,
    '@aws-sdk/lib-dynamodb',
  ]);
  expect(names.size).toBe(9);
  const { packages } = readJson('package-lock.json') as Lock;
  const { dependencies, devDependencies } = readJson('package.json') as Manifest;
  const ranges = { ...dependencies, ...devDependencies };
  for (const name of names) {
    const installed = Object.keys(packages).filter((path) => path.endsWith(`node_modules/${name}`));
    expect(installed).toEqual([`node_modules/${name}`]);
    expect(ranges[name], name).toMatch(/^\d+\.\d+\.\d+$/);
    expect(ranges[name], name).toBe(packages[`node_modules/${name}`]?.version);
  }
});

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}
interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string }>>;
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

test('a service is in the region of the function, unless the environment says where', () => {
  const { AWS_ENDPOINT_URL: told } = process.env;
  delete process.env['AWS_ENDPOINT_URL'];
  const place = (at: string) => addressIn('kms', 'AWS_ENDPOINT_URL_KMS', at);
  const secure = { protocol: 'https:', path: '/' };
  expect(place('eu-central-1')).toEqual({ ...secure, hostname: 'kms.eu-central-1.amazonaws.com' });
  expect(place('cn-north-1')).toEqual({ ...secure, hostname: 'kms.cn-north-1.amazonaws.com.cn' });
  process.env['AWS_ENDPOINT_URL'] = 'http://localhost:4566';
  const local = { protocol: 'http:', hostname: 'localhost', port: 4566, path: '/' };
  expect(place('eu-central-1')).toEqual(local);
  process.env['AWS_ENDPOINT_URL_KMS'] = 'http://localhost:4567';
  expect(place('eu-central-1')).toEqual({ ...local, port: 4567 });
  delete process.env['AWS_ENDPOINT_URL_KMS'];
  process.env['AWS_ENDPOINT_URL'] = told;
});
