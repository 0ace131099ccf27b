/** Goal: nothing is forgotten before it is mentioned, and trouble with mentions loses nothing. Ruling 23, Decision 32. */
import { describe, expect, test } from 'vitest';
import type { EntryVersion, UnindexedEntry } from '../../shared/port/catalog.ts';
import { indexing } from '../../shared/signal/indexing.ts';
import { drain } from '../../shared/signal/relay.ts';
import { created, proved } from '../fixture/version.ts';
import { post } from './post.ts';

/** A post whose outbox mentions, and what came of it. */
function desk() {
  const ports = post();
  const kept: string[] = [];
  const reported: string[] = [];
  const trouble: { keep?: (told: readonly EntryVersion[]) => UnindexedEntry[] } = {};
  const catalog = {
    keep: async (told: readonly EntryVersion[]) => {
      const unkept = trouble.keep?.(told) ?? [];
      kept.push(...told.map(({ entry, version }) => `${entry.handle} ${version.change}`));
      return unkept;
    },
  };
  const { metric, outbox } = ports;
  const report = (why: string) => void reported.push(why);
  const books = { keep: async () => [] };
  const log = { keep: async () => new Set<string>() };
  const mentioned = indexing({ outbox, catalog, books, log, clock: Date.now, metric, report });
  const relay = { ...ports, outbox: mentioned };
  return { ports, kept, reported, trouble, drained: () => drain(relay, 'main', [0]) };
}

describe('what is told', () => {
  test('is mentioned before it is forgotten', async () => {
    const { ports, kept, drained } = desk();
    const alice = created('wallet', 'alice');
    ports.store(alice);
    ports.store(proved(alice), ['wallet-proofs-added']);
    let known: string[] = [];
    ports.trouble.beforeTold = () => {
      known = [...kept];
    };
    expect(await drained()).toBe(true);
    expect(known).toEqual(['alice 1', 'alice 2']);
    expect(ports.taken).toHaveLength(2);
  });

  test('was mentioned though it has nothing to tell, or cannot be told', async () => {
    const { ports, kept, drained } = desk();
    ports.store(created('wallet', 'silent'), []);
    ports.store(created('wallet', 'poisoned'), [{ signal: 'wallet-created', change: 9 }]);
    expect(await drained()).toBe(true);
    expect(kept).toEqual(['silent 1', 'poisoned 1']);
    expect(ports.aside).toHaveLength(1);
  });

  test('waits as long as mentions cannot be written, and is told again once', async () => {
    const { ports, trouble, drained } = desk();
    const entry = ports.store(created('wallet', 'alice'));
    trouble.keep = () => {
      throw new Error('throttled');
    };
    for (let round = 0; round < 3; round += 1) await expect(drained()).rejects.toThrow('throttled');
    expect([ports.taken.length, ports.aside, ports.waiting()]).toEqual([1, [], [entry]]);
    delete trouble.keep;
    expect(await drained()).toBe(true);
    expect(ports.taken).toHaveLength(2);
    expect(ports.waiting()).toEqual([]);
    ports.store(created('wallet', 'bob'));
    expect(await drained()).toBe(true);
    expect(ports.taken).toHaveLength(3);
  });

  test('goes aside only when it is mentioned', async () => {
    const { ports, trouble, drained } = desk();
    const entry = ports.store(created('wallet', 'x'), [{ signal: 'wallet-created', change: 9 }]);
    trouble.keep = () => {
      throw new Error('throttled');
    };
    await expect(drained()).rejects.toThrow('throttled');
    expect([ports.aside, ports.waiting()]).toEqual([[], [entry]]);
    delete trouble.keep;
    expect(await drained()).toBe(true);
    expect(ports.aside).toHaveLength(1);
  });

  test('is told, counted and reported when it can never be mentioned', async () => {
    const { ports, reported, trouble, drained } = desk();
    const entry = ports.store(created('wallet', 'alice'));
    trouble.keep = () => [{ entry, why: 'unreadable' }];
    expect(await drained()).toBe(true);
    expect(ports.taken).toHaveLength(1);
    expect(ports.metrics).toContainEqual(['OutboxSetAside', 1]);
    expect(reported).toEqual([`${entry.luid} cannot be indexed: unreadable`]);
  });
});

test('what waits for the bus is mentioned once, and what comes after it too', async () => {
  const { ports, kept, drained } = desk();
  ports.store(created('wallet', 'alice'));
  ports.trouble.refuses = () => true;
  for (let round = 0; round < 3; round += 1) expect(await drained()).toBe(false);
  ports.store(created('wallet', 'bob'));
  expect(await drained()).toBe(false);
  expect(kept).toEqual(['alice 1', 'bob 1']);
  ports.trouble = {};
  expect(await drained()).toBe(true);
  expect(kept).toEqual(['alice 1', 'bob 1']);
});

test('a version that cannot be seen yet is mentioned when it can', async () => {
  const { ports, kept, drained } = desk();
  ports.store(created('wallet', 'alice'));
  ports.trouble.lacks = () => true;
  expect(await drained()).toBe(false);
  expect(kept).toEqual([]);
  ports.trouble = {};
  expect(await drained()).toBe(true);
  expect(kept).toEqual(['alice 1']);
});

test('however much waits for the bus, all of it is mentioned before it is forgotten', async () => {
  const ports = post();
  const mentioned = new Set<string>();
  const catalog = {
    keep: async (told: readonly EntryVersion[]) => {
      for (const { entry } of told) mentioned.add(entry.place);
      return [];
    },
  };
  const books = { keep: async () => [] };
  const log = { keep: async () => new Set<string>() };
  const outbox = indexing({ ...ports, catalog, books, log, report: () => {} });
  const entries = Array.from({ length: 10_100 }, (_, index) =>
    ports.store(created('wallet', `w${index}`)),
  );
  ports.trouble.beforeTold = (told) => {
    expect(told.filter(({ place }) => !mentioned.has(place))).toEqual([]);
  };
  for (let start = 0; start < entries.length; start += 50)
    await outbox.versions(entries.slice(start, start + 50));
  await outbox.markPublished(entries);
  expect(ports.waiting()).toEqual([]);
});
