/**
 * What a commit costs, and what it says when requests or answers are lost. The client is a real one
 * with trouble put in front of it, so the database has really stored what it says it has.
 */
import {
  BatchGetCommand,
  type DynamoDBDocumentClient,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Version } from '../../shared/ledger/record.ts';
import type { Commit, Store } from '../../shared/port/ports.ts';
import { tableClient } from '../../shared/store/client.ts';
import { balanceKeyOf } from '../../shared/store/keys.ts';
import { planOf } from '../../shared/store/plan.ts';
import type { Consumed, TableClient } from '../../shared/store/request.ts';
import { dynamoStore } from '../../shared/store/store.ts';
import { moveOf, movesOf, newScope, walletsWith } from '../contract/store.ts';
import { type Database, startDatabase } from '../fixture/database.ts';
import {
  between,
  cancelled,
  connectionReset,
  type Send,
  serverError,
  throttled,
} from '../fixture/trouble.ts';
import {
  commitOf,
  created,
  dropped,
  newLuid,
  newToken,
  openingOf,
  proved,
  publicNamed,
  revised,
  transferred,
  writeOf,
} from '../fixture/version.ts';

const tableName = 'commit';
let database: Database;
let documents: DynamoDBDocumentClient;
let client: TableClient;
let store: Store;
let scope: string;
let alice: Version;
let bob: Version;

beforeAll(async () => {
  database = await startDatabase();
  await database.createTable(tableName);
  documents = tableClient({ endpoint: database.endpoint });
  client = documents;
  store = dynamoStore({ client, tableName });
});

afterAll(() => database.stop());

afterEach(() => void vi.useRealTimers());

beforeEach(async () => {
  scope = newScope();
  ({ alice, bob } = await walletsWith(store, scope, 100n));
});

/** A store whose n-th transaction, counted from 1, meets the trouble of that number. */
function troubled(
  troubles: readonly ((command: TransactWriteCommand, send: Send) => Promise<unknown>)[],
  deadlineMs = 15_000,
): { store: Store; sent: TransactWriteCommand[]; conflicts: { count: number } } {
  const sent: TransactWriteCommand[] = [];
  const conflicts = { count: 0 };
  const onConflict = () => {
    conflicts.count += 1;
  };
  const wrapped = between(client, (command, send) => {
    if (!(command instanceof TransactWriteCommand)) return send(command);
    sent.push(command);
    return troubles[sent.length - 1]?.(command, send) ?? send(command);
  });
  const options = { client: wrapped, tableName, deadlineMs, onConflict };
  return { store: dynamoStore(options), sent, conflicts };
}

const losesAnswer = (error: Error) => async (command: object, send: Send) => {
  await send(command);
  throw error;
};
const losesRequest = (error: Error) => async () => {
  throw error;
};

function transfer(): Commit {
  return movesOf(scope, [moveOf(scope, alice, -10n), moveOf(scope, bob, 10n, 0n)]);
}

async function availables(): Promise<(bigint | undefined)[]> {
  const rows = await store.load([
    { what: 'balance', scope, wallet: 'alice', symbol: 'usd' },
    { what: 'balance', scope, wallet: 'bob', symbol: 'usd' },
  ]);
  return rows.map((row) => row?.available);
}

describe('a commit whose outcome is unknown', () => {
  test.each([
    ['a broken connection', connectionReset()],
    ['a server error', serverError()],
    ['a timeout', Object.assign(new Error('late'), { name: 'TimeoutError' })],
  ])('is stored once when %s loses its answer', async (_, error) => {
    const { store: shaky, sent } = troubled([losesAnswer(error)]);
    expect(await shaky.commit(transfer())).toEqual([]);
    expect(sent).toHaveLength(1);
    expect(await availables()).toEqual([90n, 10n]);
  });

  test('is sent again under the same token when the request was lost', async () => {
    const lost = losesRequest(connectionReset());
    const { store: shaky, sent } = troubled([lost, lost]);
    const commit = transfer();
    expect(await shaky.commit(commit)).toEqual([]);
    expect(sent.map(({ input }) => input.ClientRequestToken)).toEqual(Array(3).fill(commit.token));
    expect(await availables()).toEqual([90n, 10n]);
  });

  test('is stored once when the lost request arrives after all', async () => {
    let late: object | undefined;
    const { store: shaky } = troubled([
      async (command) => {
        late = command;
        throw connectionReset();
      },
      async (command, send) => {
        await send(late as object);
        return send(command);
      },
    ]);
    expect(await shaky.commit(transfer())).toEqual([]);
    expect(await availables()).toEqual([90n, 10n]);
  });

  test('is no obstacle to itself when the database has forgotten the token', async () => {
    const { store: shaky } = troubled([
      losesRequest(connectionReset()),
      async (command, send) => {
        const { input } = command as TransactWriteCommand;
        await send(new TransactWriteCommand({ ...input, ClientRequestToken: newToken() }));
        return send(command);
      },
    ]);
    expect(await shaky.commit(transfer())).toEqual([]);
    expect(await availables()).toEqual([90n, 10n]);
  });

  test('is found when its version was superseded or dropped meanwhile', async () => {
    for (const after of [revised, proved, dropped]) {
      const wallet = created('wallet', 'carol');
      const next = after(wallet);
      const { store: shaky } = troubled([
        async (command, send) => {
          await send(command);
          expect(await store.commit(commitOf(writeOf(scope, next, wallet)))).toEqual([]);
          throw connectionReset();
        },
      ]);
      expect(await shaky.commit(commitOf(writeOf(scope, wallet)))).toEqual([]);
      if (after !== dropped) await store.commit(commitOf(writeOf(scope, dropped(next), next)));
    }
  });

  test('is not taken for the commit of another one with the same hash and number', async () => {
    const [mine, rival] = [proved(alice), proved(alice)];
    expect(mine.record.hash).toBe(rival.record.hash);
    const { store: shaky } = troubled([
      async () => {
        expect(await store.commit(commitOf(writeOf(scope, rival, alice)))).toEqual([]);
        throw connectionReset();
      },
    ]);
    const commit = commitOf(writeOf(scope, mine, alice));
    expect(await shaky.commit(commit)).toEqual([{ what: 'stale', write: 0 }]);
  });

  test('ends as a timeout when the database stays away', async () => {
    const wrapped = between(client, () => Promise.reject(connectionReset()));
    const away = dynamoStore({ client: wrapped, tableName, deadlineMs: 60 });
    await expect(away.commit(transfer())).rejects.toMatchObject({ reason: 'api.request-timeout' });
    await expect(away.load([{ what: 'secret', scope }])).rejects.toMatchObject({
      reason: 'api.request-timeout',
    });
  });
});

describe('a commit that meets others', () => {
  const conflict = () =>
    losesRequest(cancelled('None', 'None', 'TransactionConflict', 'TransactionConflict', 'None'));

  test('is tried again under the same token until it is through', async () => {
    const busy = [
      conflict(),
      losesRequest(throttled()),
      losesRequest(throttled('ProvisionedThroughputExceededException')),
      losesRequest(throttled('RequestLimitExceeded')),
      losesRequest(throttled('TransactionInProgressException')),
      losesRequest(cancelled('ThrottlingError', 'None', 'None', 'None', 'None')),
    ];
    const { store: shaky, sent } = troubled(busy);
    expect(await shaky.commit(transfer())).toEqual([]);
    expect(sent).toHaveLength(7);
    expect(new Set(sent.map(({ input }) => input.ClientRequestToken)).size).toBe(1);
    expect(await availables()).toEqual([90n, 10n]);
  });

  test('ends as a timeout when it never is', async () => {
    // Each attempt takes as long, and nothing else takes any time, however slow the machine is.
    vi.useFakeTimers({ toFake: ['performance'] });
    const late = () => {
      vi.advanceTimersByTime(20);
      return conflict()();
    };
    const { store: shaky, sent } = troubled(Array(1000).fill(late), 200);
    await expect(shaky.commit(transfer())).rejects.toMatchObject({
      reason: 'api.request-timeout',
    });
    expect(sent.length).toBeGreaterThan(2);
    expect(await availables()).toEqual([100n, 0n]);
  });

  test('ends soon when it can be divided', async () => {
    const { store: shaky, sent } = troubled(Array(1000).fill(losesRequest(throttled())));
    const whole = { ...transfer(), isDivisible: true } as const;
    expect(await shaky.commit(whole)).toEqual([{ what: 'crowded' }]);
    expect(sent).toHaveLength(3);
    expect(await availables()).toEqual([100n, 0n]);
  });

  test('that can be divided is not given up while it may be stored', async () => {
    const lost = losesAnswer(connectionReset());
    const busy = [lost, ...Array(5).fill(conflict())];
    const { store: shaky } = troubled(busy);
    const whole = { ...transfer(), isDivisible: true } as const;
    expect(await shaky.commit(whole)).toEqual([]);
    expect(await availables()).toEqual([90n, 10n]);
  });

  test('names what stands in its way even beside a conflict', async () => {
    // The first three actions store the record, its list entry and its signals; then it moves.
    const onMove = cancelled(
      'None',
      'None',
      'None',
      'ConditionalCheckFailed',
      'TransactionConflict',
    );
    const { store: shaky } = troubled([losesRequest(onMove)]);
    expect(await shaky.commit(transfer())).toEqual([{ what: 'balance', move: 0 }]);
  });

  test('fails at once when the fault is ours', async () => {
    const bug = cancelled('ValidationError', 'None', 'None', 'None', 'None');
    const { store: shaky, sent } = troubled([losesRequest(bug)]);
    await expect(shaky.commit(transfer())).rejects.toBe(bug);
    expect(sent).toHaveLength(1);
  });
});

describe('what is told of conflicts', () => {
  test('each attempt that met another one, and no mere delay', async () => {
    const met = cancelled('None', 'TransactionConflict', 'None', 'None');
    const { store: shaky, conflicts } = troubled([
      losesRequest(met),
      losesRequest(throttled('TransactionConflictException')),
      losesRequest(throttled()),
      losesRequest(connectionReset()),
    ]);
    expect(await shaky.commit(transfer())).toEqual([]);
    expect(conflicts.count).toBe(2);
  });

  test('each commit that came too late, and none that was refused for what it is', async () => {
    const { store: shaky, conflicts } = troubled([]);
    const next = proved(alice);
    expect(await shaky.commit(commitOf(writeOf(scope, next, alice)))).toEqual([]);
    expect(await shaky.commit(commitOf(writeOf(scope, created('wallet', 'alice'))))).toMatchObject([
      { what: 'handle' },
    ]);
    expect(conflicts.count).toBe(0);
    expect(await shaky.commit(commitOf(writeOf(scope, proved(alice), alice)))).toMatchObject([
      { what: 'stale' },
    ]);
    expect(conflicts.count).toBe(1);
  });
});

test('each record that another one has changed is a conflict of its own', async () => {
  const before = [alice, bob].map((one) => writeOf(scope, proved(one), one));
  expect(await store.commit(commitOf(...before))).toEqual([]);
  const late = [alice, bob].map((one) => writeOf(scope, proved(one, 2), one));
  expect(await store.commit(commitOf(...late))).toEqual([
    { what: 'stale', write: 0 },
    { what: 'stale', write: 1 },
  ]);
  const unchanged = [alice, bob].map((version) => ({ scope, version }));
  expect(await store.commit({ ...movesOf(scope, []), unchanged })).toEqual([
    { what: 'changed', version: 0 },
    { what: 'changed', version: 1 },
  ]);
});

describe('opening and closing with lost answers', () => {
  test('an opening counts once', async () => {
    const eur = created('symbol', 'eur');
    await store.commit(commitOf(writeOf(scope, eur)));
    const { store: shaky } = troubled([
      losesRequest(throttled()),
      losesAnswer(connectionReset()),
      losesAnswer(serverError()),
    ]);
    expect(await shaky.open([openingOf(scope, bob, eur)])).toBe(true);
    const closes = await store.balances(scope, 'bob');
    expect(closes.map(({ symbol }) => symbol)).toEqual(['eur', 'usd']);
    const last = { ...writeOf(scope, dropped(bob), bob), closes };
    expect(await store.commit(commitOf(last))).toEqual([]);
  });

  test('a large wallet ends in spite of lost answers', async () => {
    const symbols = Array.from({ length: 90 }, (_, index) => created('symbol', `s${index}`));
    await Promise.all(symbols.map((one) => store.commit(commitOf(writeOf(scope, one)))));
    await store.open(symbols.map((symbol) => openingOf(scope, bob, symbol)));
    const closes = await store.balances(scope, 'bob');
    const { store: shaky } = troubled([losesAnswer(serverError()), losesAnswer(serverError())]);
    const last = { ...writeOf(scope, dropped(bob), bob), closes };
    expect(await shaky.commit(commitOf(last))).toEqual([]);
    expect(await store.balances(scope, 'bob')).toEqual([]);
  });

  test('a large wallet that holds something does not end, and loses nothing', async () => {
    const symbols = Array.from({ length: 90 }, (_, index) => created('symbol', `s${index}`));
    await Promise.all(symbols.map((one) => store.commit(commitOf(writeOf(scope, one)))));
    await store.open(symbols.map((symbol) => openingOf(scope, alice, symbol)));
    const closes = await store.balances(scope, 'alice');
    const end = { ...writeOf(scope, dropped(alice), alice), closes };
    expect(await store.commit(commitOf(end))).toEqual([{ what: 'closing', write: 0 }]);
    expect((await availables())[0]).toBe(100n);
    expect(await store.commit(transfer())).toEqual([]);
    const rest = await store.balances(scope, 'alice');
    const empty = movesOf(scope, [moveOf(scope, alice, -90n), moveOf(scope, bob, 90n, 0n)]);
    expect(await store.commit(empty)).toEqual([]);
    const again = { ...writeOf(scope, dropped(alice), alice), closes: rest };
    expect(await store.commit(commitOf(again))).toEqual([]);
  });
});

test('a wallet does not end while some of its money is reserved', async () => {
  const key = balanceKeyOf(scope, 'bob', 'usd');
  const reserve = (amount: bigint) =>
    documents.send(
      new UpdateCommand({
        TableName: tableName,
        Key: key,
        UpdateExpression: 'SET reserved = :amount',
        ExpressionAttributeValues: { ':amount': amount },
      }),
    );
  const end = async () => {
    const closes = await store.balances(scope, 'bob');
    return store.commit(commitOf({ ...writeOf(scope, dropped(bob), bob), closes }));
  };
  await reserve(10n ** 20n);
  expect((await store.balances(scope, 'bob'))[0]?.reserved).toBe(10n ** 20n);
  expect(await end()).toEqual([{ what: 'closing', write: 0 }]);
  await reserve(0n);
  expect((await store.balances(scope, 'bob'))[0]?.reserved).toBe(0n);
  expect(await end()).toEqual([]);
});

describe('reading', () => {
  test('asks again for what the database left for later', async () => {
    let asked = 0;
    const wrapped = between(client, async (command, send) => {
      if (!(command instanceof BatchGetCommand)) return send(command);
      asked += 1;
      const keys = command.input.RequestItems?.[tableName]?.Keys ?? [];
      const RequestItems = { [tableName]: { Keys: keys.slice(0, 1), ConsistentRead: true } };
      const output = (await send(new BatchGetCommand({ RequestItems }))) as object;
      const rest = keys.slice(1);
      return rest.length === 0
        ? output
        : { ...output, UnprocessedKeys: { [tableName]: { Keys: rest } } };
    });
    const slow = dynamoStore({ client: wrapped, tableName });
    const wants = ['alice', 'bob'].map(
      (handle) => ({ what: 'record', scope, kind: 'wallet', handle }) as const,
    );
    expect(await slow.load(wants)).toEqual([alice, bob]);
    expect(asked).toBe(2);
  });

  test('is tried again when the database is busy or away', async () => {
    const errors = [throttled(), connectionReset(), serverError()];
    const wrapped = between(client, (command, send) => {
      const error = errors.shift();
      return error ? Promise.reject(error) : send(command);
    });
    const shaky = dynamoStore({ client: wrapped, tableName });
    expect(await shaky.list(scope, 'wallet', { index: 0, limit: 9 })).toEqual([bob, alice]);
  });

  test('shows no record that ended or changed its handle between the reads of a list', async () => {
    let isListed = false;
    const wrapped = between(client, async (command, send) => {
      if (command instanceof QueryCommand) isListed = true;
      if (command instanceof BatchGetCommand && isListed) {
        isListed = false;
        const closes = await store.balances(scope, 'bob');
        await store.commit(commitOf({ ...writeOf(scope, dropped(bob), bob), closes }));
        await store.commit(commitOf(writeOf(scope, created('wallet', 'bob'))));
      }
      return send(command);
    });
    const racing = dynamoStore({ client: wrapped, tableName });
    expect(await racing.list(scope, 'wallet', { index: 0, limit: 9 })).toEqual([alice]);
  });

  test('a database that does not answer, or has no table, is not reachable', async () => {
    const nowhere = tableClient({ endpoint: 'http://127.0.0.1:1' });
    expect(await dynamoStore({ client: nowhere, tableName }).isReachable()).toBe(false);
    expect(await dynamoStore({ client, tableName: 'missing' }).isReachable()).toBe(false);
    const busy = between(client, () => Promise.reject(throttled()));
    expect(await dynamoStore({ client: busy, tableName }).isReachable()).toBe(true);
  });
});

describe('what it costs', () => {
  let told: Consumed[];
  let counting: Store;

  beforeEach(async () => {
    told = [];
    // The layout of the ledger, which was read just now, is known as long as the clock stands still.
    vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.now() });
    counting = dynamoStore({ client, tableName, onConsumed: (what) => told.push(what) });
  });

  /** A transfer as the service makes it: seven proofs, five signals. */
  function wholeTransfer(handle = 'payment-2026-0001'): Commit {
    const commit = transfer();
    const next = transferred(handle);
    const changed = (change: number) => ({ signal: 'intent-updated', change });
    const custom = { wallet: 'bob', symbol: 'usd', amount: '10' };
    const signals = [
      { signal: 'intent-created', change: 1 },
      ...[2, 3, 4].map(changed),
      { signal: 'balance-received', change: 4, custom },
    ];
    return { ...commit, writes: [{ scope, next, signals }] };
  }

  test('a transfer is one transaction of five actions and at most twelve write units', async () => {
    const commit = wholeTransfer();
    expect(planOf(tableName, commit)).toHaveLength(5);
    expect(await counting.commit(commit)).toEqual([]);
    expect(told).toEqual([
      { operation: 'TransactWriteItems', readUnits: 0, writeUnits: expect.any(Number) },
    ]);
    expect(told[0]?.writeUnits).toBeLessThanOrEqual(12);
  });

  test.each([
    ['has all limits and little to count costs as many write units as any', 1, 0],
    ['has all limits and is busy all day costs four write units more', 97, 4],
  ])('a transfer to a wallet that %s', async (_, count, more) => {
    await counting.commit(wholeTransfer());
    const plain = told[0]?.writeUnits ?? 0;
    const limit = { amount: 2 ** 53 - 1, moment: '2026-01-01T00:00:00.000Z' };
    const set = { ...limit, luid: newLuid('lmt'), since: limit.moment, intent: newLuid('int') };
    const counters = Array.from({ length: count }, (_none, index) => {
      return { quarter: 1_970_000 + index, count: 12, amount: 1_234_567n };
    });
    const move = { ...moveOf(scope, bob, 0n), amount: 0n };
    const limits = { minBalance: set, maxBalance: set, dailyCount: set, dailyAmount: set };
    await counting.commit(movesOf(scope, [{ ...move, limits, counters }]));
    told.length = 0;
    const commit = wholeTransfer('payment-2026-0002');
    const moves = commit.moves?.map((one) =>
      one.wallet === 'bob' ? { ...one, limitsChange: 1, counters } : one,
    );
    expect(await counting.commit({ ...commit, ...(moves && { moves }) })).toEqual([]);
    expect(told[0]?.writeUnits).toBe(plain + more);
  });

  test('everything an action needs is one round trip, and a page of a list two', async () => {
    const wallet = { what: 'record', scope, kind: 'wallet', handle: 'alice' } as const;
    const balance = { what: 'balance', scope, wallet: 'alice', symbol: 'usd' } as const;
    await counting.load([wallet, balance, wallet, { what: 'secret', scope }]);
    expect(told.map(({ operation }) => operation)).toEqual(['BatchGetItem']);
    expect(told[0]?.readUnits).toBeGreaterThan(0);
    await counting.list(scope, 'wallet', { index: 0, limit: 10 });
    expect(told.map(({ operation }) => operation).slice(1)).toEqual(['Query', 'BatchGetItem']);
  });

  test('more than a hundred things are read in batches of a hundred', async () => {
    const wants = Array.from(
      { length: 250 },
      (_, index) => ({ what: 'holder', scope, public: publicNamed(`${index}`) }) as const,
    );
    expect(await counting.load(wants)).toHaveLength(250);
    expect(told).toHaveLength(3);
  });

  test('a request that failed is told too', async () => {
    const commit = movesOf(scope, [moveOf(scope, alice, -1000n)]);
    expect(await counting.commit(commit)).toHaveLength(1);
    expect(told).toEqual([{ operation: 'TransactWriteItems', readUnits: 0, writeUnits: 0 }]);
  });
});
