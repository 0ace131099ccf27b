/**
 * Deliveries in DynamoDB, where the contract does not look: what they cost, their markers, and what
 * is done about lost answers and races. Also the index by which effects are found.
 */

import { randomBytes } from 'node:crypto';
import {
  BatchGetCommand,
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  QueryCommand,
  ScanCommand,
  type ScanCommandOutput,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { canonicalOf } from '../../shared/crypto/canonical.ts';
import { hashOf } from '../../shared/crypto/digest.ts';
import { requestOf } from '../../shared/ledger/call-request.ts';
import type { Version } from '../../shared/ledger/record.ts';
import type { Services } from '../../shared/port/action.ts';
import type { Deliveries, Delivery } from '../../shared/port/deliveries.ts';
import type { Store } from '../../shared/port/ports.ts';
import { replayWaiting } from '../../shared/record/resend.ts';
import { tableClient } from '../../shared/store/client.ts';
import {
  deliveryKeyOf,
  dueKeyOf,
  dueOf,
  dueRangeOf,
  dueShardCount,
  eventKeyOf,
  headKeyOf,
  indexKeyOf,
  ownEventKeyOf,
  rulebookKeyOf,
} from '../../shared/store/keys.ts';
import { markDense } from '../../shared/store/layout.ts';
import { textIn } from '../../shared/store/pack-delivery.ts';
import { planOf } from '../../shared/store/plan.ts';
import { itemsIn } from '../../shared/store/read.ts';
import type { Consumed } from '../../shared/store/request.ts';
import { deadlineIn } from '../../shared/store/retry.ts';
import { dynamoDeliveries, dynamoLayouts, dynamoStore } from '../../shared/store/store.ts';
import { newScope } from '../contract/store.ts';
import { bridge, bridged, callTo, entryOf } from '../fixture/bridged.ts';
import { type Database, startDatabase } from '../fixture/database.ts';
import { claimed, delivered, laterMs, newDelivery } from '../fixture/delivery.ts';
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
  revised,
  transferred,
  writeOf,
} from '../fixture/version.ts';

const tableName = 'deliveries';
let database: Database;
let client: DynamoDBDocumentClient;
let store: Store;
let deliveries: Deliveries;
let told: Consumed[];
let scope: string;
let subject: string;

beforeAll(async () => {
  database = await startDatabase();
  await database.createTable(tableName);
  client = tableClient({ endpoint: database.endpoint });
  store = dynamoStore({ client, tableName });
  deliveries = dynamoDeliveries({ client, tableName, onConsumed: (what) => told.push(what) });
});

afterAll(() => database.stop());

beforeEach(() => {
  scope = newScope();
  subject = newLuid('eff');
  told = [];
});

const itemsOf = (range: { pk: string }) =>
  itemsIn(
    { client, tableName, deadlineMs: 15_000, onConsumed: undefined },
    range,
    deadlineIn(15_000),
    {},
  );

/** The deliveries as they are stored. */
const readAllOf = (all: readonly Delivery[]) =>
  Promise.all(all.map((one) => deliveries.read(scope, one.subject, one.luid)));

/** When the deliveries of the ledger are marked as due. */
async function markersNow() {
  const shards = Array.from({ length: dueShardCount }, (_, shard) =>
    itemsOf(dueRangeOf(shard, laterMs * 2)),
  );
  const markers = (await Promise.all(shards)).flat().map(({ sk }) => dueOf(sk as string));
  return markers.filter((one) => one.scope === scope).map(({ dueMs }) => dueMs);
}

/** Deliveries whose transactions meet the trouble of their number. */
function troubled(...troubles: readonly ((command: object, send: Send) => Promise<unknown>)[]) {
  const rest = [...troubles];
  const wrapped = between(client, (command, send) => {
    const trouble = command instanceof TransactWriteCommand ? rest.shift() : undefined;
    return trouble ? trouble(command, send) : send(command);
  });
  return dynamoDeliveries({ client: wrapped, tableName });
}

const losesAnswer = async (command: object, send: Send) => {
  await send(command);
  throw serverError();
};
const losesRequest = () => Promise.reject(throttled());
const breaks = () => Promise.reject(connectionReset());

describe('markers', () => {
  test('there is one exactly while a delivery is due, at the time when it is', async () => {
    const first = newDelivery(scope, subject);
    const second = claimed(first, laterMs + 5);
    const third: Delivery = { ...second, attempts: 1, version: 3 };
    const over = delivered(third);
    const again: Delivery = { ...over, dueMs: 77, version: 5 };
    await deliveries.add([first, delivered(newDelivery(scope, subject))]);
    expect(await markersNow()).toEqual([laterMs]);
    for (const [previous, next, marked] of [
      [first, second, [laterMs + 5]],
      [second, third, [laterMs + 5]],
      [third, over, []],
      [over, again, [77]],
      [again, delivered(again), []],
    ] as const) {
      expect(await deliveries.save(next, previous)).toBe(true);
      expect(await markersNow()).toEqual(marked);
    }
    expect(await deliveries.save(claimed(first, 99), first)).toBe(false);
    expect(await markersNow()).toEqual([]);
  });

  const minutes = (count: number) => count * 60_000;
  const dueBy = async (from: Deliveries, nowMs: number) =>
    from.readDue((await from.due(nowMs)).due, nowMs);

  test('a marker without its delivery is taken away once it is minutes old', async () => {
    const stray = newDelivery(scope, subject);
    const real = newDelivery(scope, subject, { dueMs: 20 });
    await client.send(new PutCommand({ TableName: tableName, Item: dueKeyOf(stray, 10) }));
    await deliveries.add([real]);
    expect(await markersNow()).toHaveLength(2);
    // It may be seen a moment before the delivery that is stored with it.
    expect(await dueBy(deliveries, minutes(5))).toEqual([real]);
    expect(await markersNow()).toHaveLength(2);
    expect(await dueBy(deliveries, minutes(5) + 11)).toEqual([real]);
    expect(await markersNow()).toEqual([20]);
    await deliveries.save(delivered(real), real);
  });

  test('so is one whose delivery is due at another time, or over', async () => {
    const [moved, over] = [
      newDelivery(scope, subject, { dueMs: minutes(9) }),
      delivered(newDelivery(scope, subject)),
    ];
    await deliveries.add([moved, over]);
    for (const [one, dueMs] of [
      [moved, 10],
      [over, 20],
    ] as const)
      await client.send(new PutCommand({ TableName: tableName, Item: dueKeyOf(one, dueMs) }));
    // Both may be on their way to be due then.
    expect(await dueBy(deliveries, minutes(5) + 10)).toEqual([]);
    expect(await markersNow()).toHaveLength(3);
    expect(await dueBy(deliveries, minutes(5) + 21)).toEqual([]);
    expect(await markersNow()).toEqual([minutes(9)]);
    expect(await dueBy(deliveries, minutes(20))).toEqual([moved]);
    expect(await markersNow()).toEqual([minutes(9)]);
    await deliveries.save(delivered(moved), moved);
  });

  test('who makes due what waits for hours leaves those that may be on their way', async () => {
    const [old, fresh] = [newDelivery(scope, subject), newDelivery(scope, subject)];
    const nowMs = minutes(10);
    for (const key of [dueKeyOf(old, 10), dueKeyOf(fresh, nowMs + minutes(1))])
      await client.send(new PutCommand({ TableName: tableName, Item: key }));
    const services = { deliveries, clock: () => nowMs } as unknown as Services;
    await replayWaiting(services, scope, subject);
    expect(await markersNow()).toEqual([nowMs + minutes(1)]);
  });

  test('a delivery that another takes on between the two reads is not due any more', async () => {
    const first = newDelivery(scope, subject, { dueMs: 10 });
    await deliveries.add([first]);
    const second = claimed(first, laterMs);
    let isDone = false;
    const wrapped = between(client, async (command, send) => {
      if (command instanceof BatchGetCommand && !isDone) {
        isDone = true;
        expect(await deliveries.save(second, first)).toBe(true);
      }
      return send(command);
    });
    const racing = dynamoDeliveries({ client: wrapped, tableName });
    expect(await dueBy(racing, 20)).toEqual([]);
    expect(await markersNow()).toEqual([laterMs]);
  });
});

describe('lost answers', () => {
  test('what was added with a lost answer is still new', async () => {
    const all = Array.from({ length: 3 }, () => newDelivery(scope, subject));
    await deliveries.add(all.slice(0, 1));
    const shaky = troubled(losesRequest, losesAnswer, losesAnswer, breaks);
    expect(await shaky.add(all)).toEqual(all.slice(1));
    expect(await markersNow()).toHaveLength(3);
  });

  test('what was saved with a lost answer is saved', async () => {
    const first = newDelivery(scope, subject);
    await deliveries.add([first]);
    const next = delivered(first);
    expect(await troubled(losesRequest, losesAnswer, breaks).save(next, first)).toBe(true);
    expect(await deliveries.read(scope, subject, first.luid)).toEqual(next);
    expect(await markersNow()).toEqual([]);
  });
});

describe('one that has ended before it is stored', () => {
  const over = () => delivered(newDelivery(scope, subject));
  /** Deliveries whose plain writes meet the trouble of their number. */
  const shaky = (...rest: ((command: object, send: Send) => Promise<unknown>)[]) => {
    const wrapped = between(client, (command, send) => {
      const trouble = command instanceof UpdateCommand ? rest.shift() : undefined;
      return trouble ? trouble(command, send) : send(command);
    });
    return dynamoDeliveries({ client: wrapped, tableName });
  };

  test('is new also when the answer was lost', async () => {
    const one = over();
    expect(await shaky(losesRequest, losesAnswer, breaks).add([one])).toEqual([one]);
    expect(await deliveries.read(scope, subject, one.luid)).toEqual(one);
  });

  test('is not new when another was faster, also if its own answer was lost', async () => {
    const first = newDelivery(scope, subject);
    const one = delivered(first);
    const faster = async () => {
      await deliveries.add([first]);
      throw serverError();
    };
    expect(await shaky(faster).add([one])).toEqual([]);
    expect(await deliveries.add([one])).toEqual([]);
    expect(await deliveries.read(scope, subject, one.luid)).toEqual(first);
  });

  test('is stored after its content, so that a crash in between leaves none without it', async () => {
    const one = over();
    const stops = () => Promise.reject(new Error('The process ends.'));
    await expect(shaky(stops).add([one])).rejects.toThrow('ends');
    expect(await deliveries.read(scope, subject, one.luid)).toBeUndefined();
    expect(await deliveries.newAmong([one])).toEqual([one]);
    expect(await deliveries.add([one])).toEqual([one]);
    expect(await deliveries.read(scope, subject, one.luid)).toEqual(one);
  });
});

describe('a ledger whose deliveries have no capacity', () => {
  /** Adds one, of which some writes are throttled; returns over how many partitions the ledger is spread then. */
  const countAfter = async (throttles: number, one: Delivery) => {
    let left = throttles;
    const wrapped = between(client, (command, send) => {
      const { Key, TransactItems } = (command as UpdateCommand & TransactWriteCommand).input;
      const isOfDelivery = TransactItems !== undefined || Key?.['pk'] === deliveryKeyOf(one).pk;
      if (!isOfDelivery || left === 0) return send(command);
      left -= 1;
      if (command instanceof UpdateCommand)
        throw throttled('ProvisionedThroughputExceededException');
      throw cancelled('ThrottlingError', 'None');
    });
    const options = { client: wrapped, tableName };
    expect(await dynamoDeliveries(options).add([one])).toEqual([one]);
    return (await dynamoLayouts(options).read(scope)).count;
  };

  test.each([
    ['that has ended', () => delivered(newDelivery(scope, subject))],
    ['that is due', () => newDelivery(scope, subject)],
  ])('for one %s gets a larger layout, if that comes again and again', async (_, made) => {
    expect(await countAfter(2, made())).toBe(1);
    expect(await countAfter(3, made())).toBe(4);
  });
});

describe('what deliveries cost', () => {
  const units = () => told.reduce((sum, { writeUnits }) => sum + writeUnits, 0);
  const operations = () => told.map(({ operation }) => operation);

  /** A delivery of a transfer that was completed at once, as most are. */
  const ofTransfer = () =>
    newDelivery(scope, subject, {}, transferred('payment-2026-0001').record as never);

  test('one that was attempted before it is stored takes a unit beside its content', async () => {
    const over = delivered(ofTransfer());
    expect(await deliveries.add([over])).toEqual([over]);
    // The content lies there before the delivery does.
    expect(operations()).toEqual(['BatchWriteItem', 'UpdateItem']);
    expect(told.map(({ writeUnits }) => writeUnits)).toEqual([2, 1]);
  });

  test('one that is due takes six units, taking it on six, its end four', async () => {
    const first = ofTransfer();
    await deliveries.add([first]);
    expect(operations()).toEqual(['BatchWriteItem', 'TransactWriteItems']);
    expect(units()).toBe(6);
    told = [];
    const second = claimed(first, laterMs + 1);
    await deliveries.save(second, first);
    expect(units()).toBe(6);
    told = [];
    await deliveries.save(delivered(second), second);
    expect(operations()).toEqual(['TransactWriteItems']);
    expect(units()).toBe(4);
  });

  test('one about a spread intent takes as much as any other', async () => {
    const over = { ...delivered(ofTransfer()), spread: 9 };
    expect(await deliveries.add([over])).toEqual([over]);
    expect(told.map(({ writeUnits }) => writeUnits)).toEqual([2, 1]);
    expect(await deliveries.readNamed(over)).toEqual(over);
  });

  const transactions = () => operations().filter((one) => one === 'TransactWriteItems').length;

  test('two hundred deliveries are added in four transactions', async () => {
    await deliveries.add(Array.from({ length: 200 }, ofTransfer));
    expect(transactions()).toBe(4);
  });

  describe('of one event to many', () => {
    // A text that takes as many bytes also when it is packed.
    const text = randomBytes(225_000).toString('base64');
    /** As many that are told the same. */
    const toldTo = (count: number): Delivery[] => {
      const { data, ...rest } = newDelivery(scope, subject, {}, { text });
      return Array.from({ length: count }, () => {
        const { luid, subject: own } = newDelivery(scope, newLuid('eff'));
        return { ...rest, data, luid, subject: own };
      });
    };
    const bytesAt = async (one: Delivery) => {
      const items = await itemsOf({ pk: `${scope}#event#${one.data.handle}` });
      return items.map((item) => textIn(item).length);
    };

    test.each([
      [1, 1],
      [49, 1],
      [200, 4],
    ])('%i of 300 KB store it once, in %i transactions', async (count, transactionCount) => {
      const all = toldTo(count);
      expect(await deliveries.add(all)).toEqual(all);
      expect(transactions()).toBe(transactionCount);
      // Beside what it takes to write the event itself: a unit a kilobyte.
      const perDelivery = (units() - 300) / count;
      expect([perDelivery, perDelivery <= 4]).toEqual([perDelivery, true]);
      const [one, last] = [all[0], all.at(-1)] as [Delivery, Delivery];
      expect((await bytesAt(one)).map((bytes) => bytes > 300_000)).toEqual([true]);
      expect(await deliveries.read(scope, last.subject, last.luid)).toEqual(last);
    });

    test('that is the same in two objects is stored once as well, whatever comes between', async () => {
      const [one, two] = toldTo(2) as [Delivery, Delivery];
      const again: Delivery = { ...two, data: structuredClone(two.data) };
      const other = newDelivery(scope, newLuid('eff'));
      expect(await deliveries.add([one, other, again])).toEqual([one, other, again]);
      expect(await bytesAt(one)).toHaveLength(1);
    });

    test('accepted once more for somebody new, it is stored beside the first', async () => {
      const [one, late] = toldTo(2) as [Delivery, Delivery];
      const { record } = late.data;
      const anew = { ...record, meta: { proofs: [...record.meta.proofs, ...record.meta.proofs] } };
      const second: Delivery = {
        ...late,
        data: { ...late.data, record: anew } as Delivery['data'],
      };
      expect(await deliveries.add([one])).toEqual([one]);
      expect(await deliveries.add([one, second])).toEqual([second]);
      for (const each of [one, second])
        expect(await deliveries.read(scope, each.subject, each.luid)).toEqual(each);
      expect(await bytesAt(one)).toHaveLength(2);
    });
  });

  describe('of the calls of one transition', () => {
    const banks = [bridge('bank'), bridge('other')];
    /** An intent of so many claims between two bridges, with notes of so many characters, all of which is asked for. */
    const asked = (claimCount: number, noteLength: number): Delivery[] => {
      const intent = bridged({
        entries: Array.from({ length: 2 * claimCount }, (_, index) => ({
          schema: index < claimCount ? 'debit' : 'credit',
          bridge: index < claimCount ? 'bank' : 'other',
          inputs: [index % claimCount],
        })),
        claims: Array.from({ length: claimCount }, () => ({
          ...{ action: 'transfer', source: 'alice@bank', target: 'bob@bank', symbol: 'usd' },
          amount: 1500,
        })),
        data: { custom: { note: 'x'.repeat(noteLength) } },
      });
      return Array.from({ length: 2 * claimCount }, (_, index) => {
        const to = banks[index < claimCount ? 0 : 1] as Version;
        const call = { action: 'commit', entry: entryOf(intent, index) } as const;
        const delivery = callTo(to, call, laterMs, { scope });
        const { data } = requestOf({ bridge: to.record.data.handle, ...call }, intent.record);
        const record = { hash: hashOf(data), data, meta: { proofs: [] } };
        const { luid: linked } = intent.record;
        return { ...delivery, data: { ...delivery.data, record, linked } as Delivery['data'] };
      });
    };
    /** The events of the entries that are called for. */
    const toldOf = (calls: readonly Delivery[]): Delivery[] =>
      calls.map(({ data: { record, linked }, ...rest }) => {
        const handle = newLuid('evt').replace('$evt.', 'evt_');
        const said = { handle, signal: 'bridge-entry-updated', change: 7, moment: rest.moment };
        const data = { ...said, 'bridge-entry': record };
        const { hash, meta } = record;
        const luid = newLuid('evd');
        return {
          ...rest,
          luid,
          data: { handle, effect: 'e', record: { hash, data, meta }, linked },
        };
      });
    /** What all that is brought in the ledger takes. */
    const brought = async () => {
      let bytes = 0;
      let from: Record<string, unknown> | undefined;
      do {
        const { Items = [], LastEvaluatedKey }: ScanCommandOutput = await client.send(
          new ScanCommand({
            TableName: tableName,
            FilterExpression: 'begins_with(pk, :family)',
            ExpressionAttributeValues: { ':family': `${scope}#event#` },
            ...(from && { ExclusiveStartKey: from }),
          }),
        );
        bytes += Items.reduce((sum, item) => sum + textIn(item).length, 0);
        from = LastEvaluatedKey;
      } while (from);
      return bytes;
    };
    test.each([
      ['calls', (calls: Delivery[]) => calls],
      ['events of their entries', toldOf],
    ])(
      'eighty %s with an intent of 140 KB store it once, and are read as they were made',
      async (_, made) => {
        const calls = asked(40, 110_000);
        const intentBytes = canonicalOf(calls[0]?.data.record.data['intent']).length;
        const all = made(calls);
        expect(intentBytes).toBeGreaterThan(140_000);
        expect(await deliveries.add(all)).toEqual(all);
        const bytes = await brought();
        const beside = (bytes - intentBytes) / all.length;
        expect([beside, beside < 700]).toEqual([beside, true]);
        expect(units()).toBeLessThan(1_200);
        expect(await readAllOf(all)).toEqual(all);
        expect(await deliveries.add(all)).toEqual([]);
        const listed = await deliveries.list(scope, all[0]?.subject ?? '', { index: 0, limit: 40 });
        expect(new Set(listed)).toEqual(new Set(all.slice(0, 40)));
      },
    );

    test('of a payment between two bridges cost one transaction, and no more than two whole calls', async () => {
      const all = asked(1, 1_000);
      await deliveries.add(all);
      expect(operations()).toEqual(['BatchWriteItem', 'TransactWriteItems']);
      expect(await readAllOf(all)).toEqual(all);
    });

    test('that were stored whole, each by itself, are read, attempted and kept as they are', async () => {
      const [one] = asked(10, 30_000) as [Delivery];
      const { record, ...brings } = one.data;
      const { hash, moment, version, status, replay, attempts, dueMs } = one;
      const state = { version, status, replay, attempts, due: dueMs };
      const said = { brings: canonicalOf(brings), event: 'name', hash, moment };
      const eventKey = eventKeyOf({ scope, event: one.data.handle, name: 'name' });
      for (const Item of [
        { ...deliveryKeyOf(one), ...state, ...said },
        { ...eventKey, record: canonicalOf(record) },
        dueKeyOf(one, Number(dueMs)),
      ])
        await client.send(new PutCommand({ TableName: tableName, Item }));
      const next = claimed(one, laterMs + 1);
      expect(await deliveries.add([one])).toEqual([]);
      expect(await deliveries.save(next, one)).toBe(true);
      expect(await deliveries.read(scope, one.subject, one.luid)).toEqual(next);
    });

    test('that are too large are refused, and leave nothing behind', async () => {
      const all = asked(1, 400_000);
      await expect(deliveries.add(all)).rejects.toThrow(/at most/);
      await expect(deliveries.add(all.slice(1))).rejects.toThrow(/at most/);
      expect(await brought()).toBe(0);
    });
  });

  test('what an earlier release stored is read, attempted and kept as it is', async () => {
    const first = newDelivery(scope, subject);
    const { hash, moment, data, version, status, replay, attempts, dueMs } = first;
    const state = { version, status, replay, attempts, due: dueMs };
    const items = [
      { ...deliveryKeyOf(first), ...state },
      { ...ownEventKeyOf(first), hash, moment, data: canonicalOf(data) },
      dueKeyOf(first, Number(dueMs)),
    ];
    for (const Item of items) await client.send(new PutCommand({ TableName: tableName, Item }));
    expect(await deliveries.read(scope, subject, first.luid)).toEqual(first);
    const second = claimed(first, laterMs + 1);
    expect(await deliveries.save(second, first)).toBe(true);
    expect(await deliveries.save(delivered(second), second)).toBe(true);
    expect(await deliveries.list(scope, subject, { index: 0, limit: 9 })).toEqual([
      delivered(second),
    ]);
  });

  describe('of a dense ledger', () => {
    const contentOf = async ({ data }: Delivery) => {
      const [item = {}] = await itemsOf({ pk: `${scope}#event#${data.handle}` });
      return item;
    };
    /** What a process stores that has looked for those that are new. */
    const accepted = async (...all: Delivery[]) => {
      const own = tableClient({ endpoint: database.endpoint });
      const port = dynamoDeliveries({ client: own, tableName });
      expect(await port.newAmong(all)).toEqual(all);
      expect(await port.add(all)).toEqual(all);
      own.destroy();
    };
    const makeDense = async (sinceMs: number) => {
      const own = tableClient({ endpoint: database.endpoint });
      const table = { client: own, tableName, deadlineMs: 15_000, onConsumed: undefined };
      await markDense(table, scope, deadlineIn(15_000), sinceMs);
      own.destroy();
    };

    test('have contents that the release before cannot read, and others as before', async () => {
      const [before, early, unaware, late] = [
        newDelivery(scope, subject),
        newDelivery(scope, subject),
        newDelivery(scope, subject),
        newDelivery(scope, subject),
      ];
      await accepted(before);
      await makeDense(laterMs * 2);
      await accepted(early);
      expect(await contentOf(early)).toHaveProperty('packed');
      await client.send(new DeleteCommand({ TableName: tableName, Key: rulebookKeyOf(scope) }));
      await makeDense(Date.now() - 1);
      // Who has read no layout writes what everybody reads.
      expect(await deliveries.add([unaware])).toEqual([unaware]);
      await accepted(late);
      for (const one of [before, early, unaware]) {
        expect(await contentOf(one)).toHaveProperty('packed');
        expect(await contentOf(one)).not.toHaveProperty('content');
      }
      expect(await contentOf(late)).toHaveProperty('content');
      expect(await contentOf(late)).not.toHaveProperty('packed');
      const all = [before, early, unaware, late];
      expect(await readAllOf(all)).toEqual(all);
      const listed = await deliveries.list(scope, subject, { index: 0, limit: 9 });
      expect(new Set(listed)).toEqual(new Set(all));
    });

    test('are looked for with the layout, in the request that is made anyway', async () => {
      const own = tableClient({ endpoint: database.endpoint });
      const asked: Consumed[] = [];
      const onConsumed = (what: Consumed) => asked.push(what);
      const port = dynamoDeliveries({ client: own, tableName, onConsumed });
      await makeDense(Date.now() - 1);
      const [one, two] = [newDelivery(scope, subject), newDelivery(scope, subject)];
      expect(await port.newAmong([one, two])).toEqual([one, two]);
      expect(asked.map(({ operation, readUnits }) => [operation, readUnits])).toEqual([
        ['BatchGetItem', 3],
      ]);
      expect(await port.newAmong([one, two])).toEqual([one, two]);
      expect(asked.map(({ readUnits }) => readUnits)).toEqual([3, 2]);
      own.destroy();
    });

    test('that cannot be read are not found, and the others are', async () => {
      await makeDense(Date.now() - 1);
      const [one, broken, cut] = [
        newDelivery(scope, subject),
        newDelivery(scope, subject),
        newDelivery(scope, subject),
      ];
      await accepted(one, broken, cut);
      const item = await contentOf(broken);
      const short = await contentOf(cut);
      const content = Buffer.from(item['content'] as Uint8Array).fill(255, 20);
      const rest = Buffer.from(short['content'] as Uint8Array).subarray(0, 3);
      for (const Item of [
        { ...item, content },
        { ...short, content: rest },
      ])
        await client.send(new PutCommand({ TableName: tableName, Item }));
      expect(await readAllOf([one, broken, cut])).toEqual([one, undefined, undefined]);
      expect(await deliveries.list(scope, subject, { index: 0, limit: 9 })).toEqual([one]);
      const pages = [0, 1, 2].map((index) => deliveries.list(scope, subject, { index, limit: 1 }));
      expect(await Promise.all(pages)).toEqual([[one], [one], [one]]);
      const due = [one, broken, cut].map((each) => ({ ...each, dueMs: laterMs, isReplay: false }));
      expect(await deliveries.readDue(due, laterMs)).toEqual([one]);
    });
  });

  test('a page is full however many cannot be read, unless it is the last', async () => {
    const all = Array.from({ length: 12 }, () => newDelivery(scope, subject));
    await deliveries.add(all);
    const newest = all.toReversed();
    const lost = newest.filter((_, place) => place === 1 || (place > 3 && place < 8));
    for (const { data } of lost) {
      const [item] = await itemsOf({ pk: `${scope}#event#${data.handle}` });
      await client.send(new PutCommand({ TableName: tableName, Item: { ...item, packed: 'x' } }));
    }
    const left = newest.filter((one) => !lost.includes(one));
    const walked: (readonly Delivery[])[] = [];
    for (let before: string | undefined; walked.at(-1)?.length !== 0; ) {
      const page = { index: 0, limit: 3, ...(before !== undefined && { before }) };
      walked.push(await deliveries.list(scope, subject, page));
      before = walked.at(-1)?.at(-1)?.luid;
    }
    expect(walked).toEqual([left.slice(0, 3), left.slice(3, 6), left.slice(6), []]);
    const numbered = { index: 1, limit: 3 };
    expect(await deliveries.list(scope, subject, numbered)).toEqual(left.slice(2, 5));
  });

  test('thousands of large ones are packed and sent some at a time', async () => {
    const text = randomBytes(143_000).toString('base64');
    const all = Array.from({ length: 240 }, () => newDelivery(scope, subject, {}, { text }));
    let [openCount, openMax] = [0, 0];
    const wrapped = between(client, async (_command, _send) => {
      openCount += 1;
      openMax = Math.max(openMax, openCount);
      await new Promise((resolve) => setImmediate(resolve));
      openCount -= 1;
      return {};
    });
    const added = await dynamoDeliveries({ client: wrapped, tableName }).add(all);
    expect(added).toEqual(all);
    expect(openMax).toBe(8);
  });

  test('a delivery is two reads, so is a page of them, and what is due eight and two', async () => {
    const first = ofTransfer();
    await deliveries.add([first]);
    // Every request reads the rulebook, which says that the ledger is quiet.
    await store.load([{ what: 'rulebook', scope }]);
    told = [];
    await deliveries.read(scope, subject, first.luid);
    expect(operations()).toEqual(['BatchGetItem', 'BatchGetItem']);
    told = [];
    await deliveries.list(scope, subject, { index: 0, limit: 100 });
    expect(operations()).toEqual(['Query', 'BatchGetItem']);
    told = [];
    const { due } = await deliveries.due(laterMs);
    expect(operations()).toEqual(Array(dueShardCount).fill('Query'));
    await deliveries.readDue(due.slice(-1), laterMs);
    expect(operations().slice(dueShardCount)).toEqual(['BatchGetItem', 'BatchGetItem']);
    expect(told.reduce((sum, { readUnits }) => sum + readUnits, 0)).toBeGreaterThan(0);
  });

  test('a courier asks no ledger for its layout', async () => {
    const first = ofTransfer();
    expect(await deliveries.newAmong([first])).toEqual([first]);
    await deliveries.add([first]);
    told = [];
    await deliveries.readNamed(first);
    expect(operations()).toEqual(['BatchGetItem', 'BatchGetItem']);
    expect(await deliveries.newAmong([first])).toEqual([]);
    await deliveries.save(delivered(first), first);
    expect(operations().slice(2)).toEqual(['BatchGetItem', 'TransactWriteItems']);
  });
});

describe('the index of effects', () => {
  const signal = 'wallet-created';
  const other = 'wallet-dropped';
  const indexed = async () => {
    const keys = [signal, other].map((one) =>
      indexKeyOf(scope, created('effect', 'x', { signal: one })),
    );
    const items = await Promise.all(keys.map((key) => itemsOf({ pk: key?.pk ?? '' })));
    return items.map((some) => some.map(({ sk, handle }) => [sk, handle]));
  };

  test('holds one entry for each effect, where it is now, and none after its end', async () => {
    const first = created('effect', 'hook', { signal });
    const { luid } = first.record;
    const second = revised(first, { custom: {} });
    const third = revised(second, { handle: 'hooky' });
    const fourth = revised(third, { signal: other, handle: 'hook' });
    let previous: Version | undefined;
    for (const [next, expected] of [
      [first, [[[luid, 'hook']], []]],
      [second, [[[luid, 'hook']], []]],
      [third, [[[luid, 'hooky']], []]],
      [fourth, [[], [[luid, 'hook']]]],
      [dropped(fourth), [[], []]],
    ] as const) {
      expect(await store.commit(commitOf(writeOf(scope, next, previous)))).toEqual([]);
      expect(await indexed()).toEqual(expected);
      previous = next;
    }
  });

  test('costs a record of another kind nothing, and an update that stays there nothing', () => {
    const [wallet, effect] = [created('wallet', 'a'), created('effect', 'a', { signal })];
    const lengthOf = (next: Version, previous?: Version) =>
      planOf(tableName, commitOf(writeOf(scope, next, previous))).length;
    expect(lengthOf(effect)).toBe(lengthOf(wallet) + 1);
    expect(lengthOf(revised(effect), effect)).toBe(lengthOf(revised(wallet), wallet));
  });

  test('an effect that is renamed between the two reads is found, one that is dropped is not', async () => {
    const [one, two] = [created('effect', 'one', { signal }), created('effect', 'two', { signal })];
    await store.commit(commitOf(writeOf(scope, one), writeOf(scope, two)));
    const renamed = revised(one, { handle: 'uno' });
    let queries = 0;
    const wrapped = between(client, async (command, send) => {
      const output = await send(command);
      if (command instanceof QueryCommand) queries += 1;
      if (command instanceof QueryCommand && queries === 1)
        await store.commit(
          commitOf(writeOf(scope, renamed, one), writeOf(scope, dropped(two), two)),
        );
      return output;
    });
    const racing = dynamoDeliveries({ client: wrapped, tableName });
    expect(await racing.subscribers(scope, signal)).toEqual([renamed]);
    expect(queries).toBe(2);
  });

  test('an effect that cannot be read does not keep the others from being found', async () => {
    const [one, two] = [created('effect', 'one', { signal }), created('effect', 'two', { signal })];
    await store.commit(commitOf(writeOf(scope, one), writeOf(scope, two)));
    const Key = headKeyOf(scope, 'effect', 'one');
    await client.send(
      new UpdateCommand({
        TableName: tableName,
        Key,
        UpdateExpression: 'SET meta = :torn',
        ExpressionAttributeValues: { ':torn': '{' },
      }),
    );
    expect(await deliveries.subscribers(scope, signal)).toEqual([two]);
  });

  test('subscribers are a query and a batch, and their units are told', async () => {
    await store.commit(commitOf(writeOf(scope, created('effect', 'hook', { signal }))));
    await deliveries.subscribers(scope, signal);
    expect(told.map(({ operation }) => operation)).toEqual(['Query', 'BatchGetItem']);
    expect(told.every(({ readUnits }) => readUnits > 0)).toBe(true);
  });
});
