/** Goal: index entries that come up together take few items, none is lost, and those of before are read beside them. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Catalog } from '../../shared/port/catalog.ts';
import { tableClient } from '../../shared/store/client.ts';
import { indexKeysOf, nameOfItem, termPartitionOf } from '../../shared/store/keys.ts';
import { packIndex, unpackIndex } from '../../shared/store/pack-index.ts';
import { indexItemsOf } from '../../shared/store/projection.ts';
import { itemsIn } from '../../shared/store/read.ts';
import type { Item, Table } from '../../shared/store/request.ts';
import { dynamoCatalog } from '../../shared/store/store.ts';
import { writeAll } from '../../shared/store/write-all.ts';
import { intentAt, toldOf } from '../contract/packed.ts';
import { newScope } from '../contract/store.ts';
import { type Database, startDatabase } from '../fixture/database.ts';
import { created } from '../fixture/version.ts';

const startMs = Date.parse('2026-01-01T00:00:00.000Z');
const bytesOf = (item: Item): number =>
  Object.entries(item).reduce((sum, each) => sum + Buffer.byteLength(each.join('')), 0);
const sorted = (items: readonly Item[]) =>
  items.map((item) => JSON.stringify([item['pk'], item['sk'], item['handle']])).sort();

describe('index entries as items', () => {
  test('are those that went in, in items that a unit pays for, each in one span of time', () => {
    const handle = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', '-', '/'), minLength: 1, maxLength: 256 }),
      fc.constant('a'),
    );
    const one = fc.tuple(fc.nat({ max: 2_000 }), handle);
    fc.assert(
      fc.property(fc.array(one, { maxLength: 80 }), (all) => {
        const entries = all.flatMap(([ms, name], index) =>
          indexItemsOf('main', intentAt(startMs + ms, `${name}${index}`)),
        );
        const items = packIndex(entries);
        expect(sorted(items.flatMap(unpackIndex))).toEqual(sorted(entries));
        for (const item of items) {
          if (nameOfItem(item)?.item !== 'mentions') continue;
          expect(bytesOf(item)).toBeLessThanOrEqual(1_024);
          const times = unpackIndex(item).map(({ sk }) => String(sk));
          expect(times).toEqual([...times].sort().reverse());
        }
        expect(sorted(packIndex([...entries].reverse()))).toEqual(sorted(items));
      }),
    );
  });

  test('are as they were when one comes alone, or when it ends with its version', () => {
    const alone = indexItemsOf('main', intentAt(startMs, 'one'));
    expect(packIndex(alone)).toEqual(alone);
    const wallets = ['a', 'b'].flatMap((name) => indexItemsOf('main', created('wallet', name)));
    expect(packIndex(wallets)).toEqual(wallets);
  });

  test('are deflated where the release before does not read them, many in a unit', () => {
    const all = Array.from({ length: 90 }, (_, index) =>
      indexItemsOf('main', intentAt(startMs + (index % 3), `payout-${1_000 + index}`)),
    ).flat();
    const short = packIndex(all, true);
    expect(sorted(short.flatMap(unpackIndex))).toEqual(sorted(all));
    expect(short.length).toBeLessThan(packIndex(all).length);
    for (const item of short) {
      const skOf = unpackIndex(item).map(({ sk }) => String(sk));
      expect(skOf).toEqual([...skOf].sort().reverse());
    }
    expect(sorted(packIndex([...all].reverse(), true))).toEqual(sorted(short));
    // What is damaged shows the newest alone.
    const [pack] = short.filter(({ others }) => others);
    const cut = { ...pack, others: new Uint8Array([255]) } as Item;
    expect(unpackIndex(cut)).toEqual(unpackIndex(pack as Item).slice(0, 1));
  });

  test('packed otherwise, do not take the place of each other', () => {
    const [a, b, c] = [1, 2, 3].map((ms) =>
      indexItemsOf('main', intentAt(startMs + ms, `n-${ms}`)),
    );
    const key = (...some: readonly (readonly Item[] | undefined)[]) =>
      packIndex(some.flatMap((items) => items?.slice(0, 1) ?? [])).map(({ sk }) => sk);
    expect(key(a, c)).not.toEqual(key(b, c));
    expect(key(a, b, c)).toEqual(key(c, b, a));
  });
});

describe('in a table', () => {
  const tableName = 'packed';
  let database: Database;
  let table: Table;
  let catalog: Catalog;
  beforeAll(async () => {
    database = await startDatabase();
    await database.createTable(tableName);
    const client = tableClient({ endpoint: database.endpoint });
    table = { client, tableName, deadlineMs: 15_000, onConsumed: undefined };
    catalog = dynamoCatalog({ client, tableName });
  });
  afterAll(() => database.stop());
  const deadline = () => performance.now() + 15_000;

  test('many take few items, and entries of before are read with them, each once', async () => {
    const scope = newScope();
    const pk = termPartitionOf({ scope, kind: 'intent' }, { field: 'word', value: 'usd' });
    const versions = Array.from({ length: 100 }, (_, n) => intentAt(startMs + n, `i-${n}`));
    // The release before had an item for each, under 0 or the number of the version.
    const former = versions.slice(20, 70).flatMap((version, index) =>
      indexKeysOf(scope, version).map((key) => ({
        ...key,
        sk: index % 2 === 0 ? key.sk : key.sk.replace(/\d+$/, '0000000004'),
        handle: version.record.data.handle,
      })),
    );
    await catalog.keep(versions.slice(50).map((version) => toldOf(scope, version)));
    expect((await itemsIn(table, { pk }, deadline(), {})).length).toBeLessThan(5);
    await writeAll(table, { puts: former }, deadline());
    await catalog.keep(versions.slice(0, 50).map((version) => toldOf(scope, version)));
    for (const limit of [1, 30, 60, 100, 1_000]) {
      const found = await catalog.indexEntriesOf(
        { scope, kind: 'intent' },
        { field: 'word', value: 'usd' },
        { limit },
      );
      expect(found.map(({ name }) => name)).toEqual(
        versions
          .map(({ record }) => record.data.handle)
          .reverse()
          .slice(0, limit),
      );
    }
  });
});
