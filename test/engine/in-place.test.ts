/**
 * Goal: a write of one caller is done in the thread that asks for it, with the same outcome, and never where others
 * would wait for that thread. Decision 155.
 */
import { isMainThread } from 'node:worker_threads';
import { GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { hasOneCaller, noteCall } from '../../localstack/engine/caller.ts';
import { pause, watchInPlace, writtenInPlace } from '../../localstack/engine/in-place.ts';
import { startProcess, startThread } from '../fixture/file-helper.ts';
import { callAgain, callAlone, isInPlace } from '../fixture/one-caller.ts';
import { newTableFile, tableName } from '../fixture/table-file.ts';

const file = newTableFile();
const { client } = file;
const [connection, other] = [{}, {}];
const turn = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(async () => {
  callAlone();
  await turn();
});
// What other tests of this process write is written as ever.
const usual = { ...pause };
afterEach(() => {
  callAgain();
  Object.assign(pause, usual);
});
afterAll(() => file.remove());

const at = (sk: string) => ({ TableName: tableName, Key: { pk: 'a', sk } });
const put = (sk: string, more: object = {}) =>
  client.send(
    new TransactWriteCommand({
      TransactItems: [{ Put: { TableName: tableName, Item: { pk: 'a', sk, ...more } } }],
    }),
  );
const add = (sk: string) =>
  client.send(
    new TransactWriteCommand({
      TransactItems: [
        {
          Update: {
            ...{ ...at(sk), UpdateExpression: 'ADD n :one' },
            ExpressionAttributeValues: { ':one': 1 },
          },
        },
      ],
    }),
  );
const itemAt = async (sk: string) => (await client.send(new GetCommand(at(sk)))).Item;

test('these tests have the main thread of a process', () => expect(isMainThread).toBe(true));

describe('one caller', () => {
  test('has sent four requests in a row over one connection', () => {
    noteCall(other);
    const seen = [1, 2, 3, 4, 5].map(() => {
      noteCall(connection);
      return hasOneCaller();
    });
    expect(seen).toEqual([false, false, false, true, true]);
    noteCall(other);
    expect(hasOneCaller()).toBe(false);
  });

  test('is none of several who take turns', () => {
    const callers = [{}, {}, {}];
    const property = fc.property(fc.array(fc.nat(2), { maxLength: 40 }), (order) => {
      noteCall(other);
      for (const index of order) noteCall(callers[index] as object);
      const last = order.slice(-4);
      expect(hasOneCaller()).toBe(last.length === 4 && new Set(last).size === 1);
    });
    fc.assert(property);
  });
});

describe('a write in place', () => {
  test('is done where one caller asks for it, and read by all', async () => {
    expect(await isInPlace(put('first', { n: 1 }))).toBe(true);
    expect(await itemAt('first')).toMatchObject({ n: 1n });
    const beside = await startProcess({ path: file.path, isFleeting: false, tableName, seed: 1 });
    await add('counter-of-tests');
    await beside.end();
    expect(await itemAt('counter-of-tests')).toMatchObject({ n: 1n });
  });

  test('that is refused leaves nothing, and the next one is done', async () => {
    await put('taken');
    await turn();
    const refused = client.send(
      new TransactWriteCommand({
        TransactItems: [
          { Put: { TableName: tableName, Item: { pk: 'a', sk: 'beside' } } },
          {
            Put: {
              TableName: tableName,
              Item: { pk: 'a', sk: 'taken', n: 2 },
              ConditionExpression: 'attribute_not_exists(pk)',
            },
          },
        ],
      }),
    );
    expect(await isInPlace(refused)).toBe(true);
    await expect(refused).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }],
    });
    expect(await itemAt('beside')).toBeUndefined();
    expect(await itemAt('taken')).not.toHaveProperty('n');
    await turn();
    expect(await isInPlace(put('next'))).toBe(true);
    expect(await itemAt('next')).toBeDefined();
  });

  test('is the same once where it is sent again with its token', async () => {
    const command = {
      TransactItems: [
        {
          Update: {
            ...{ ...at('once'), UpdateExpression: 'ADD n :one' },
            ExpressionAttributeValues: { ':one': 1 },
          },
        },
      ],
      ClientRequestToken: 'in-place',
    };
    for (let count = 0; count < 3; count += 1) {
      await client.send(new TransactWriteCommand(structuredClone(command)));
      if (count === 0) await turn();
    }
    expect(await itemAt('once')).toMatchObject({ n: 1n });
  });

  test('makes the file longer, and gives back what is no longer used', async () => {
    const text = 'x'.repeat(300_000);
    for (let round = 0; round < 2; round += 1) {
      for (let index = 0; index < 60; index += 1) {
        await put(`long-${index}`, { text });
        await turn();
      }
      expect((await itemAt('long-59'))?.['text']).toHaveLength(text.length);
      for (let index = 0; index < 60; index += 1) {
        await client.send(
          new TransactWriteCommand({ TransactItems: [{ Delete: at(`long-${index}`) }] }),
        );
        await turn();
      }
    }
    expect(await itemAt('long-59')).toBeUndefined();
  });
});

describe('a write goes the usual way', () => {
  test('where several call', async () => {
    callAgain();
    expect(await isInPlace(put('usual'))).toBe(false);
  });

  test('as the second of a turn of the event loop, so that a batch lets others in', async () => {
    expect(await isInPlace(put('one'))).toBe(true);
    expect(await isInPlace(put('two'))).toBe(false);
    await turn();
    expect(await isInPlace(put('three'))).toBe(true);
  });

  test('beside another one of this thread that is under way', async () => {
    callAgain();
    const before = put('before');
    callAlone();
    expect(await isInPlace(put('beside'))).toBe(false);
    await before;
    await turn();
    expect(await isInPlace(put('after'))).toBe(true);
  });

  test('for some time after one that took long', async () => {
    Object.assign(pause, { slowMs: -1, factor: 1e6 });
    expect(await isInPlace(put('slow'))).toBe(true);
    await turn();
    expect(await isInPlace(put('later'))).toBe(false);
    expect(await itemAt('later')).toBeDefined();
  });

  test('while another process has the file open, which may be stopped while it writes', async () => {
    const beside = await startProcess({ path: file.path, isFleeting: false, tableName, seed: 7 });
    await beside.does('some 1');
    await turn();
    expect(await isInPlace(put('shared'))).toBe(false);
    await beside.end();
    await turn();
    expect(await isInPlace(put('alone again'))).toBe(true);
  });

  test('until it is seen that another process was killed', async () => {
    const beside = await startProcess({ path: file.path, isFleeting: false, tableName, seed: 8 });
    await beside.does('some 1');
    await beside.kill();
    // The look for those that were killed comes once a second.
    while (!(await isInPlace(put('seen')))) await turn();
  });
});

describe('a write that does not end', () => {
  const readers = { readerList: () => '(no active readers)\n', readerCheck: () => 0 };
  let stop = () => {};
  const end = vi.fn();
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    end.mockReset();
    stop = watchInPlace(end);
  });
  afterEach(() => {
    stop();
    vi.useRealTimers();
  });
  /** A write in place that takes so long. */
  const lasting = (ms: number) =>
    writtenInPlace(readers, () => {
      vi.advanceTimersByTime(ms);
      return {};
    });

  test('ends the process after half a minute', async () => {
    expect(lasting(29_000)).toEqual({});
    expect(end).not.toHaveBeenCalled();
    await turn();
    expect(lasting(41_000)).toEqual({});
    expect(end).toHaveBeenCalledWith('a write has not ended for half a minute.');
  });

  test('is another one each time where many follow each other', async () => {
    for (let count = 0; count < 20; count += 1) {
      expect(lasting(9_000)).toEqual({});
      await turn();
    }
    expect(end).not.toHaveBeenCalled();
    expect(lasting(40_000)).toEqual({});
    expect(end).toHaveBeenCalledWith('a write has not ended for half a minute.');
  });

  test('is none while nothing is written', () => {
    vi.advanceTimersByTime(100_000);
    expect(end).not.toHaveBeenCalled();
  });
});

test('threads and one caller lose nothing that they add', async () => {
  const work = { path: file.path, isFleeting: false, tableName };
  const threads = await Promise.all([1, 2].map((seed) => startThread({ ...work, seed })));
  const balances = Array.from({ length: 10 }, (_, index) => `${index}`);
  await client.send(
    new TransactWriteCommand({
      TransactItems: [
        { Put: { TableName: tableName, Item: { pk: 'counter', sk: 'n', n: 0 } } },
        ...balances.map((sk) => ({
          Put: { TableName: tableName, Item: { pk: 'balances', sk, n: 100 } },
        })),
      ],
    }),
  );
  const countEach = 300;
  let isBusy = true;
  const counts = { here: 0, all: 0 };
  const own = (async () => {
    while (isBusy || counts.all < countEach) {
      if (await isInPlace(add('crowd'))) counts.here += 1;
      counts.all += 1;
      await turn();
    }
  })();
  await Promise.all(threads.map((one) => one.does(`crowd ${countEach}`)));
  isBusy = false;
  await own;
  // While they write, what begins beside one of theirs is not in place; once they do not, it is.
  expect(counts.here).toBeLessThan(counts.all);
  expect(await isInPlace(add('crowd'))).toBe(true);
  counts.all += 1;
  expect(await itemAt('crowd')).toMatchObject({ n: BigInt(counts.all) });
  const counter = await client.send(
    new GetCommand({ TableName: tableName, Key: { pk: 'counter', sk: 'n' } }),
  );
  expect(counter.Item?.['n']).toBe(BigInt(2 * countEach));
  await Promise.all(threads.map((one) => one.end()));
});
