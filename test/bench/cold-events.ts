/** Recorded events of functions: a request of API Gateway, records of the stream, an event of the bus, a schedule. */

import { type FunctionGroup, groups, stage, type Worker } from '../../infra/topology.ts';
import { outboxPartitionOf, outboxShardCount } from '../../shared/store/keys.ts';
import { newKey, signed } from '../fixture/client.ts';
import type { Fields } from '../lambda/aws-json.ts';

/** The first event of a function. */
export interface FirstEvent {
  readonly name: FunctionGroup | Worker;
  /** The name of the event in the printed table. */
  readonly what: string;
  readonly event: Fields;
}

/** A request in the form of the REST API; bodies are base64, because every media type is binary. */
function requestOf(method: string, path: string, body?: object): Fields {
  const headers = {
    Accept: 'application/json',
    'Content-Type': 'application/json',
    Host: 'a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com',
    'User-Agent': 'curl/8.5.0',
    'X-Amzn-Trace-Id': 'Root=1-6920a5c1-3f1d2c4b5a69788796a5b4c3',
    'X-Forwarded-For': '203.0.113.7',
    'X-Forwarded-Port': '443',
    'X-Forwarded-Proto': 'https',
  };
  const [, group = ''] = path.split('/');
  return {
    resource: path === '/' ? '/' : `/${group}/{proxy+}`,
    path,
    httpMethod: method,
    headers,
    multiValueHeaders: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, [value]]),
    ),
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters: null,
    stageVariables: null,
    requestContext: {
      accountId: '000000000000',
      apiId: 'a1b2c3d4e5',
      httpMethod: method,
      identity: { sourceIp: '203.0.113.7', userAgent: 'curl/8.5.0' },
      path: `/${stage}${path}`,
      protocol: 'HTTP/1.1',
      requestId: 'b5a3c1d2-7e4f-4a6b-9c8d-0e1f2a3b4c5d',
      requestTimeEpoch: 1763748000000,
      resourcePath: path,
      stage,
    },
    body: body ? Buffer.from(JSON.stringify(body)).toString('base64') : null,
    isBase64Encoded: body !== undefined,
  };
}

/** Stream records for new entries in all outboxes of a ledger. */
export function streamOf(ledger: string): Fields {
  const record = (shard: number) => ({
    eventID: `${shard}`.padStart(32, '0'),
    eventName: 'INSERT',
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: 'eu-central-1',
    dynamodb: {
      ApproximateCreationDateTime: 1763748000,
      Keys: { pk: { S: outboxPartitionOf(ledger, shard) }, sk: { S: '0' } },
      SequenceNumber: '100000000000000000001',
      SizeBytes: 512,
      StreamViewType: 'NEW_IMAGE',
    },
  });
  return { Records: Array.from({ length: outboxShardCount }, (_, shard) => record(shard)) };
}

export const tick: Fields = {
  version: '0',
  id: '6b1f0f1e-6a5f-4c0e-8f53-2b0d3c1e9a77',
  'detail-type': 'Scheduled Event',
  source: 'aws.events',
  account: '000000000000',
  time: '2026-11-21T18:00:00Z',
  region: 'eu-central-1',
  resources: ['arn:aws:events:eu-central-1:000000000000:rule/sweep'],
  detail: {},
};

/** Of the groups that do not answer at their own path, one that they do answer. */
const otherPaths: Partial<Record<FunctionGroup, string>> = {
  status: '/',
  oauth: '/oauth/jwks',
  log: '/log/checkpoint',
};

/** The first event of each function. The courier gets `signal`, which the relay has published. */
export function firstEvents(ledger: string, signal: Fields): FirstEvent[] {
  const key = newKey();
  let number = 0;
  return [
    ...(Object.keys(groups) as FunctionGroup[]).map((name) => {
      const path = otherPaths[name] ?? `/${name}`;
      return { name, what: `GET ${path}`, event: requestOf('GET', path) };
    }),
    {
      name: 'wallets',
      what: 'POST /wallets',
      // A new event each time: a repeated one is answered from memory.
      get event() {
        number += 1;
        return requestOf('POST', '/wallets', signed({ handle: `cold-${number}` }, key));
      },
    },
    { name: 'found', what: 'deployment', event: {} },
    { name: 'relay', what: 'stream', event: streamOf(ledger) },
    { name: 'courier', what: 'signal', event: signal },
    { name: 'sweeper', what: 'tick', event: tick },
    { name: 'reporter', what: 'tick', event: tick },
  ];
}
