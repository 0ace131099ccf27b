/**
 * The contract of busy ledgers, as tests that any implementation passes: whatever the layout was when an intent was made,
 * lists, searches, reports and the relay see all of them in their order. Decision 124.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { attachmentOf, type Version } from '../../shared/ledger/record.ts';
import { termsOf } from '../../shared/ledger/term.ts';
import type { Catalog, Stretch } from '../../shared/port/catalog.ts';
import type { Expiries, ExpiryPlaces } from '../../shared/port/expiries.ts';
import type { Layouts } from '../../shared/port/layouts.ts';
import type { Outbox, OutboxEntry } from '../../shared/port/outbox.ts';
import type { Store } from '../../shared/port/ports.ts';
import type { ReportStore } from '../../shared/port/reports.ts';
import { outboxShardsOf, shardOfVersion, spreadsOf } from '../../shared/store/keys.ts';
import { indexed } from '../fixture/told.ts';
import {
  commitOf,
  created,
  newLuid,
  nextMs,
  proved,
  transferred,
  waiting as undecided,
  writeOf,
} from '../fixture/version.ts';
import { newScope } from './store.ts';

export interface LayoutPorts {
  readonly store: Store;
  readonly outbox: Outbox;
  readonly catalog: Catalog;
  readonly reports: Pick<ReportStore, 'intents'>;
  readonly expiries: Expiries;
  readonly layouts: Layouts;
}

/** Longer than a layout is stored before it is used, in milliseconds. */
const longAgoMs = 60_000;

const all = 1_000;
const hot = 'hot';
const luidOf = ({ record }: Version): string => record.luid;

/** Lets a ledger grow, as if that had been long ago. */
export async function grow({ layouts }: Pick<LayoutPorts, 'layouts'>, scope: string) {
  await layouts.grow(scope, await layouts.read(scope), Date.now() - longAgoMs);
  // By the time that a layout is used, every process has read it.
  await layouts.read(scope);
}

/** Stores a new intent; returns it as it is stored. */
export async function intentIn({ store }: Pick<LayoutPorts, 'store'>, scope: string) {
  const next = transferred(newLuid('int').slice(5));
  expect(await store.commit(commitOf(writeOf(scope, next)))).toEqual([]);
  return currentOf(store, scope, next);
}

/** Stores the version after a proof, which keeps what its predecessor has beside the record. */
export async function provedIn(
  { store }: LayoutPorts,
  scope: string,
  previous: Version,
  status?: string,
) {
  const next = { ...proved(previous, 1, status), ...attachmentOf(previous) };
  expect(await store.commit(commitOf(writeOf(scope, next, previous)))).toEqual([]);
  return next;
}

export async function currentOf(
  store: Store,
  scope: string,
  { record }: Version,
): Promise<Version> {
  const { handle } = record.data;
  const [found] = await store.load([{ what: 'record', scope, kind: 'intent', handle }]);
  return found as Version;
}

/** The entries in all shards that the outbox names. */
export async function entriesOf({ outbox }: LayoutPorts, scope: string): Promise<OutboxEntry[]> {
  const shards = await outbox.shards(scope);
  return (await Promise.all(shards.map((shard) => outbox.oldest(scope, shard, all)))).flat();
}

/** Compares all ways to find intents with a plain list of them, oldest first. */
export async function expectFound(ports: LayoutPorts, scope: string, intents: readonly Version[]) {
  const { store, catalog, reports } = ports;
  const luids = intents.map(luidOf);
  const newest = luids.toReversed();
  const listing = { scope, kind: 'intent' } as const;
  for (const limit of [1, 3, 7, all])
    for (let index = 0; index * limit <= luids.length && index < 5; index += 1) {
      const page = await store.list(scope, 'intent', { index, limit });
      expect(page.map(luidOf)).toEqual(newest.slice(index * limit, (index + 1) * limit));
    }
  const places = await catalog.listed(listing, { limit: all });
  expect(places.map(({ luid }) => luid)).toEqual(newest);
  const middle = Math.floor(places.length / 2);
  const upTo = places[middle]?.at;
  if (upTo !== undefined) {
    const rest = await catalog.listed(listing, { limit: 4, upTo });
    expect(rest).toEqual(places.slice(middle, middle + 4));
  }
  const seen: string[] = [];
  for (let after: string | undefined; ; ) {
    const stretch = { isLong: false, scope, fromMs: 0, endMs: 2 ** 47, limit: 5 };
    const part = await reports.intents({ ...stretch, ...(after !== undefined && { after }) });
    seen.push(...part.versions.map(luidOf));
    after = part.place;
    if (part.versions.length < 5) break;
  }
  expect(seen).toEqual(luids);
  const wants = luids.map((luid) => ({ what: 'pointer', scope, kind: 'intent', luid }) as const);
  const pointers = await store.load(wants);
  expect(pointers.map((pointer) => pointer?.handle)).toEqual(
    intents.map(({ record }) => record.data.handle),
  );
}

/** Stores an undecided intent with a label; returns it as it is stored. */
async function hotIn({ store }: LayoutPorts, scope: string, handle: string): Promise<Version> {
  const { record, ...rest } = undecided(handle, nextMs() + longAgoMs);
  const next = { ...rest, record: { ...record, meta: { ...record.meta, labels: [hot] } } };
  expect(await store.commit(commitOf(writeOf(scope, next)))).toEqual([]);
  return currentOf(store, scope, next);
}

/** The same of many, the newest first, while the ledger grows; some are indexed meanwhile. */
async function hotOnesIn(ports: LayoutPorts, scope: string): Promise<Version[]> {
  const intents: Version[] = [];
  for (let number = 0; number < 36; number += 1) {
    intents.unshift(await hotIn(ports, scope, `i-${number}`));
    if (number === 20) await indexAll(ports, scope);
    if (number % 10 === 0) await grow(ports, scope);
  }
  return intents;
}

/** The luids of the intents of a ledger that the sweeper finds once all are due. */
async function dueIn({ expiries }: LayoutPorts, scope: string): Promise<string[]> {
  const found: string[] = [];
  let places: ExpiryPlaces | undefined;
  do {
    const { due, next } = await expiries.due(Date.now() + 2 * longAgoMs, places);
    found.push(...due.filter((one) => one.scope === scope).map(({ luid }) => luid));
    places = next;
  } while (places);
  return found.sort();
}

/** Compares what lies under terms, some of which pass, with a plain filter over the intents, the newest first. */
async function expectIndexed(
  { catalog }: LayoutPorts,
  scope: string,
  intents: readonly Version[],
): Promise<void> {
  const words = ['usd', 'pending', 'processing', 'committed', 'completed'];
  const terms = [
    ...words.map((value) => ({ field: 'word', value })),
    ...[hot, 'cold'].map((value) => ({ field: 'meta.labels', value })),
  ];
  for (const term of terms) {
    const isListed = ({ kind, record }: Version) =>
      termsOf(kind, record).some(
        ({ field, value }) => field === term.field && value === term.value,
      );
    const own = intents.filter(isListed).map(luidOf);
    const found = (stretch: Stretch) =>
      catalog.indexEntriesOf({ scope, kind: 'intent' }, term, stretch);
    const places = await found({ limit: all });
    expect(places.map(({ luid }) => luid)).toEqual(own);
    for (const limit of [1, 5, own.length + 1])
      expect(await found({ limit })).toEqual(places.slice(0, limit));
    const upTo = places[3]?.at;
    if (upTo !== undefined) expect(await found({ upTo, limit: 7 })).toEqual(places.slice(3, 10));
  }
}

/** Indexes what waits in the outbox, and publishes it. */
async function indexAll(ports: LayoutPorts, scope: string): Promise<void> {
  await indexed(ports, await entriesOf(ports, scope));
}

/** Runs the contract against the ports that are there once the tests run. */
export function describeLayouts(name: string, portsNow: () => LayoutPorts, runs = 10): void {
  describe(`the layout of a ledger in ${name}`, () => {
    test('of a quiet one is a single list and four shards', async () => {
      const ports = portsNow();
      const scope = newScope();
      const next = await intentIn(ports, scope);
      expect(next).not.toHaveProperty('spread');
      expect(await ports.layouts.read(scope)).toEqual({ count: 1, before: 1, sinceMs: 0 });
      expect(await ports.outbox.shards(scope)).toEqual([0, 1, 2, 3]);
    });

    test('grows by four, up to a limit, once for all who saw the same', async () => {
      const { layouts } = portsNow();
      const scope = newScope();
      const nowMs = Date.now();
      for (const [before, count] of [
        [1, 4],
        [4, 16],
        [16, 64],
        [64, 64],
      ] as const) {
        const seen = await layouts.read(scope);
        await Promise.all([1, 2, 3].map(() => layouts.grow(scope, seen, nowMs)));
        const grown = await layouts.read(scope);
        expect(grown.count).toBe(count);
        if (before < count) expect(grown.before).toBe(before);
        expect(grown.sinceMs).toBeGreaterThan(nowMs);
      }
    });

    test('is not used before its time', async () => {
      const ports = portsNow();
      const scope = newScope();
      await ports.layouts.grow(scope, await ports.layouts.read(scope), Date.now());
      const intents: Version[] = [];
      for (let count = 0; count < 8; count += 1) intents.push(await intentIn(ports, scope));
      expect(intents.every(({ spread }) => spread === undefined)).toBe(true);
      await expectFound(ports, scope, intents);
    });

    test('spreads intents, and nothing else, by numbers that their luids have', async () => {
      const ports = portsNow();
      const scope = newScope();
      await grow(ports, scope);
      const intents: Version[] = [];
      for (let count = 0; count < 24; count += 1) intents.push(await intentIn(ports, scope));
      expect(new Set(intents.map(({ spread }) => spread)).size).toBeGreaterThan(2);
      for (const { record, spread = 0 } of intents)
        expect(spreadsOf(record.luid, 4)).toContain(spread);
      const wallet = created('wallet', 'alice');
      await ports.store.commit(commitOf(writeOf(scope, wallet)));
      const [stored] = await ports.store.load([
        { what: 'record', scope, kind: 'wallet', handle: 'alice' },
      ]);
      expect(stored).toEqual(wallet);
      expect(await ports.store.list(scope, 'wallet', { index: 0, limit: 5 })).toEqual([wallet]);
    });

    test('leaves a rulebook as it is', async () => {
      const ports = portsNow();
      const scope = newScope();
      await grow(ports, scope);
      const rulebook = async () => (await ports.store.load([{ what: 'rulebook', scope }]))[0];
      expect(await rulebook()).toBeUndefined();
      await ports.store.commit(commitOf(writeOf(scope, created('domain', 'north'))));
      expect(await rulebook()).toEqual({ domain: 1 });
    });

    test('may be any, at any time, and all is found in its order', async () => {
      const steps = fc.array(
        fc.constantFrom('intent', 'intent', 'intent', 'prove', 'grow' as const),
        {
          minLength: 5,
          maxLength: 40,
        },
      );
      const holds = fc.asyncProperty(steps, fc.nat(), async (commands, seed) => {
        const ports = portsNow();
        const scope = newScope();
        const intents: Version[] = [];
        const run = {
          grow: () => grow(ports, scope),
          intent: async () => void intents.push(await intentIn(ports, scope)),
          prove: async (number: number) => {
            const index = (seed + number) % Math.max(1, intents.length);
            const previous = intents[index];
            if (previous) intents[index] = await provedIn(ports, scope, previous);
          },
        };
        for (const [number, command] of commands.entries()) await run[command](number);
        await expectFound(ports, scope, intents);
        const { count } = await ports.layouts.read(scope);
        for (const version of intents) {
          expect(await currentOf(ports.store, scope, version)).toEqual(version);
          expect(outboxShardsOf(count)).toContain(shardOfVersion(version));
        }
      });
      await fc.assert(holds, { numRuns: runs });
    });

    test('spreads what passes, and every status and label is found in its order, and what is due', async () => {
      const ports = portsNow();
      const scope = newScope();
      let intents = await hotOnesIn(ports, scope);
      expect(new Set(intents.map(({ spread }) => spread)).size).toBeGreaterThan(4);
      expect(await dueIn(ports, scope)).toEqual(intents.map(luidOf).sort());
      for (const status of ['processing', 'committed', 'completed', 'completed']) {
        await indexAll(ports, scope);
        await expectIndexed(ports, scope, intents);
        const [first, ...rest] = intents as [Version, ...Version[]];
        const changed = rest.map((intent) => provedIn(ports, scope, intent, status));
        intents = [first, ...(await Promise.all(changed))];
      }
      expect(await dueIn(ports, scope)).toEqual([luidOf(intents[0] as Version)]);
    });

    test('is known to the relay: each entry is in the shard of its record', async () => {
      const ports = portsNow();
      const scope = newScope();
      const intents: Version[] = [];
      for (let round = 0; round < 4; round += 1) {
        for (let count = 0; count < 6; count += 1) intents.push(await intentIn(ports, scope));
        await grow(ports, scope);
      }
      // A worker that looks for what was left over asks for the layout every minute.
      await ports.layouts.read(scope);
      const entries = await entriesOf(ports, scope);
      expect(entries.map(({ luid }) => luid).sort()).toEqual(intents.map(luidOf).sort());
      for (const entry of entries) {
        const own = intents.find((intent) => luidOf(intent) === entry.luid) as Version;
        expect(entry.shard).toBe(shardOfVersion(own));
      }
      expect(await ports.outbox.versions(entries)).toHaveLength(entries.length);
      await ports.outbox.markPublished(entries);
      expect(await entriesOf(ports, scope)).toEqual([]);
    });
  });
}
