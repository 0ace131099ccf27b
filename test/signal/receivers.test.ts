/**
 * Goal: the relay marks the events that nobody is told of, and no other; the courier would make nothing of a marked one,
 * and the rule of the bus does not bring it. Decision 146.
 */
import { describe, expect, test, vi } from 'vitest';
import { localBus } from '../../localstack/runtime/bus.ts';
import { entrySignals } from '../../shared/shape/signal-name.ts';
import type { LedgerEvent } from '../../shared/signal/event.ts';
import { withReceivers } from '../../shared/signal/receivers.ts';
import { drain } from '../../shared/signal/relay.ts';
import { recentReads, settlingMs, withRecent } from '../../shared/store/recent.ts';
import { memoryStore } from '../fixture/memory.ts';
import { invokes } from '../fixture/rules.ts';
import { commitOf, created, writeOf } from '../fixture/version.ts';
import { post } from './post.ts';

const action = { schema: 'webhook', endpoint: 'https://example.com/' };
const effectOf = (signal: string) => created('effect', `on-${signal}`, { signal, action });
const entry = { entry: 'deb_x', bridge: 'bank', change: 1, status: 'pending' };
const eventOf = (signal: string, more: Partial<LedgerEvent> = {}): LedgerEvent => ({
  ...{ ledger: 'main', luid: '$int.x' },
  data: { handle: `evt_${signal}`, signal, change: 1, moment: 'now' },
  ...more,
});
const call = { bridge: 'bank', action: 'prepare', entry: 'deb_x' } as const;

/** The effects of ledgers by signal, and what is read of them. */
function readerOf(signals: readonly string[], ledger = 'main') {
  const reads: string[] = [];
  const indexed = async (scope: string, kind: string, signal: string, how?: 'recent') => {
    reads.push(`${scope} ${kind} ${signal} ${how}`);
    return scope === ledger && signals.includes(signal) ? [effectOf(signal)] : [];
  };
  return { reads, indexed };
}

async function isMarked(event: LedgerEvent, reader: Parameters<typeof withReceivers>[0]) {
  const [[marked] = []] = await withReceivers(reader, [[event]]);
  const { hasReceiver, ...rest } = marked as LedgerEvent;
  expect(rest).toEqual(event);
  expect(invokes('courier', marked as LedgerEvent)).toBe(hasReceiver === undefined);
  return hasReceiver === false;
}

describe('an event', () => {
  test('of a signal to which nobody subscribes is marked', async () => {
    expect(await isMarked(eventOf('wallet-created'), readerOf(['wallet-updated']))).toBe(true);
  });

  test('of a signal with an effect is not', async () => {
    expect(await isMarked(eventOf('wallet-created'), readerOf(['wallet-created']))).toBe(false);
  });

  test('is not received by effects of other ledgers', async () => {
    const elsewhere = readerOf(['wallet-created'], 'other');
    expect(await isMarked(eventOf('wallet-created'), elsewhere)).toBe(true);
  });

  test('that calls a bridge is not marked, and no effects are read for it', async () => {
    const reader = readerOf([]);
    expect(await isMarked(eventOf('intent-updated', { calls: [call] }), reader)).toBe(false);
    expect(reader.reads).toEqual([]);
  });

  test.each(entrySignals)(
    'with an entry is not marked where an effect asks for %s',
    async (signal) => {
      const event = eventOf('intent-updated', { entries: [{ ...entry, signal }] });
      expect(await isMarked(event, readerOf([signal]))).toBe(false);
      expect(await isMarked(event, readerOf([]))).toBe(true);
    },
  );

  test('is not marked where the effects cannot be read', async () => {
    const unreadable = { indexed: () => Promise.reject(new Error('throttled')) };
    expect(await isMarked(eventOf('wallet-created'), unreadable)).toBe(false);
  });
});

test('the effects of a signal are read once for all events, and as of late', async () => {
  const reader = readerOf([]);
  const line = [eventOf('wallet-created'), eventOf('wallet-updated'), eventOf('wallet-created')];
  await withReceivers(reader, [line, line]);
  expect(reader.reads).toEqual([
    'main effect wallet-created recent',
    'main effect wallet-updated recent',
  ]);
});

test('a rule lets pass what the relay of a release before has put on the bus', () => {
  expect(invokes('courier', eventOf('wallet-created'))).toBe(true);
});

test('every event is on the bus, and the courier gets those that have a receiver', async () => {
  const ports = post();
  ports.store(created('wallet', 'alice'));
  ports.store(created('symbol', 'usd'));
  ports.subscribers = async (_scope, signal) =>
    signal === 'symbol-created' ? [effectOf(signal)] : [];
  const brought: string[] = [];
  const local = localBus(
    { courier: async (events) => void brought.push(...events.map(({ data }) => data.signal)) },
    () => {},
  );
  const bus: typeof ports.bus = {
    publish: async (lines) => {
      await ports.bus.publish(lines);
      return local.publish(lines);
    },
  };
  expect(await drain({ ...ports, bus }, 'main', [0])).toBe(true);
  expect(ports.taken.map(({ data }) => data.signal).sort()).toEqual([
    'symbol-created',
    'wallet-created',
  ]);
  expect(brought).toEqual(['symbol-created']);
  expect(ports.waiting()).toEqual([]);
});

test('a bus of which no event has a receiver asks no courier', async () => {
  const brought: LedgerEvent[] = [];
  const bus = localBus({ courier: async (events) => void brought.push(...events) }, () => {});
  expect(await bus.publish([[eventOf('wallet-created', { hasReceiver: false })]])).toEqual([1]);
  expect(brought).toEqual([]);
});

test('a change that begins after the answer to the creation of an effect has a receiver, whenever the effects were read', async () => {
  vi.useFakeTimers({ now: 1_000_000 });
  const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  const store = memoryStore();
  const settled = () => wait(settlingMs);
  const newProcess = () => withRecent(store, recentReads({ settled }));
  const [endpoint, relay] = [newProcess(), newProcess()];
  const event = eventOf('wallet-created');
  // The relay has just read that there is none.
  expect(await isMarked(event, relay)).toBe(true);
  const answer = endpoint.commit(commitOf(writeOf('main', effectOf('wallet-created'))));
  await vi.advanceTimersByTimeAsync(1);
  expect(await isMarked(event, relay)).toBe(true);
  await vi.advanceTimersByTimeAsync(settlingMs);
  expect(await answer).toEqual([]);
  expect(await isMarked(event, relay)).toBe(false);
  vi.useRealTimers();
});
