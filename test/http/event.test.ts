/**
 * Goal: whatever a gateway makes of a request is answered, signed, and by 4xx where it means no endpoint. Method: a
 * handler gets the events of API Gateway, of LocalStack, and of gateways that it was not made for.
 */
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { read } from '../../shared/action/read.ts';
import { status } from '../../shared/action/status.ts';
import { api, type Handler } from '../../shared/http/api.ts';
import type { LogLine } from '../../shared/port/trace.ts';
import { openDesk } from '../fixture/desk.ts';

const endpoints = ['GET /', 'GET /wallets/{id}', 'POST /wallets'] as const;
const lines: LogLine[] = [];
let handler: Handler<(typeof endpoints)[number]>;

beforeAll(async () => {
  const { services } = await openDesk();
  const wiring = { services, log: (line: LogLine) => void lines.push(line) };
  handler = api(wiring, endpoints, {
    'GET /': status,
    'GET /wallets/{id}': read('wallet'),
    'POST /wallets': create('wallet'),
  });
});

/** An event of a request, as API Gateway makes it. */
const usual = {
  httpMethod: 'GET',
  path: '/',
  headers: {},
  requestContext: { stage: 'v2', path: '/v2/', requestId: 'r1' },
};

/** How an event is answered. */
async function answered(event: object) {
  const context = { awsRequestId: 'r2', getRemainingTimeInMillis: () => 60_000 } as Context;
  const { statusCode, body } = await handler(event as APIGatewayProxyEvent, context);
  if ('httpMethod' in event && event.httpMethod === 'HEAD') {
    expect(body).toBe('');
    return { statusCode };
  }
  const { data, meta } = JSON.parse(body) as {
    readonly data: { readonly reason?: string; readonly detail?: string };
    readonly meta: { readonly proofs: readonly unknown[] };
  };
  expect(meta.proofs).toHaveLength(1);
  return { statusCode, ...data };
}

// LocalStack makes this event of a request to the base address without a slash.
test.each([
  ['', ''],
  ['', '/v2'],
  ['', '/_aws/execute-api/countersign/v2'],
  ['/', '/v2/'],
  ['/v2', '/v2'],
])('the path %j below %j is that of the base address', async (path, requested) => {
  const event = { ...usual, path, requestContext: { stage: 'v2', path: requested } };
  expect(await answered(event)).toMatchObject({ statusCode: 200, status: 'UP' });
});

test.each([
  ['no path', { ...usual, path: undefined }],
  ['no method', { ...usual, httpMethod: undefined }],
  ['a path that is no text', { ...usual, path: 7 }],
  ['nothing at all', {}],
  ['the form of an HTTP API', { version: '2.0', rawPath: '/', requestContext: { http: {} } }],
  ['two forms', { ...usual, path: '/none', version: '2.0' }],
  ['an unknown version', { ...usual, path: '/none', version: '3.0' }],
  ['the form of VPC Lattice', { method: 'GET', raw_path: '/' }],
])('an event with %s is told that there is no such route', async (_, event) => {
  lines.length = 0;
  expect(await answered(event)).toMatchObject({ statusCode: 404, reason: 'api.route-not-found' });
  expect(lines).toMatchObject([{ level: 'info', status: 404, endpoint: 'none' }]);
});

const anything = fc.oneof(fc.string(), fc.constantFrom(undefined, null), fc.integer(), fc.object());

test('an event of any form is answered, and never as our failure', async () => {
  const events = fc.record(
    {
      version: fc.oneof(fc.constantFrom('1.0', '2.0'), anything),
      httpMethod: fc.oneof(fc.constantFrom('GET', 'POST', 'PUT', 'HEAD'), anything),
      method: anything,
      path: fc.oneof(fc.constantFrom('', '/', '/wallets', '/wallets/%', '/wallets/a'), anything),
      headers: fc.constantFrom({}, null, undefined),
      pathParameters: fc.constantFrom({ id: 'b' }, {}, null, undefined),
      multiValueQueryStringParameters: fc.constantFrom({ 'page.limit': ['1'] }, null, undefined),
      body: fc.constantFrom('', '{', null, undefined),
      requestContext: fc.constantFrom(usual.requestContext, {}, null, undefined),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(events, async (event) => {
      const { statusCode } = await answered(event);
      expect(statusCode).toBeLessThan(500);
    }),
  );
});
