/**
 * A process that writes to a file is killed at any moment. Goal: what it was answered is there and whole, and the file
 * is sound at once, for others that have it open and for those that open it. `CRASH_ROUNDS` kills more often.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { statSync, truncateSync } from 'node:fs';
import { QueryCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, test } from 'vitest';
import { assertSound } from '../../localstack/engine/sound-file.ts';
import { tableClient } from '../../shared/store/client.ts';
import { startProcess } from '../fixture/file-helper.ts';
import { newTableFile, type TableFile, tableName } from '../fixture/table-file.ts';

const roundCount = Number(process.env['CRASH_ROUNDS'] ?? 6);
/** The transactions that the process has under way at a time. */
const laneCount = 4;
/** It writes at least so long before it is killed, in milliseconds. */
const writeMsMax = 250;
const files: TableFile[] = [];
afterAll(() => {
  for (const file of files) file.remove();
});

function newFile(): TableFile {
  const file = newTableFile();
  files.push(file);
  return file;
}

/** The sort keys of a partition, and the texts. */
async function textsIn(client: TableFile['client'], pk: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (let ExclusiveStartKey: Record<string, unknown> | undefined; ; ) {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new QueryCommand({
        ...{ TableName: tableName, KeyConditionExpression: 'pk = :pk' },
        ExpressionAttributeValues: { ':pk': pk },
        ...(ExclusiveStartKey && { ExclusiveStartKey }),
      }),
    );
    for (const { sk, text } of Items) texts.set(sk, text ?? '');
    ExclusiveStartKey = LastEvaluatedKey;
    if (!ExclusiveStartKey) return texts;
  }
}

/** Compares what a process left behind with what it said. Each transaction has three parts, and a fourth for a while. */
async function assertWhole(file: TableFile, seed: number, said: readonly number[]): Promise<void> {
  const client = tableClient({ endpoint: file.address });
  const parts = await Promise.all(
    [0, 1, 2, 3].map((part) => textsIn(client, `part-${seed}-${part}`)),
  );
  client.destroy();
  const [first = new Map<string, string>(), second, third, young] = parts;
  const numbers = [...first.keys()];
  for (const other of [second, third]) expect([...(other?.keys() ?? [])]).toEqual(numbers);
  for (const part of [first, second, third])
    for (const [sk, text] of part ?? [])
      expect(text.replaceAll(`${Number(sk)}`, ''), `text of ${sk}`).toBe('');
  const there = new Set(numbers.map(Number));
  expect(said.filter((number) => !there.has(number))).toEqual([]);
  expect(there.size - said.length).toBeLessThanOrEqual(laneCount);
  // Each transaction removes the fourth part of one before it.
  const removed = new Set([...there].map((number) => number - 40));
  const left = [...there].filter((number) => !removed.has(number));
  expect([...(young?.keys() ?? [])].map(Number)).toEqual(
    left.toSorted((one, other) => one - other),
  );
}

describe('a process that is killed while it writes', () => {
  test.each([
    ['and the file is opened again', { isOpen: false, isAlone: false }],
    ['and the file stays open in another process', { isOpen: true, isAlone: false }],
    ['in place, and the file is opened again', { isOpen: false, isAlone: true }],
  ])(
    '%s: what was answered is there, and nothing is half there',
    async (_, { isOpen, isAlone }) => {
      const file = newFile();
      if (!isOpen) file.client.destroy();
      for (let round = 1; round <= roundCount; round += 1) {
        const seed = round;
        const work = { path: file.path, isFleeting: false, tableName, seed, isAlone };
        const helper = await startProcess(work);
        const said: number[] = [];
        const started = new Promise<void>((resolve) => {
          helper.hears(`endless ${round * 100_000}`, (line) => {
            said.push(Number(line));
            resolve();
          });
        });
        await started;
        await new Promise((resolve) => setTimeout(resolve, Math.random() * writeMsMax));
        await helper.kill();
        const size = statSync(file.path).size;
        assertSound(file.path);
        await assertWhole(file, seed, said);
        assertSound(file.path);
        // The look at the file made it no other than it was, or longer by a few pages.
        expect(statSync(file.path).size).toBeGreaterThanOrEqual(size);
        const writer = tableClient({ endpoint: file.address });
        await writer.send(
          new UpdateCommand({
            ...{ TableName: tableName, Key: { pk: 'after', sk: `${round}` } },
            ...{ UpdateExpression: 'ADD n :n', ExpressionAttributeValues: { ':n': 1 } },
          }),
        );
        writer.destroy();
      }
    },
  );
});

const callers = [
  ['of several callers', false],
  ['of one caller', true],
] as const;

/** Has a process write until its file cannot be lengthened, and for a while on. */
async function fillUp(isAlone: boolean, seed: number, blocksMax: number): Promise<void> {
  const file = newFile();
  // While this process has the file open, none writes in place.
  file.client.destroy();
  const work = { path: file.path, isFleeting: false, tableName, seed, isAlone };
  const helper = await startProcess(work, blocksMax);
  const lines = await helper.does('fill 1');
  const failures = lines.filter((line) => line.startsWith('failed'));
  const numbersIn = (all: readonly string[]) => all.map(Number).filter((one) => one > 0);
  const said = numbersIn(lines);
  expect(said.length).toBeGreaterThan(40);
  // A client cannot know, and sends it again with its token.
  for (const failure of failures) expect(failure).toMatch(/^failed unknown .*written: EFBIG/);
  await assertWhole(file, seed, said);
  const reader = tableClient({ endpoint: file.address });
  expect((await textsIn(reader, `part-${seed}-0`)).size).toBe(said.length);
  reader.destroy();
  assertSound(file.path);
  // The next one has room.
  const next = await startProcess({ ...work, isAlone: false });
  const written = await next.does('some 100000');
  await assertWhole(file, seed, [...said, ...numbersIn(written)]);
  await helper.end();
  expect(helper.child.exitCode).toBe(0);
  await next.end();
}

test.each(callers)(
  'a process %s that cannot lengthen the file says so, goes on, and leaves nothing half written',
  async (_, isAlone) => {
    // Where exactly the file ends decides what LMDB would write last.
    const ends = [3_000, 6_000, 7_000].flatMap((blocksMax) =>
      [1, 2, 3, 4, 5].map((seed) => ({ blocksMax, seed })),
    );
    const fillAll = async (): Promise<void> => {
      for (let end = ends.pop(); end; end = ends.pop())
        await fillUp(isAlone, end.seed, end.blocksMax);
    };
    await Promise.all([1, 2, 3].map(fillAll));
  },
);

test('what is sent again while it is refused for want of room is refused, too', async () => {
  const file = newFile();
  const work = { path: file.path, isFleeting: false, tableName, seed: 1 };
  const full = await startProcess(work, 4_000);
  expect(await full.does('twice 0')).toEqual(['rejected', 'rejected', 'not stored']);
  await full.end();
  const roomy = await startProcess(work);
  expect(await roomy.does('twice 0')).toEqual(['fulfilled', 'fulfilled', 'stored']);
  await roomy.end();
});

test('a file that is closed while it is written is closed behind that, once', async () => {
  const file = newFile();
  const work = { path: file.path, isFleeting: false, tableName, seed: 1 };
  const helper = await startProcess(work);
  expect(await helper.does('close 1')).toEqual(['1', '0']);
  await helper.end();
  expect(helper.child.exitCode).toBe(0);
  await assertWhole(file, 1, [1]);
});

// Of the systems with these limits, Linux alone sets those of another process.
test.runIf(process.platform === 'linux').each(callers)(
  'a process %s ends when the disk fails within a commit, and what it answered is there',
  async (_, isAlone) => {
    const file = newFile();
    file.client.destroy();
    // So long that a write needs no more room.
    truncateSync(file.path, 64 * 1024 * 1024);
    const work = { path: file.path, isFleeting: false, tableName, seed: 1, isAlone };
    const helper = await startProcess(work, 1_000_000);
    const said: number[] = [];
    const started = new Promise<void>((resolve) => {
      helper.hears('endless 1', (line) => {
        said.push(Number(line));
        if (said.length > 20) resolve();
      });
    });
    await started;
    const ended = once(helper.child, 'exit');
    // The pages behind the first are refused from now on.
    execFileSync('prlimit', [`--pid=${helper.child.pid}`, '--fsize=4096']);
    // LMDB's package may meet its own error first.
    const [code, signal] = await ended;
    expect([code, signal]).toEqual([null, expect.stringMatching(/^SIG(KILL|ABRT|SEGV)$/)]);
    await assertWhole(file, 1, said);
  },
);

test('a look at a file beside who writes to it refuses nothing and harms nothing', async () => {
  const file = newFile();
  const writer = await startProcess({ path: file.path, isFleeting: true, tableName, seed: 1 });
  const said: number[] = [];
  writer.hears('endless 1', (line) => said.push(Number(line)));
  for (let lookCount = 0; lookCount < 20_000 || said.length < 1_000; lookCount += 1) {
    assertSound(file.path);
    expect(writer.child.exitCode).toBeNull();
    // Lets the lines come in.
    if (lookCount % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await writer.kill();
  await assertWhole(file, 1, said);
});

test('one that is killed while it reads does not make the file grow', async () => {
  const file = newFile();
  const text = 'x'.repeat(1_000);
  const overwrite = async (count: number): Promise<number> => {
    for (let round = 0; round < count; round += 1)
      await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          file.client.send(
            new TransactWriteCommand({
              TransactItems: [
                { Put: { TableName: tableName, Item: { pk: 'a', sk: `${index}`, round, text } } },
              ],
            }),
          ),
        ),
      );
    return statSync(file.path).size;
  };
  const before = await overwrite(40);
  const reader = await startProcess({ path: file.path, isFleeting: false, tableName, seed: 1 });
  await expect(reader.does('perish')).rejects.toThrow('SIGKILL');
  // The pages that it might still read are used again after so many writes.
  const after = await overwrite(40);
  expect(after).toBeGreaterThan(before);
  expect(await overwrite(120)).toBeLessThan(after + before);
});
