/** Goal: what the event of an intent says of entries is told to whoever asks for it, once. Rulings 70 and 78, Decision 78. */
import { describe, expect, test } from 'vitest';
import { hashOf } from '../../shared/crypto/digest.ts';
import { privateKeyOf, publicOf } from '../../shared/crypto/key.ts';
import { isLuid, timeOfLuid } from '../../shared/crypto/luid.ts';
import { verify } from '../../shared/crypto/proof.ts';
import type { AcceptPorts } from '../../shared/delivery/accepted.ts';
import { accept } from '../../shared/delivery/courier.ts';
import type { BridgeCall } from '../../shared/ledger/call.ts';
import type { LedgerRecord, Version } from '../../shared/ledger/record.ts';
import type { Delivery } from '../../shared/port/deliveries.ts';
import { entrySignals } from '../../shared/shape/signal-name.ts';
import { eventsOf, type LedgerEvent } from '../../shared/signal/event.ts';
import { patternMaker } from '../../shared/signal/pattern.ts';
import { withReceivers } from '../../shared/signal/receivers.ts';
import { bridge, bridged, entryOf } from '../fixture/bridged.ts';
import { memoryDeliveries } from '../fixture/memory-deliveries.ts';
import { created } from '../fixture/version.ts';
import { details } from './event-schemas.ts';
import { entryOf as outboxEntryOf } from './post.ts';

const seed = Buffer.alloc(32, 7);
const key = { public: publicOf(seed), privateKey: privateKeyOf(seed) };
const nowMs = Date.parse('2026-02-01T00:00:00.000Z');
const action = { schema: 'webhook', endpoint: 'https://example.com/' };

function effectOf(handle: string, signal: string, domain?: string): Version {
  const effect = created('effect', handle, { signal, action });
  const { record } = effect;
  return domain === undefined
    ? effect
    : { ...effect, record: { ...record, meta: { ...record.meta, domain } } };
}

/** The courier of `main`, with these records and effects; notes what it loads and whose subscribers it reads. */
function courier(records: readonly Version[], effects: readonly Version[]) {
  const [loads, reads]: string[][] = [[], []];
  const find = ({ kind, handle }: { kind: string; handle: string }) =>
    records.find((one) => one.kind === kind && one.record.data.handle === handle);
  const ports: AcceptPorts = {
    services: {
      clock: () => nowMs,
      identityOf: async (handle) => (handle === 'main' ? { handle, key } : undefined),
      store: {
        load: async (wants: { kind: string; handle: string }[]) => {
          loads?.push(...wants.map(({ kind, handle }) => `${kind} ${handle}`));
          return wants.map(find);
        },
      } as never,
    },
    deliveries: memoryDeliveries((_scope, signal) => {
      reads?.push(signal);
      return effects.filter(({ record }) => record.data['signal'] === signal);
    }),
    patternMaker,
    leaseMs: 60_000,
    postponedUntil: () => undefined,
    refused: async () => {},
    report: (error) => {
      throw error;
    },
  };
  return { ports, loads, reads };
}

const bank = bridge('bank');
const all = entrySignals.map((signal) => effectOf(signal, signal));

/** The event of an intent's only change, as it comes from the bus. */
function eventOf(intent: Version, calls: readonly BridgeCall[] = []): LedgerEvent {
  const signal = calls.length > 0 ? 'intent-updated' : 'intent-proofs-added';
  const told = { signal, change: 1, ...(calls.length > 0 && { calls }) };
  const [event] = eventsOf(outboxEntryOf(intent, [told]), intent);
  return JSON.parse(JSON.stringify(event)) as LedgerEvent;
}

const asked = bridged({ entries: [{ schema: 'debit' }] });
const reported = bridged({ entries: [{ schema: 'debit', reported: ['prepared'] }] });
const ask = (intent: Version, wish: BridgeCall['action'] = 'prepare'): BridgeCall => ({
  bridge: 'bank',
  action: wish,
  entry: entryOf(intent),
});
const moments: readonly (readonly [string, LedgerEvent])[] = [
  ['bridge-entry-created', eventOf(asked, [ask(asked)])],
  ['bridge-entry-updated', eventOf(asked, [ask(asked, 'abort')])],
  ['bridge-entry-proofs-added', eventOf(reported)],
];
const toldIn = (deliveries: readonly Delivery[]) =>
  deliveries.filter(({ data }) => data.effect !== undefined);

describe.each(moments)('an event %s', (signal, event) => {
  test('is as its schema says, and so is the event that brings it', async () => {
    const { ports } = courier([bank], all);
    const [told, ...others] = toldIn(await accept(ports, [event]));
    expect([told?.data.effect, others]).toEqual([signal, []]);
    const { luid, ledger } = event;
    expect(
      details.get(signal)?.safeParse({ ledger, luid, data: told?.data.record.data }).error,
    ).toBe(undefined);
    expect(details.get(event.data.signal)?.safeParse(event).error).toBeUndefined();
    expect(event.entries?.map((one) => one.signal)).toEqual([signal]);
  });

  test('has the entry as a record that the ledger signs', async () => {
    const { ports } = courier([bank], all);
    const [told] = toldIn(await accept(ports, [event]));
    const { data } = (told as Delivery).data.record;
    const entry = data['bridge-entry'] as LedgerRecord;
    expect(entry.hash).toBe(hashOf(entry.data));
    expect(entry.meta.proofs.map((proof) => verify(entry.hash, proof))).toEqual([true]);
    expect(entry.data['intent']).toEqual(event.data['intent']);
    expect(told?.data.linked).toBe(event.luid);
  });

  test('is accepted once, however often and late it comes', async () => {
    const { ports } = courier([bank], all);
    const later: AcceptPorts = {
      ...ports,
      services: { ...ports.services, clock: () => nowMs + 86_400_000 },
    };
    const [told] = toldIn(await accept(ports, [event]));
    expect(await accept(later, [event, event])).toEqual([]);
    const { handle, moment } = (told as Delivery).data.record.data as LedgerEvent['data'];
    expect(isLuid(handle.replace('evt_', '$evt.'), 'evt')).toBe(true);
    expect(timeOfLuid(handle.replace('evt_', '$evt.'))).toBe(Date.parse(moment));
    expect(handle).not.toBe(event.data.handle);
  });
});

test.each([...entrySignals, 'intent-updated', 'intent-proofs-added', 'wallet-created'])(
  'the relay marks what the courier makes nothing of, where an effect asks for %s',
  async (signal) => {
    for (const event of [...moments.map(([, one]) => one), eventOf(asked)]) {
      const { ports } = courier([bank], [effectOf('hook', signal)]);
      const indexed = async (scope: string, _kind: string, value: string) =>
        ports.deliveries.subscribers(scope, value);
      const [[marked] = []] = await withReceivers({ indexed }, [[event]]);
      const made = await accept(ports, [event]);
      expect(marked?.hasReceiver).toBe(made.length > 0 ? undefined : false);
    }
  },
);

test('where nobody asks for entries nothing is loaded or kept for them', async () => {
  const { ports, loads, reads } = courier([bank], []);
  expect(await accept(ports, [eventOf(reported), eventOf(reported)])).toEqual([]);
  expect(loads).toEqual([]);
  expect(reads).toEqual(['intent-proofs-added', 'bridge-entry-proofs-added']);
});

test('an event without entries costs no more than before', async () => {
  const { ports, reads } = courier([], all);
  expect(await accept(ports, [eventOf(asked)])).toEqual([]);
  expect(reads).toEqual(['intent-proofs-added']);
});

test('an entry of another intent of the thread is told with that one', async () => {
  const fee = bridged({ handle: 'fee', entries: [{ schema: 'credit' }] });
  const { ports } = courier([bank, fee], all);
  const [told] = toldIn(await accept(ports, [eventOf(asked, [{ ...ask(fee), intent: 'fee' }])]));
  const { data } = (told as Delivery).data.record;
  const entry = data['bridge-entry'] as LedgerRecord;
  expect([entry.data.handle, told?.data.linked]).toEqual([entryOf(fee), fee.record.luid]);
  expect(entry.data['intent']).toEqual(fee.record);
});

test('an entry that would be too large is told without notes', async () => {
  const custom = { note: 'x'.repeat(200_000) };
  const claim = { action: 'transfer', symbol: 'usd', amount: 1, target: 'bob@bank' };
  const claims = [{ ...claim, source: { handle: 'alice@bank', custom } }];
  const large = bridged({ claims, entries: [{ schema: 'debit', reported: ['prepared'] }] });
  const { ports } = courier([bank], all);
  const [told] = toldIn(await accept(ports, [eventOf(large)]));
  const entry = (told as Delivery).data.record.data['bridge-entry'] as LedgerRecord;
  expect(entry.hash).toBe(hashOf(entry.data));
  expect(entry.data['source']).toEqual({ handle: 'alice@bank' });
  expect(entry.data['intent']).toEqual(large.record);
});

test.each([
  ['bank@a', ['all', 'near']],
  ['bank', ['all']],
])('an entry of a bridge %s that is gone lies where its handle says', async (handle, heard) => {
  const signal = 'bridge-entry-proofs-added';
  const effects = [effectOf('all', signal), effectOf('near', signal, 'a')];
  const intent = bridged({
    entries: [{ schema: 'debit', bridge: handle, reported: ['prepared'] }],
  });
  const { ports } = courier([], effects);
  const told = toldIn(await accept(ports, [eventOf(intent)]));
  expect(told.map(({ data }) => data.effect)).toEqual(heard);
});

test('an entry lies where the bridge does that its intent began with, whoever has its handle', async () => {
  const signal = 'bridge-entry-proofs-added';
  const effects = ['a', 'b'].map((domain) => effectOf(domain, signal, domain));
  const inDomain = (version: Version, domain: string): Version => ({
    ...version,
    record: { ...version.record, meta: { ...version.record.meta, domain } },
  });
  const [former, later] = [inDomain(bridge('bank'), 'a'), inDomain(bridge('bank'), 'b')];
  const { luid } = former.record;
  const intent = { ...reported, bridgeLuids: { bank: luid } };
  for (const now of [[later], []]) {
    const { ports } = courier(now, effects);
    const past = async (_scope: string, of: string) => (of === luid ? [former] : []);
    const services = { ...ports.services, store: { ...ports.services.store, past } };
    const told = toldIn(await accept({ ...ports, services }, [eventOf(intent)]));
    expect(told.map(({ data }) => data.effect)).toEqual(['a']);
  }
});
