/** Goal: a request leaves one line that an operator can search, and that line holds nothing of what was sent. */
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { beforeEach, expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { read } from '../../shared/action/read.ts';
import { status } from '../../shared/action/status.ts';
import { api } from '../../shared/http/api.ts';
import { outcomeIn } from '../../shared/http/log.ts';
import type { Action } from '../../shared/port/action.ts';
import type { LogLine } from '../../shared/port/trace.ts';
import { newKey, signed } from '../fixture/client.ts';
import { openDesk } from '../fixture/desk.ts';
import { tokenOf } from '../fixture/token.ts';

const lines: LogLine[] = [];
const { services } = await openDesk();
const failing: Action = {
  ...status,
  run: async () => {
    throw new Error('Its cause.');
  },
};
const handler = api(
  { services, log: (line) => void lines.push(line) },
  ['GET /', 'GET /docs', 'GET /wallets/{id}', 'POST /wallets'],
  {
    'GET /': status,
    'GET /docs': failing,
    'GET /wallets/{id}': read('wallet'),
    'POST /wallets': create('wallet'),
  },
);

beforeEach(() => {
  lines.length = 0;
});

/** Sends a request; returns its line. */
async function lineOf(
  httpMethod: string,
  path: string,
  more: Partial<APIGatewayProxyEvent> = {},
): Promise<LogLine> {
  const requestContext = { stage: 'v2', path: `/v2${path}`, requestId: 'r1' };
  const event = { httpMethod, path, headers: {}, body: null, requestContext, ...more };
  const context = { getRemainingTimeInMillis: () => 60_000 } as Context;
  await handler(event as unknown as APIGatewayProxyEvent, context);
  expect(lines).toHaveLength(1);
  return lines[0] as LogLine;
}

const isoMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const usual = {
  level: 'info',
  time: expect.stringMatching(isoMoment),
  request: 'r1',
  ledger: 'main',
  ms: expect.any(Number),
};

test('a success has its time, request, endpoint, ledger, status and milliseconds', async () => {
  expect(await lineOf('GET', '/')).toEqual({
    ...usual,
    ...{ method: 'GET', endpoint: 'GET /', status: 200 },
  });
});

test('a refusal has its reason, and the endpoint in place of the path', async () => {
  expect(await lineOf('GET', '/wallets/jane-doe')).toEqual({
    ...usual,
    ...{ method: 'GET', endpoint: 'GET /wallets/{id}', status: 404, reason: 'record.not-found' },
  });
});

test('an error of the service has its cause, and is an error', async () => {
  expect(await lineOf('GET', '/docs')).toEqual({
    ...{ ...usual, level: 'error' },
    ...{ method: 'GET', endpoint: 'GET /docs', status: 500 },
    error: expect.stringMatching(/^Error: Its cause\.\n +at /),
  });
});

test('a line has nothing of body, path, query, token and key', async () => {
  const key = newKey();
  const token = tokenOf(key);
  const body = signed({ handle: 'jane-doe', custom: { iban: 'DE02120300000000202051' } }, key);
  const headers = { authorization: `Bearer ${token}` };
  const query = { multiValueQueryStringParameters: { 'data.iban': ['DE02120300000000202051'] } };
  await lineOf('POST', '/wallets', { body: JSON.stringify(body) });
  lines.length = 0;
  await lineOf('POST', '/wallets', { body: JSON.stringify(body), headers });
  lines.length = 0;
  await lineOf('GET', '/wallets/jane-doe', { headers, ...query } as never);
  const text = JSON.stringify(lines);
  for (const secret of [token, key.public, 'jane-doe', 'DE0212', body.hash])
    expect(text).not.toContain(secret);
});

/** A proof of its author, whose reason is nobody's business. */
const authored = { origin: 'key-pair', custom: { status: 'failed', reason: 'jane-doe' } };
const intent = (status: string, ...proofs: object[]) => ({
  luid: '$int.00000000000000001',
  ...{
    hash: '',
    data: {},
    meta: { status, proofs: [authored, ...proofs.map((custom) => ({ custom }))] },
  },
});

test('an intent has its luid and status, and its reason when it failed', () => {
  const failed = { status: 'failed', reason: 'core.insufficient-balance', detail: 'jane-doe' };
  expect([
    outcomeIn('POST /intents', { status: 201, body: intent('completed', { status: 'completed' }) }),
    outcomeIn('POST /intents', {
      status: 201,
      body: intent('rejected', failed, { status: 'rejected' }),
    }),
  ]).toEqual([
    { intent: { luid: '$int.00000000000000001', status: 'completed' } },
    {
      intent: {
        ...{ luid: '$int.00000000000000001', status: 'rejected' },
        reason: 'core.insufficient-balance',
      },
    },
  ]);
});

test('a batch has the number of its intents by status, and no other list has any', () => {
  const data = [intent('completed'), intent('completed'), intent('rejected'), { hash: '' }];
  const answer = { status: 200, body: { data } } as const;
  expect(outcomeIn('POST /intents/!batch', answer)).toEqual({
    intents: { completed: 2, rejected: 1 },
  });
  expect(outcomeIn('GET /intents', answer)).toEqual({});
});
