/**
 * A ledger that grows while it is used. Goal: whoever looks for an intent that is stored finds it, however late the layout
 * of its ledger was stored, and however often it had to be tried. Method: processes with clients of their own on one
 * table, in virtual time; one lets the ledger grow, and others have read its layout just before. Decisions 124 and 139.
 */
import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import type { Store } from '../../shared/port/ports.ts';
import { listPartitionsOf, rulebookKeyOf } from '../../shared/store/keys.ts';
import { countNow } from '../../shared/store/layout.ts';
import type { TableClient } from '../../shared/store/request.ts';
import { dynamoLayouts, dynamoStore } from '../../shared/store/store.ts';
import { intentIn } from '../contract/layout.ts';
import { between, cancelled, throttled } from '../fixture/trouble.ts';
import { VirtualClock } from './clock.ts';
import { Engine } from './engine.ts';
import { randomOf } from './random.ts';

const tableName = 'layouts';
const scope = 'main';
const startMs = Date.parse('2060-01-01T00:00:00.000Z');
/** The time for which the list of a quiet ledger is full. */
const fullMs = 4_000;
/** The time from storing a layout to its use, where nobody ends it earlier. */
const noticeMs = 10_000;
/** Enough that some of them are spread. */
const count = 12;
/** Enough that the first intent of some of them is not for the list that is full. */
const writerCount = 8;

interface World {
  readonly clock: VirtualClock;
  /** A process; `step` decides what happens to its commands. */
  readonly process: (step?: Parameters<typeof between>[1]) => Process;
}

function inWorld(work: (world: World) => Promise<void>): Promise<void> {
  const clock = new VirtualClock(startMs, randomOf(1));
  const engine = new Engine(tableName, () => clock.now());
  const process: World['process'] = (step = (command, send) => send(command)) => {
    const slow: TableClient = between(engine.client(), async (command, send) => {
      await clock.sleep(5);
      return send(command);
    });
    const options = { client: between(slow, step), tableName };
    return { store: dynamoStore(options), layouts: dynamoLayouts(options) };
  };
  return clock.run(() => work({ clock, process }));
}

interface Process {
  readonly store: Store;
  readonly layouts: ReturnType<typeof dynamoLayouts>;
}

/** An intent that is stored in the end: its caller comes again when there are too many others. */
async function storedBy(writer: Process): ReturnType<typeof intentIn> {
  for (;;) {
    const stored = await intentIn(writer, scope).catch((error: unknown) => {
      if (!String(error).includes('rate-limit')) throw error;
    });
    if (stored) return stored;
  }
}

/** Stores intents, each of which the other process looks for at once; returns when the first one was spread. */
async function storedAndFound(writer: Process, reader: Process): Promise<number | undefined> {
  let spreadMs: number | undefined;
  for (let number = 0; number < count; number += 1) {
    const { record, spread } = await storedBy(writer);
    const want = { what: 'pointer', scope, kind: 'intent', luid: record.luid } as const;
    const [pointer] = await reader.store.load([want]);
    expect(pointer?.handle).toBe(record.data.handle);
    if (spread) spreadMs ??= Date.now() - startMs;
  }
  return spreadMs;
}

/** True for a transaction that puts an intent into a list; returns the partition. */
function listIn(command: object): string | undefined {
  if (!(command instanceof TransactWriteCommand)) return undefined;
  const keys = (command.input.TransactItems ?? []).flatMap(({ Put }) => String(Put?.Item?.['pk']));
  return keys.find((pk) => pk.includes('#list#intent'));
}

/** The cancellation of a transaction whose list has no capacity. */
function throttledAt(command: object, pk: string): Error {
  const { TransactItems = [] } = (command as TransactWriteCommand).input;
  const codes = TransactItems.map(({ Put }) =>
    Put?.Item?.['pk'] === pk ? 'ThrottlingError' : 'None',
  );
  return cancelled(...codes);
}

/** The cancellation of a transaction that met another one. */
function metAt(command: object): Error {
  const { TransactItems = [] } = (command as TransactWriteCommand).input;
  return cancelled(
    ...TransactItems.map((_, index) => (index === 0 ? 'TransactionConflict' : 'None')),
  );
}

/** A process from which some lists, that of a quiet ledger unless said, take nothing for some seconds. */
function turnedAway(
  { clock, process }: World,
  { isStopped = (_: object): boolean => false, fullCount = 1, forMs = fullMs } = {},
): Process {
  const full = listPartitionsOf(scope, 'intent', fullCount);
  return process((command, send) => {
    const pk = listIn(command);
    const isFull = pk !== undefined && full.includes(pk) && clock.now() < startMs + forMs;
    if (isFull) throw throttledAt(command, pk);
    return isStopped(command) ? new Promise(() => {}) : send(command);
  });
}

/** True for the update that stores a layout. */
function isOfLayout(command: object): boolean {
  return command instanceof UpdateCommand && command.input.Key?.['pk'] === rulebookKeyOf(scope).pk;
}

describe('a layout', () => {
  test('that was stored late is used as much later', () =>
    inWorld(async ({ clock, process }) => {
      const lateMs = 12_000;
      const reader = process();
      const writer = process(async (command, send) => {
        if (isOfLayout(command) && clock.now() < startMs + lateMs) throw throttled();
        // What was read just before is as old as can be.
        if (isOfLayout(command)) await reader.layouts.read(scope);
        return send(command);
      });
      await writer.layouts.grow(scope, await writer.layouts.read(scope), Date.now());
      expect(clock.now()).toBeGreaterThan(startMs + lateMs);
      await writer.layouts.read(scope);
      expect(await storedAndFound(writer, reader)).toBeUndefined();
      await clock.sleep(15_000);
      await writer.layouts.read(scope);
      expect(await storedAndFound(writer, reader)).toBeGreaterThan(lateMs + 10_000);
    }));

  test('is used as soon as every process knows it, also by commits that were turned away before', () =>
    inWorld(async (world) => {
      // Longer than the draws of any waits last until one of them is spread.
      const forMs = 5_000;
      const reader = world.process();
      const writers = Array.from({ length: writerCount }, () => turnedAway(world, { forMs }));
      let isOver = false;
      const read = async (): Promise<void> => {
        // What it knows is as old as it may be.
        for (; !isOver; await world.clock.sleep(1_999)) await reader.layouts.read(scope);
      };
      void read();
      const firsts = await Promise.all(writers.map((one) => storedAndFound(one, reader)));
      isOver = true;
      for (const first of firsts) expect(first).toBeLessThan(noticeMs);
      expect(Math.min(...firsts.map(Number))).toBeLessThan(forMs);
    }));

  test('does not keep the commit waiting that asked for it', () =>
    inWorld(async ({ clock, process }) => {
      let isStored = false;
      const writer = process((command, send) => {
        const pk = listIn(command);
        if (pk !== undefined && !isStored) throw throttledAt(command, pk);
        isStored ||= isOfLayout(command);
        return send(command);
      });
      const { spread } = await storedBy(writer);
      const layout = await process().layouts.read(scope);
      expect([isStored, spread, layout.count]).toEqual([true, undefined, 4]);
      expect(layout.sinceMs).toBeGreaterThan(clock.now());
      await clock.sleep(noticeMs / 2);
      expect((await process().layouts.read(scope)).sinceMs).toBeLessThan(clock.now());
    }));

  test('is used by a commit that only met others before', () =>
    inWorld(async ({ clock, process }) => {
      const [noticeLeftMs, crowdedMs] = [300, 1_500];
      const grower = process();
      const writer = process((command, send) => {
        const isMet = listIn(command) !== undefined && clock.now() < startMs + crowdedMs;
        if (isMet) throw metAt(command);
        return send(command);
      });
      const nowMs = startMs + noticeLeftMs - noticeMs;
      await grower.layouts.grow(scope, await grower.layouts.read(scope), nowMs);
      // It knows that the notice goes on.
      await writer.layouts.read(scope);
      const { spread } = await storedBy(writer);
      expect(clock.now()).toBeLessThan(startMs + 4_000);
      expect(spread).toBeDefined();
    }));

  test('whose new partitions are full is followed by a larger one', () =>
    inWorld(async (world) => {
      const [forMs, fullCount] = [12_000, 4];
      const writers = Array.from({ length: 4 }, () => turnedAway(world, { forMs, fullCount }));
      const store = async (writer: Process): Promise<void> => {
        // Callers come again.
        while (world.clock.now() < startMs + forMs) await intentIn(writer, scope).catch(() => {});
      };
      await Promise.all(writers.map(store));
      const layout = await world.process().layouts.read(scope);
      // By chance it takes up to ten seconds, and a further layout may be on its way by then.
      expect(countNow(layout)).toBeGreaterThanOrEqual(16);
    }));

  test('is used after its notice when the process that stored it has died', () =>
    inWorld(async (world) => {
      const [reader, writer] = [world.process(), turnedAway(world)];
      let updateCount = 0;
      const isStopped = (command: object): boolean => {
        if (isOfLayout(command)) updateCount += 1;
        return isOfLayout(command) && updateCount > 1;
      };
      const mortal = turnedAway(world, { isStopped });
      void intentIn(mortal, scope);
      await world.clock.sleep(9_000);
      expect(updateCount).toBe(2);
      expect(await storedAndFound(writer, reader)).toBeUndefined();
      await world.clock.sleep(5_000);
      expect(await storedAndFound(writer, reader)).toBeGreaterThan(10_000);
    }));
});
