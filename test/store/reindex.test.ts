/**
 * Goal: from the records alone, the mentions can be made anew, also while others write and mention.
 * Method: mentions are lost and invented, and records change while they are mended.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tableSource } from '../../shared/audit/table.ts';
import { lateMs } from '../../shared/ledger/late.ts';
import type { Version } from '../../shared/ledger/record.ts';
import { termOfLate, termsOf } from '../../shared/ledger/term.ts';
import type { Catalog } from '../../shared/port/catalog.ts';
import type { Outbox } from '../../shared/port/outbox.ts';
import type { Store } from '../../shared/port/ports.ts';
import { tableClient } from '../../shared/store/client.ts';
import {
  asideKeyOf,
  indexKeyBeside,
  indexKeysOf,
  type Key,
  keyOfItem,
  outboxKeyOf,
  shardOfVersion,
  termPartitionOf,
} from '../../shared/store/keys.ts';
import { packIndex, unpackIndex } from '../../shared/store/pack-index.ts';
import { itemsIn } from '../../shared/store/read.ts';
import { type Reindexed, reindex } from '../../shared/store/reindex.ts';
import type { Table } from '../../shared/store/request.ts';
import { dynamoCatalog, dynamoOutbox, dynamoStore } from '../../shared/store/store.ts';
import { writeAll } from '../../shared/store/write-all.ts';
import { newScope } from '../contract/store.ts';
import { type Database, startDatabase } from '../fixture/database.ts';
import { toldBy } from '../fixture/told.ts';
import {
  commitOf,
  created,
  dropped,
  newLuid,
  nextMs,
  proofBy,
  proved,
  revised,
  transferred,
  waiting as undecided,
  writeOf,
} from '../fixture/version.ts';

const tableName = 'reindex';
let database: Database;
let table: Table;
let store: Store;
let outbox: Outbox;
let catalog: Catalog;

beforeAll(async () => {
  database = await startDatabase();
  await database.createTable(tableName);
  const client = tableClient({ endpoint: database.endpoint });
  table = { client, tableName, deadlineMs: 15_000, onConsumed: undefined };
  store = dynamoStore({ client, tableName });
  outbox = dynamoOutbox({ client, tableName });
  catalog = dynamoCatalog({ client, tableName });
});
afterAll(() => database.stop());

const deadline = () => performance.now() + 15_000;

async function save(scope: string, next: Version, previous?: Version): Promise<void> {
  expect(await store.commit(commitOf(writeOf(scope, next, previous)))).toEqual([]);
}

/** Mentions all that waits, as the relay does. */
async function keepAll(scope: string): Promise<void> {
  const entries = await catalog.tail(scope);
  const told = await toldBy(outbox, entries);
  expect(await catalog.keep(told)).toEqual([]);
  await outbox.markPublished(entries);
}

async function mend(scope: string): Promise<Reindexed> {
  const client = tableClient({ endpoint: database.endpoint });
  let last: Reindexed | undefined;
  for await (const count of reindex(
    table,
    tableSource(client, tableName).outlines([scope]),
    Date.now,
  ))
    last = count;
  client.destroy();
  if (!last) throw new Error('There is a page.');
  return last;
}

/** Everything that is mentioned under the terms of these versions. */
async function mentionedUnder(scope: string, versions: readonly Version[]): Promise<string[]> {
  const partitions = versions.flatMap(({ kind, record }) =>
    termsOf(kind, record).map((term) => termPartitionOf({ scope, kind }, term)),
  );
  const items = await Promise.all(
    [...new Set(partitions)].map((pk) => itemsIn(table, { pk }, deadline(), {})),
  );
  return items.flat().map(({ pk, sk }) => `${pk} ${sk}`);
}

const textsOf = (scope: string, versions: readonly Version[]) =>
  versions.flatMap((one) => indexKeysOf(scope, one)).map(({ pk, sk }) => `${pk} ${sk}`);

describe('made anew', () => {
  test('what was lost is mentioned, and what is stale is not', async () => {
    const scope = newScope();
    const alice = created('wallet', 'alice', { custom: { city: 'Split' } });
    const alicia = revised(alice, { handle: 'alicia', custom: { city: 'Zadar' } });
    const bob = created('wallet', 'bob');
    const ended = dropped(bob);
    const intent = transferred('pay');
    await save(scope, alice);
    await save(scope, alicia, alice);
    await save(scope, bob);
    await save(scope, ended, bob);
    await save(scope, intent);
    await keepAll(scope);
    const [lost, kept] = textsOf(scope, [alicia]);
    expect(kept).toBeDefined();
    const { sk, pk } = indexKeysOf(scope, alicia)[0] as Key;
    const never = {
      pk: termPartitionOf({ scope, kind: 'wallet' }, { field: 'word', value: 'x' }),
      sk,
    };
    const stale = [...indexKeysOf(scope, alice), ...indexKeysOf(scope, bob)];
    const puts = [
      ...stale.map((key) => ({ ...key, handle: 'alice' })),
      { ...never, handle: 'alicia' },
    ];
    await writeAll(table, { puts, deletes: [{ pk, sk }] }, deadline());
    const all = [alice, alicia, bob, intent];
    expect(await mentionedUnder(scope, all)).not.toContain(lost);
    const count = await mend(scope);
    const wanted = textsOf(scope, [alicia, intent]);
    expect((await mentionedUnder(scope, all)).sort()).toEqual(wanted.sort());
    expect(await itemsIn(table, { pk: never.pk }, deadline(), {})).toEqual([]);
    expect(count).toEqual({
      records: 2,
      indexEntries: wanted.length,
      bookEntries: 2,
      leaves: 0,
      removed: stale.length + 1,
      unreadable: 0,
      returned: 0,
    });
    // Once more there is nothing left to do.
    expect(await mend(scope)).toEqual({ ...count, removed: 0 });
  });

  test('an intent that was completed late before releases knew of that is mentioned where reports look', async () => {
    const scope = newScope();
    const { record, ...rest } = transferred('late');
    const moment = new Date(nextMs() + 2 * lateMs).toISOString();
    const word = proofBy('system', record.hash, { status: 'completed', moment });
    const proofs = [...record.meta.proofs.slice(0, -1), word];
    await save(scope, { ...rest, record: { ...record, meta: { ...record.meta, proofs } } });
    await keepAll(scope);
    const term = termOfLate(Math.floor(Date.parse(moment) / (30 * 86_400_000)));
    const pk = termPartitionOf({ scope, kind: 'intent' }, term);
    const found = await itemsIn(table, { pk }, deadline(), {});
    expect(found.map(({ handle }) => handle)).toEqual(['late']);
    await writeAll(table, { deletes: found.map(keyOfItem) }, deadline());
    await mend(scope);
    expect(await itemsIn(table, { pk }, deadline(), {})).toEqual(found);
  });

  test('what the release before wrote with each version is mentioned under one key', async () => {
    const scope = newScope();
    const made = undecided('pay', nextMs());
    const first = proved(made, 1, 'pending');
    await save(scope, made);
    await save(scope, first, made);
    await keepAll(scope);
    // That release wrote all index entries of a version under its own number.
    const own = textsOf(scope, [first]).map((text) => text.split(' ') as [string, string]);
    const keys = own.map(([pk, sk]) => ({ pk, sk }));
    const former = keys.map(({ pk, sk }) => ({
      pk,
      sk: sk.replace(/\d+$/, String(first.change).padStart(10, '0')),
    }));
    await writeAll(table, { deletes: keys }, deadline());
    await writeAll(table, { puts: former.map((key) => ({ ...key, handle: 'pay' })) }, deadline());
    const second = proved(first, 1, 'committed');
    await save(scope, second, first);
    await keepAll(scope);
    const listing = { scope, kind: 'intent' } as const;
    const found = (value: string) =>
      catalog.indexEntriesOf(listing, { field: 'word', value }, { limit: 9 });
    for (const value of ['alice', 'usd', 'committed']) expect(await found(value)).toHaveLength(1);
    // The release before numbered it otherwise, so nothing but mending finds it.
    expect(await found('pending')).toHaveLength(1);
    expect(await mentionedUnder(scope, [first, second])).not.toEqual(textsOf(scope, [second]));
    const count = await mend(scope);
    expect((await mentionedUnder(scope, [first, second])).sort()).toEqual(
      textsOf(scope, [second]).sort(),
    );
    expect(await found('pending')).toEqual([]);
    expect(await mend(scope)).toEqual({ ...count, removed: 0 });
  });

  test('what lies in one item with others is mended in it', async () => {
    const scope = newScope();
    const intents = ['a', 'b', 'c', 'd'].map((handle) => transferred(handle));
    for (const version of intents) await save(scope, version);
    await keepAll(scope);
    const pk = termPartitionOf({ scope, kind: 'intent' }, { field: 'word', value: 'usd' });
    const stored = () => itemsIn(table, { pk }, deadline(), {});
    const before = await stored();
    const count = await mend(scope);
    expect(await stored()).toEqual(before);
    expect(count).toMatchObject({ records: 4, removed: 0 });
    expect(await mend(scope)).toEqual(count);
    // One entry is lost, one leads to another record, and one is of a record that never was.
    const [one, two, ...rest] = before.flatMap(unpackIndex);
    const ghost = {
      ...one,
      sk: indexKeyBeside({ pk, sk: '' }, newLuid('int')).sk,
      handle: 'ghost',
    };
    const items = packIndex([{ ...two, handle: 'a' }, ...rest, ghost]);
    await writeAll(table, { deletes: before.map(keyOfItem) }, deadline());
    await writeAll(table, { puts: items }, deadline());
    expect((await mend(scope)).removed).toBe(2);
    const listing = { scope, kind: 'intent' } as const;
    const found = await catalog.indexEntriesOf(
      listing,
      { field: 'word', value: 'usd' },
      { limit: 9 },
    );
    expect(found.map(({ name }) => name)).toEqual(['d', 'c', 'b', 'a']);
    expect(await mend(scope)).toMatchObject({ removed: 0 });
  });

  test('a record that cannot be read is counted and holds up no other', async () => {
    const scope = newScope();
    const alice = created('wallet', 'alice');
    await save(scope, alice);
    const broken = { pk: `${scope}#wallet#broken`, sk: '#', luid: '$wlt.x', data: '{' };
    await writeAll(table, { puts: [broken] }, deadline());
    expect(await mend(scope)).toMatchObject({ records: 2, unreadable: 1 });
    expect(await mentionedUnder(scope, [alice])).toEqual(textsOf(scope, [alice]));
  });

  test('signals that were set aside are in the outbox again, unless they still cannot be published', async () => {
    const scope = newScope();
    const alice = created('wallet', 'alice');
    const bob = created('wallet', 'bob');
    const pay = { ...transferred('pay'), spread: 5 };
    const versions = [alice, bob, pay];
    for (const version of versions) await save(scope, version);
    const shards = [...new Set(versions.map(shardOfVersion))];
    const entriesNow = async () =>
      (await Promise.all(shards.map((shard) => outbox.oldest(scope, shard, 9)))).flat();
    const entries = await entriesNow();
    expect(entries.map(({ handle }) => handle).sort()).toEqual(['alice', 'bob', 'pay']);
    for (const entry of entries) await outbox.setAside(entry, 'A bug.');
    const key = asideKeyOf(scope, outboxKeyOf(scope, bob).sk);
    const aside = () => itemsIn(table, { pk: key.pk }, deadline(), {});
    const damaged = (await aside()).find(({ sk }) => sk === key.sk);
    await writeAll(table, { puts: [{ ...damaged, ...key, signals: '[{' }] }, deadline());
    expect(await entriesNow()).toEqual([]);
    expect(await mend(scope)).toMatchObject({ returned: 2 });
    expect(await entriesNow()).toEqual(entries.filter(({ handle }) => handle !== 'bob'));
    expect((await aside()).map(({ handle, why }) => [handle, why])).toEqual([['bob', 'A bug.']]);
    expect(await mend(scope)).toMatchObject({ returned: 0 });
  });

  test('nothing current is lost while records change and are mentioned', async () => {
    const scope = newScope();
    const versions = Array.from({ length: 10 }, (_, index) => created('wallet', `w${index}`));
    for (const version of versions) await save(scope, version);
    const work = async (index: number) => {
      for (let round = 0; round < 12; round += 1) {
        const version = versions[index] as Version;
        const next =
          round % 3 === 0
            ? revised(version, { custom: { round } })
            : proved(version, 1, round % 2 === 0 ? 'created' : 'active');
        await save(scope, next, version);
        versions[index] = next;
      }
    };
    let isOver = false;
    const working = Promise.all(versions.map((_, index) => work(index))).then(() => {
      isOver = true;
    });
    const again = async (does: () => Promise<unknown>) => {
      while (!isOver) await does();
    };
    await Promise.all([
      working,
      again(() => keepAll(scope)),
      again(() => keepAll(scope)),
      again(() => mend(scope)),
      again(() => mend(scope)),
    ]);
    await keepAll(scope);
    const found = await mentionedUnder(scope, versions);
    expect(textsOf(scope, versions).filter((text) => !found.includes(text))).toEqual([]);
    await mend(scope);
    const clean = await mentionedUnder(scope, versions);
    expect(clean.sort()).toEqual(textsOf(scope, versions).sort());
  });
});
