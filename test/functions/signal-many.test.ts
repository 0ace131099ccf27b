/**
 * Goal: among very many effects only those that match are called, and finding them costs what they are,
 * not what all of them are; an outbox entry that cannot be told holds up nobody. Method: the workers as
 * they are wired, in this process, so that their read units and figures can be counted.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeMasterKey } from '../../shared/keyring/local.ts';
import type { Version } from '../../shared/ledger/record.ts';
import type { Store, Write } from '../../shared/port/ports.ts';
import { tableClient } from '../../shared/store/client.ts';
import { asideKeyOf, outboxKeyOf, outboxShardCount, shardOf } from '../../shared/store/keys.ts';
import { itemsIn } from '../../shared/store/read.ts';
import type { Consumed } from '../../shared/store/request.ts';
import { deadlineIn } from '../../shared/store/retry.ts';
import { dynamoDeliveries, dynamoStore } from '../../shared/store/store.ts';
import { type Database, startDatabase } from '../fixture/database.ts';
import { assertWebhook, type Receiver, startReceiver } from '../fixture/receiver.ts';
import { commitOf, created } from '../fixture/version.ts';

const scope = 'main';
const tableName = 'many';
const effectCount = 10_000;
/** Of so many effects for the signal, so many have a filter that lets nothing through. */
const [subscriberCount, unlikelyCount] = [10, 3];
/** Happenings that do not happen here. */
const others = ['wallet-dropped', 'symbol-updated', 'intent-proofs-added', 'ledger-updated'];
const writesEach = 12;
const commitsAtOnce = 16;
const leaseMs = 60_000;

type Metric = readonly [name: string, value: number];

const folder = mkdtempSync(join(tmpdir(), 'countersign-test-'));
const metrics: Metric[] = [];
const consumed: Consumed[] = [];
let database: Database;
let receiver: Receiver;
let store: Store;
let key: string;
/** Tells everything that waits, and sends it. */
let tell: () => Promise<void>;

beforeAll(async () => {
  [database, receiver] = await Promise.all([startDatabase(), startReceiver()]);
  await database.createTable(tableName);
  Object.assign(process.env, {
    TABLE_NAME: tableName,
    DYNAMODB_ENDPOINT: database.endpoint,
    MASTER_KEY_FILE: join(folder, 'master.key'),
    LEDGER_HANDLE: scope,
    SERVER_URLS: 'http://127.0.0.1',
    OUTGOING_INSIDE: 'true',
  });
  makeMasterKey(join(folder, 'master.key'));
  const client = tableClient({ endpoint: database.endpoint });
  store = dynamoStore({ client, tableName });
  tell = await workers();
});
afterAll(async () => {
  await Promise.all([receiver.stop(), database.stop()]);
  rmSync(folder, { recursive: true });
});

/** The workers of the offline runtime, but for the thread; answers how to let them work. */
async function workers(): Promise<() => Promise<void>> {
  // What reads the environment is imported once the environment is complete.
  const { found } = await import('../../functions/found.ts');
  const { accepting, carrying, targets } = (await import('../../functions/carrying.ts')).carriers;
  const { relaying } = await import('../../functions/relaying.ts');
  const { localBus } = await import('../../localstack/runtime/bus.ts');
  const { accept } = await import('../../shared/delivery/courier.ts');
  const { carry } = await import('../../shared/delivery/carry.ts');
  const { drain } = await import('../../shared/signal/relay.ts');
  ({ public: key } = (await found()).key);
  const client = tableClient({ endpoint: database.endpoint });
  const onConsumed = (what: Consumed) => consumed.push(what);
  const counted = {
    ...accepting(leaseMs),
    deliveries: dynamoDeliveries({ client, tableName, onConsumed }),
  };
  const ports = carrying(() => Number.POSITIVE_INFINITY, leaseMs);
  const bus = localBus(
    { courier: async (events) => carry(ports, await accept(counted, events)) },
    (_, error) => {
      throw error;
    },
  );
  const metric = (...said: Metric) => metrics.push(said);
  const relay = { ...relaying(bus), metric };
  return async () => {
    const shards = Array.from({ length: outboxShardCount }, (_, shard) => shard);
    await drain(relay, scope, shards);
    await targets.queues.idle();
  };
}

function effect(index: number): Version {
  const isSubscriber = index < subscriberCount;
  const signal = isSubscriber ? 'wallet-created' : (others[index % others.length] ?? '');
  const filter = { 'wallet.data.handle': { $regex: '^nobody$' } };
  return created('effect', `effect-${index}`, {
    signal,
    action: { schema: 'webhook', endpoint: receiver.at(`/${index}`) },
    ...(index < unlikelyCount && { filter }),
  });
}

/** The write of a first version, with its signal. */
function creation(next: Version): Write {
  return { scope, next, signals: [{ signal: `${next.kind}-created`, change: 1 }] };
}

/** Commits the versions, some in each commit and some commits at a time. */
async function stored(versions: readonly Version[]): Promise<void> {
  const rest = versions.slice();
  const worker = async () => {
    for (let some = rest.splice(0, writesEach); some.length > 0; some = rest.splice(0, writesEach))
      expect(await store.commit(commitOf(...some.map(creation)))).toEqual([]);
  };
  await Promise.all(Array.from({ length: commitsAtOnce }, worker));
}

test(`of ${effectCount} effects only those that match are called`, async () => {
  const startMs = Date.now();
  await stored(Array.from({ length: effectCount }, (_, index) => effect(index)));
  const storedMs = Date.now();
  await tell();
  const toldMs = Date.now();
  expect(receiver.arrivals()).toEqual([]);
  consumed.length = 0;

  await stored([created('wallet', 'alice')]);
  await tell();
  const match = consumed.filter(({ readUnits }) => readUnits > 0);
  const readUnits = match.reduce((sum, one) => sum + one.readUnits, 0);
  process.stdout.write(
    `${effectCount} effects stored in ${storedMs - startMs} ms, their creation told in ${toldMs - storedMs} ms; ` +
      `an event matched with ${readUnits} read units (${match.map(({ operation }) => operation).join(', ')})\n`,
  );
  const paths = receiver.arrivals().map(({ path }) => Number(path.slice(1)));
  const expected = Array.from({ length: subscriberCount }, (_, index) => index);
  expect(paths.sort((a, b) => a - b)).toEqual(expected.slice(unlikelyCount));
  for (const arrival of receiver.arrivals()) assertWebhook(arrival, key);
  // One for the index and one for each effect that asks for the signal, more or less.
  expect(readUnits).toBeLessThanOrEqual(2 * (subscriberCount + 1));
});

test('an entry that cannot be told is put aside and counted, and the rest is told', async () => {
  const client = tableClient({ endpoint: database.endpoint });
  const poison = async (signals: string): Promise<Version> => {
    const ghost = created('wallet', `ghost-${signals.length}`);
    const item = { kind: 'wallet', luid: ghost.record.luid, handle: ghost.record.data.handle };
    const Item = { ...outboxKeyOf(scope, ghost), ...item, signals };
    await client.send(new PutCommand({ TableName: tableName, Item }));
    return ghost;
  };
  const ghosts = [
    await poison(JSON.stringify([{ signal: 'wallet-created', change: 1 }])),
    await poison('not JSON'),
  ];
  const wallets = Array.from({ length: 60 }, (_, index) => created('wallet', `living-${index}`));
  const shardsOf = (versions: readonly Version[]) =>
    versions.map((one) => shardOf(one.record.luid));
  expect(shardsOf(wallets)).toEqual(expect.arrayContaining(shardsOf(ghosts)));
  await stored(wallets);
  receiver.forget();
  metrics.length = 0;
  await tell();
  const told = receiver.arrivals(`/${unlikelyCount}`).map(({ text }) => text);
  expect(told).toHaveLength(wallets.length);
  expect(told.join()).not.toContain('ghost');
  expect(metrics.filter(([name]) => name === 'OutboxSetAside')).toEqual([
    ['OutboxSetAside', 1],
    ['OutboxSetAside', 1],
  ]);

  const table = { client, tableName, deadlineMs: 60_000, onConsumed: undefined };
  const { pk } = asideKeyOf(scope, '');
  const aside = await itemsIn(table, { pk }, deadlineIn(60_000), {});
  expect(aside.map(({ handle }) => handle)).toEqual(ghosts.map(({ record }) => record.data.handle));
  for (const { why } of aside) expect(why).toMatch(/\S/);
  metrics.length = 0;
  await tell();
  expect(metrics).toEqual([]);
  expect(receiver.arrivals(`/${unlikelyCount}`)).toHaveLength(wallets.length);
});
