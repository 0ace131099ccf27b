/**
 * A ledger that grows while it is used. Goal: whoever looks for an intent that is stored finds it, however late the layout
 * of its ledger was stored, and however often it had to be tried. Method: processes with clients of their own on one
 * table, in virtual time; one lets the ledger grow, and others have read its layout just before. Decision 124.
 */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import type { Store } from '../../shared/port/ports.ts';
import { rulebookKeyOf } from '../../shared/store/keys.ts';
import type { TableClient } from '../../shared/store/request.ts';
import { dynamoLayouts, dynamoStore } from '../../shared/store/store.ts';
import { intentIn } from '../contract/layout.ts';
import { between, throttled } from '../fixture/trouble.ts';
import { VirtualClock } from './clock.ts';
import { Engine } from './engine.ts';
import { randomOf } from './random.ts';

const tableName = 'layouts';
const scope = 'main';
const startMs = Date.parse('2060-01-01T00:00:00.000Z');
/** Enough that some of them are spread. */
const count = 12;

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

/** Stores intents, each of which the other process looks for at once; returns how many were spread. */
async function storedAndFound(writer: Process, reader: Process): Promise<number> {
  let spreadCount = 0;
  for (let number = 0; number < count; number += 1) {
    const { record, spread } = await intentIn(writer, scope);
    const want = { what: 'pointer', scope, kind: 'intent', luid: record.luid } as const;
    const [pointer] = await reader.store.load([want]);
    expect(pointer?.handle).toBe(record.data.handle);
    if (spread) spreadCount += 1;
  }
  return spreadCount;
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
      expect(await storedAndFound(writer, reader)).toBe(0);
      await clock.sleep(15_000);
      await writer.layouts.read(scope);
      expect(await storedAndFound(writer, reader)).toBeGreaterThan(0);
    }));
});
