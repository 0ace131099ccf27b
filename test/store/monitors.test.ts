/**
 * Monitors on a table that the test may write into: what the audit says of their states, and what they tell after a
 * loss, an import and a reindexing. The crossings to expect are counted by hand. Ruling 95, Decision 110.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { drop } from '../../shared/action/drop.ts';
import { update } from '../../shared/action/update.ts';
import { tableSource } from '../../shared/audit/table.ts';
import { encodeTime } from '../../shared/crypto/luid.ts';
import type { LedgerRecord } from '../../shared/ledger/record.ts';
import type { Monitors } from '../../shared/port/monitors.ts';
import type { Outbox } from '../../shared/port/outbox.ts';
import type { LedgerEvent } from '../../shared/signal/event.ts';
import { indexing } from '../../shared/signal/indexing.ts';
import { monitoring } from '../../shared/signal/monitoring.ts';
import { type Bus, drain } from '../../shared/signal/relay.ts';
import { sequencer } from '../../shared/signal/sequencing.ts';
import {
  type Key,
  monitorKeyOf,
  outboxKeyOf,
  outboxPartitionOf,
  outboxShardCount,
  wholeBooksKeyOf,
} from '../../shared/store/keys.ts';
import { reindex } from '../../shared/store/reindex.ts';
import { deadlineIn } from '../../shared/store/retry.ts';
import {
  dynamoBooks,
  dynamoCatalog,
  dynamoLogs,
  dynamoMonitors,
  dynamoOutbox,
  dynamoStore,
} from '../../shared/store/store.ts';
import { writeAll } from '../../shared/store/write-all.ts';
import { loaded, newFolder, saved } from '../fixture/archived.ts';
import {
  type Ground,
  type Json,
  main,
  momentNow,
  newWorld,
  signed,
  startGround,
  type World,
} from '../fixture/audited.ts';
import { created, newLuid } from '../fixture/version.ts';

let ground: Ground;
const folder = newFolder();
beforeAll(async () => {
  ground = await startGround();
});
afterAll(async () => {
  await ground.stop();
  folder.remove();
});

const watched = (threshold: number) => ({ wallet: 'alice', symbol: 'usd', threshold });

/** What monitors of a table tell, once its changes are published; each time it is asked for, the news. */
function listening(
  tableName: string,
  when: { readonly published?: () => Promise<void>; readonly leaving?: () => Promise<void> } = {},
) {
  const options = { client: ground.client, tableName };
  const told: LedgerEvent[] = [];
  const bus: Bus = {
    publish: async (lines) => {
      told.push(...lines.flat());
      await when.published?.();
      return lines.map(({ length }) => length);
    },
  };
  const [store, monitors] = [dynamoStore(options), dynamoMonitors(options)];
  const books = dynamoBooks(options);
  const inner = dynamoOutbox(options);
  const markPublished: Outbox['markPublished'] = async (entries) => {
    await when.leaving?.();
    await inner.markPublished(entries);
  };
  const watching = monitoring({ outbox: { ...inner, markPublished }, monitors, store, bus });
  const catalog = dynamoCatalog(options);
  const [metric, report] = [() => {}, () => {}];
  const clock = Date.now;
  const log = sequencer({ logs: dynamoLogs(options), store, report });
  const outbox = indexing({ outbox: watching, catalog, books, log, clock, metric, report });
  const every = Array.from({ length: outboxShardCount }, (_, shard) => shard);
  const news = async (shards = every): Promise<LedgerEvent[]> => {
    const ports = { outbox, reader: store, bus, clock, metric };
    expect(await drain(ports, main, shards)).toBe(true);
    return told.splice(0).filter(({ data }) => data.signal === 'balance-crossed');
  };
  return { monitors, news };
}

const linesOf = (events: readonly LedgerEvent[]) =>
  events.map(({ data }) => {
    const { direction, available } = data['balance'] as Json;
    return `${data.change} ${direction} ${available}`;
  });

interface Watch {
  readonly world: World;
  readonly effect: LedgerRecord;
  readonly state: Key;
  readonly pay: (amount: number) => Promise<void>;
  /** The crossings that are told when these shards of the outbox are published, or all. */
  readonly news: (shards?: number[]) => Promise<LedgerEvent[]>;
  readonly monitors: Monitors;
}

/** A ledger with a monitor at 50, which has told of `1 above 60` and `2 below 40`. */
async function watch(): Promise<Watch> {
  const world = await ground.newWorld();
  const { make, tableName } = world;
  await make(create('symbol'), { handle: 'usd', factor: 1 });
  await make(create('wallet'), { handle: 'alice' });
  await make(create('bridge'), { handle: 'bank', config: { server: 'https://a.example' } });
  const action = { schema: 'bridge', bridge: 'bank' };
  const data = { handle: 'low', signal: 'balance-crossed', balance: watched(50), action };
  const effect = await make(create('effect'), data);
  const { news, monitors } = listening(tableName);
  const pay = payIn(world);
  await pay(60);
  await pay(-20);
  expect(linesOf(await news())).toEqual(['1 above 60', '2 below 40']);
  return { world, effect, state: monitorKeyOf(main, effect.luid), pay, news, monitors };
}

/** Waits until the clock has gone on: what happens in one millisecond counts together. */
async function nextMillisecond(): Promise<void> {
  const beforeMs = Date.now();
  while (Date.now() <= beforeMs) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** Issues an amount to alice, or destroys it. */
function payIn(world: World) {
  return async (amount: number): Promise<void> => {
    await nextMillisecond();
    const handle = newLuid('pay').slice(5);
    const money = { symbol: 'usd', amount: Math.abs(amount) };
    const claim =
      amount > 0
        ? { action: 'issue', target: 'alice', ...money }
        : { action: 'destroy', source: 'alice', ...money };
    const { meta } = await world.settle(handle, claim);
    expect(meta.status).toBe('completed');
  };
}

async function revised({ world, effect }: Watch, change: Json): Promise<LedgerRecord> {
  const data = { ...effect.data, ...change, parent: effect.hash };
  return world.call(update('effect'), signed(data, world.key), effect.data.handle);
}

async function ended({ world, effect }: Watch): Promise<void> {
  const custom = { moment: momentNow(), status: 'dropped' };
  await world.call(drop('effect'), signed({ parent: effect.hash }, world.key, custom), 'low');
}

describe('the audit', () => {
  test('has nothing to say of a state, and misses none', async () => {
    const { world, effect, state, monitors } = await watch();
    expect(await monitors.read(main, effect.luid)).toMatchObject({ count: 2, side: 'below' });
    expect(await world.audited()).toEqual([]);
    await world.remove(state);
    expect([await world.audited(), await world.audited({ ledger: main })]).toEqual([[], []]);
  });

  test('keeps to the state of an effect that is a monitor no more', async () => {
    const one = await watch();
    const { balance: _balance, ...rest } = one.effect.data as Json;
    const effect = { ...one.effect, data: rest as LedgerRecord['data'] };
    await revised({ ...one, effect }, { signal: 'wallet-created' });
    await one.news();
    expect(await one.monitors.read(main, effect.luid)).toMatchObject({ count: 2 });
    expect(await one.world.audited()).toEqual([]);
  });

  test.each<[string, (one: Watch) => Promise<string>]>([
    ['nothing', async () => newLuid('eff')],
    [
      'a wallet',
      async ({ world }) =>
        (
          await world.services.store.load([
            { what: 'record', scope: main, kind: 'wallet', handle: 'alice' },
          ])
        )[0]?.record.luid ?? '',
    ],
    [
      'an effect that has ended',
      async (one) => {
        await ended(one);
        await one.news();
        await expect(one.world.item(one.state)).rejects.toThrow('nothing');
        return one.effect.luid;
      },
    ],
  ])('finds the state of %s', async (_, luidOf) => {
    const one = await watch();
    const { world, state } = one;
    const item = await world.item(state);
    const luid = await luidOf(one);
    await world.put({ ...item, ...monitorKeyOf(main, luid) });
    const expected = [expect.stringMatching(/^Invariant 3 · ledger main · .*of no effect: /)];
    expect(await world.audited()).toEqual(expected);
    const [said] = await world.audited({ ledger: main });
    expect(said).toContain(
      `The state of a monitor is of no effect: 'main#book-monitor#${luid} #'.`,
    );
  });
});

describe('a monitor that lost its state', () => {
  test('tells the same crossings again, as the same events', async () => {
    const { world, state, pay, news } = await watch();
    await pay(20);
    const third = await news();
    expect(linesOf(third)).toEqual(['3 above 60']);
    await world.remove(state);
    await pay(1);
    const again = await news();
    expect(linesOf(again)).toEqual(['1 above 60', '2 below 40', '3 above 60']);
    expect(again[2]).toEqual(third[0]);
    await pay(-20);
    expect(linesOf(await news())).toEqual(['4 below 41']);
  });

  test('begins where its balance was last changed, and counts from there', async () => {
    const one = await watch();
    const { world, state, pay, news } = one;
    await revised(one, { balance: watched(30) });
    await pay(-20);
    expect(linesOf(await news())).toEqual(['3 below 20']);
    await world.remove(state);
    await pay(20);
    expect(linesOf(await news())).toEqual(['1 below 20', '2 above 40']);
  });
});

/** The same ledger in another table. */
async function moved({ world }: Watch): Promise<World> {
  const path = await saved(ground.client, world.tableName, folder.path(newLuid('exp').slice(5)));
  const tableName = `${world.tableName}-again`;
  await ground.database.createTable(tableName);
  await nextMillisecond();
  await loaded(ground.client, tableName, path);
  return newWorld(ground.client, tableName, ground.folder);
}

describe('after an import', () => {
  test('a monitor begins with the import: what was before is not told again', async () => {
    const other = await moved(await watch());
    const { news } = listening(other.tableName);
    expect(await other.audited()).toEqual([]);
    await payIn(other)(20);
    expect(linesOf(await news())).toEqual(['1 above 60']);
  });

  test('nor is what waited to be told', async () => {
    const one = await watch();
    await one.pay(20);
    const other = await moved(one);
    const { news } = listening(other.tableName);
    expect(linesOf(await news())).toEqual([]);
    await payIn(other)(-20);
    expect(linesOf(await news())).toEqual(['1 below 40']);
    expect(await other.audited()).toEqual([]);
  });
});

async function reindexed({ tableName }: World): Promise<void> {
  await nextMillisecond();
  const table = { client: ground.client, tableName, deadlineMs: 30_000, onConsumed: undefined };
  const pages = tableSource(ground.client, tableName).outlines([main]);
  for await (const _ of reindex(table, pages, Date.now));
}

describe('after a reindexing', () => {
  test('a monitor goes on where it was', async () => {
    const { world, state, pay, news, monitors } = await watch();
    await pay(20);
    const before = await world.item(state);
    await reindexed(world);
    expect([await world.item(state), await monitors.sinceMs(main)]).toEqual([before, 0]);
    expect(linesOf(await news())).toEqual(['3 above 60']);
    expect(await world.audited()).toEqual([]);
  });

  test('of a ledger that had no books yet, it begins there', async () => {
    const { world, state, pay, news, monitors } = await watch();
    await world.remove(state);
    await world.remove(wholeBooksKeyOf(main));
    await pay(20);
    expect(linesOf(await news())).toEqual([]);
    const beforeMs = Date.now();
    await reindexed(world);
    expect(await monitors.sinceMs(main)).toBeGreaterThan(beforeMs);
    expect(linesOf(await news())).toEqual([]);
    await pay(-20);
    expect(linesOf(await news())).toEqual(['1 below 40']);
  });
});

/** Fills a shard of the outbox with changes, more than a reading adds to a book; returns what empties it. */
async function filled({ world }: Watch, shard: number): Promise<() => Promise<void>> {
  const keys = Array.from({ length: 501 }, (_, index) =>
    outboxKeyOf(main, created('wallet', `w${index}`)),
  );
  const [pk, time] = [outboxPartitionOf(main, shard), encodeTime(Date.now())];
  const all = keys.map(({ sk }) => ({ pk, sk: `${time}${sk.slice(time.length)}` }));
  const table = { client: ground.client, tableName: world.tableName, deadlineMs: 30_000 };
  const write = (what: Parameters<typeof writeAll>[1]) =>
    writeAll({ ...table, onConsumed: undefined }, what, deadlineIn(30_000));
  await write({ puts: all });
  return () => write({ deletes: all });
}

describe('where more changes wait than are added to a book', () => {
  test('a monitor looks up to the oldest of them, and no further', async () => {
    const one = await watch();
    const { world, pay, news, monitors } = one;
    await pay(20);
    const empty = await filled(one, 0);
    const alice = { scope: main, wallet: 'alice', symbol: 'usd' };
    const books = dynamoBooks({ client: ground.client, tableName: world.tableName });
    await expect(books.totals(main, [alice], Date.now())).rejects.toMatchObject({
      reason: 'api.request-timeout',
    });
    const ever = new Date(0).toISOString();
    expect(await monitors.rest(alice, ever)).toMatchObject({
      ...{ rows: [{}, {}], hasMore: false, isBehind: true },
    });
    // What the balance was at a moment behind the oldest is not known.
    const now = new Date().toISOString();
    const nothing = { before: undefined, rows: [], hasMore: false, isBehind: true };
    expect(await monitors.rest(alice, now)).toEqual(nothing);
    await empty();
    const all = await monitors.rest(alice, ever);
    expect(all).toMatchObject({ rows: [{}, {}, {}], hasMore: false, isBehind: false });
    expect(linesOf(await news())).toEqual(['3 above 60']);
  });

  test('no crossing is lost, in whatever order they are published', async () => {
    const one = await watch();
    const { world, pay, news, monitors, effect } = one;
    for (const amount of [20, -20, 20, -20, 20, -20]) await pay(amount);
    const empty = await filled(one, 0);
    const told: LedgerEvent[] = [];
    for (const shard of [3, 2, 1]) told.push(...(await news([shard])));
    await empty();
    told.push(...(await news([0])));
    // Whoever publishes something next looks at what was left.
    await world.make(create('wallet'), { handle: 'bob' });
    told.push(...(await news()));
    expect(linesOf(told)).toEqual([
      ...['3 above 60', '4 below 40', '5 above 60', '6 below 40', '7 above 60', '8 below 40'],
    ]);
    expect(await monitors.behind(main)).toEqual(new Map());
    expect(await monitors.read(main, effect.luid)).toMatchObject({ count: 8, side: 'below' });
    expect(await world.audited()).toEqual([]);
  });

  test('who publishes the last of them looks again when they have left', async () => {
    const one = await watch();
    const { pay, monitors, effect } = one;
    for (const amount of [20, -20]) await pay(amount);
    let empty: (() => Promise<void>) | undefined;
    const { news } = listening(one.world.tableName, {
      published: async () => {
        empty ??= await filled(one, 0);
      },
      leaving: async () => empty?.(),
    });
    expect(linesOf(await news())).toEqual(['3 above 60', '4 below 40']);
    expect(await monitors.behind(main)).toEqual(new Map());
    expect(await monitors.read(main, effect.luid)).toMatchObject({ count: 4 });
  });

  test('what was left for a monitor that has ended is forgotten', async () => {
    const one = await watch();
    const { world, pay, news, monitors, effect } = one;
    await pay(20);
    const empty = await filled(one, 0);
    await news([1, 2, 3]);
    await monitors.noteBehind(main, effect.luid);
    await empty();
    await ended(one);
    const action = { schema: 'bridge', bridge: 'bank' };
    const data = { handle: 'other', signal: 'balance-crossed', balance: watched(50), action };
    await world.make(create('effect'), data);
    await news();
    expect(await monitors.behind(main)).toEqual(new Map());
    expect(await world.audited()).toEqual([]);
  });
});
