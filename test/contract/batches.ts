/**
 * The contract of batches, as tests that any implementation passes: intents that were stored together are found, told
 * and changed as if each had been stored alone. Decision 142.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Version } from '../../shared/ledger/record.ts';
import type { OutboxEntry } from '../../shared/port/outbox.ts';
import { commitOf, nextMs, transferred, writeOf } from '../fixture/version.ts';
import { currentOf, entriesOf, expectFound, grow, type LayoutPorts, provedIn } from './layout.ts';
import { newScope } from './store.ts';

/** What is done next: intents of which some are one batch, a pause, a proof, a larger layout, a run of the relay. */
type Step =
  | { readonly is: 'intents'; readonly inBatch: readonly boolean[] }
  | { readonly is: 'pause'; readonly ms: number }
  | { readonly is: 'prove' | 'grow' | 'publish' | 'aside'; readonly pick: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      is: fc.constant('intents' as const),
      inBatch: fc.array(
        fc.nat({ max: 3 }).map((number) => number > 0),
        { minLength: 1, maxLength: 14 },
      ),
    }),
  },
  fc.record({ is: fc.constant('pause' as const), ms: fc.constantFrom(1, 90, 256, 70_000) }),
  fc.record({
    is: fc.constantFrom('prove' as const, 'prove' as const, 'publish' as const, 'aside' as const),
    pick: fc.nat(),
  }),
  { weight: 1, arbitrary: fc.record({ is: fc.constant('grow' as const), pick: fc.nat() }) },
);

/** A ledger, and what it should have. */
interface Scene {
  readonly ports: LayoutPorts;
  readonly scope: string;
  /** Oldest first. */
  readonly intents: Version[];
  /** What waits in the outbox: `<luid> <change>`. */
  readonly waiting: Set<string>;
}

const nameOf = ({ luid, change }: Pick<OutboxEntry, 'luid' | 'change'>): string =>
  `${luid} ${change}`;
const nameOfVersion = ({ record, change }: Version): string =>
  nameOf({ luid: record.luid, change });

const run: { readonly [I in Step['is']]: (scene: Scene, step: never) => Promise<void> } = {
  intents: async (
    { ports: { store }, scope, intents, waiting },
    { inBatch }: Step & { is: 'intents' },
  ) => {
    const made = inBatch.map((_, index) => transferred(`i-${intents.length + index}`));
    const together = made.filter((_, index) => inBatch[index]);
    const writes = together.map((next) => writeOf(scope, next));
    if (writes.length > 0)
      expect(await store.commit({ ...commitOf(...writes), isBatch: true })).toEqual([]);
    for (const next of made.filter((one) => !together.includes(one)))
      expect(await store.commit(commitOf(writeOf(scope, next)))).toEqual([]);
    for (const next of made) {
      intents.push(await currentOf(store, scope, next));
      waiting.add(nameOfVersion(next));
    }
  },
  pause: async (_, { ms }: Step & { is: 'pause' }) => {
    for (let past = 0; past < ms; past += 1) nextMs();
  },
  prove: async ({ ports, scope, intents, waiting }, { pick }: Step & { pick: number }) => {
    const index = pick % Math.max(1, intents.length);
    const previous = intents[index];
    if (!previous) return;
    const next = await provedIn(ports, scope, previous);
    intents[index] = next;
    waiting.add(nameOfVersion(next));
  },
  grow: ({ ports, scope }) => grow(ports, scope),
  publish: async ({ ports, scope, waiting }, { pick }: Step & { pick: number }) => {
    const entries = await entriesOf(ports, scope);
    const some = entries.filter((_, index) => (pick + index) % 3 > 0);
    await ports.outbox.markPublished(some);
    for (const entry of some) waiting.delete(nameOf(entry));
  },
  aside: async ({ ports, scope, waiting }, { pick }: Step & { pick: number }) => {
    const entries = await entriesOf(ports, scope);
    const entry = entries[pick % Math.max(1, entries.length)];
    if (!entry) return;
    await ports.outbox.setAside(entry, 'broken');
    waiting.delete(nameOf(entry));
  },
};

async function expectWaiting({ ports, scope, intents, waiting }: Scene): Promise<void> {
  const entries = await entriesOf(ports, scope);
  expect(entries.map(nameOf).sort()).toEqual([...waiting].sort());
  const handles = new Map(intents.map(({ record }) => [record.luid, record.data.handle]));
  for (const { kind, luid, handle, signals, change } of entries) {
    expect([kind, handle]).toEqual(['intent', handles.get(luid)]);
    expect(signals.at(-1)?.change).toBe(change);
  }
  // The versions of a record come in their order.
  const last = new Map<string, number>();
  for (const { luid, change } of entries) {
    expect(change).toBeGreaterThan(last.get(luid) ?? 0);
    last.set(luid, change);
  }
  const versions = await ports.outbox.versions(entries);
  expect(versions.map((version) => version && nameOfVersion(version))).toEqual(entries.map(nameOf));
  const tail = await ports.catalog.tail(scope);
  expect(tail.map(nameOf).sort()).toEqual([...waiting].sort());
}

/** Runs the contract against the ports that are there once the tests run. */
export function describeBatches(name: string, portsNow: () => LayoutPorts, runs = 12): void {
  describe(`batches in ${name}`, () => {
    test('are found, told and changed like intents that were stored alone', async () => {
      const steps = fc.array(step, { minLength: 2, maxLength: 14 });
      const holds = fc.asyncProperty(steps, async (all) => {
        const scene: Scene = {
          ports: portsNow(),
          scope: newScope(),
          intents: [],
          waiting: new Set(),
        };
        for (const one of all) await run[one.is](scene, one as never);
        const { ports, scope, intents } = scene;
        await expectFound(ports, scope, intents);
        for (const version of intents)
          expect(await currentOf(ports.store, scope, version)).toEqual(version);
        await expectWaiting(scene);
        // A relay forgets what it took, and nothing else.
        await ports.outbox.markPublished(await entriesOf(ports, scope));
        expect(await entriesOf(ports, scope)).toEqual([]);
      });
      await fc.assert(holds, { numRuns: runs });
    });

    test('leave the outbox by what was read of it, also where some of them were set aside since', async () => {
      const ports = portsNow();
      const scope = newScope();
      const writes = Array.from({ length: 40 }, (_, n) => writeOf(scope, transferred(`i-${n}`)));
      await ports.store.commit({ ...commitOf(...writes), isBatch: true });
      for (const shard of await ports.outbox.shards(scope)) {
        const left = async () => (await ports.outbox.oldest(scope, shard, 100)).map(nameOf);
        const [one, other, ...rest] = await ports.outbox.oldest(scope, shard, 100);
        if (!one || !other) continue;
        await ports.outbox.setAside(one, 'broken');
        await ports.outbox.setAside(other, 'broken');
        expect(await left()).toEqual(rest.map(nameOf));
        await ports.outbox.markPublished(rest.slice(1));
        expect(await left()).toEqual(rest.slice(0, 1).map(nameOf));
        await ports.outbox.markPublished(rest);
        expect(await left()).toEqual([]);
      }
    });

    test('come in pages of the outbox that end with a batch, or go on behind it', async () => {
      const ports = portsNow();
      const scope = newScope();
      const writes = Array.from({ length: 30 }, (_, n) => writeOf(scope, transferred(`i-${n}`)));
      await ports.store.commit({ ...commitOf(...writes), isBatch: true });
      const shards = await ports.outbox.shards(scope);
      for (const shard of shards) {
        const own = await ports.outbox.oldest(scope, shard, 100);
        const first = await ports.outbox.oldest(scope, shard, 2);
        expect(first.length).toBeGreaterThanOrEqual(Math.min(2, own.length));
        expect(own.slice(0, first.length)).toEqual(first);
        const { place, block } = first.at(-1) ?? {};
        const rest = await ports.outbox.oldest(scope, shard, 100, block?.place ?? place);
        expect(rest).toEqual(own.slice(first.length));
      }
    });
  });
}
