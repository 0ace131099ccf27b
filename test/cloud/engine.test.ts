/**
 * The table of the model answers as the embedded database does. Goal: what runs on the model means the same in
 * DynamoDB. Method: random requests with the expressions of the store go to both; each answer, error and charge is
 * compared, and in the end all that can be read.
 */
import { inspect } from 'node:util';
import {
  BatchGetCommand,
  BatchWriteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tableClient } from '../../shared/store/client.ts';
import type { ItemAction } from '../../shared/store/request.ts';
import { type Database, startDatabase } from '../fixture/database.ts';
import { type Command, Engine } from './engine.ts';

let database: Database;
let client: DynamoDBDocumentClient;

beforeAll(async () => {
  database = await startDatabase();
  client = tableClient({ endpoint: database.endpoint });
});

afterAll(() => database.stop());

const key = fc.record({
  pk: fc.constantFrom('a', 'b'),
  // The order of bytes is not that of UTF-16.
  sk: fc.constantFrom('1', '2', '21', 'é', '💰', '\uff5e'),
});
const number = fc.integer({ min: -2, max: 3 });
const text = fc.constantFrom('x', 'xy', '');
const texts = fc.subarray(['x', 'y', 'z'], { minLength: 1 }).map((all) => new Set(all));
const item = fc.record(
  {
    n: number,
    t: text,
    s: texts,
    bytes: fc.uint8Array({ maxLength: 5 }).map((bytes) => Uint8Array.from(bytes)),
    deep: fc.record({ list: fc.array(fc.oneof(number, text, fc.boolean()), { maxLength: 3 }) }),
    // No item comes near the bound of a unit, where bytes of numbers would tell: AWS says that those are about right.
    long: fc
      .tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 100, max: 350 }))
      .map(([units, rest]) => 'é'.repeat(512 * units + rest)),
    size: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
    nothing: fc.constant(undefined),
  },
  { requiredKeys: [] },
);
const values = fc.record({ n: number, t: text, s: texts });

const conditions = [
  undefined,
  'attribute_not_exists(pk)',
  'attribute_exists(pk) AND attribute_not_exists(s)',
  't = :t AND n = :n',
  'attribute_not_exists(n) OR n < :n',
  '(attribute_not_exists(n) OR n <= :n) AND (t = :t OR attribute_exists(s))',
  'n > :n AND NOT begins_with(t, :t)',
  'n BETWEEN :n AND :m OR #size >= :n',
  'n = t OR n > t',
];
/** The embedded database makes an item of an update that only removes; DynamoDB makes none, as `whole.test.ts` says. */
const onlyRemoves = 'DELETE s :s';
const updates = [
  'SET t = :t ADD n :n',
  'SET n = n + :n, t = :t',
  'SET n = n - :n',
  'SET n = #size REMOVE #size, deep',
  'ADD s :s, n :n',
  'DELETE s :s ADD n :n',
  onlyRemoves,
  'REMOVE n ADD s :s',
];

/** The expressions with the names and values that they use. */
function expressed(update: string | undefined, wanted: string | undefined, given: object) {
  const condition = update === onlyRemoves ? 'attribute_exists(pk)' : wanted;
  const words = new Set(`${update} ${condition}`.match(/[:#]\w+/g));
  const all = Object.entries({ m: 4, ...given }).filter(([name]) => words.has(`:${name}`));
  return {
    ...(update && { UpdateExpression: update }),
    ...(condition && { ConditionExpression: condition }),
    ...(words.has('#size') && { ExpressionAttributeNames: { '#size': 'size' } }),
    ...(all.length > 0 && {
      ExpressionAttributeValues: Object.fromEntries(all.map(([name, one]) => [`:${name}`, one])),
    }),
  };
}

type Made = (TableName: string) => Command;
const ReturnConsumedCapacity = 'TOTAL';
const condition = fc.constantFrom(...conditions);
const update = fc.constantFrom(...updates);

const action = fc
  .record({
    what: fc.constantFrom('Put', 'Update', 'Delete', 'ConditionCheck'),
    ...{ key, item, values, condition, update },
  })
  .map((drawn) => ({ key: drawn.key, make: (TableName: string) => actionOn(TableName, drawn) }));

function actionOn(TableName: string, drawn: Drawn): ItemAction {
  const { what, key: Key, item: attributes, values: given, condition: holds } = drawn;
  const place = { TableName, Key };
  switch (what) {
    case 'Put':
      return {
        Put: { TableName, Item: { ...Key, ...attributes }, ...expressed(undefined, holds, given) },
      };
    case 'Update':
      return {
        Update: {
          UpdateExpression: drawn.update,
          ...place,
          ...expressed(drawn.update, holds, given),
        },
      };
    case 'Delete':
      return { Delete: { ...place, ...expressed(undefined, holds, given) } };
    default:
      return {
        ConditionCheck: {
          ConditionExpression: 'attribute_exists(pk)',
          ...place,
          ...expressed(undefined, holds ?? 'attribute_exists(pk)', given),
        },
      };
  }
}

interface Drawn {
  readonly what: string;
  readonly key: { readonly pk: string; readonly sk: string };
  readonly item: object;
  readonly values: object;
  readonly condition: string | undefined;
  readonly update: string;
}

const request: fc.Arbitrary<Made> = fc.oneof(
  { weight: 4, arbitrary: transactions() },
  {
    weight: 2,
    arbitrary: fc.record({ key, update, condition, values }).map(
      (drawn): Made =>
        (TableName) =>
          new UpdateCommand({
            ...{ TableName, Key: drawn.key, ReturnConsumedCapacity },
            ...expressed(drawn.update, drawn.condition, drawn.values),
          }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .uniqueArray(fc.record({ key, item, isPut: fc.boolean() }), {
        selector: (one) => JSON.stringify(one.key),
        ...{ minLength: 1, maxLength: 5 },
      })
      .map(
        (all): Made =>
          (TableName) =>
            new BatchWriteCommand({
              RequestItems: {
                [TableName]: all.map((one) =>
                  one.isPut
                    ? { PutRequest: { Item: { ...one.key, ...one.item } } }
                    : { DeleteRequest: { Key: one.key } },
                ),
              },
              ReturnConsumedCapacity,
            }),
      ),
  },
  { weight: 2, arbitrary: reads() },
);

function transactions(): fc.Arbitrary<Made> {
  const isNamed = fc.boolean();
  const selector = (one: { readonly key: object }) => JSON.stringify(one.key);
  const actions = fc.uniqueArray(action, { selector, minLength: 1, maxLength: 4 });
  return fc.tuple(actions, isNamed).map(
    ([all, isSameToken]): Made =>
      (TableName) =>
        new TransactWriteCommand({
          ReturnConsumedCapacity,
          ...(isSameToken && { ClientRequestToken: TableName }),
          TransactItems: all.map((one) => one.make(TableName)),
        }),
  );
}

function reads(): fc.Arbitrary<Made> {
  const isConsistent = fc.boolean();
  const keys = fc.uniqueArray(key, {
    selector: (one) => JSON.stringify(one),
    minLength: 1,
    maxLength: 4,
  });
  const page = fc.record(
    {
      Limit: fc.integer({ min: 1, max: 4 }),
      ScanIndexForward: fc.boolean(),
      Select: fc.constant('COUNT' as const),
    },
    { requiredKeys: [] },
  );
  const sk = key.map((one) => one.sk);
  const query = fc.tuple(key, page, fc.option(fc.tuple(sk, sk)), isConsistent, fc.boolean());
  return fc.oneof(
    fc.tuple(key, isConsistent).map(
      ([Key, ConsistentRead]): Made =>
        (TableName) =>
          new GetCommand({ TableName, Key, ConsistentRead, ReturnConsumedCapacity }),
    ),
    fc.tuple(keys, isConsistent).map(
      ([Keys, ConsistentRead]): Made =>
        (TableName) =>
          new BatchGetCommand({
            RequestItems: { [TableName]: { Keys, ConsistentRead } },
            ReturnConsumedCapacity,
          }),
    ),
    query.map(
      ([start, options, range, ConsistentRead, isFromStart]): Made =>
        (TableName) =>
          new QueryCommand({
            ...{ TableName, ConsistentRead, ReturnConsumedCapacity, ...options },
            KeyConditionExpression: `pk = :pk${range ? ' AND sk BETWEEN :from AND :to' : ''}`,
            ExpressionAttributeValues: {
              ':pk': start.pk,
              ...(range && { ':from': range[0], ':to': range[1] }),
            },
            ...(!isFromStart && !range && { ExclusiveStartKey: start }),
          }),
    ),
  );
}

interface Failed {
  readonly name: string;
  readonly CancellationReasons?: readonly { readonly Code?: string }[];
}

/** What an answer says: its items and units, or the error. */
async function heard(answer: Promise<object>): Promise<object> {
  try {
    return shownOf(await answer);
  } catch (error) {
    const { name, CancellationReasons: reasons } = error as Failed;
    return { name, codes: reasons?.map(({ Code }) => Code) };
  }
}

function shownOf(answer: object): object {
  const shown = answer as {
    readonly Items?: readonly object[];
    readonly Responses?: Readonly<Record<string, readonly object[]>>;
    readonly ConsumedCapacity?: Capacity | readonly Capacity[];
  };
  const batch = Object.values(shown.Responses ?? {}).flat();
  const capacity = [shown.ConsumedCapacity ?? []].flat();
  return {
    ...('Item' in answer && { item: answer.Item }),
    ...(shown.Items && { items: shown.Items }),
    ...('Count' in answer && { count: answer.Count, next: 'LastEvaluatedKey' in answer }),
    ...(shown.Responses && { batch: new Set(batch.map((one) => JSON.stringify(sorted(one)))) }),
    units: capacity.reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0),
  };
}

function withoutUnits(shown: object): object {
  return { ...shown, units: 0 };
}

interface Capacity {
  readonly CapacityUnits: number;
}

function sorted(value: object): unknown {
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return entries.map(([name, own]) => [
    name,
    own instanceof Set ? [...own].sort() : inspect(own, { depth: 9, maxStringLength: null }),
  ]);
}

let tableCount = 0;

test('whatever is asked, the engine and the embedded database answer alike', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 5, maxLength: 25 }), async (requests) => {
      tableCount += 1;
      const tableName = `differential-${tableCount}`;
      await database.createTable(tableName);
      const engine = new Engine(tableName);
      // Some are sent again at once, as after a lost answer.
      const sent = requests.flatMap((make, index) => (index % 4 === 0 ? [make, make] : [make]));
      for (const [index, make] of sent.entries()) {
        const shown = inspect(make(tableName).input, { depth: 6, maxStringLength: 30 });
        const mine = await heard(engine.client().send(make(tableName) as never));
        const theirs = await heard(client.send(make(tableName) as never));
        // The embedded database counts the units of a write that was done before otherwise than AWS.
        const isRepeat = make === sent[index - 1];
        expect(isRepeat ? withoutUnits(mine) : mine, shown).toEqual(
          isRepeat ? withoutUnits(theirs) : theirs,
        );
      }
      const scan = () => new ScanCommand({ TableName: tableName, ConsistentRead: true });
      const [mine, theirs] = [await engine.client().send(scan()), await client.send(scan())];
      const all = (items: readonly object[] = []) =>
        items.map((one) => JSON.stringify(sorted(one)));
      expect(all(mine.Items).sort()).toEqual(all(theirs.Items).sort());
    }),
    { numRuns: 60, endOnFailure: true },
  );
});

describe('the engine refuses', () => {
  const engine = new Engine('table');
  const place = { TableName: 'table', Key: { pk: 'a', sk: 'b' } };
  const updated = (more: object) => new UpdateCommand({ ...place, ...more } as never);
  const put = { Put: { TableName: 'table', Item: { pk: 'a', sk: 'b' } } };

  test.each<[string, Command]>([
    ['a function that the ledger does not use', updated({ ConditionExpression: 'size(pk)' })],
    ['a path into a map', updated({ UpdateExpression: 'SET a.b = :c' })],
    ['a member that it does not know', updated({ ReturnValues: 'ALL_NEW' })],
    ['a value that is missing', updated({ UpdateExpression: 'SET a = :c' })],
    ['a value that no expression uses', updated({ ExpressionAttributeValues: { ':c': 1 } })],
    ['another table', new GetCommand({ ...place, TableName: 'other' })],
    ['an item that is named twice', new TransactWriteCommand({ TransactItems: [put, put] })],
    [
      'a condition on keys that is none of the two',
      new QueryCommand({
        ...{ TableName: 'table', KeyConditionExpression: 'pk = :pk AND sk > :sk' },
        ExpressionAttributeValues: { ':pk': 'a', ':sk': 'b' },
      }),
    ],
    [
      'an item that is too large',
      new BatchWriteCommand({
        RequestItems: {
          table: [{ PutRequest: { Item: { pk: 'a', sk: 'b', long: 'x'.repeat(410_000) } } }],
        },
      }),
    ],
  ])('%s', (_, command) => {
    expect(() => engine.answer(command)).toThrow(
      expect.objectContaining({ name: 'ValidationException' }),
    );
  });
});
