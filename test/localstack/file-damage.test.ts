/**
 * A file that is none of the database, or is one no more, is an error that says so; it never ends the process by a
 * signal, and a file that is sound is never refused.
 */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { assertSound } from '../../localstack/engine/sound-file.ts';
import type { Told } from '../fixture/damaged-program.ts';
import { newTableFile, type TableFile, tableName } from '../fixture/table-file.ts';

const pageSize = 4_096;
/** The two heads. */
const headSize = 2 * pageSize;
const program = new URL('../fixture/damaged-program.ts', import.meta.url).pathname;
let file: TableFile;
let good: Buffer;
let path: string;

beforeAll(async () => {
  file = newTableFile({ isFleeting: true });
  for (let round = 0; round < 100; round += 1) {
    const requests = Array.from({ length: 20 }, (_, index) => {
      const text = 'x'.repeat(index === 7 ? 9_000 : 300);
      return { PutRequest: { Item: { pk: `p${index}`, sk: `${round}`, text } } };
    });
    await file.client.send(new BatchWriteCommand({ RequestItems: { [tableName]: requests } }));
  }
  good = readFileSync(file.path);
  path = `${file.path}-copy.mdb`;
});
beforeEach(() => {
  for (const one of [path, `${path}-lock`]) rmSync(one, { force: true });
});
afterAll(() => file.remove());

/** What a process tells that opens the file, reads it and writes to it. */
function toldOf(bytes: Uint8Array | string): readonly Told[] {
  writeFileSync(path, bytes);
  return toldNow();
}

function toldNow(): readonly Told[] {
  const options = ['--import', 'tsx', program, path, tableName];
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, options, {
    encoding: 'utf8',
  });
  expect({ status, signal }, stderr).toEqual({ status: 0, signal: null });
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line): Told => JSON.parse(line));
}

function withZeros(from: number, to = good.length): Buffer {
  return Buffer.from(good).fill(0, from, to);
}

test('a file that is sound is not refused, nor one whose lock is gone, empty or none', () => {
  expect(toldOf(good)).toEqual([]);
  for (const lock of ['', 'no lock', Buffer.alloc(8_272, 7)]) {
    writeFileSync(`${path}-lock`, lock);
    expect(toldOf(good)).toEqual([]);
  }
});

test('the lock of a new file has all its blocks: a full disk is an error, and no signal', () => {
  const { size, blocks } = statSync(`${file.path}-lock`);
  expect(blocks * 512).toBeGreaterThanOrEqual(size);
  expect(readdirSync(dirname(file.path)).toSorted()).toEqual(['ledger.mdb', 'ledger.mdb-lock']);
});

test('a file that is empty is one to be made: it has no table', () => {
  const [first, ...others] = toldOf('');
  expect(first).toMatchObject({ step: 'scan', nature: 'broken', isDamaged: false });
  expect(others.map(({ message }) => message)).toEqual(others.map(() => first?.message));
});

describe('damage before the file is opened', () => {
  const cases: readonly (readonly [string, () => Uint8Array | string])[] = [
    ['a text', () => 'This is a text and no database.'],
    ['another file', () => Buffer.from('SQLite format 3\0'.padEnd(20_000, '\u0001'))],
    ['zeros', () => Buffer.alloc(100_000)],
    ['random bytes', () => Buffer.from(good.map((byte, index) => byte ^ (index * 31 + 17)))],
    ['half of its bytes', () => good.subarray(0, good.length / 2)],
    ['its first page', () => good.subarray(0, pageSize)],
    ['a part of a page', () => good.subarray(0, 100)],
    ['its heads', () => good.subarray(0, headSize)],
    ['no first head', () => withZeros(0, pageSize)],
    ['no second head', () => withZeros(pageSize, headSize)],
    ['no head', () => withZeros(0, headSize)],
  ];

  test.each(cases)('%s is refused', (_, bytes) => {
    expect(toldOf(bytes())).toMatchObject([{ step: 'open', nature: 'broken', isDamaged: true }]);
  });
});

describe('damage that is met as the file is read', () => {
  test.each([
    ['all behind its heads', headSize],
    ['its second half', undefined],
  ])('%s is zero', (_, from) => {
    const all = toldOf(withZeros(from ?? Math.floor(good.length / 2)));
    expect(all.map(({ step }) => step)).toEqual(['scan', 'query', 'write', 'write']);
    expect(all[0]).toMatchObject({ nature: 'broken', isDamaged: true });
    // What the package says next is that the transaction is bad, or the same again.
    for (const { nature } of all) expect(nature).toBe('broken');
  });

  test('its last pages are cut off', () => {
    copyFileSync(file.path, path);
    // Behind them lie the zeros by which a file is longer than it has to be.
    const used = good.findLastIndex((byte) => byte !== 0);
    truncateSync(path, used - 40 * pageSize);
    const [first] = toldNow();
    expect(first).toMatchObject({ nature: 'broken', isDamaged: true });
  });
});

test('a look at a file leaves it as it is', () => {
  writeFileSync(path, good);
  assertSound(path);
  expect(readFileSync(path).equals(good)).toBe(true);
  writeFileSync(path, 'text');
  expect(() => assertSound(path)).toThrow('not a database');
  expect(readFileSync(path, 'utf8')).toBe('text');
  expect(() => assertSound(`${path}-none`)).not.toThrow();
});
