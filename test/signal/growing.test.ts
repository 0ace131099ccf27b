/**
 * Goal: a ledger gets a larger layout when its partitions fill up, and only then. Method: entries of a rate, published
 * one after the other, and what the meter makes of them. Decision 124.
 */
import { expect, test } from 'vitest';
import type { Layout } from '../../shared/port/layouts.ts';
import type { Outbox, OutboxEntry } from '../../shared/port/outbox.ts';
import { growing, listRate, meteredMs, shardRate } from '../../shared/signal/growing.ts';

const startMs = Date.parse('2026-03-01T00:00:00.000Z');
const scope = 'main';

interface EntryOf {
  readonly atMs: number;
  readonly signal?: string;
  readonly kind?: OutboxEntry['kind'];
  readonly shard?: number;
  readonly block?: OutboxEntry['block'];
}

const entry = ({ atMs, signal = 'intent-created', kind = 'intent', shard = 0, block }: EntryOf) =>
  ({
    ...{ scope, shard, kind, luid: '$int.x', handle: 'x', change: 1 },
    ...{ place: String(atMs), momentMs: atMs, signals: [{ signal, change: 1 }] },
    ...(block && { block }),
  }) satisfies OutboxEntry;

/** An outbox with a meter, and the layouts that it stored. */
function metered(first: Layout = { count: 1, before: 1, sinceMs: 0 }) {
  const published: OutboxEntry[] = [];
  const grown: number[] = [];
  const errors: unknown[] = [];
  const state = { layout: first, isBroken: false, nowMs: startMs };
  const none = {} as unknown as Outbox;
  const outbox = growing({
    outbox: { ...none, markPublished: async (entries) => void published.push(...entries) },
    layouts: {
      read: async () => {
        if (state.isBroken) throw new Error('broken');
        return state.layout;
      },
      grow: async (_, { count }, nowMs) => {
        grown.push(count);
        state.layout = { count: count * 4, before: count, sinceMs: nowMs + 10_000 };
      },
    },
    clock: () => state.nowMs,
    report: (error) => errors.push(error),
  });
  /** Publishes so many entries a second, in batches. */
  const publish = async (rate: number, ms: number, more: Partial<EntryOf> = {}) => {
    const count = Math.floor((rate * ms) / 1_000);
    for (let number = 0; number < count; number += 50) {
      const some = Array.from({ length: Math.min(50, count - number) }, (_, index) =>
        entry({ atMs: state.nowMs + ((number + index) * 1_000) / rate, ...more }),
      );
      await outbox.markPublished(some);
    }
    state.nowMs += ms;
  };
  return { published, grown, errors, state, publish };
}

test('a ledger that stays below the rate never grows, however long', async () => {
  const { grown, publish, published } = metered();
  await publish(listRate - 1, 10 * meteredMs);
  expect(grown).toEqual([]);
  expect(published).toHaveLength((listRate - 1) * 300);
});

test('a ledger grows when the rate lasts, and when as many come at once', async () => {
  const lasting = metered();
  await lasting.publish(listRate + 2, meteredMs);
  expect(lasting.grown).toEqual([1]);
  const burst = metered();
  await burst.publish(listRate * 40, 1_000);
  expect(burst.grown).toEqual([1]);
});

test('what came before a layout is used does not make it grow again', async () => {
  const { grown, publish } = metered();
  await publish(5_000, 9_000);
  expect(grown).toEqual([1]);
  await publish(1_000, 1_000);
  await publish(1_000, 8_000);
  expect(grown).toEqual([1, 4]);
});

test('a spread ledger grows by what a shard takes, not by new intents alone', async () => {
  const layout = { count: 4, before: 1, sinceMs: 0 };
  const calm = metered(layout);
  await calm.publish(shardRate - 2, 4 * meteredMs);
  expect(calm.grown).toEqual([]);
  const busy = metered(layout);
  await busy.publish(shardRate + 2, meteredMs);
  expect(busy.grown).toEqual([4]);
});

test('of a quiet ledger, later changes count for its shards and not for its list', async () => {
  const signal = 'intent-updated';
  const calm = metered();
  await calm.publish(shardRate - 2, 4 * meteredMs, { signal });
  expect(calm.grown).toEqual([]);
  const busy = metered();
  await busy.publish(shardRate + 2, meteredMs, { signal });
  expect(busy.grown).toEqual([1]);
});

test('records of other kinds are not counted, and each shard is counted by itself', async () => {
  const { grown, publish, state } = metered();
  await publish(5 * shardRate, meteredMs, { kind: 'wallet', signal: 'wallet-created' });
  for (const shard of [0, 1, 2, 3]) {
    await publish(listRate - 5, meteredMs, { shard });
    state.nowMs -= meteredMs;
  }
  expect(grown).toEqual([]);
});

test('a ledger does not grow by what came slowly after a clock ran ahead', async () => {
  const { grown, publish } = metered();
  await publish(1, 1_000, { atMs: startMs + 365 * 86_400_000 });
  await publish(listRate / 10, 60 * meteredMs);
  expect(grown).toEqual([]);
});

test('a layout is used before it grows again, also where the clock of who stores runs ahead', async () => {
  const { grown, publish } = metered();
  await publish(5_000, 1_000, { atMs: startMs + 60_000 });
  await publish(5_000, 1_000, { atMs: startMs + 61_000 });
  expect(grown).toEqual([1]);
  await publish(1, 10_000);
  await publish(5_000, 1_000, { atMs: startMs + 72_000 });
  expect(grown).toEqual([1, 4]);
});

test('what shares an item with others counts as little as it writes', async () => {
  const { grown, publish } = metered();
  await publish(1_000, 10_000, { block: { place: 'x', count: 40 } });
  expect(grown).toEqual([]);
  await publish(1_000, 10_000, { block: { place: 'x', count: 4 } });
  expect(grown).toEqual([1]);
});

test('a layout that cannot be read holds nothing up', async () => {
  const { published, errors, state, publish } = metered();
  state.isBroken = true;
  await publish(5_000, 1_000);
  expect(published).toHaveLength(5_000);
  expect(errors.length).toBeGreaterThan(0);
});
