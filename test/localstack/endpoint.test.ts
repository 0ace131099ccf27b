/**
 * Goal: the functions find LocalStack. Its free edition leads no call to `*.amazonaws.com` back to
 * itself; all it does is to set `AWS_ENDPOINT_URL` in each function. Method: the clients as functions
 * make them, each asked for something, with an address there that writes down what it is asked.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { kmsKeyring } from '../../shared/keyring/kms.ts';
import { eventBridge } from '../../shared/signal/eventbridge.ts';
import { tableClient } from '../../shared/store/client.ts';

const asked: string[] = [];
let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(String(request.headers['x-amz-target']));
    request.resume();
    response.writeHead(400, { 'content-type': 'application/x-amz-json-1.1' });
    response.end('{"__type":"ValidationException","message":"no"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
});

afterAll(() => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
});

test.each([
  ['the table', 'DynamoDB_20120810.GetItem', askTable],
  ['the keyring', 'TrentService.Decrypt', askKeyring],
  ['the bus', 'AWSEvents.PutEvents', askBus],
])('%s is asked where AWS_ENDPOINT_URL says', async (_, target, ask) => {
  asked.length = 0;
  await ask().catch(() => {});
  expect(new Set(asked)).toEqual(new Set([target]));
});

async function askTable(): Promise<void> {
  await tableClient().send(new GetCommand({ TableName: 'table', Key: { pk: 'a', sk: 'b' } }));
}

async function askKeyring(): Promise<void> {
  await kmsKeyring('key').unwrap(new Uint8Array([1]), 'main');
}

async function askBus(): Promise<void> {
  const bus = eventBridge('bus', { report: () => {} });
  const data = { handle: 'evt_a', signal: 'wallet-created', change: 1, moment: 'now' };
  await bus.publish([[{ ledger: 'main', luid: '$wlt.a', data }]]);
}
