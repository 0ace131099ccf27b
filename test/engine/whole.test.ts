/**
 * A request to a file is done whole or not at all, and answered as DynamoDB does: a refused one leaves nothing behind,
 * whatever shares its commit.
 */
import {
  BatchGetCommand,
  BatchWriteCommand,
  GetCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { addressOfFile, fileClient, makeTableIn } from '../../localstack/engine/file-table.ts';
import { tableClient } from '../../shared/store/client.ts';
import type { ItemAction } from '../../shared/store/request.ts';
import { newTableFile, tableName } from '../fixture/table-file.ts';

const file = newTableFile({ isFleeting: true });
const { client } = file;
afterAll(() => file.remove());

let pk = '';
let count = 0;
beforeEach(() => {
  count += 1;
  pk = `test-${count}`;
});

const put = (sk: string, more: object = {}, TableName = tableName): ItemAction => ({
  Put: { TableName, Item: { pk, sk, ...more } },
});
const onlyOnce = { ConditionExpression: 'attribute_not_exists(pk)' };
const putNew = (sk: string): ItemAction => ({
  Put: { TableName: tableName, Item: { pk, sk }, ...onlyOnce },
});
const transact = (TransactItems: ItemAction[], token?: string) =>
  client.send(
    new TransactWriteCommand({
      TransactItems,
      ...(token !== undefined && { ClientRequestToken: token }),
    }),
  );

async function found(TableName = tableName, from = client): Promise<readonly unknown[]> {
  const { Items = [] } = await from.send(
    new QueryCommand({
      ...{ TableName, KeyConditionExpression: 'pk = :pk', ConsistentRead: true },
      ExpressionAttributeValues: { ':pk': pk },
    }),
  );
  return Items.map((item) => item['sk']);
}

/** The reasons of a cancelled transaction, action by action. */
async function codesOf(answer: Promise<unknown>): Promise<readonly unknown[]> {
  const error = await answer.then(
    () => undefined,
    (reason: { readonly name: string; readonly CancellationReasons: { Code: string }[] }) => reason,
  );
  expect(error?.name).toBe('TransactionCanceledException');
  return error?.CancellationReasons.map(({ Code }) => Code) ?? [];
}

describe('a transaction', () => {
  test.each([0, 1, 2, 3, 4])(
    'whose action %i is refused leaves nothing, and names it',
    async (refused) => {
      await transact([put('there')]);
      const actions = ['a', 'b', 'c', 'd', 'e'].map((sk, index) =>
        index === refused ? putNew('there') : put(sk),
      );
      const wanted = actions.map((_, index) =>
        index === refused ? 'ConditionalCheckFailed' : 'None',
      );
      expect(await codesOf(transact(actions))).toEqual(wanted);
      expect(await found()).toEqual(['there']);
    },
  );

  test('with an action that cannot be done leaves nothing', async () => {
    const wrong: ItemAction = {
      Update: {
        ...{ TableName: tableName, Key: { pk, sk: 'b' } },
        UpdateExpression: 'SET n = missing',
      },
    };
    expect(await codesOf(transact([put('a'), wrong]))).toEqual(['None', 'ValidationError']);
    expect(await found()).toEqual([]);
  });

  test('of which an item cannot be stored leaves nothing of those before it', async () => {
    const tooLong = { Put: { TableName: tableName, Item: { pk: 'p'.repeat(2_000), sk: 'a' } } };
    await expect(transact([put('a'), put('b'), tooLong, put('c')], 'once')).rejects.toThrow(
      expect.objectContaining({ name: 'ValidationException' }),
    );
    expect(await found()).toEqual([]);
    // Nor is its token kept.
    await transact([put('a')], 'once');
    expect(await found()).toEqual(['a']);
  });

  test('is whole beside others that share its commit and are refused', async () => {
    await transact([put('there')]);
    const kinds = [
      (sk: string) => transact([put(`${sk}1`), put(`${sk}2`)]),
      (sk: string) => transact([put(`${sk}1`), putNew('there'), put(`${sk}2`)]),
      (sk: string) =>
        transact([
          put(`${sk}1`),
          { Put: { TableName: tableName, Item: { pk: 'p'.repeat(2_000), sk } } },
        ]),
      (sk: string) =>
        client.send(
          new UpdateCommand({
            ...{ TableName: tableName, Key: { pk, sk: `${sk}1` }, UpdateExpression: 'SET n = :n' },
            ...{ ConditionExpression: 'n = :n', ExpressionAttributeValues: { ':n': 1 } },
          }),
        ),
    ];
    const names = Array.from({ length: 80 }, (_, index) => `${index + 10}-`);
    const all = names.map((sk, index) => kinds[index % kinds.length]?.(sk));
    const done = (await Promise.allSettled(all)).map(({ status }) => status === 'fulfilled');
    expect(done).toEqual(names.map((_, index) => index % kinds.length === 0));
    const wanted = names.filter((_, index) => done[index]).flatMap((sk) => [`${sk}1`, `${sk}2`]);
    expect(await found()).toEqual([...wanted, 'there'].toSorted());
  });

  test('that is sent twice with its token is done once, also at once', async () => {
    const add: ItemAction = {
      Update: {
        ...{ TableName: tableName, Key: { pk, sk: 'n' }, UpdateExpression: 'ADD n :n' },
        ExpressionAttributeValues: { ':n': 1 },
      },
    };
    await Promise.all([transact([add], 'add'), transact([add], 'add')]);
    await transact([add], 'add');
    const read = async () =>
      (await client.send(new GetCommand({ TableName: tableName, Key: { pk, sk: 'n' } }))).Item?.[
        'n'
      ];
    expect(await read()).toBe(1n);
    await transact([add], 'another');
    expect(await read()).toBe(2n);
    await expect(transact([put('m')], 'add')).rejects.toThrow(
      expect.objectContaining({ name: 'IdempotentParameterMismatchException' }),
    );
  });

  test('that was refused may be sent again with its token', async () => {
    await transact([put('there')]);
    await expect(transact([putNew('there')], 'again')).rejects.toThrow('cancelled');
    await transact([{ Delete: { TableName: tableName, Key: { pk, sk: 'there' } } }]);
    await transact([putNew('there')], 'again');
    expect(await found()).toEqual(['there']);
  });
});

test('a batch of writes of which one is refused leaves nothing', async () => {
  const items = [
    { pk, sk: 'a' },
    { pk, sk: 'b' },
    { pk: 'p'.repeat(2_000), sk: 'a' },
  ];
  const RequestItems = { [tableName]: items.map((Item) => ({ PutRequest: { Item } })) };
  await expect(client.send(new BatchWriteCommand({ RequestItems }))).rejects.toThrow('too long');
  expect(await found()).toEqual([]);
});

describe('an update of an item that is not there', () => {
  const values = { ':some': new Set(['x']) };

  test.each([
    ['that only removes', { UpdateExpression: 'REMOVE n' }, []],
    [
      'that only takes from a set',
      { UpdateExpression: 'DELETE s :some', ExpressionAttributeValues: values },
      [],
    ],
    [
      'that adds as well',
      { UpdateExpression: 'REMOVE n ADD s :some', ExpressionAttributeValues: values },
      ['a'],
    ],
  ])('%s makes what DynamoDB makes of it', async (_, update, made) => {
    await client.send(new UpdateCommand({ TableName: tableName, Key: { pk, sk: 'a' }, ...update }));
    expect(await found()).toEqual(made);
    const inTransaction = { TableName: tableName, Key: { pk, sk: 'b' }, ...update };
    await transact([put('c'), { Update: inTransaction }]);
    expect(await found()).toEqual([...made, ...made.map(() => 'b'), 'c']);
  });

  test('that changes nothing makes it', async () => {
    await client.send(new UpdateCommand({ TableName: tableName, Key: { pk, sk: 'a' } }));
    expect(await found()).toEqual(['a']);
  });
});

describe('tables', () => {
  const place = { TableName: 'unknown', Key: { pk: 'a', sk: 'b' } };

  test.each([
    ['read', new GetCommand(place)],
    ['read together', new BatchGetCommand({ RequestItems: { unknown: { Keys: [place.Key] } } })],
    ['scanned', new ScanCommand({ TableName: 'unknown' })],
    ['written', new UpdateCommand({ ...place, UpdateExpression: 'REMOVE n' })],
    ['written together', new TransactWriteCommand({ TransactItems: [put('a', {}, 'unknown')] })],
  ])('that are not there are not found, and not made, when they are %s', async (_, command) => {
    for (let time = 0; time < 2; time += 1)
      await expect(client.send(command as GetCommand)).rejects.toThrow(
        expect.objectContaining({ name: 'ResourceNotFoundException' }),
      );
  });

  test('of one file know nothing of each other, and a transaction is of one', async () => {
    makeTableIn(file.address, 'other');
    await transact([put('a', { of: tableName })]);
    await transact([put('b', { of: 'other' }, 'other')]);
    expect([await found(), await found('other')]).toEqual([['a'], ['b']]);
    await expect(transact([put('c'), put('c', {}, 'other')])).rejects.toThrow('no table');
    expect([await found(), await found('other')]).toEqual([['a'], ['b']]);
  });

  test('are made and opened while another is written, and one made again keeps its items', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `made-${index}`);
    const writes: Promise<unknown>[] = [];
    for (const name of names) {
      writes.push(...Array.from({ length: 20 }, (_, index) => transact([put(`${name}-${index}`)])));
      makeTableIn(file.address, name);
      writes.push(transact([put('first', {}, name)]));
      makeTableIn(file.address, name);
      await writes.at(-2);
    }
    await Promise.all(writes);
    expect(await found()).toHaveLength(160);
    for (const name of names) expect(await found(name)).toEqual(['first']);
  });
});

test.each([true, false])('consumed capacity is told where it is asked for: %s', async (isAsked) => {
  const asked = isAsked ? { ReturnConsumedCapacity: 'TOTAL' as const } : {};
  const long = 'x'.repeat(3_000);
  const capacity = (CapacityUnits: number) => ({ TableName: tableName, CapacityUnits });
  const { ConsumedCapacity: ofWrite } = await client.send(
    new TransactWriteCommand({ TransactItems: [put('a', { long }), put('b')], ...asked }),
  );
  expect(ofWrite).toEqual(isAsked ? [capacity(2 * 3 + 2)] : undefined);
  const { ConsumedCapacity: ofRead } = await client.send(
    new GetCommand({ TableName: tableName, Key: { pk, sk: 'a' }, ConsistentRead: true, ...asked }),
  );
  expect(ofRead).toEqual(isAsked ? capacity(1) : undefined);
});

test('a file that was closed is opened again, also while its last writes go on', async () => {
  const own = newTableFile({ isFleeting: true });
  const [first, second] = [own.client, tableClient({ endpoint: own.address })];
  const write = (to: typeof first, sk: string) =>
    to.send(new TransactWriteCommand({ TransactItems: [put(sk)] }));
  await write(first, 'a');
  first.destroy();
  first.destroy();
  await write(second, 'b');
  const last = [write(second, 'c'), write(second, 'd')];
  second.destroy();
  const third = tableClient({ endpoint: own.address });
  await write(third, 'e');
  await Promise.all(last);
  expect(await found(tableName, third)).toEqual(['a', 'b', 'c', 'd', 'e']);
  third.destroy();
  const again = fileClient(addressOfFile(own.path, { isFleeting: true }));
  expect(await found(tableName, again as typeof client)).toEqual(['a', 'b', 'c', 'd', 'e']);
  again.destroy();
  own.remove();
});

test('what is under way as a file is closed is done, and nothing is done later', async () => {
  const own = newTableFile();
  const write = (sk: string) =>
    own.client.send(new TransactWriteCommand({ TransactItems: [put(sk)] }));
  await write('a');
  const last = ['b', 'c', 'd'].map(write);
  own.client.destroy();
  await expect(write('e')).rejects.toThrow('closed');
  await expect(found(tableName, own.client)).rejects.toThrow('closed');
  await Promise.all(last);
  const again = tableClient({ endpoint: own.address });
  expect(await found(tableName, again)).toEqual(['a', 'b', 'c', 'd']);
  again.destroy();
  own.remove();
});
