/**
 * What follows a commit, offline: one transaction where it can be, and the same table as step by step wherever it cannot,
 * or whenever its process dies. Decision 143.
 */
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { relayPorts } from '../../functions/relay-ports.ts';
import { type TablePorts, tablePorts } from '../../functions/table-ports.ts';
import { create } from '../../shared/action/create.ts';
import { checkpointMaker, checkpoints } from '../../shared/record/log-signer.ts';
import type { LedgerEvent } from '../../shared/signal/event.ts';
import { drain } from '../../shared/signal/relay.ts';
import { bookKeyOf, outboxShardCount } from '../../shared/store/keys.ts';
import type { Consumed, TableClient } from '../../shared/store/request.ts';
import { dynamoFollowing, dynamoGroupCommit } from '../../shared/store/store.ts';
import { type Ground, type Json, main, startGround, type World } from '../fixture/audited.ts';
import { between, connectionReset, type Send } from '../fixture/trouble.ts';

let ground: Ground;
let peopled: World;
beforeAll(async () => {
  ground = await startGround();
  peopled = await newPeopled();
});
afterAll(() => ground.stop());

const shards = Array.from({ length: outboxShardCount }, (_, shard) => shard);
const usd = { symbol: 'usd' };
const people = ['ann', 'bob', 'cat', 'dan'] as const;
const transfer = (source: string, target: string): Json => ({
  ...{ action: 'transfer', source, target, amount: 1 },
  ...usd,
});

class Crash extends Error {}

/** A relay of the offline runtime, and what it has told and written; it tells nothing once it is dead. */
function relayOf(
  { tableName, services }: World,
  client: TableClient = ground.client,
  isDead = () => false,
) {
  const writes: string[] = [];
  const told: LedgerEvent[] = [];
  const signed: string[] = [];
  const onConsumed = ({ operation }: Consumed) => {
    if (/Write|Update/.test(operation)) writes.push(operation);
  };
  const at = { client, tableName };
  const groupCommit = dynamoGroupCommit({ ...at, onConsumed });
  const table: TablePorts = tablePorts({ ...at, onConsumed, groupCommit }, {}, undefined);
  const { logs, store } = table;
  const { keyring } = services;
  const publish = async (lines: readonly (readonly LedgerEvent[])[]) => {
    if (isDead()) throw new Crash();
    told.push(...lines.flat());
    return lines.map(({ length }) => length);
  };
  const fail = (_where: string, error: unknown) => {
    throw error;
  };
  const ports = relayPorts(table, {
    ...{ bus: { publish }, clock: Date.now, metric: () => {}, complain: fail },
    sign: checkpoints({ logs, store, keyring, signed: (scope) => void signed.push(scope) }),
    checkpoints: {
      checkpointOf: checkpointMaker({ store, keyring }),
      signed: (scope) => void signed.push(scope),
    },
  });
  const relay = async (): Promise<boolean> => {
    const ledgerIsDone = await drain(ports, main, shards);
    return ledgerIsDone && (await drain(ports, '', shards));
  };
  return { relay, writes, told, signed, logs };
}

/** A ledger with people who have money and have paid each other, so that all books have begun. */
async function newPeopled(): Promise<World> {
  const world = await ground.newWorld();
  await world.make(create('symbol'), { handle: 'usd', factor: 100 });
  for (const handle of people) await world.make(create('wallet'), { handle });
  for (const target of people)
    await world.settle(`issue-${target}`, { action: 'issue', target, amount: 1_000, ...usd });
  expect(await relayOf(world).relay()).toBe(true);
  expect(await world.audited()).toEqual([]);
  return world;
}

/** Pays so many people who have not been paid before. */
async function payNew(world: World, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1)
    await world.make(create('wallet'), { handle: `new-${number}` });
  expect(await relayOf(world).relay()).toBe(true);
  for (let number = 0; number < count; number += 1)
    await world.settle(`pay-${number}`, transfer('ann', `new-${number}`));
}

const newWorld = () => ground.copyOf(peopled);

/** The size of the log, and of its checkpoint. */
async function sizesOf(world: World): Promise<readonly (number | undefined)[]> {
  const state = await relayOf(world).logs.read(main);
  return [state?.tree.size, state?.checkpoint?.size];
}

async function expectWhole(world: World): Promise<void> {
  expect(await world.audited()).toEqual([]);
  const [size, signedSize] = await sizesOf(world);
  expect(signedSize).toBe(size);
}

describe('what follows a commit', () => {
  test.each([
    [1, 1],
    [3, 1],
  ])('of %i transfers takes %i transaction', async (count) => {
    const world = await newWorld();
    for (let number = 0; number < count; number += 1)
      await world.settle(`pay-${number}`, transfer('ann', 'bob'));
    const { relay, writes, told, signed } = relayOf(world);
    expect(await relay()).toBe(true);
    expect(writes).toEqual(['TransactWriteItems']);
    expect(told.map(({ data }) => data.signal)).toContain('intent-created');
    expect(signed).toEqual([main]);
    await expectWhole(world);
  });

  test('begins the books of those who have none', async () => {
    const world = await newWorld();
    await world.make(create('wallet'), { handle: 'eve' });
    expect(await relayOf(world).relay()).toBe(true);
    await world.settle('first', transfer('ann', 'eve'));
    const { relay, writes } = relayOf(world);
    expect(await relay()).toBe(true);
    expect(writes).toEqual(['TransactWriteItems']);
    await expectWhole(world);
  });

  test('for which there is no room is written before', async () => {
    const world = await newWorld();
    await payNew(world, 20);
    const { relay, writes } = relayOf(world);
    expect(await relay()).toBe(true);
    expect(writes).toEqual(['TransactWriteItems', 'TransactWriteItems']);
    await expectWhole(world);
  });

  test('of too many transfers is written step by step', async () => {
    const world = await newWorld();
    await payNew(world, 26);
    const { relay, writes } = relayOf(world);
    expect(await relay()).toBe(true);
    expect(writes.length).toBeGreaterThan(2);
    await expectWhole(world);
  });

  test('fills a tile of the log with it', async () => {
    const world = await newWorld();
    const counts: number[] = [];
    for (let number = 0; number < 70; number += 1) {
      await world.settle(`pay-${number}`, transfer('ann', 'bob'));
      if (number % 7 < 6) continue;
      const { relay, writes } = relayOf(world);
      expect(await relay()).toBe(true);
      counts.push(writes.length);
    }
    const [size] = await sizesOf(world);
    expect(size).toBeGreaterThan(256);
    expect(counts).toEqual(Array(10).fill(1));
    await expectWhole(world);
  });

  test('is written step by step where a monitor looks at the books first', async () => {
    const world = await newWorld();
    await world.make(create('bridge'), { handle: 'bank', config: { server: 'https://a.example' } });
    const balance = { wallet: 'bob', symbol: 'usd', threshold: 1_010 };
    const action = { schema: 'bridge', bridge: 'bank' };
    await world.make(create('effect'), {
      ...{ handle: 'high', signal: 'balance-crossed', balance, action },
    });
    expect(await relayOf(world).relay()).toBe(true);
    await world.settle('pay', { ...transfer('ann', 'bob'), amount: 50 });
    const { relay, writes, told } = relayOf(world);
    expect(await relay()).toBe(true);
    expect(writes.length).toBeGreaterThan(1);
    expect(told.map(({ data }) => data.signal)).toContain('balance-crossed');
    await expectWhole(world);
  });

  test('on AWS is no transaction with the end of an entry', async () => {
    const { tableName } = await newWorld();
    expect(dynamoFollowing({ client: ground.client, tableName })).toBeUndefined();
  });
});

/** A client that does something before its first transaction is sent. */
function beforeWrite(what: () => Promise<unknown>): TableClient {
  let isFirst = true;
  return between(ground.client, async (command, send) => {
    if (isFirst && command instanceof TransactWriteCommand) {
      isFirst = false;
      await what();
    }
    return send(command);
  });
}

describe('the one transaction', () => {
  test('is refused when another relay was faster, and nothing is there twice', async () => {
    const world = await newWorld();
    await world.settle('pay', transfer('ann', 'bob'));
    const [before] = await sizesOf(world);
    const client = beforeWrite(() => relayOf(world).relay());
    const { relay, writes } = relayOf(world, client);
    expect(await relay()).toBe(true);
    expect(writes.length).toBeGreaterThan(1);
    const [size] = await sizesOf(world);
    expect(size).toBe(Number(before) + 4);
    await expectWhole(world);
  });

  test('is refused when a log has gone on, and the leaves follow those of others', async () => {
    const world = await newWorld();
    const other = await world.settle('other', transfer('cat', 'dan'));
    const { outbox } = tablePorts(
      { client: ground.client, tableName: world.tableName },
      {},
      undefined,
    );
    const entries = (
      await Promise.all(shards.map((shard) => outbox.oldest(main, shard, 9)))
    ).flat();
    const versions = (await outbox.versions(entries)).filter((one) => one !== undefined);
    expect(versions.map(({ record }) => record.luid)).toEqual([other.luid]);
    await world.settle('pay', transfer('ann', 'bob'));
    const { logs } = relayOf(world);
    const { relay } = relayOf(
      world,
      beforeWrite(() => logs.append(main, versions)),
    );
    expect(await relay()).toBe(true);
    await expectWhole(world);
  });

  test('is refused when a book is closed behind its entry, which opens that book', async () => {
    const world = await newWorld();
    await world.settle('pay', transfer('ann', 'bob'));
    const key = bookKeyOf({ scope: main, wallet: 'bob', symbol: 'usd' });
    const closed = { ...(await world.item(key)), closed: '~' };
    const { relay, writes } = relayOf(
      world,
      beforeWrite(() => world.put(closed)),
    );
    expect(await relay()).toBe(true);
    expect(writes.length).toBeGreaterThan(1);
    expect(await world.item(key)).toHaveProperty('reopened');
    await expectWhole(world);
  });

  test('whose answer is lost is done once', async () => {
    const world = await newWorld();
    await world.settle('pay', transfer('ann', 'bob'));
    let lost = 0;
    const client = between(ground.client, async (command, send) => {
      const answer = await send(command);
      if (!(command instanceof TransactWriteCommand) || lost > 0) return answer;
      lost += 1;
      throw connectionReset();
    });
    const { relay, writes } = relayOf(world, client);
    expect(await relay()).toBe(true);
    expect([lost, writes]).toEqual([1, ['TransactWriteItems', 'TransactWriteItems']]);
    await expectWhole(world);
  });
});

describe('a relay that dies', () => {
  test.each(['before', 'after'] as const)('%s any of its requests', async (when) => {
    for (let at = 1; ; at += 1) {
      const world = await newWorld();
      await world.settle('pay', transfer('ann', 'bob'));
      let sent = 0;
      const step = async (command: object, send: Send) => {
        sent += 1;
        if (sent > at || (sent === at && when === 'before')) throw new Crash();
        const answer = await send(command);
        if (sent >= at) throw new Crash();
        return answer;
      };
      const first = relayOf(world, between(ground.client, step), () => sent >= at);
      const outcome = await first.relay().catch((error: unknown) => error);
      const second = relayOf(world);
      expect(await second.relay()).toBe(true);
      expect(first.told.length + second.told.length).toBeGreaterThan(0);
      // What is told again has the text that it had.
      if (first.told.length > 0 && second.told.length > 0) expect(second.told).toEqual(first.told);
      await expectWhole(world);
      if (sent < at) {
        expect(outcome).toBe(true);
        break;
      }
      expect(outcome).toBeInstanceOf(Crash);
    }
  });
});
