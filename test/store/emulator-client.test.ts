/**
 * Goal: the client of an emulator says and understands what the SDK does. Method: both send the same commands to a
 * server that writes down what it is asked and gives the answers that a test wants.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { tableClient } from '../../shared/store/client.ts';
import { failedIndexesOf, isConflict, natureOf } from '../../shared/store/retry.ts';
import { runs } from '../fixture/runs.ts';

interface Asked {
  readonly target: string | undefined;
  readonly body: unknown;
}

let server: Server;
let endpoint: string;
let asked: Asked[] = [];
/** The answer to every request. */
let answer: { readonly status?: number; readonly text: string } | 'hang up' | 'be silent';

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
      asked.push({ target: request.headers['x-amz-target'] as string | undefined, body });
      if (answer === 'hang up') request.socket.destroy();
      if (typeof answer === 'string') return;
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(answer.text);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  asked = [];
  answer = { text: '{}' };
});

type Client = Pick<DynamoDBDocumentClient, 'send'>;

const direct = (): Client => tableClient({ endpoint });
const sdk = (): Client =>
  DynamoDBDocumentClient.from(
    new DynamoDBClient({
      endpoint,
      region: 'local',
      maxAttempts: 1,
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    }),
    {
      marshallOptions: { removeUndefinedValues: true },
      unmarshallOptions: { wrapNumbers: BigInt },
    },
  );

const plain = fc.letrec<{ value: unknown; item: Record<string, unknown> }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string({ unit: 'binary' }),
    fc.maxSafeInteger(),
    fc.bigInt({ min: -(10n ** 37n), max: 10n ** 37n }),
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
    fc.uint8Array({ minLength: 1, maxLength: 40 }),
    fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 3 }).map((all) => new Set(all)),
    fc.array(
      tie('value').filter((one) => one !== undefined),
      { maxLength: 3 },
    ),
    tie('item'),
  ),
  item: fc.dictionary(
    fc.stringMatching(/^[a-zA-Z#:]{1,8}$/),
    tie('value') as fc.Arbitrary<unknown>,
    {
      maxKeys: 4,
      noNullPrototype: true,
    },
  ) as fc.Arbitrary<Record<string, unknown>>,
}));

const TableName = 'table';
const keyOf = (name: string) => ({ pk: name, sk: '#' });

/** Each request of the store, with an item in each place where it may hold one. */
const commandsWith = (item: Record<string, unknown>) => [
  () =>
    new TransactWriteCommand({
      ClientRequestToken: 'token',
      TransactItems: [
        {
          Put: {
            TableName,
            Item: { ...item, ...keyOf('a') },
            ConditionExpression: 'attribute_not_exists(pk)',
          },
        },
        { Delete: { TableName, Key: keyOf('b') } },
        { ConditionCheck: { TableName, Key: keyOf('c'), ConditionExpression: 'luid = :luid' } },
        {
          Update: {
            TableName,
            Key: keyOf('d'),
            UpdateExpression: 'SET #size = :next',
            ExpressionAttributeNames: { '#size': 'size' },
            ExpressionAttributeValues: { ':next': 1n, ':item': item },
          },
        },
      ],
      ReturnConsumedCapacity: 'TOTAL',
    }),
  () =>
    new BatchGetCommand({
      RequestItems: { [TableName]: { Keys: [keyOf('a'), keyOf('b')], ConsistentRead: true } },
    }),
  () =>
    new BatchWriteCommand({
      RequestItems: {
        [TableName]: [
          { PutRequest: { Item: { ...item, ...keyOf('a') } } },
          { DeleteRequest: { Key: keyOf('b') } },
        ],
      },
    }),
  () =>
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': 'a' },
      ScanIndexForward: false,
      Limit: 5,
      ExclusiveStartKey: { ...item, ...keyOf('a') },
    }),
  () =>
    new UpdateCommand({
      TableName,
      Key: keyOf('a'),
      UpdateExpression: 'ADD points :points',
      ExpressionAttributeValues: { ':points': 1, ':item': item },
    }),
  () => new GetCommand({ TableName, Key: keyOf('a') }),
];

test('each request is what the SDK sends', async () => {
  await fc.assert(
    fc.asyncProperty(plain.item, async (item) => {
      for (const command of commandsWith(item)) {
        asked = [];
        await direct().send(command() as never);
        await sdk().send(command() as never);
        const [ours, theirs] = asked;
        expect(ours).toEqual(theirs);
        expect(ours?.target).toMatch(/^DynamoDB_20120810\.[A-Z]\w+$/);
      }
    }),
    { numRuns: runs(40) },
  );
});

test('each answer is read as the SDK reads it', async () => {
  await fc.assert(
    fc.asyncProperty(plain.item, async (item) => {
      // A request holds the item in the notation of the database, so the answers are made of it.
      const [put] = commandsWith(item);
      await sdk().send(put?.() as never);
      const { body } = asked.at(-1) as Asked;
      const { TransactItems } = body as { TransactItems: [{ Put: { Item: object } }] };
      const [{ Put }] = TransactItems;
      const capacity = [{ TableName, CapacityUnits: 2.5 }];
      const answers = [
        { ConsumedCapacity: capacity },
        {
          Responses: { [TableName]: [Put.Item, Put.Item] },
          UnprocessedKeys: { [TableName]: { Keys: [{ pk: { S: 'a' }, sk: { S: '#' } }] } },
        },
        {
          UnprocessedItems: {
            [TableName]: [
              { PutRequest: { Item: Put.Item } },
              { DeleteRequest: { Key: { pk: { S: 'a' } } } },
            ],
          },
        },
        { Items: [Put.Item], Count: 1, LastEvaluatedKey: Put.Item },
        {},
        { Item: Put.Item, ConsumedCapacity: capacity[0] },
      ];
      for (const [index, command] of commandsWith({}).entries()) {
        answer = { text: JSON.stringify(answers[index]) };
        const { $metadata: _, ...theirs } = await sdk().send(command() as never);
        expect(await direct().send(command() as never)).toEqual(theirs);
      }
    }),
    { numRuns: runs(40) },
  );
});

async function refusalOf(client: Client): Promise<Error> {
  const sent = client.send(new GetCommand({ TableName, Key: keyOf('a') }));
  return sent.then(
    () => Promise.reject(new Error('It was answered.')),
    (error: unknown) => error as Error,
  );
}

const cancelled = {
  __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
  Message: 'Transaction cancelled [None, ConditionalCheckFailed, TransactionConflict]',
  CancellationReasons: [
    { Code: 'None' },
    { Code: 'ConditionalCheckFailed', Message: 'no', Item: { pk: { S: 'a' }, moves: { N: '3' } } },
    { Code: 'TransactionConflict' },
  ],
};

test.each([
  [400, cancelled],
  [400, { ...cancelled, CancellationReasons: [{ Code: 'TransactionConflict' }] }],
  [400, { __type: 'x#ConditionalCheckFailedException', message: 'The conditional request failed' }],
  [400, { __type: 'x#ProvisionedThroughputExceededException', message: 'Too fast.' }],
  [400, { __type: 'x#ResourceNotFoundException', message: 'There is no such table.' }],
  [400, { __type: 'x#ValidationException', message: 'No.' }],
  [500, { __type: 'x#InternalServerError', message: 'Oh.' }],
  [503, { message: 'Later.' }],
])('a refusal with %i means the same: %o', async (status, body) => {
  answer = { status, text: JSON.stringify(body) };
  const [ours, theirs] = [await refusalOf(direct()), await refusalOf(sdk())];
  expect([natureOf(ours), isConflict(ours), failedIndexesOf(ours)]).toEqual([
    natureOf(theirs),
    isConflict(theirs),
    failedIndexesOf(theirs),
  ]);
  if ('__type' in body) expect([ours.name, ours.message]).toEqual([theirs.name, theirs.message]);
});

test.each(['hang up', 'be silent'] as const)('the outcome is unknown after: %s', async (how) => {
  answer = how;
  const sent = tableClient({ endpoint }).send(new GetCommand({ TableName, Key: keyOf('a') }), {
    requestTimeout: how === 'hang up' ? 60_000 : 50,
  });
  const error = await sent.catch((one: unknown) => one);
  expect(natureOf(error)).toBe('unknown');
});

test('a request tells nobody who one is', async () => {
  const sent = once(server, 'request') as Promise<[{ headers: Record<string, string> }]>;
  await direct().send(new GetCommand({ TableName, Key: keyOf('a') }));
  const [{ headers }] = await sent;
  expect(headers['authorization']).toMatch(/^AWS4-HMAC-SHA256 Credential=local\//);
});

test('the outcome of an answer that is cut off is unknown', async () => {
  answer = { text: '{"Item":' };
  expect(natureOf(await refusalOf(direct()))).toBe('unknown');
});

test.each([
  ['a number that is no integer', 1.5],
  ['a number that is not exact', 2 ** 53],
  ['a date', new Date(0)],
  ['a map', new Map([['a', 1]])],
  ['a set of numbers', new Set([1])],
])('%s is refused and not sent', async (_, value) => {
  const put = new BatchWriteCommand({
    RequestItems: { [TableName]: [{ PutRequest: { Item: { ...keyOf('a'), value } } }] },
  });
  await expect(direct().send(put)).rejects.toThrow(TypeError);
  expect(asked).toEqual([]);
});
