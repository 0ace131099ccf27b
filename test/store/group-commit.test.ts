/**
 * Group commit. Goal: each transaction ends as if it had come alone, in some order of all of them. Method: random
 * transactions on few items, whose outcomes are compared with those of every order.
 */
import {
  BatchGetCommand,
  type DynamoDBDocumentClient,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tableClient } from '../../shared/store/client.ts';
import { groupCommit } from '../../shared/store/group-commit.ts';
import type { GroupCommit, Item, ItemAction, Table } from '../../shared/store/request.ts';
import { dynamoGroupCommit, dynamoStore } from '../../shared/store/store.ts';
import { refusedBy } from '../../shared/store/try-to.ts';
import { writeAll } from '../../shared/store/write-all.ts';
import { moveOf, movesOf, newScope, walletsWith } from '../contract/store.ts';
import { type Database, startDatabase } from '../fixture/database.ts';
import { between, cancelled, connectionReset, type Send, throttled } from '../fixture/trouble.ts';
import { newToken } from '../fixture/version.ts';

const tableName = 'group';
const deadlineMs = 15_000;
let database: Database;
let client: DynamoDBDocumentClient;

beforeAll(async () => {
  database = await startDatabase();
  await database.createTable(tableName);
  client = tableClient({ endpoint: database.endpoint });
});

afterAll(() => database.stop());

type Step = (command: TransactWriteCommand, send: Send) => Promise<unknown>;

/** A table with group commit, and the transactions that it sends; the n-th meets the trouble of that number. */
function grouped(troubles: readonly (Step | undefined)[] = []) {
  const sent: TransactWriteCommand[] = [];
  const wrapped = between(client, (command, send) => {
    if (!(command instanceof TransactWriteCommand)) return send(command);
    sent.push(command);
    return (troubles[sent.length - 1] ?? ((one) => send(one)))(command, send);
  });
  const plain: Table = { client: wrapped, tableName, deadlineMs, onConsumed: undefined };
  return { table: { ...plain, groupCommit: groupCommit(plain) }, sent };
}

const losesAnswer: Step = async (command, send) => {
  await send(command);
  throw connectionReset();
};
const losesRequest: Step = () => Promise.reject(connectionReset());

/** Transactions that begin in the same turn of the event loop, each with its refused actions. */
function together(table: Table, transactions: readonly (readonly ItemAction[])[]) {
  const deadline = performance.now() + deadlineMs;
  return Promise.all(
    transactions.map((actions) => refusedBy(table, actions, deadline).catch(String)),
  );
}

/** Adds to a count that needs so much, and notes who was the last. */
interface Addition {
  readonly name: string;
  readonly amount: number;
  readonly needs: number;
}

function additionOf(pk: string, by: number, { name, amount, needs }: Addition): ItemAction {
  return {
    Update: {
      TableName: tableName,
      Key: { pk, sk: name },
      UpdateExpression: 'SET lastBy = :by ADD amount :amount',
      ConditionExpression: needs === 0 ? 'attribute_not_exists(gone)' : 'amount >= :needs',
      ExpressionAttributeValues: {
        ':amount': amount,
        ':by': by,
        ...(needs > 0 && { ':needs': needs }),
      },
    },
  };
}

type Counts = Readonly<Record<string, { readonly amount: number; readonly lastBy: number }>>;

/** The outcomes and the counts when the transactions run one by one, in this order. */
function alone(transactions: readonly (readonly Addition[])[], order: readonly number[]) {
  const outcomes: number[][] = transactions.map(() => []);
  let counts: Counts = {};
  for (const by of order) {
    const own = transactions[by] ?? [];
    const refused = own.flatMap(({ name, needs }, index) =>
      needs > 0 && (counts[name]?.amount ?? 0) < needs ? [index] : [],
    );
    outcomes[by] = refused;
    if (refused.length > 0) continue;
    for (const { name, amount } of own)
      counts = { ...counts, [name]: { amount: (counts[name]?.amount ?? 0) + amount, lastBy: by } };
  }
  return { outcomes, counts };
}

function* ordersOf(length: number, before: readonly number[] = []): Generator<readonly number[]> {
  if (before.length === length) yield before;
  for (let next = 0; next < length; next += 1)
    if (!before.includes(next)) yield* ordersOf(length, [...before, next]);
}

const names = ['a', 'b', 'c'];

async function countsAt(pk: string): Promise<Counts> {
  const Keys = names.map((sk) => ({ pk, sk }));
  const keys = { Keys, ConsistentRead: true };
  const { Responses } = await client.send(
    new BatchGetCommand({ RequestItems: { [tableName]: keys } }),
  );
  const items: readonly Item[] = Responses?.[tableName] ?? [];
  return Object.fromEntries(
    items.map(({ sk, amount, lastBy }) => [
      String(sk),
      { amount: Number(amount), lastBy: Number(lastBy) },
    ]),
  );
}

const additions = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom(...names),
    amount: fc.integer({ min: -2, max: 3 }),
    needs: fc.constantFrom(0, 0, 1, 3),
  }),
  { minLength: 1, maxLength: 3, selector: ({ name }) => name },
);
const trouble = fc.constantFrom(undefined, undefined, losesAnswer, losesRequest);

test('transactions of a group end as in some order of them alone, whatever answers are lost', async () => {
  const transactions = fc.array(additions, { minLength: 2, maxLength: 5 });
  const property = fc.asyncProperty(
    transactions,
    fc.array(trouble, { maxLength: 6 }),
    async (wanted, troubles) => {
      const pk = newScope();
      const { table } = grouped(troubles);
      const outcomes = await together(
        table,
        wanted.map((own, by) => own.map((one) => additionOf(pk, by, one))),
      );
      const counts = await countsAt(pk);
      const serial = [...ordersOf(wanted.length)].map((order) => alone(wanted, order));
      expect(serial).toContainEqual({ outcomes, counts });
    },
  );
  await fc.assert(property, { numRuns: 60 });
});

describe('a group', () => {
  const put = (pk: string, sk: string, isNew = true): ItemAction => ({
    Put: {
      TableName: tableName,
      Item: { pk, sk },
      ...(isNew && { ConditionExpression: 'attribute_not_exists(pk)' }),
    },
  });

  test('takes all that came while another one was under way', async () => {
    const { table, sent } = grouped();
    const pk = newScope();
    await together(
      table,
      ['a', 'b', 'c', 'd'].map((sk) => [put(pk, sk)]),
    );
    expect(sent.map(({ input }) => input.TransactItems?.length)).toEqual([1, 3]);
  });

  test('of one is sent as it came, at once', async () => {
    const { table, sent } = grouped();
    const action = put(newScope(), 'a');
    const token = newToken();
    const stored = groupOf(table).transact(token, [action]);
    expect(sent.map(({ input }) => input)).toEqual([
      { ClientRequestToken: token, TransactItems: [action] },
    ]);
    await stored;
  });

  test('never has two actions of one item, more than a hundred, or too many bytes', async () => {
    const pk = newScope();
    const long = (sk: string): ItemAction => ({
      Put: { TableName: tableName, Item: { pk, sk, text: 'x'.repeat(300_000) } },
    });
    const { table, sent } = grouped();
    const many = Array.from({ length: 120 }, (_, index) => [put(pk, `n-${index}`)]);
    const large = Array.from({ length: 12 }, (_, index) => [long(`l-${index}`)]);
    await together(table, [[put(pk, 'a', false)], [put(pk, 'a', false)], ...many, ...large]);
    expect(sent.map(({ input }) => input.TransactItems?.length)).toEqual([1, 100, 31, 2]);
  });

  test('without those whose condition failed goes again, and each of them learns its own reasons', async () => {
    const pk = newScope();
    const { table, sent } = grouped();
    await together(table, [[put(pk, 'a')]]);
    const lone = await errorOf(grouped().table, [put(pk, 'z'), put(pk, 'a')]);
    const errors = ['b', 'c', 'd'].map(async (sk) => {
      const actions = sk === 'c' ? [put(pk, 'y'), put(pk, 'a')] : [put(pk, sk)];
      return errorOf(table, actions);
    });
    const [, error] = await Promise.all(errors);
    expect(await Promise.all(errors)).toEqual([undefined, error, undefined]);
    expect(error).toBeInstanceOf((lone as Error).constructor);
    const { name, message, CancellationReasons } = error as Error & { CancellationReasons: [] };
    expect({ name, message, codes: codesIn(CancellationReasons) }).toEqual({
      name: (lone as Error).name,
      message: (lone as Error).message,
      codes: ['None', 'ConditionalCheckFailed'],
    });
    expect(sent.map(({ input }) => input.TransactItems?.length)).toEqual([1, 1, 3, 1]);
  });

  test('with a transaction that the database does not accept stores the others', async () => {
    const pk = newScope();
    const { table } = grouped();
    const invalid = { Put: { TableName: tableName, Item: { pk, sk: '' } } };
    const outcomes = await together(table, [
      [put(pk, 'a')],
      [put(pk, 'b')],
      [invalid],
      [put(pk, 'c')],
    ]);
    expect(outcomes).toEqual([[], [], expect.stringContaining('ValidationException'), []]);
  });

  test('that the database is too busy for is refused, and its members try again', async () => {
    const pk = newScope();
    const { table, sent } = grouped([undefined, () => Promise.reject(throttled())]);
    const outcomes = await together(table, [[put(pk, 'a')], [put(pk, 'b')], [put(pk, 'c')]]);
    expect(outcomes).toEqual([[], [], []]);
    expect(sent.length).toBeGreaterThan(2);
  });

  test('with a conflict refuses the transactions that had it', async () => {
    const pk = newScope();
    const conflict: Step = () => Promise.reject(cancelled('None', 'TransactionConflict'));
    const { table, sent } = grouped([undefined, conflict]);
    const errors = [put(pk, 'a'), put(pk, 'b'), put(pk, 'c')].map((one) => errorOf(table, [one]));
    const [first, second, third] = await Promise.all(errors);
    expect([first, second]).toEqual([undefined, undefined]);
    expect(codesIn((third as { CancellationReasons: [] }).CancellationReasons)).toEqual([
      'TransactionConflict',
    ]);
    expect(sent).toHaveLength(3);
  });

  test('in doubt is sent again by its own token, and does not hold up the next', async () => {
    const pk = newScope();
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const late: Step = async (command, send) => {
      await released;
      return send(command);
    };
    const { table, sent } = grouped([losesAnswer, undefined, late]);
    const first = together(table, [[put(pk, 'a')]]);
    const [second] = await together(table, [[put(pk, 'b')]]);
    release();
    expect([second, await first]).toEqual([[], [[]]]);
    const tokens = sent.map(({ input }) => input.ClientRequestToken);
    expect(new Set(tokens).size).toBe(2);
  });

  test('that a forgetful database refuses after a lost answer leaves a commit that was stored', async () => {
    const options = { client, tableName };
    const scope = newScope();
    const { alice, bob } = await walletsWith(dynamoStore(options), scope, 100n);
    const forgetful: Step = async (command, send) => {
      const input = { ...command.input, ClientRequestToken: newToken() };
      await send(new TransactWriteCommand(input));
      throw connectionReset();
    };
    const { table } = grouped([forgetful, forgetful]);
    const store = dynamoStore({ ...options, groupCommit: groupOf(table) });
    const commits = [1n, 2n, 3n].map((amount) =>
      movesOf(scope, [moveOf(scope, alice, -amount), moveOf(scope, bob, amount, 0n)]),
    );
    expect(await Promise.all(commits.map((one) => store.commit(one)))).toEqual([[], [], []]);
    const rows = await store.load([
      { what: 'balance', scope, wallet: 'alice', symbol: 'usd' },
      { what: 'balance', scope, wallet: 'bob', symbol: 'usd' },
    ]);
    expect(rows.map((row) => row?.available)).toEqual([94n, 6n]);
  });

  test('ends as a timeout for each when the database stays away', async () => {
    const away = between(client, () => Promise.reject(connectionReset()));
    const group = dynamoGroupCommit({ client: away, tableName, deadlineMs: 60 });
    const errors = ['a', 'b'].map((sk) => group.transact(newToken(), [put(newScope(), sk)]));
    for (const one of await Promise.allSettled(errors))
      expect(one).toMatchObject({ reason: { reason: 'api.request-timeout' } });
  });

  test('takes the puts and deletes that are in no order', async () => {
    const pk = newScope();
    const { table, sent } = grouped();
    const puts = Array.from({ length: 90 }, (_, index) => ({ pk, sk: `p-${index}` }));
    await writeAll(table, { puts, deletes: [{ pk, sk: 'a' }] }, performance.now() + deadlineMs);
    expect(sent.map(({ input }) => input.TransactItems?.length)).toEqual([25, 66]);
  });

  test('takes long puts in transactions of their own, so that each of them fits', async () => {
    const pk = newScope();
    const { table, sent } = grouped();
    const text = 'x'.repeat(390_000);
    const puts = Array.from({ length: 12 }, (_, index) => ({ pk, sk: `p-${index}`, text }));
    await writeAll(table, { puts }, performance.now() + deadlineMs);
    expect(sent.map(({ input }) => input.TransactItems?.length)).toEqual([1, 8, 3]);
  });

  function groupOf(table: { readonly groupCommit: GroupCommit }): GroupCommit {
    return table.groupCommit;
  }

  function errorOf(table: { readonly groupCommit: GroupCommit }, actions: readonly ItemAction[]) {
    return table.groupCommit.transact(newToken(), actions).then(
      () => undefined,
      (error: unknown) => error,
    );
  }

  function codesIn(reasons: readonly { readonly Code?: string }[]): (string | undefined)[] {
    return reasons.map(({ Code }) => Code);
  }
});
