/** Goal: however many intents wait for silent bridges, a sweep gets through to what is to be ended. Decision 70. */
import { expect, test } from 'vitest';
import { type ExpirePorts, expireDue } from '../../shared/intent/expire-due.ts';
import type { Version } from '../../shared/ledger/record.ts';
import type { Services } from '../../shared/port/action.ts';
import type { WaitingIntent } from '../../shared/port/expiries.ts';
import { bridge, bridged } from '../fixture/bridged.ts';
import { memoryDeliveries } from '../fixture/memory-deliveries.ts';

const startMs = Date.parse('2026-06-01T00:00:00.000Z');
const hourMs = 3_600_000;
const bank = bridge('bank');

/** An intent that was decided some hours after the beginning, and whose bank never said that it had done it. */
function decided(handle: string, hours = 0): Version {
  const moment = new Date(startMs + hours * hourMs).toISOString();
  const entries = [{ schema: 'debit', reported: ['prepared'] }] as const;
  return bridged({
    handle,
    status: 'committed',
    entries,
    words: [{ status: 'committed', moment }],
  });
}

/** A sweeper and the intents that it finds due. */
function sweeper(...intents: readonly Version[]) {
  const self = { nowMs: startMs + 2 * hourMs, due: [...intents] };
  const looks: string[] = [];
  const silent: number[] = [];
  const services = {
    clock: () => self.nowMs,
    identityOf: async (handle: string) => ({ handle }),
    deliveries: memoryDeliveries(() => []),
    store: {
      load: async (wants: readonly { kind: string; handle: string }[]) =>
        wants.map(({ kind, handle }) => {
          if (kind === 'bridge') return bank;
          looks.push(handle);
          return self.due.find(({ record }) => record.data.handle === handle);
        }),
      commit: async () => [],
    },
  } as unknown as Services;
  const named = ({ record }: Version): WaitingIntent => {
    return { scope: 'main', luid: record.luid, handle: record.data.handle };
  };
  const ports: ExpirePorts = {
    services,
    expiries: { due: async () => ({ due: self.due.map((one) => ({ ...named(one), dueMs: 0 })) }) },
    hasTime: () => true,
    reminders: new Map(),
    report: (error) => {
      throw error;
    },
    unanswered: (count) => void silent.push(count),
    forgotten: (count) => {
      throw new Error(`${count} were forgotten`);
    },
  };
  /** The intents that one sweep looks at, and what it counts. */
  const sweep = async () => {
    await expireDue(ports);
    return [looks.splice(0), silent.splice(0)];
  };
  return Object.assign(self, { ports, sweep });
}

test('what was decided is looked at once an hour, and counted in each sweep', async () => {
  const self = sweeper(decided('one'), decided('two'));
  expect(await self.sweep()).toEqual([['one', 'two'], [2]]);
  expect(await self.sweep()).toEqual([[], [2]]);
  self.due.push(decided('three'));
  expect(await self.sweep()).toEqual([['three'], [3]]);
  self.nowMs += hourMs;
  expect(await self.sweep()).toEqual([['one', 'two', 'three'], [3]]);
});

test('what was looked at is looked at again when the clock was set back, and then rests as before', async () => {
  const self = sweeper(decided('one'));
  self.nowMs += 3 * hourMs;
  expect(await self.sweep()).toEqual([['one'], [1]]);
  self.nowMs -= 3 * hourMs;
  expect(await self.sweep()).toEqual([['one'], [1]]);
  expect(await self.sweep()).toEqual([[], [1]]);
});

test('what was decided a moment ago is not counted, and looked at when its hour is over', async () => {
  const self = sweeper(decided('young', 1.5));
  expect(await self.sweep()).toEqual([['young'], []]);
  self.nowMs = startMs + 2.4 * hourMs;
  expect(await self.sweep()).toEqual([[], []]);
  self.nowMs = startMs + 2.5 * hourMs;
  expect(await self.sweep()).toEqual([['young'], [1]]);
});

test('what has ended is neither counted nor remembered', async () => {
  const self = sweeper(decided('one'), decided('two'));
  await self.sweep();
  self.due.shift();
  expect(await self.sweep()).toEqual([[], [1]]);
  expect(self.ports.reminders.size).toBe(1);
});
