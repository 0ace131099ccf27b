/**
 * Goal: a list that was ever busy is audited, moved, reindexed and counted like any other, an entry in the wrong partition
 * is found, and a quiet one costs what it did. Method: a ledger whose list of wallets grew three times while wallets were
 * made, changed and dropped, and is tampered with; and a list that is throttled. Decision 159.
 */
import { QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { drop } from '../../shared/action/drop.ts';
import { update } from '../../shared/action/update.ts';
import { tableSource } from '../../shared/audit/table.ts';
import type { Version } from '../../shared/ledger/record.ts';
import { keyOfAction } from '../../shared/store/item-action.ts';
import {
  headKeyOf,
  indexKeysOf,
  itemOf,
  type Key,
  listKeyOf,
  listPartitionOf,
  rulebookKeyOf,
} from '../../shared/store/keys.ts';
import { reindex } from '../../shared/store/reindex.ts';
import type { Consumed, ItemAction, Table } from '../../shared/store/request.ts';
import {
  dynamoCatalog,
  dynamoLayouts,
  dynamoStore,
  type TableOptions,
} from '../../shared/store/store.ts';
import { growList } from '../contract/busy-lists.ts';
import { newScope } from '../contract/store.ts';
import { auditedFile, auditedTable, loaded, newFolder, saved } from '../fixture/archived.ts';
import {
  type Ground,
  main,
  momentNow,
  signed,
  startGround,
  type World,
} from '../fixture/audited.ts';
import { fullAt, storedAtLast } from '../fixture/full.ts';
import { indexedIn } from '../fixture/told.ts';
import { between } from '../fixture/trouble.ts';
import { commitOf, created, proved, revised, writeOf } from '../fixture/version.ts';

let ground: Ground;
let original: World;
const folder = newFolder();
let tables = 0;
const each = 8;
const growths = 3;
const names = Array.from({ length: growths + 1 }, (_, round) =>
  Array.from({ length: each }, (_, number) => `w${round}-${number}`),
);

beforeAll(async () => {
  ground = await startGround();
  original = await grownWorld();
});
afterAll(async () => {
  await ground.stop();
  folder.remove();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Wallets of all layouts; of each layout the second one is changed later, and the third one dropped. */
async function grownWorld(): Promise<World> {
  const world = await ground.newWorld();
  const { client } = ground;
  const layouts = dynamoLayouts({ client, tableName: world.tableName });
  for (const [round, handles] of names.entries()) {
    for (const handle of handles) await world.make(create('wallet'), { handle });
    if (round < growths) await growList({ layouts }, main);
  }
  await relayed(world);
  for (const [, second = '', third = ''] of names) {
    const { record } = await versionOf(world, second);
    const data = { ...record.data, custom: { colour: 'red' }, parent: record.hash };
    await world.call(update('wallet'), signed(data, world.key), record.luid);
    const { hash } = (await versionOf(world, third)).record;
    const words = { moment: momentNow(), status: 'dropped' };
    await world.call(drop('wallet'), signed({ parent: hash }, world.key, words), third);
  }
  return world;
}

const grown = () => ground.copyOf(original);
const handles = names.flat().filter((handle) => !handle.endsWith('-2'));

const relayed = ({ tableName }: World) => indexedIn({ client: ground.client, tableName }, main);

async function versionOf({ services }: World, handle: string): Promise<Version> {
  const [found] = await services.store.load([
    { what: 'record', scope: main, kind: 'wallet', handle },
  ]);
  return found as Version;
}

/** A wallet that is not in the first partition of its list. */
async function partedIn(world: World): Promise<Version> {
  const versions = await Promise.all(handles.map((handle) => versionOf(world, handle)));
  const parted = versions.find(({ part = 0 }) => part > 0);
  if (!parted) throw new Error('Some wallets lie in other partitions.');
  return parted;
}

async function listedIn({ tableName }: World): Promise<string[]> {
  const store = dynamoStore({ client: ground.client, tableName });
  const page = await store.list(main, 'wallet', { index: 0, limit: 100 });
  return page.map(({ record }) => record.data.handle);
}

async function reindexed({ tableName }: World) {
  const table: Table = {
    ...{ client: ground.client, tableName, deadlineMs: 30_000 },
    onConsumed: undefined,
  };
  const pages = tableSource(ground.client, tableName).outlines([main]);
  let last: unknown;
  for await (const count of reindex(table, pages, Date.now)) last = { ...count };
  return last;
}

test('its entries lie apart, and what changes moves to where the list is now', async () => {
  const world = await grown();
  expect((await listedIn(world)).sort()).toEqual([...handles].sort());
  const first = names[0] as string[];
  const [stays, moves] = await Promise.all(
    [first[0], first[1]].map((handle) => versionOf(world, handle as string)),
  );
  expect(stays?.part).toBeUndefined();
  const later = await Promise.all((names.at(-1) as string[]).map((one) => versionOf(world, one)));
  const parts = [moves, ...later].flatMap((version) => version?.part ?? []);
  expect(parts.length).toBeGreaterThan(each / 2);
  const pks = later.filter(Boolean).map((version) => listKeyOf(main, version).pk);
  expect(new Set(pks).size).toBeGreaterThan(3);
});

test('it is in order, at rest and while the ledger runs, before and after the relay', async () => {
  const world = await grown();
  for (const isLive of [false, true]) expect(await world.audited({ isLive })).toEqual([]);
  await relayed(world);
  for (const isLive of [false, true]) expect(await world.audited({ isLive })).toEqual([]);
  expect(await reindexed(world)).toMatchObject({ removed: 0 });
  expect(await world.audited()).toEqual([]);
});

type Wrong = [string, (world: World) => Promise<void>, RegExp];

const wrongs: Wrong[] = [
  [
    'an entry in the partition of a quiet list',
    async (world) => {
      const key = listKeyOf(main, await partedIn(world));
      await world.put({ ...(await world.item(key)), pk: listPartitionOf(main, 'wallet') });
      await world.remove(key);
    },
    /The list entry of the record is missing at 'main#~\d+#list#wallet/,
  ],
  [
    'an entry that is there twice',
    async (world) => {
      const key = listKeyOf(main, await partedIn(world));
      await world.put({ ...(await world.item(key)), pk: listPartitionOf(main, 'wallet') });
    },
    /A list entry shows no record, or shows it in the wrong place/,
  ],
  [
    'a version that says another number',
    async (world) => {
      const { record, part = 0 } = await partedIn(world);
      await world.alter(headKeyOf(main, 'wallet', record.data.handle), { part: (part % 63) + 1 });
    },
    /The list entry of the record is missing/,
  ],
  [
    'an index entry that was taken away',
    async (world) => {
      const version = await partedIn(world);
      const [key] = indexKeysOf(main, version);
      if (key) await world.remove(key);
    },
    /The index entry is missing at 'main#~\d+#term#wallet/,
  ],
  [
    'a layout that was taken away',
    (world) => world.remove(rulebookKeyOf(main)),
    /The wallet is in partitions in which nobody looks for it/,
  ],
  ...[0n, 5n, 10n ** 15n].map(
    (count): Wrong => [
      `a list that lies over ${count} partitions`,
      (world) => world.alter(rulebookKeyOf(main), { 'spread#wallet': count }),
      /The item 'main#rulebook #' cannot be read: its spread#wallet is none\./,
    ],
  ),
];
test.each(wrongs)('the audit finds %s', async (_, tamper, finding) => {
  const world = await grown();
  await relayed(world);
  await tamper(world);
  for (const isLive of [false, true])
    expect((await world.audited({ isLive })).join('\n')).toMatch(finding);
});

test('it moves to another table as a quiet one, in its order', async () => {
  const path = await saved(ground.client, original.tableName, folder.path('grown'));
  expect(await auditedFile(path)).toEqual([]);
  const tableName = `moved-${++tables}`;
  await ground.database.createTable(tableName);
  await loaded(ground.client, tableName, path);
  expect(await auditedTable(ground.client, tableName)).toEqual([]);
  expect(await listedIn({ ...original, tableName })).toEqual(await listedIn(original));
  const { lists } = await dynamoLayouts({ client: ground.client, tableName }).read(main);
  expect(lists).toBeUndefined();
});

describe('a list of wallets', () => {
  const optionsOf = async (name: string) => {
    const tableName = `${name}-${++tables}`;
    await ground.database.createTable(tableName);
    return { client: ground.client, tableName };
  };

  test('is found where it is by a process whose clock was set back while it grew', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.now() });
    const { tableName } = await optionsOf('back');
    const anew = () => ({
      client: between(ground.client, (command, send) => send(command)),
      tableName,
    });
    const [other, options] = [anew(), anew()];
    const scope = newScope();
    const store = dynamoStore(options);
    expect(await store.list(scope, 'wallet', { index: 0, limit: 100 })).toEqual([]);
    const readMs = Date.now();
    vi.advanceTimersByTime(3_000);
    await growList({ layouts: dynamoLayouts(other) }, scope);
    const wallets = Array.from({ length: each }, (_, number) => created('wallet', `b-${number}`));
    for (const wallet of wallets) await dynamoStore(other).commit(commitOf(writeOf(scope, wallet)));
    vi.setSystemTime(readMs + 500);
    expect(await store.list(scope, 'wallet', { index: 0, limit: 100 })).toHaveLength(each);
  });

  test('costs what it did while it is quiet', async () => {
    // A slow machine would let the process forget the layout.
    vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.now() });
    const sent: Consumed[] = [];
    const options = await optionsOf('quiet');
    const store = dynamoStore({ ...options, onConsumed: (one) => void sent.push(one) });
    const scope = newScope();
    await store.load([{ what: 'rulebook', scope }]);
    sent.length = 0;
    const wallet = created('wallet', 'alice');
    await store.commit(commitOf(writeOf(scope, wallet)));
    expect(sent.map(({ operation }) => operation)).toEqual(['TransactWriteItems']);
    sent.length = 0;
    expect(await store.list(scope, 'wallet', { index: 0, limit: 20 })).toEqual([wallet]);
    expect(sent.map(({ operation }) => operation)).toEqual(['Query', 'BatchGetItem']);
  });

  test('grows where it has no capacity, and that of intents stays as it is', async () => {
    // Long waits would let a process forget the throttles.
    vi.spyOn(Math, 'random').mockReturnValue(0.2);
    const { tableName } = await optionsOf('full');
    const scope = newScope();
    const { client } = fullAt(ground.client, 'list', 4);
    const wanted = commitOf(writeOf(scope, created('wallet', 'one')));
    await storedAtLast(dynamoStore({ client, tableName }), wanted);
    const { count, lists } = await dynamoLayouts({ client, tableName }).read(scope);
    expect([count, lists?.wallet?.count]).toEqual([1, 4]);
  });

  test('leaves the entry of a record where it is while its place stays, as workers may not write to lists', async () => {
    const options = await optionsOf('kept');
    const keys: Key[] = [];
    const client = between(ground.client, (command, send) => {
      if (command instanceof TransactWriteCommand)
        keys.push(
          ...(command.input.TransactItems ?? []).map((one) => keyOfAction(one as ItemAction)),
        );
      return send(command);
    });
    const store = dynamoStore({ ...options, client });
    const scope = newScope();
    const effects = Array.from({ length: each }, (_, number) => created('effect', `e-${number}`));
    for (const effect of effects) await store.commit(commitOf(writeOf(scope, effect)));
    const layouts = dynamoLayouts({ ...options, client });
    await growList({ layouts }, scope, 'effect');
    keys.length = 0;
    for (const effect of effects)
      expect(await store.commit(commitOf(writeOf(scope, proved(effect), effect)))).toEqual([]);
    expect(keys.map(({ pk, sk }) => itemOf(pk, sk)?.item)).not.toContain('list');
    const page = await store.list(scope, 'effect', { index: 0, limit: 100 });
    expect(page.map(({ part }) => part)).toEqual(effects.map(() => undefined));
  });

  test('is read anew where it has grown while a query was slow: a record that moved meanwhile is not missed', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const { tableName } = await optionsOf('slow');
    const options = { client: between(ground.client, (command, send) => send(command)), tableName };
    const [writer, layouts] = [dynamoStore(options), dynamoLayouts(options)];
    const scope = newScope();
    const listing = { scope, kind: 'wallet' } as const;
    const versions = Array.from({ length: each }, (_, number) =>
      created('wallet', `s-${number}`, { custom: { colour: 'blue' } }),
    );
    for (const version of versions) await writer.commit(commitOf(writeOf(scope, version)));
    await indexedIn(options, scope);
    let current: Version[] = versions;
    const moved = async () => {
      vi.setSystemTime(Date.now() + 3_000);
      await growList({ layouts }, scope);
      const all = current.map(async (version) => {
        const next = revised(version, { custom: { colour: 'blue' } });
        expect(await writer.commit(commitOf(writeOf(scope, next, version)))).toEqual([]);
        const { handle } = version.record.data;
        const [found] = await writer.load([{ what: 'record', scope, kind: 'wallet', handle }]);
        return found as Version;
      });
      current = await Promise.all(all);
      await indexedIn(options, scope);
    };
    const term = { field: 'data.custom.colour', value: 'blue' } as const;
    const ways: ((at: TableOptions) => Promise<readonly unknown[]>)[] = [
      (at) => dynamoStore(at).list(scope, 'wallet', { index: 0, limit: 100 }),
      (at) => dynamoCatalog(at).listed(listing, { limit: 100 }),
      (at) => dynamoCatalog(at).indexEntriesOf(listing, term, { limit: 100 }),
    ];
    for (const way of ways) {
      let isSlow = true;
      const client = between(ground.client, async (command, send) => {
        if (command instanceof QueryCommand && isSlow) {
          isSlow = false;
          await moved();
        }
        return send(command);
      });
      expect(await way({ client, tableName })).toHaveLength(each);
    }
  });

  test.each([
    ['of the server', '', 'ledger'],
    ['within a record', 'main', 'signer-factor'],
  ] as const)('stays in one partition where it is %s', (_, scope, kind) => {
    const within = kind === 'signer-factor' ? '#ann' : '';
    expect(itemOf(`${scope}#~3#list#${kind}${within}`, 'x')).toBeUndefined();
  });
});
