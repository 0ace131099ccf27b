/**
 * Counts of lists. Goal: a page far behind the newest reads as little as the first one and shows what a walk would show,
 * also where records came late into what is counted, left it, or do so meanwhile. Method: long lists over the embedded
 * database beside a model, with a client that counts what is read, and lets others in between two requests. Decision 140.
 */
import { readFileSync } from 'node:fs';
import { BatchGetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { audit } from '../../shared/audit/audit.ts';
import { newReport } from '../../shared/audit/run.ts';
import { tableSource } from '../../shared/audit/table.ts';
import { lineOfViolation } from '../../shared/audit/violation.ts';
import type { Kind } from '../../shared/ledger/kind.ts';
import type { Version } from '../../shared/ledger/record.ts';
import type { Listing } from '../../shared/port/catalog.ts';
import type { Commit, Store } from '../../shared/port/ports.ts';
import { countKinds, countOn } from '../../shared/store/count-lists.ts';
import {
  keyOfSpans,
  newSpans,
  packSpans,
  type Span,
  spanLength,
  unpackSpans,
} from '../../shared/store/counted-spans.ts';
import {
  keyOfItem,
  layoutAttributesOf,
  listKeyOf,
  nameOfItem,
  rulebookKeyOf,
  spansPartitionOf,
} from '../../shared/store/keys.ts';
import { planOf } from '../../shared/store/plan.ts';
import { itemsIn } from '../../shared/store/read.ts';
import { reindex } from '../../shared/store/reindex.ts';
import type { Item, Table } from '../../shared/store/request.ts';
import { dynamoStore, type TableOptions } from '../../shared/store/store.ts';
import { remove, writeAll } from '../../shared/store/write-all.ts';
import { newScope } from '../contract/store.ts';
import { loaded, newFolder, saved } from '../fixture/archived.ts';
import { type Ground, main, startGround } from '../fixture/audited.ts';
import { indexedIn } from '../fixture/told.ts';
import { between } from '../fixture/trouble.ts';
import { commitOf, created, dropped, revised, transferred, writeOf } from '../fixture/version.ts';

const tableName = 'counts';
const length = 3_000;
const limit = 20;
/** The intents of a batch, and one before it. */
const batchLength = 24;
const folder = newFolder();
let ground: Ground;
let table: Table;
let store: Store;

beforeAll(async () => {
  ground = await startGround();
  const { client, database } = ground;
  await database.createTable(tableName);
  table = { client, tableName, deadlineMs: 30_000, onConsumed: undefined };
  store = dynamoStore({ client, tableName });
});
afterAll(async () => {
  await ground.stop();
  folder.remove();
});

const deadline = () => performance.now() + 60_000;
const numbersTo = (count: number) => Array.from({ length: count }, (_, number) => number);

/** Puts new records as commits do, and publishes nothing. */
async function put(scope: string, versions: readonly Version[], at = table): Promise<void> {
  const commits = versions.map((version) => commitOf(writeOf(scope, version)));
  await writeAll(at, { puts: commits.flatMap(putsOf) }, deadline());
}

/** Puts new intents as batches do, but for one after each of them, and publishes nothing. */
async function putBatches(scope: string, versions: readonly Version[], at = table): Promise<void> {
  const commits = batchesOf(versions).flatMap(([alone, ...batch]) => [
    commitOf(writeOf(scope, alone)),
    ...(batch.length > 0 ? [batchOf(scope, batch)] : []),
  ]);
  await writeAll(at, { puts: commits.flatMap(putsOf) }, deadline());
}

function batchesOf(versions: readonly Version[]): [Version, ...Version[]][] {
  const batches: [Version, ...Version[]][] = [];
  for (const [index, version] of versions.entries())
    if (index % batchLength === 0) batches.push([version]);
    else batches.at(-1)?.push(version);
  return batches;
}

function batchOf(scope: string, versions: readonly Version[]): Commit {
  return { ...commitOf(...versions.map((version) => writeOf(scope, version))), isBatch: true };
}

function putsOf(commit: Commit): Item[] {
  return planOf(tableName, commit).flatMap(({ action }): Item[] => {
    const item = action.Put?.Item;
    const name = item && nameOfItem(item)?.item;
    return item && name !== 'outbox' && name !== 'signals' ? [item] : [];
  });
}

async function save(scope: string, next: Version, previous?: Version): Promise<void> {
  expect(await store.commit(commitOf(writeOf(scope, next, previous)))).toEqual([]);
}

/** Publishes all that waits, as the relay does. */
function relay(scope: string, at: TableOptions = { client: table.client, tableName }) {
  return indexedIn(at, scope);
}

async function countAll(listing: Listing): Promise<void> {
  while (await countOn(table, listing, Date.now(), deadline()));
}

async function spansOf(listing: Listing, at = table): Promise<Span[]> {
  const items = await itemsIn(at, { pk: spansPartitionOf(listing) }, deadline(), {});
  return items.flatMap((item) => unpackSpans(item).spans);
}

/** Long lists of one kind, counted; `now` are their current versions. */
async function counted(kind: Kind = 'wallet') {
  const scope = newScope();
  const [early, ...now] = named(kind, length + 1) as [Version, ...Version[]];
  await put(scope, now);
  const listing = { scope, kind };
  await countAll(listing);
  return { scope, listing, now, early };
}

/** The handles of a list as they must be, the newest first. */
function inOrder(scope: string, versions: readonly Version[]): string[] {
  const placed = versions.map((version) => [listKeyOf(scope, version).sk, version] as const);
  return placed
    .sort(([one], [other]) => (one < other ? 1 : -1))
    .map(([, { record }]) => record.data.handle);
}

async function page(listing: Listing, index: number, from: Store = store): Promise<string[]> {
  const versions = await from.list(listing.scope, listing.kind, { index, limit });
  return versions.map(({ record }) => record.data.handle);
}

/** A store of the same table, and how many items its queries have made the database examine. */
function examining(): { readonly store: Store; readonly examined: () => number } {
  let count = 0;
  const client = between(table.client, async (command, send) => {
    const output = (await send(command)) as { ScannedCount?: number };
    if (command instanceof QueryCommand) count += output.ScannedCount ?? 0;
    return output;
  });
  return { store: dynamoStore({ client, tableName }), examined: () => count };
}

/** Compares some pages from the first counted one on, and one behind the end. */
async function expectPages(listing: Listing, now: readonly Version[]): Promise<void> {
  const all = inOrder(listing.scope, now);
  const end = Math.ceil(all.length / limit) + 1;
  for (let index = 49; index < end; index += 3)
    expect(await page(listing, index)).toEqual(all.slice(index * limit, (index + 1) * limit));
  expect(await page(listing, end)).toEqual([]);
}

/** Compares the counts with the entries. */
async function expectCounts(listing: Listing, now: readonly Version[], at = table) {
  const times = now.map(({ record }) => Date.parse(record.meta.moment));
  const spans = await spansOf(listing, at);
  expect(spans.length).toBeGreaterThan(0);
  for (const { startMs, endMs, count } of spans)
    expect(count).toBe(times.filter((ms) => ms >= startMs && ms < endMs).length);
}

/** So many records, one each millisecond. */
function named(kind: Kind, count: number): Version[] {
  return numbersTo(count).map((number) =>
    kind === 'intent' ? transferred(`r${number}`) : created(kind, `r${number}`),
  );
}

describe('a clock that is set back', () => {
  afterEach(() => void vi.restoreAllMocks());

  test.each(['by a process that has just begun', 'while a process publishes'])(
    'leaves no record uncounted that comes into what was counted: %s',
    async (when) => {
      const { scope, listing, now, early } = await counted();
      const client = { send: table.client.send.bind(table.client) };
      const at = { client: client as never, tableName };
      if (when.startsWith('while')) await relay(scope, at);
      const late = created('wallet', 'late');
      if (when.startsWith('while')) {
        await save(scope, late);
        await relay(scope, at);
      }
      const [{ moment = '' } = {}] = early.steps;
      vi.spyOn(Date, 'now').mockReturnValue(Date.parse(moment) + 1);
      await save(scope, early);
      await relay(scope, at);
      vi.restoreAllMocks();
      await expectCounts(listing, [early, ...now, ...(when.startsWith('while') ? [late] : [])]);
    },
  );
});

describe('a page far behind', () => {
  test('reads as little as its list has uncounted, and shows what a walk shows', async () => {
    const { listing, now } = await counted();
    await expectPages(listing, now);
    const { store: other, examined } = examining();
    expect(await page(listing, 145, other)).toHaveLength(limit);
    expect(examined()).toBeLessThan(2 * spanLength + limit);
    const before = examined();
    await page(listing, 1_000_000, other);
    expect(examined() - before).toBeLessThan(2 * spanLength);
  });

  test('follows records that went on and ended, before and after that is published', async () => {
    const { scope, listing, now } = await counted();
    const [moved, gone] = [now[700] as Version, now[1_900] as Version];
    const next = revised(moved, { custom: { n: 1 } });
    await save(scope, next, moved);
    await save(scope, dropped(gone), gone);
    const then = [...now.filter((one) => one !== moved && one !== gone), next];
    await expectPages(listing, then);
    await relay(scope);
    await expectPages(listing, then);
    await expectCounts(listing, then);
  });

  test('has intents that came late, before and after they are published', async () => {
    const { scope, listing, now, early } = await counted('intent');
    await save(scope, early);
    await expectPages(listing, [...now, early]);
    await relay(scope);
    await expectPages(listing, [...now, early]);
    await expectCounts(listing, [...now, early]);
  });

  test('finds a gap between counts, and one that cannot be read', async () => {
    const { scope, listing } = await counted();
    const items = await itemsIn(table, { pk: spansPartitionOf(listing) }, deadline(), {});
    const all = unpackSpans(items[0] as Item).spans;
    const [first, second, third, ...rest] = all as [Span, Span, Span, ...Span[]];
    const parts = [[second], rest].map((spans) => newSpans(spans));
    const broken = { ...keyOfSpans(listing, newSpans([third])), spans: '-7 q', tag: 'broken' };
    const whole = parts.map((one) => ({ ...keyOfSpans(listing, one), ...packSpans(one) }));
    const puts = [...whole, broken];
    await remove(table, items.map(keyOfItem), deadline());
    await writeAll(table, { puts }, deadline());
    const entries = [first, third].map(({ count = 0 }) => count);
    expect(entries).toEqual([spanLength, spanLength]);
    await expectPages(listing, await store.list(scope, 'wallet', { index: 0, limit: length }));
  });

  test('walks where more waits than can be looked at', async () => {
    const { scope, listing, now } = await counted();
    const changed: Version[] = [];
    for (const version of now.slice(0, 1_100)) {
      const next = revised(version, { custom: { n: 2 } });
      await save(scope, next, version);
      changed.push(next);
    }
    const then = [...now.slice(1_100), ...changed];
    const all = inOrder(scope, then);
    for (const index of [60, 100, 140])
      expect(await page(listing, index)).toEqual(all.slice(index * limit, (index + 1) * limit));
  });

  test('of a busy ledger counts all of its partitions', async () => {
    const scope = newScope();
    const now = numbersTo(length).map((number) => {
      const version = transferred(`s${number}`);
      return { ...version, spread: number % 4 };
    });
    await put(scope, now);
    await writeAll(table, { puts: [{ ...rulebookKeyOf(scope), spread: 4 }] }, deadline());
    const listing = { scope, kind: 'intent' } as const;
    await countAll(listing);
    await expectCounts(listing, now);
    await expectPages(listing, now);
  });

  test('of a busy list counts all of its partitions, and follows what moves between them', async () => {
    const scope = newScope();
    const listing = { scope, kind: 'wallet' } as const;
    const now = named('wallet', length).map((version, number) =>
      number % 4 === 0 ? version : { ...version, part: number % 4 },
    );
    await put(scope, now);
    const { count } = layoutAttributesOf('wallet');
    await writeAll(table, { puts: [{ ...rulebookKeyOf(scope), [count]: 4 }] }, deadline());
    await countAll(listing);
    await expectCounts(listing, now);
    await expectPages(listing, now);
    const [moved, gone] = [now[701] as Version, now[1_902] as Version];
    const next = revised(moved, { custom: { n: 1 } });
    await save(scope, next, moved);
    await save(scope, dropped(gone), gone);
    const then = [...now.filter((one) => one !== moved && one !== gone), next];
    await expectPages(listing, then);
    await relay(scope);
    await expectPages(listing, then);
    await expectCounts(listing, then);
  });

  test('is counted rightly for an audit during which it begins to spread', async () => {
    const scope = newScope();
    const listing = { scope, kind: 'wallet' } as const;
    await put(scope, named('wallet', 2 * spanLength));
    await countAll(listing);
    const source = tableSource(ground.client, tableName);
    const { count } = layoutAttributesOf('wallet');
    const outlines = async function* outlines() {
      yield* source.outlines([scope]);
      await writeAll(table, { puts: [{ ...rulebookKeyOf(scope), [count]: 4 }] }, deadline());
      await put(
        scope,
        named('wallet', spanLength).map((version) => ({ ...version, part: 3 })),
      );
      await countAll(listing);
      expect(await spansOf(listing)).toHaveLength(3);
    };
    const found: string[] = [];
    const options = { isLive: true, nowMs: Date.now };
    for await (const one of audit({ ...source, outlines }, options, newReport()))
      found.push(lineOfViolation(one));
    expect(found.filter((line) => line.includes('counted'))).toEqual([]);
  });
});

describe('a page far behind in a list with batches', () => {
  test('reads as little as its list has uncounted, and shows what a walk shows', async () => {
    const scope = newScope();
    const listing = { scope, kind: 'intent' } as const;
    const now = named('intent', length);
    await putBatches(scope, now);
    const walked = await Promise.all([60, 100, 140].map((index) => page(listing, index)));
    await countAll(listing);
    expect(await Promise.all([60, 100, 140].map((index) => page(listing, index)))).toEqual(walked);
    await expectCounts(listing, now);
    await expectPages(listing, now);
    const { store: other, examined } = examining();
    expect(await page(listing, 145, other)).toHaveLength(limit);
    expect(examined()).toBeLessThan(spanLength);
  });

  test('has a batch that came late, before and after it is published', async () => {
    const scope = newScope();
    const listing = { scope, kind: 'intent' } as const;
    const now = named('intent', length);
    const late = now.filter((_, index) => index >= 700 && index % 100 < 10);
    const rest = now.filter((version) => !late.includes(version));
    await putBatches(scope, rest);
    await countAll(listing);
    await expectCounts(listing, rest);
    for (let start = 0; start < late.length; start += 40)
      expect(await store.commit(batchOf(scope, late.slice(start, start + 40)))).toEqual([]);
    await expectPages(listing, now);
    let reads = 0;
    const client = between(table.client, async (command, send) => {
      if (command instanceof BatchGetCommand) reads += 1;
      return send(command);
    });
    await relay(scope, { client, tableName });
    expect(reads).toBeLessThan(30);
    await expectCounts(listing, now);
    await expectPages(listing, now);
  });

  test('of a busy ledger counts all of its partitions', async () => {
    const scope = newScope();
    const now = named('intent', length).map((version, index) => {
      return { ...version, spread: Math.floor(index / batchLength) % 4 };
    });
    await putBatches(scope, now);
    await writeAll(table, { puts: [{ ...rulebookKeyOf(scope), spread: 4 }] }, deadline());
    const listing = { scope, kind: 'intent' } as const;
    await countAll(listing);
    await expectCounts(listing, now);
    await expectPages(listing, now);
  });

  test('is counted by the relay as the list grows', async () => {
    const scope = newScope();
    const listing = { scope, kind: 'intent' } as const;
    const now = named('intent', 4_096);
    for (const batch of batchesOf(now)) {
      expect(await store.commit(batchOf(scope, batch))).toEqual([]);
      await relay(scope);
    }
    expect((await spansOf(listing)).length).toBeGreaterThan(1);
    await expectCounts(listing, now);
    await expectPages(listing, now);
  });

  test('is counted rightly for the audit, which finds a wrong count', async () => {
    const world = await ground.newWorld();
    const at = { ...table, tableName: world.tableName };
    const now = named('intent', 1_400);
    await putBatches(main, now, at);
    const listing = { scope: main, kind: 'intent' } as const;
    await countKinds(at, main, Date.now());
    const [item] = await itemsIn(at, { pk: spansPartitionOf(listing) }, deadline(), {});
    await expectCounts(listing, now, at);
    const says = async () => (await world.audited()).filter((line) => line.includes('counted'));
    expect(await says()).toEqual([]);
    const { spans, ...rest } = item as Item;
    const wrong = String(spans).replace(/ [^,]+/, ' 7');
    await writeAll(at, { puts: [{ ...rest, spans: wrong }] }, deadline());
    expect(await says()).toHaveLength(1);
  });
});

describe('counting', () => {
  test('is done by the relay as the list grows, and a short one has no item', async () => {
    const scope = newScope();
    const listing = { scope, kind: 'intent' } as const;
    const now: Version[] = [];
    const grow = async (): Promise<Span[]> => {
      for (let number = 0; number < 64; number += 1) {
        const version = transferred(`g${now.length}`);
        now.push(version);
        await save(scope, version);
      }
      await relay(scope);
      return spansOf(listing);
    };
    while (now.length < 448) expect(await grow()).toEqual([]);
    // One of 256 records makes the relay look, by chance; this many have none in one of 10^10 runs.
    let spans: Span[] = [];
    while (now.length < 2_048 || (spans.length < 2 && now.length < 8_192)) spans = await grow();
    expect(spans.length).toBeGreaterThan(1);
    await expectCounts(listing, now);
    await expectPages(listing, now);
  });

  test('is right whatever is published between two of its requests', async () => {
    for (const at of numbersTo(8)) {
      const scope = newScope();
      const listing = { scope, kind: 'wallet' } as const;
      const now = named('wallet', 600);
      await put(scope, now);
      const moved = now[100] as Version;
      const next = revised(moved, { custom: { at } });
      let requests = 0;
      const client = between(table.client, async (command, send) => {
        if (requests === at) {
          requests += 1;
          await save(scope, next, moved);
          await relay(scope);
        } else requests += 1;
        return send(command);
      });
      while (await countOn({ ...table, client }, listing, Date.now(), deadline()));
      await countAll(listing);
      if (requests > at) await expectCounts(listing, [...now.filter((one) => one !== moved), next]);
    }
  });

  test('of a record that was published is right whatever others publish meanwhile', async () => {
    for (const at of numbersTo(10)) {
      const { scope, listing, now } = await racing();
      const [one, two] = [now[100] as Version, now[101] as Version];
      const [nextOne, nextTwo] = [
        revised(one, { custom: { at } }),
        revised(two, { custom: { at } }),
      ];
      await save(scope, nextOne, one);
      let requests = 0;
      const client = between(table.client, async (command, send) => {
        if (requests === at) {
          requests += 1;
          await save(scope, nextTwo, two);
          await relay(scope);
        } else requests += 1;
        return send(command);
      });
      await relay(scope, { client, tableName });
      const left = now.filter((version) => version !== one && version !== two);
      const then = [...left, nextOne, requests > at ? nextTwo : two];
      await expectCounts(listing, then);
    }
  });

  test('joins spans that have become empty', async () => {
    const scope = newScope();
    const listing = { scope, kind: 'wallet' } as const;
    let now = named('wallet', spanLength);
    await put(scope, now);
    await countAll(listing);
    for (let round = 0; round < 3; round += 1) {
      const before = now;
      now = [];
      for (const version of before) {
        const next = revised(version, { custom: { round } });
        await save(scope, next, version);
        now.push(next);
        if (now.length % 128 === 0) await relay(scope);
      }
      await countAll(listing);
    }
    expect((await spansOf(listing)).length).toBeLessThanOrEqual(2);
    await expectCounts(listing, now);
  });

  test('of a list that anything happens to stays right', async () => {
    const step = fc.record({
      what: fc.constantFrom('move', 'drop', 'relay', 'count'),
      which: fc.nat(599),
    });
    const lists = fc.array(step, { maxLength: 25 });
    const property = fc.asyncProperty(lists, async (steps) => {
      const { scope, listing, now } = await racing();
      const current = new Map<number, Version>(now.entries());
      for (const one of steps) await happen(listing, current, one);
      await relay(scope);
      await expectCounts(listing, [...current.values()]);
    });
    await fc.assert(property, { numRuns: 10 });
  });
});

/** Does one step to a list, and notes it in its model. */
async function happen(
  listing: Listing,
  current: Map<number, Version>,
  { what, which }: { readonly what: string; readonly which: number },
): Promise<void> {
  const { scope } = listing;
  if (what === 'relay') return relay(scope);
  if (what === 'count') return countAll(listing);
  const version = current.get(which);
  if (!version) return;
  const next = what === 'move' ? revised(version, { custom: { which } }) : dropped(version);
  await save(scope, next, version);
  if (what === 'move') current.set(which, next);
  else current.delete(which);
}

/** A list with one span that is counted, and some records behind it. */
async function racing() {
  const scope = newScope();
  const listing = { scope, kind: 'wallet' } as const;
  const now = named('wallet', 600);
  await put(scope, now);
  await countAll(listing);
  return { scope, listing, now };
}

/** The table, whose superseded versions so many batch reads do not see, as may be in the moment of a transaction. */
function torn(count: number): { readonly at: TableOptions; readonly left: () => number } {
  let left = count;
  const client = between(table.client, async (command, send) => {
    const output = (await send(command)) as { readonly Responses?: Record<string, Item[]> };
    if (!(command instanceof BatchGetCommand) || left === 0) return output;
    const all = output.Responses?.[tableName] ?? [];
    const items = all.filter((item) => nameOfItem(item)?.item !== 'change');
    if (items.length < all.length) left -= 1;
    return { ...output, Responses: { [tableName]: items } };
  });
  return { at: { client, tableName }, left: () => left };
}

describe('a superseded version that is not seen for a moment', () => {
  test('does not stay in the count of its span', async () => {
    const { scope, listing, now } = await counted();
    const moved = now[700] as Version;
    const next = revised(moved, { custom: { n: 1 } });
    await save(scope, next, moved);
    const { at, left } = torn(2);
    await relay(scope, at);
    const then = [...now.filter((one) => one !== moved), next];
    await countAll(listing);
    await expectCounts(listing, then);
    await expectPages(listing, then);
    expect(left()).toBe(0);
  });

  test('is not counted in a page that is read meanwhile', async () => {
    const { scope, listing, now } = await counted();
    const moved = now[2_500] as Version;
    const next = revised(moved, { custom: { n: 1 } });
    await save(scope, next, moved);
    const { at, left } = torn(2);
    const index = 100;
    const then = inOrder(scope, [...now.filter((one) => one !== moved), next]);
    expect(await page(listing, index, dynamoStore(at))).toEqual(
      then.slice(index * limit, (index + 1) * limit),
    );
    expect(left()).toBe(0);
  });
});

describe('a wrong count', () => {
  test('is found by the audit and mended by reindexing, which counts what nobody has counted', async () => {
    const world = await ground.newWorld();
    const at = { ...table, tableName: world.tableName };
    const wallets = named('wallet', 600);
    await put(main, wallets, at);
    await countKinds(at, main, Date.now());
    const symbols = named('symbol', 600);
    await put(main, symbols, at);
    const listing = { scope: main, kind: 'wallet' } as const;
    const [item] = await itemsIn(at, { pk: spansPartitionOf(listing) }, deadline(), {});
    const { spans, ...rest } = item as Item;
    const wrong = String(spans).replace(/ [^,]+/, ' 7');
    expect(wrong).not.toBe(spans);
    await writeAll(at, { puts: [{ ...rest, spans: wrong }] }, deadline());
    const says = async () => (await world.audited()).filter((line) => line.includes('counted'));
    expect(await says()).toHaveLength(1);
    const mend = async (): Promise<void> => {
      const pages = tableSource(ground.client, world.tableName).outlines([main]);
      for await (const _ of reindex(at, pages, Date.now));
    };
    await mend();
    expect(await says()).toEqual([]);
    await expectCounts(listing, wallets, at);
    await expectCounts({ scope: main, kind: 'symbol' }, symbols, at);
    await writeAll(at, { puts: [{ ...rest, spans: '-7 q' }] }, deadline());
    expect((await world.audited()).join()).toContain('cannot be read');
    await relay(main, { client: table.client, tableName: world.tableName });
    await mend();
    expect(await spansOf(listing, at)).toHaveLength(1);
    await expectCounts(listing, wallets, at);
  });

  test('is not found while a change waits to be published, and afterwards', async () => {
    const world = await ground.newWorld();
    const at = { ...table, tableName: world.tableName };
    const wallets = named('wallet', 600);
    await put(main, wallets, at);
    await countKinds(at, main, Date.now());
    const gone = wallets[5] as Version;
    const others = dynamoStore({ client: table.client, tableName: world.tableName });
    expect(await others.commit(commitOf(writeOf(main, dropped(gone), gone)))).toEqual([]);
    const says = async (line: string) =>
      (await world.audited()).filter((one) => one.includes(line));
    expect(await says('counted')).toEqual([]);
    await relay(main, { client: table.client, tableName: world.tableName });
    expect(await says('counted')).toEqual([]);
  });
});

test('an import counts what it has brought, and an archive has no counts', async () => {
  const world = await ground.newWorld();
  const at = { ...table, tableName: world.tableName };
  await put(main, named('wallet', 600), at);
  const bare = await saved(ground.client, world.tableName, folder.path('bare'));
  await countKinds(at, main, Date.now());
  const path = await saved(ground.client, world.tableName, folder.path('counted'));
  expect(readFileSync(path)).toEqual(readFileSync(bare));
  const copy = { ...table, tableName: 'imported' };
  await ground.database.createTable(copy.tableName);
  await loaded(ground.client, copy.tableName, path);
  const spans = await spansOf({ scope: main, kind: 'wallet' }, copy);
  expect(spans.map(({ count }) => count)).toEqual([spanLength]);
});
