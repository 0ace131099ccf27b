/**
 * Sequencers that stop anywhere, and many at a time, on a table: no leaf is there twice, none is left out, and there is
 * one tree for each size. Decision 115.
 */
import { EventEmitter, once } from 'node:events';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Version } from '../../shared/ledger/record.ts';
import { leavesOf } from '../../shared/log/leaf.ts';
import { rootOf } from '../../shared/log/tree.ts';
import type { Logs } from '../../shared/port/logs.ts';
import { tableClient } from '../../shared/store/client.ts';
import {
  hashesKeyOf,
  keyOfItem,
  rulebookKeyOf,
  textOf,
  tileKeyOf,
} from '../../shared/store/keys.ts';
import { packRuns, runsOf, unpackRuns } from '../../shared/store/pack-log.ts';
import { itemsAt } from '../../shared/store/read.ts';
import type { Item, TableClient } from '../../shared/store/request.ts';
import { deadlineIn } from '../../shared/store/retry.ts';
import { dynamoGroupCommit, dynamoLogs } from '../../shared/store/store.ts';
import { putNew } from '../../shared/store/try-to.ts';
import { remove, writeAll } from '../../shared/store/write-all.ts';
import { describeLogs, expectSound, versionsWith } from '../contract/log.ts';
import { newScope } from '../contract/store.ts';
import { type Database, startDatabase } from '../fixture/database.ts';
import { between, cancelled, connectionReset, type Send } from '../fixture/trouble.ts';
import { created, proved } from '../fixture/version.ts';

const tableName = 'logs';
let database: Database;
let client: TableClient;
let logs: Logs;
beforeAll(async () => {
  database = await startDatabase();
  await database.createTable(tableName);
  client = tableClient({ endpoint: database.endpoint });
  logs = growing(logsAt(client));
});
afterAll(() => database.stop());

/** Ledgers whose logs begin have grown. */
let isBusy = false;
/** Transactions share a sync, as offline. */
let isJoined = false;
const ledgers = [
  ['quiet', false, false],
  ['busy', true, false],
  ['quiet offline', false, true],
  ['busy offline', true, true],
] as const;

function logsAt(at: TableClient): Logs {
  const options = { client: at, tableName };
  return dynamoLogs({ ...options, ...(isJoined && { groupCommit: dynamoGroupCommit(options) }) });
}

/** Makes the ledgers of these tests so, and those of the tests behind them quiet ones on AWS. */
function areSo(busy: boolean, joined: boolean): void {
  beforeAll(() => {
    [isBusy, isJoined] = [busy, joined];
    logs = growing(logsAt(client));
  });
  afterAll(() => {
    [isBusy, isJoined] = [false, false];
    logs = growing(logsAt(client));
  });
}

/** Logs whose ledgers have grown when they begin, where they are busy. */
function growing(own: Logs): Logs {
  return {
    ...own,
    begin: async (scope, isWhole) => {
      const layout = { spread: 4, spreadBefore: 1, spreadSince: 0 };
      const puts = isBusy ? [{ ...rulebookKeyOf(scope), ...layout }] : [];
      await writeAll(table(), { puts }, deadlineIn(15_000));
      await own.begin(scope, isWhole);
    },
  };
}

describe.each(ledgers)('of a %s ledger', (name, busy, joined) => {
  areSo(busy, joined);
  describeLogs(`DynamoDB, ${name}`, () => logs);
});

const table = () => ({ client, tableName, deadlineMs: 15_000, onConsumed: undefined });
const namesOf = (versions: readonly Version[]) =>
  versions.flatMap(leavesOf).map(({ luid, change }) => `${luid} ${change}`);
const loggedNames = async (scope: string) =>
  (await expectSound(logs, scope)).map(({ luid, change }) => `${luid} ${change}`);

class Crash extends Error {}

/** Logs of a process that dies at its n-th request, before it is sent or after it was done. */
function dyingLogs(at: number, when: 'before' | 'after'): Logs & { readonly sent: () => number } {
  let sent = 0;
  const step = async (command: object, send: Send) => {
    sent += 1;
    if (sent > at || (sent === at && when === 'before')) throw new Crash();
    const answer = await send(command);
    if (sent === at) throw new Crash();
    return answer;
  };
  const dying = logsAt(between(client, step));
  return { ...dying, sent: () => sent };
}

const stops = [
  ...ledgers.map((ledger) => [...ledger, undefined] as const),
  ['quiet', false, false, 'together'],
  ['quiet offline', false, true, 'together'],
] as const;

describe.each(stops)('a sequencer that stops in a %s ledger', (_, busy, joined, how) => {
  areSo(busy, joined);
  test.each(['before', 'after'] as const)('%s any of its requests', async (when) => {
    // 300 leaves, so that a tile becomes full in the part that breaks.
    const first = versionsWith([1, 2, 30]);
    const second = versionsWith(Array(30).fill(9));
    for (let at = 1; ; at += 1) {
      const scope = newScope();
      await logs.begin(scope, true);
      await logs.append(scope, first);
      const dying = dyingLogs(at, when);
      const outcome = await dying.append(scope, second, how).then(
        () => 'done',
        (error: unknown) => error,
      );
      if (dying.sent() < at) break;
      expect(outcome).toBeInstanceOf(Crash);
      // Somebody else comes by with other changes first, and then somebody with the entries that are still waiting.
      const third = versionsWith([2]);
      await logs.append(scope, third);
      await logs.append(scope, second, how);
      const names = await loggedNames(scope);
      expect(names.toSorted()).toEqual(namesOf([...first, ...second, ...third]).toSorted());
      expect(at).toBeLessThan(50);
    }
  });

  test('a lost answer is no second leaf', async () => {
    const scope = newScope();
    await logs.begin(scope, true);
    let count = 0;
    const step = async (command: object, send: Send) => {
      const answer = await send(command);
      count += 1;
      const isWrite = /^(TransactWrite|Update)Command$/.test(command.constructor.name);
      if (isWrite && count % 2 === 0) throw connectionReset();
      return answer;
    };
    const losing = logsAt(between(client, step));
    const versions = Array.from({ length: 12 }, (_, index) => versionsWith([1 + (index % 3)]));
    for (const some of versions) await losing.append(scope, some);
    expect(await loggedNames(scope)).toEqual(namesOf(versions.flat()));
  });
});

test('a put whose answer was lost knows its own item, also by its bytes', async () => {
  let isLost = false;
  const losing = between(client, async (command, send) => {
    const answer = await send(command);
    if (isLost || command.constructor.name !== 'UpdateCommand') return answer;
    isLost = true;
    throw connectionReset();
  });
  const key = hashesKeyOf(newScope(), 0, 0);
  const item = { runs: '[]', hashes: Buffer.from('0aff', 'hex') };
  const put = (at: TableClient, attributes: object) =>
    putNew({ ...table(), client: at }, key, attributes, deadlineIn(15_000));
  expect(await put(losing, item)).toBe(true);
  expect(isLost).toBe(true);
  isLost = false;
  expect(await put(losing, { ...item, hashes: Buffer.from('0aee', 'hex') })).toBe(false);
});

describe('of a busy ledger', () => {
  areSo(true, false);
  test('a record that changes for ever asks for no more with each change', async () => {
    const scope = newScope();
    await logs.begin(scope, true);
    let read = 0;
    const counting = logsAt(
      between(client, async (command, send) => {
        const answer = (await send(command)) as { readonly Items?: readonly unknown[] };
        if (command.constructor.name === 'QueryCommand') read += answer.Items?.length ?? 0;
        return answer;
      }),
    );
    let last = created('wallet', 'often');
    await counting.append(scope, [last]);
    const reads: number[] = [];
    for (let round = 0; round < 40; round += 1) {
      const [one, other] = [proved(last), proved(proved(last))];
      read = 0;
      await counting.append(scope, [one, other]);
      reads.push(read);
      last = other;
    }
    // The runs of the tile at the end of the log, of which each append puts an item.
    expect(reads.at(-1)).toBeLessThanOrEqual(2);
    expect(await logs.indexOf(scope, last.record.luid, 40)).toBe(39);
  });
});

test('offline, leaves are one transaction with their places, and with the tile that they fill', async () => {
  const scope = newScope();
  await logs.begin(scope, true);
  const sent: string[] = [];
  const step = (command: object, send: Send) => {
    sent.push(command.constructor.name);
    return send(command);
  };
  const counted = between(client, step);
  const groupCommit = dynamoGroupCommit({ client: counted, tableName });
  const own = dynamoLogs({ client: counted, tableName, groupCommit });
  const writesOf = async (counts: readonly number[]) => {
    sent.length = 0;
    const versions = versionsWith(counts);
    await own.append(scope, versions);
    await own.append(scope, versions);
    return sent.filter((name) => /Write|Update/.test(name)).length;
  };
  // The first change says from when on the ledger is dense.
  expect(await writesOf([1])).toBe(2);
  expect(await writesOf([5, 6])).toBe(1);
  expect(await writesOf(Array(40).fill(6))).toBe(1);
  // The tile becomes full.
  expect(await writesOf([10])).toBe(1);
  // There are more places than one transaction takes.
  expect(await writesOf(Array(120).fill(1))).toBeGreaterThan(1);
  expect(await loggedNames(scope)).toHaveLength(12 + 240 + 10 + 120);
});

describe('offline, a tile is written with the leaves that fill it', () => {
  const at = () => ({ client, tableName, groupCommit: dynamoGroupCommit({ client, tableName }) });
  const isThere = async (scope: string) =>
    (await itemsAt(table(), [tileKeyOf(scope, 0, 0)], deadlineIn(15_000))).size > 0;

  test('and none before', async () => {
    const scope = newScope();
    await logs.begin(scope, true);
    const own = dynamoLogs(at());
    const found: boolean[] = [];
    for (const count of [3, 252, 1, 1]) {
      await own.append(scope, versionsWith([count]));
      found.push(await isThere(scope));
    }
    expect(found).toEqual([false, false, true, true]);
  });

  test('and not where one of its leaves is gone', async () => {
    const scope = newScope();
    await logs.begin(scope, true);
    const before = dynamoLogs(at());
    for (const count of [3, 2, 250]) await before.append(scope, versionsWith([count]));
    await remove(table(), [hashesKeyOf(scope, 0, 3)], deadlineIn(15_000));
    const own = dynamoLogs({ ...at(), deadlineMs: 2_000 });
    await expect(own.append(scope, versionsWith([3]))).rejects.toThrow('did not answer in time');
    expect(await isThere(scope)).toBe(false);
  });
});

test('any number of sequencers append each change once', async () => {
  const scope = newScope();
  await logs.begin(scope, true);
  const all = versionsWith(Array.from({ length: 120 }, (_, index) => 1 + (index % 5)));
  const roots = new Map<number, string>();
  const sequencer = async (shift: number) => {
    const own = dynamoLogs({ client: tableClient({ endpoint: database.endpoint }), tableName });
    for (let round = 0; round < all.length; round += 8) {
      // All of them see the same entries, in different parts and order.
      const from = (round + shift * 17) % all.length;
      const state = await own.append(scope, [...all.slice(from, from + 8), ...all.slice(0, 3)]);
      if (!state) throw new Error('The log is there.');
      const root = Buffer.from(rootOf(state.tree)).toString('hex');
      expect(roots.get(state.tree.size) ?? root).toBe(root);
      roots.set(state.tree.size, root);
    }
  };
  await Promise.all([0, 1, 2, 3, 4].map(sequencer));
  await logs.append(scope, all);
  expect((await loggedNames(scope)).toSorted()).toEqual(namesOf(all).toSorted());
});

describe('in a busy ledger, a sequencer that comes again alone', () => {
  areSo(true, false);
  test('takes the head over what was left behind it', async () => {
    const versions = versionsWith(Array(5).fill(2));
    let at = 0;
    for (let isBroken = true; isBroken; ) {
      at += 1;
      const scope = newScope();
      await logs.begin(scope, true);
      const dying = dyingLogs(at, 'after');
      await dying.append(scope, versions).catch(() => undefined);
      isBroken = dying.sent() >= at;
      const state = await logs.append(scope, versions);
      expect([at, state?.tree.size]).toEqual([at, 10]);
      expect(await loggedNames(scope)).toEqual(namesOf(versions));
    }
    expect(at).toBeGreaterThan(5);
  });
});

test('what lies behind the head is never written over, and none of it is left out', async () => {
  const scope = newScope();
  await logs.begin(scope, true);
  await logs.append(scope, versionsWith([1]));
  const item = { ...hashesKeyOf(scope, 0, 1), runs: '[]' };
  await writeAll(table(), { puts: [item] }, deadlineIn(15_000));
  await expect(logs.append(scope, versionsWith([1]))).rejects.toThrow(
    `The log of ${scope} has no leaves behind its head, at 1.`,
  );
});

test.each([
  ['in its tile', [2], [1, 3]],
  ['up to the end of the tile', [200], [53, 3]],
  ['beside a version that lies in two tiles', [200], [100, 3]],
])(
  'leaves that somebody left behind the head %s come before those of others',
  async (_, left, next) => {
    const scope = newScope();
    await logs.begin(scope, true);
    await logs.append(scope, versionsWith([3]));
    const [behind, others] = [versionsWith(left), versionsWith(next)];
    const step = async (command: object, send: Send) => {
      const answer = await send(command);
      // It puts the leaves.
      if (command.constructor.name === 'UpdateCommand') throw new Crash();
      return answer;
    };
    const dying = dynamoLogs({ client: between(client, step), tableName });
    await expect(dying.append(scope, behind)).rejects.toThrow(Crash);
    await logs.append(scope, others);
    const all = [...behind, ...others];
    expect((await loggedNames(scope)).slice(3)).toEqual(namesOf(all));
    expect((await logs.append(scope, behind))?.tree.size).toBe(3 + namesOf(all).length);
  },
);

test('a sequencer that meets another one waits for it, and asks for no place again', async () => {
  const scope = newScope();
  await logs.begin(scope, true);
  const [first, second] = [versionsWith([2]), versionsWith([3])];
  const news = new EventEmitter();
  const [isPut, isSeen] = [once(news, 'put'), once(news, 'seen')];
  const isOfLeaves = (command: object) =>
    command.constructor.name === 'UpdateCommand' && JSON.stringify(command).includes('#log#0#0');
  const slow = async (command: object, send: Send) => {
    const answer = await send(command);
    if (!isOfLeaves(command)) return answer;
    news.emit('put');
    await isSeen;
    return answer;
  };
  const ahead = dynamoLogs({ client: between(client, slow), tableName }).append(scope, first);
  await isPut;
  const sent: string[] = [];
  const step = async (command: object, send: Send) => {
    const text = JSON.stringify(command);
    // Its leaves are refused, and it looks at the head again.
    if (sent.includes('leaves') && text.includes('checkpoint')) {
      news.emit('seen');
      await ahead;
    }
    if (isOfLeaves(command)) sent.push('leaves');
    else sent.push(text.includes('#logged#') ? 'places' : command.constructor.name);
    return send(command);
  };
  await dynamoLogs({ client: between(client, step), tableName }).append(scope, second);
  const [start, again] = [sent.indexOf('leaves'), sent.lastIndexOf('leaves')];
  expect(again).toBeGreaterThan(start);
  // The leaves of the other tell whose they are.
  const meanwhile = sent.slice(start + 1, again);
  expect(meanwhile).not.toContain('BatchWriteCommand');
  expect(meanwhile).not.toContain('places');
  expect(await loggedNames(scope)).toEqual(namesOf([...first, ...second]));
});

test('a sequencer that goes on in the next tile reads head and places once', async () => {
  const scope = newScope();
  await logs.begin(scope, true);
  await logs.append(scope, versionsWith([200]));
  const read: string[] = [];
  const step = (command: object, send: Send) => {
    if (command.constructor.name === 'BatchGetCommand') read.push(JSON.stringify(command));
    return send(command);
  };
  const versions = versionsWith(Array(70).fill(2));
  await dynamoLogs({ client: between(client, step), tableName }).append(scope, versions);
  expect(read.filter((text) => text.includes('checkpoint'))).toHaveLength(1);
  expect(read.filter((text) => text.includes('#logged#'))).toHaveLength(1);
  expect(await loggedNames(scope)).toHaveLength(340);
});

test('a tile is filled without a transaction where later versions fit, those of a record in their order', async () => {
  const scope = newScope();
  await logs.begin(scope, true);
  await logs.append(scope, versionsWith([247]));
  const sent: string[] = [];
  const own = logsAt(
    between(client, (command, send) => {
      sent.push(command.constructor.name);
      return send(command);
    }),
  );
  // There is room for nine: 6 do not fit behind 4, what follows them must not come before, and 3 do.
  const [one, first, two, three, rest] = versionsWith([4, 6, 2, 3, 7]) as [
    Version,
    Version,
    ...Version[],
  ];
  const second = proved(first, 3);
  await own.append(
    scope,
    [one, first, two, second, three, rest].flatMap((each) => each ?? []),
  );
  expect(sent).not.toContain('TransactWriteCommand');
  const wanted = [one, two, three, first, second, rest].flatMap((each) => each ?? []);
  expect((await loggedNames(scope)).slice(247)).toEqual(namesOf(wanted));
});

test('leaves of a faster sequencer, whose head is still being written, are no leaves behind it', async () => {
  const scope = newScope();
  await logs.begin(scope, true);
  // Two tiles, and so one transaction.
  const [first, second] = [versionsWith([1]), versionsWith([300])];
  let isMet = false;
  // AWS names each failed condition, also beside an item that another transaction holds.
  const step = async (command: object, send: Send) => {
    if (isMet || command.constructor.name !== 'TransactWriteCommand') return send(command);
    isMet = true;
    await logs.append(scope, first);
    throw cancelled('TransactionConflict', 'ConditionalCheckFailed');
  };
  const late = dynamoLogs({ client: between(client, step), tableName });
  await late.append(scope, second);
  expect(isMet).toBe(true);
  expect(await loggedNames(scope)).toEqual(namesOf([...first, ...second]));
});

test.each([
  ['that goes on', false],
  ['that has ended', true],
])('a head of another sequencer %s is seen before its leaves', async (_, hasEnded) => {
  const scope = newScope();
  await logs.begin(scope, true);
  const before = versionsWith(Array(25).fill(10));
  await logs.append(scope, before);
  // Its leaves lie in two tiles, so it is put in one transaction with the head.
  const [own, others] = [versionsWith([10]), versionsWith([1])];
  const news = new EventEmitter();
  const [isStored, isSeen] = [once(news, 'stored'), once(news, 'seen')];
  const first = dynamoLogs({
    client: between(client, async (command, send) => {
      const answer = await send(command);
      if (command.constructor.name !== 'TransactWriteCommand') return answer;
      news.emit('stored');
      if (hasEnded) throw new Crash();
      await isSeen;
      return answer;
    }),
    tableName,
  });
  const appending = first.append(scope, own).catch((error: unknown) => error);
  await isStored;
  const behind = new Set([250, 256].map((index) => textOf(hashesKeyOf(scope, 0, index))));
  let hidden = 0;
  const second = dynamoLogs({
    client: between(client, async (command, send) => {
      const isWrite = /Write|Update/.test(command.constructor.name);
      // What it writes comes later than what the other one does.
      if (isWrite && hidden > 0) {
        news.emit('seen');
        await appending;
      }
      const answer = (await send(command)) as { readonly Items?: readonly Item[] };
      if (command.constructor.name !== 'QueryCommand' || hidden > 2) return answer;
      const { Items = [] } = answer;
      const seen = Items.filter((item) => !behind.has(textOf(keyOfItem(item))));
      hidden += Items.length - seen.length;
      return { ...answer, Items: seen };
    }),
    tableName,
  });
  await second.append(scope, others);
  news.emit('seen');
  await appending;
  // The entry comes again.
  await logs.append(scope, own);
  expect(await loggedNames(scope)).toEqual(namesOf([...before, ...own, ...others]));
  expect(hidden).toBeGreaterThan(2);
});

test('runs hold their leaves exactly, and end with their tile', () => {
  const counts = fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 12 });
  fc.assert(
    fc.property(fc.nat({ max: 2000 }), counts, fc.boolean(), (size, steps, isShort) => {
      const leaves = steps.map((count, index) =>
        leavesOf(proved(created('wallet', `w${index}`), count)),
      );
      const items = packRuns(runsOf(size, leaves), isShort);
      const found = items.flatMap((item) => unpackRuns(item.index, { ...item }));
      expect(found.flatMap((run) => run.leaves)).toEqual(leaves.flat());
      let at = size;
      for (const { index, leaves: some } of found) {
        expect(index).toBe(at);
        expect(Math.floor(index / 256)).toBe(Math.floor((index + some.length - 1) / 256));
        at += some.length;
      }
      expect(new Set(items.map(({ index }) => Math.floor(index / 256))).size).toBe(items.length);
    }),
    { numRuns: 30 },
  );
});
