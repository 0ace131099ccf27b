/**
 * Goal: whatever breaks, and however many look at once, a monitor tells each crossing as one event, in order. Method:
 * ports that break at any call, before or after it took effect. Ruling 95, Decision 110.
 */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { Version } from '../../shared/ledger/record.ts';
import type { LedgerEvent } from '../../shared/signal/event.ts';
import { type MonitorPorts, monitoring } from '../../shared/signal/monitoring.ts';
import type { Bus } from '../../shared/signal/relay.ts';
import { bookedScope } from '../contract/books.ts';
import { waiting } from '../contract/outbox.ts';
import { courseOf } from '../fixture/booked.ts';
import { memoryStore } from '../fixture/memory.ts';
import { commitOf, created, dropped, revised, writeOf } from '../fixture/version.ts';

const watched = (threshold: number) => ({ wallet: 'alice', symbol: 'usd', threshold });
const done = ['prepared', 'committed', 'completed'];

/** A ledger with a monitor at 50. `ports` are what the relay has, and a test may break. */
async function ledger() {
  const store = memoryStore();
  const { outbox, monitors } = store;
  const scope = await bookedScope(store);
  const told: LedgerEvent[] = [];
  const bus: Bus = {
    publish: async (lines) => {
      told.push(...lines.flat());
      return lines.map(({ length }) => length);
    },
  };
  const commit = async (next: Version, previous?: Version) =>
    expect(await store.commit(commitOf(writeOf(scope, next, previous)))).toEqual([]);
  for (const [kind, handle] of [
    ['wallet', 'alice'],
    ['wallet', 'bob'],
    ['symbol', 'usd'],
  ] as const)
    await commit(created(kind, handle));
  const effect = created('effect', 'low', { signal: 'balance-crossed', balance: watched(50) });
  await commit(effect);
  let count = 0;
  const pay = async (amount: number) => {
    count += 1;
    const script = { claims: [], sides: [{ wallet: 'alice', amount }], commits: [done] };
    await commit(courseOf(`pay-${count}`, script)[0] as Version);
  };
  const ports: MonitorPorts = { outbox, monitors, store, bus };
  const relay = async (own: MonitorPorts = ports) =>
    monitoring(own).markPublished(await waiting(outbox, scope));
  const isEmpty = async () => (await waiting(outbox, scope)).every(({ kind }) => kind !== 'intent');
  return { ...{ scope, store, ports, told, effect }, ...{ commit, pay, relay, isEmpty } };
}

const lineOf = ({ data }: LedgerEvent) => {
  const { direction, available, threshold } = data['balance'] as Record<string, unknown>;
  return `${data.change} ${direction} ${threshold}: ${available}`;
};

/** The crossings of 50 on the way through these changes of a balance, counted with a pencil. */
function crossingsOf(amounts: readonly number[]): string[] {
  const lines: string[] = [];
  let balance = 0;
  for (const amount of amounts) {
    const wasBelow = balance < 50;
    balance += amount;
    if (balance < 50 !== wasBelow)
      lines.push(`${lines.length + 1} ${wasBelow ? 'above' : 'below'} 50: ${balance}`);
  }
  return lines;
}

type Fault = 'none' | 'before' | 'after';

/** Calls a port as long as nothing breaks; the faults are taken in turn. */
async function calling<Result>(faults: Fault[], call: () => Promise<Result>): Promise<Result> {
  const fault = faults.shift() ?? 'none';
  if (fault === 'before') throw new Error('broken before');
  const result = await call();
  if (fault === 'after') throw new Error('broken after');
  return result;
}

function breaking({ outbox, monitors, store, bus }: MonitorPorts, faults: Fault[]): MonitorPorts {
  return {
    outbox: {
      ...outbox,
      markPublished: (entries) => calling(faults, () => outbox.markPublished(entries)),
    },
    monitors: {
      ...monitors,
      save: (scope, luid, next) => calling(faults, () => monitors.save(scope, luid, next)),
    },
    store,
    bus: { publish: (lines) => calling(faults, () => bus.publish(lines)) },
  };
}

const anyStep = fc.record({
  amounts: fc.array(
    fc.integer({ min: -60, max: 60 }).filter((amount) => amount !== 0),
    {
      ...{ minLength: 1, maxLength: 4 },
    },
  ),
  faults: fc.array(fc.constantFrom<Fault>('none', 'none', 'before', 'after'), { maxLength: 8 }),
  relays: fc.integer({ min: 0, max: 3 }),
});

test('each crossing is one event, whatever breaks and whoever looks at once', async () => {
  const property = fc.asyncProperty(fc.array(anyStep, { maxLength: 6 }), async (steps) => {
    const { ports, told, pay, relay, isEmpty } = await ledger();
    for (const { amounts, faults, relays } of steps) {
      for (const amount of amounts) await pay(amount);
      const own = breaking(ports, [...faults]);
      await Promise.allSettled(Array.from({ length: relays }, () => relay(own)));
    }
    await relay();
    expect(await isEmpty()).toBe(true);
    const events = new Map(told.map((event) => [event.data.handle, event]));
    for (const event of told) expect(event).toEqual(events.get(event.data.handle));
    expect([...events.values()].map(lineOf)).toEqual(
      crossingsOf(steps.flatMap(({ amounts }) => amounts)),
    );
  });
  await fc.assert(property, { numRuns: 100 });
});

describe('a crossing that was stored and not told yet', () => {
  const stuck = async () => {
    const one = await ledger();
    await one.pay(60);
    const bus: Bus = { publish: async () => [0] };
    await expect(one.relay({ ...one.ports, bus })).rejects.toThrow('did not accept');
    expect(await one.isEmpty()).toBe(false);
    return one;
  };

  test('is told later', async () => {
    const { relay, told } = await stuck();
    await relay();
    expect(told.map(lineOf)).toEqual(['1 above 50: 60']);
  });

  test('is told of the balance that it is about, when the effect has got another one', async () => {
    const { relay, told, commit, effect, pay } = await stuck();
    const other = revised(effect, { balance: watched(90) });
    await commit(other, effect);
    await pay(40);
    await relay();
    expect(told.map(lineOf)).toEqual(['1 above 50: 60', '2 above 90: 100']);
    // With the effect as it stood, so that the same event is told after a crash.
    expect(told.map(({ data }) => data['effect'])).toEqual([effect.record, other.record]);
  });

  test('is told to nobody when the effect has ended', async () => {
    const { relay, told, commit, effect, isEmpty } = await stuck();
    await commit(dropped(effect), effect);
    await relay();
    expect([told, await isEmpty()]).toEqual([[], true]);
  });
});

describe('a monitor that watched something else in between', () => {
  test.each([
    ['another wallet', { balance: { ...watched(50), wallet: 'bob' } }],
    ['another threshold', { balance: watched(10) }],
    ['no balance, with another signal', { signal: 'wallet-created', balance: undefined }],
  ])('begins anew at its last update: %s', async (_what, other) => {
    const { relay, told, commit, effect, pay } = await ledger();
    await pay(60);
    await relay();
    const elsewhere = revised(effect, other);
    await commit(elsewhere, effect);
    await pay(-25);
    // Nobody looks for the other balance before the effect is as it was.
    const back = revised(elsewhere, { signal: 'balance-crossed', balance: watched(50) });
    await commit(back, elsewhere);
    await pay(1);
    await relay();
    expect(told.map(lineOf)).toEqual(['1 above 50: 60']);
    await pay(20);
    await relay();
    expect(told.map(lineOf)).toEqual(['1 above 50: 60', '2 above 50: 56']);
    expect(told.at(-1)?.data['effect']).toEqual(back.record);
  });

  test('goes on where only other data changed, and reads the history of its effect once', async () => {
    const { ports, relay, told, commit, effect, pay } = await ledger();
    await pay(60);
    await relay();
    const same = revised(effect, { custom: { note: 'low cash' } });
    await commit(same, effect);
    await pay(-25);
    const store = { ...ports.store, past: vi.fn(ports.store.past) };
    await relay({ ...ports, store });
    expect(told.map(lineOf)).toEqual(['1 above 50: 60', '2 below 50: 35']);
    const { length } = store.past.mock.calls;
    await pay(1);
    await relay({ ...ports, store });
    expect(store.past).toHaveBeenCalledTimes(length);
  });
});

test('an effect that ends while it is looked at holds up nothing', async () => {
  const { ports, relay, commit, effect, pay, told, isEmpty } = await ledger();
  await pay(60);
  const { monitors } = ports;
  const rest: typeof monitors.rest = async (name, after) => {
    const found = await monitors.rest(name, after);
    await commit(dropped(effect), effect);
    return found;
  };
  await relay({ ...ports, monitors: { ...monitors, rest } });
  expect([told, await isEmpty()]).toEqual([[], true]);
});

test('who is overtaken again and again gives up, and the change waits', async () => {
  const { ports, relay, pay, isEmpty } = await ledger();
  await pay(60);
  const save = vi.fn(async () => false);
  const monitors = { ...ports.monitors, save };
  await expect(relay({ ...ports, monitors })).rejects.toThrow('by too many at once');
  expect(await isEmpty()).toBe(false);
  expect(save).toHaveBeenCalledTimes(20);
});

test('a ledger without monitors pays for one reading', async () => {
  const { ports, relay, commit, effect, pay, isEmpty } = await ledger();
  await commit(dropped(effect), effect);
  await pay(60);
  const store = { ...ports.store, indexed: vi.fn(ports.store.indexed) };
  const never = async () => {
    throw new Error('Nobody asks.');
  };
  const monitors = { ...ports.monitors, moved: never, rest: never, read: never };
  await relay({ ...ports, store, monitors });
  expect(await isEmpty()).toBe(true);
  expect(store.indexed).toHaveBeenCalledTimes(1);
});
