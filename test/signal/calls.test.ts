/** Goal: an event that asks for calls gives one delivery for each of them, once. Rulings 54 and 60, Decisions 54 and 55. */
import { describe, expect, test } from 'vitest';
import { hashOf } from '../../shared/crypto/digest.ts';
import { privateKeyOf, publicOf } from '../../shared/crypto/key.ts';
import { isLuid } from '../../shared/crypto/luid.ts';
import { verify } from '../../shared/crypto/proof.ts';
import type { AcceptPorts } from '../../shared/delivery/accepted.ts';
import { accept } from '../../shared/delivery/courier.ts';
import type { BridgeCall } from '../../shared/ledger/call.ts';
import type { Version } from '../../shared/ledger/record.ts';
import type { Delivery } from '../../shared/port/deliveries.ts';
import { entryCallHandle } from '../../shared/record/call-name.ts';
import { deliveryLuidOf } from '../../shared/record/resend.ts';
import { printed } from '../../shared/record/sign.ts';
import { eventsOf, type LedgerEvent } from '../../shared/signal/event.ts';
import { patternMaker } from '../../shared/signal/pattern.ts';
import { bridge, bridged, entryOf } from '../fixture/bridged.ts';
import { memoryDeliveries } from '../fixture/memory-deliveries.ts';
import { created, proved } from '../fixture/version.ts';
import { entryOf as outboxEntryOf } from './post.ts';

const leaseMs = 60_000;
const seed = Buffer.alloc(32, 7);
const key = { public: publicOf(seed), privateKey: privateKeyOf(seed) };
const nowMs = Date.parse('2026-01-01T00:01:00.000Z');

/** The courier of a server that hosts `main`, with these records; notes what it loads and refuses. */
function courier(
  records: readonly Version[],
  effects: readonly Version[] = [],
  clock = () => nowMs,
) {
  const loads: string[][] = [];
  const refused: object[] = [];
  const reports: string[] = [];
  const find = ({ kind, handle }: { kind: string; handle: string }) =>
    records.find((one) => one.kind === kind && one.record.data.handle === handle);
  const ports: AcceptPorts = {
    services: {
      clock,
      identityOf: async (handle) => (handle === 'main' ? { handle, key } : undefined),
      store: {
        load: async (wants: { kind: string; handle: string }[]) => {
          loads.push(wants.map(({ kind, handle }) => `${kind} ${handle}`));
          return wants.map(find);
        },
      } as never,
    },
    deliveries: memoryDeliveries(() => [...effects]),
    patternMaker,
    leaseMs,
    postponedUntil: () => undefined,
    refused: async (call) => void refused.push(call),
    report: (error) => void reports.push((error as Error).message),
  };
  return { ports, loads, refused, reports };
}

/** The event of an intent's only change, asking for calls. */
function eventOf(intent: Version, calls: readonly BridgeCall[]): LedgerEvent {
  const signal = { signal: 'intent-updated', change: 1, calls };
  const [event] = eventsOf(outboxEntryOf(intent, [signal]), intent);
  return JSON.parse(JSON.stringify(event)) as LedgerEvent;
}

const bank = bridge('bank');
const other = bridge('other');
const rent = bridged({
  entries: [{ schema: 'debit' }, { schema: 'debit', bridge: 'other' }, { schema: 'credit' }],
});
const [debit, second, credit] = [0, 1, 2].map((index) => entryOf(rent, index)) as [
  string,
  string,
  string,
];
const prepares: BridgeCall[] = [
  { bridge: 'bank', action: 'prepare', entry: debit },
  { bridge: 'other', action: 'prepare', entry: second },
];
const namesOf = (deliveries: readonly Delivery[]) =>
  deliveries.map(({ data }) => `${data.bridge} ${data.action} ${data.entry ?? ''}`.trim());

describe('a call', () => {
  test('becomes a delivery of its bridge, due after the lease', async () => {
    const { ports } = courier([bank, other]);
    const [first, ...others] = await accept(ports, [eventOf(rent, prepares)]);
    expect(namesOf(others)).toEqual([`other prepare ${second}`]);
    expect(others[0]?.subject).toBe(other.record.luid);
    const { handle } = first?.data ?? { handle: '' };
    expect(first).toEqual({
      scope: 'main',
      subject: bank.record.luid,
      luid: deliveryLuidOf(handle, bank.record.luid),
      hash: hashOf(first?.data),
      data: {
        handle: entryCallHandle('main', { action: 'prepare', entry: debit }),
        bridge: 'bank',
        entry: debit,
        action: 'prepare',
        record: first?.data.record,
        linked: rent.record.luid,
      },
      status: 'pending',
      moment: '2026-01-01T00:01:00.000Z',
      replay: 0,
      attempts: 0,
      dueMs: nowMs + leaseMs,
      proofs: [],
      version: 1,
    });
    expect(isLuid(handle.replace('evt_', '$evt.'), 'evt')).toBe(true);
  });

  test.each(['prepare', 'commit', 'abort'] as const)(
    'to %s brings a record signed by the ledger, with the intent as it stood',
    async (action) => {
      const { ports } = courier([bank]);
      const event = eventOf(rent, [{ bridge: 'bank', action, entry: debit }]);
      const [delivery] = await accept(ports, [event]);
      const { hash, data, meta } = (delivery as Delivery).data.record;
      expect(hash).toBe(hashOf(data));
      expect(meta.proofs.map(({ signer }) => signer)).toEqual(['system']);
      expect(meta.proofs.every((proof) => verify(hash, proof))).toBe(true);
      expect(data).toMatchObject({ handle: debit, intent: event.data['intent'] });
      expect(data['action']).toBe(action === 'prepare' ? undefined : action);
    },
  );

  test.each(['prepare', 'commit', 'abort'] as const)(
    'to %s has the same body after a crash before it was stored, whenever it is made',
    async (action) => {
      const event = eventOf(rent, [{ bridge: 'bank', action, entry: debit }]);
      const bodyAt = async (ms: number) => {
        const { ports } = courier([bank], [], () => ms);
        const [delivery] = await accept(ports, [event]);
        return printed((delivery as Delivery).data.record);
      };
      const eventMs = Date.parse(event.data.moment);
      expect(await bodyAt(eventMs + 60_000)).toBe(await bodyAt(eventMs + 40));
    },
  );

  test('of a status brings the record of the intent itself', async () => {
    const { ports } = courier([bank]);
    const event = eventOf(rent, [{ bridge: 'bank', action: 'status' }]);
    const [delivery] = await accept(ports, [event]);
    expect(delivery?.data.record).toEqual(event.data['intent']);
    expect(delivery?.data).toMatchObject({ bridge: 'bank', action: 'status' });
    expect('entry' in (delivery?.data ?? {})).toBe(false);
  });

  test('is no effect, and effects are told beside it', async () => {
    const action = { schema: 'webhook', endpoint: 'https://example.com/' };
    const effect = created('effect', 'hook', { signal: 'intent-updated', action });
    const { ports } = courier([bank], [effect]);
    const event = eventOf(rent, prepares.slice(0, 1));
    const [told, asked] = await accept(ports, [event]);
    expect([told?.data.effect, asked?.data.effect]).toEqual(['hook', undefined]);
    expect('calls' in (told?.data.record.data ?? {})).toBe(false);
    expect(told?.data.record.data).toEqual(event.data);
  });

  test('about another intent of the thread brings that one as it stands', async () => {
    const fee = bridged({ handle: 'fee', entries: [{ schema: 'credit' }] });
    const { ports, loads } = courier([bank, fee]);
    const entry = entryOf(fee);
    const call = { bridge: 'bank', action: 'prepare', entry, intent: 'fee' } as const;
    const [delivery] = await accept(ports, [eventOf(rent, [call])]);
    expect(delivery?.data).toMatchObject({ entry, linked: fee.record.luid });
    expect(delivery?.data.record.data['intent']).toEqual(fee.record);
    expect(loads).toEqual([['bridge bank', 'intent fee']]);
  });

  test('about another intent has the same body after a crash, though that one has changed', async () => {
    const fee = bridged({ handle: 'fee', entries: [{ schema: 'credit' }] });
    const { change: intentChange } = fee;
    const call = { bridge: 'bank', action: 'prepare', entry: entryOf(fee), intent: 'fee' } as const;
    const event = eventOf(rent, [{ ...call, intentChange }]);
    const bodyOf = async (now: Version) => {
      const { ports } = courier([bank, now]);
      const past = async () => [fee];
      const services = { ...ports.services, store: { ...ports.services.store, past } };
      const [delivery] = await accept({ ...ports, services }, [event]);
      return printed((delivery as Delivery).data.record);
    };
    const first = await bodyOf(fee);
    expect(await bodyOf(proved(fee))).toBe(first);
    expect(JSON.parse(first)).toMatchObject({ data: { intent: { hash: fee.record.hash } } });
  });

  test('lies in the partitions of the intent that it is about', async () => {
    const fee = { ...bridged({ handle: 'fee', entries: [{ schema: 'credit' }] }), spread: 5 };
    const old = bridged({ handle: 'old', entries: [{ schema: 'credit' }] });
    const { ports } = courier([bank, fee, old]);
    const called = (entry: string, intent?: string): BridgeCall => ({
      ...{ bridge: 'bank', action: 'prepare', entry },
      ...(intent !== undefined && { intent }),
    });
    const event = eventOf({ ...rent, spread: 9 }, [
      ...[called(debit), { bridge: 'bank', action: 'status' } as const],
      ...[called(entryOf(fee), 'fee'), called(entryOf(old), 'old')],
    ]);
    const found = await accept(ports, [event]);
    expect(found.map(({ data, spread }) => [data.linked, spread])).toEqual([
      ...[rent, rent].map(({ record }) => [record.luid, 9]),
      ...[fee, old].map(({ record, ...one }) => [record.luid, 'spread' in one ? 5 : undefined]),
    ]);
  });

  test.each(['prepare', 'commit', 'abort'] as const)(
    'to %s goes to the bridge that the intent began with, whoever has its handle',
    async (action) => {
      const owed = { ...rent, bridgeLuids: { bank: bank.record.luid } };
      const renamed = { ...bank, record: { ...bank.record, data: { handle: 'newer' } } };
      const { ports } = courier([bridge('bank'), renamed, owed]);
      const { load } = ports.services.store;
      const pointer = { kind: 'bridge', luid: bank.record.luid, handle: 'newer' };
      const store = {
        ...ports.services.store,
        load: async (wants: readonly { what: string }[]) =>
          wants[0]?.what === 'pointer' ? [pointer] : load(wants as never),
      } as never;
      const event = eventOf(owed, [{ bridge: 'bank', action, entry: debit }]);
      const services = { ...ports.services, store };
      const [delivery] = await accept({ ...ports, services }, [event]);
      expect(delivery?.subject).toBe(bank.record.luid);
    },
  );

  test('that comes again reaches no later bridge of the same handle', async () => {
    const began = { ...rent, bridgeLuids: { bank: bank.record.luid } };
    const { ports, refused } = courier([bridge('bank'), proved(began, 1, 'rejected')]);
    const event = eventOf(began, prepares.slice(0, 1));
    expect(await accept(ports, [event])).toEqual([]);
    expect(refused).toMatchObject([{ entry: debit, bridge: 'bank' }]);
  });

  test('that would be too large brings addresses without notes', async () => {
    const custom = { note: 'x'.repeat(200_000) };
    const claim = { action: 'transfer', symbol: 'usd', amount: 1, target: 'bob@bank' };
    const claims = [{ ...claim, source: { handle: 'alice@bank', custom } }];
    const large = bridged({ claims, entries: [{ schema: 'debit' }] });
    const { ports } = courier([bank]);
    const call = { bridge: 'bank', action: 'prepare', entry: entryOf(large) } as const;
    const [delivery] = await accept(ports, [eventOf(large, [call])]);
    expect(delivery?.data.record.data['source']).toEqual({ handle: 'alice@bank' });
    expect(delivery?.data.record.data['intent']).toEqual(large.record);
  });
});

describe('the calls of an event that comes again', () => {
  test('are accepted once, also when another event asks for the same', async () => {
    const { ports } = courier([bank, other]);
    const event = eventOf(rent, prepares);
    expect(await accept(ports, [event])).toHaveLength(2);
    expect(await accept(ports, [event, event])).toEqual([]);
    const late = { ...event, data: { ...event.data, handle: 'evt_00000000000000000', change: 7 } };
    expect(await accept(ports, [late])).toEqual([]);
  });

  test('are told apart by entry, action and bridge', async () => {
    const { ports } = courier([bank, other]);
    const actions = ['prepare', 'commit', 'abort'] as const;
    const calls = [debit, credit].flatMap((entry) =>
      actions.map((action) => ({ bridge: 'bank', action, entry })),
    );
    const statuses = ['bank', 'other'].map(
      (handle) => ({ bridge: handle, action: 'status' }) as const,
    );
    const accepted = await accept(ports, [eventOf(rent, [...calls, ...statuses])]);
    expect(namesOf(accepted)).toEqual([
      ...calls.map(({ action, entry }) => `bank ${action} ${entry}`),
      'bank status',
      'other status',
    ]);
    expect(new Set(accepted.map(({ luid }) => luid)).size).toBe(8);
  });

  test('tell each status of an intent once', async () => {
    const { ports } = courier([bank]);
    const event = eventOf(rent, [{ bridge: 'bank', action: 'status' }]);
    const events = ['prepared', 'completed'].map((one) => {
      const meta = { ...rent.record.meta, status: one };
      return { ...event, data: { ...event.data, intent: { ...rent.record, meta } } };
    });
    expect(await accept(ports, [...events, ...events])).toHaveLength(2);
  });
});

describe('a bridge', () => {
  test('that does not want to hear of statuses is not told, and still asked to prepare', async () => {
    const traits = [{ method: 'statuses', filter: { schema: 'other' } }, 'debits'];
    const { ports } = courier([bridge('bank', { traits })]);
    const calls = [{ bridge: 'bank', action: 'status' }, ...prepares.slice(0, 1)] as const;
    expect(namesOf(await accept(ports, [eventOf(rent, calls)]))).toEqual([`bank prepare ${debit}`]);
  });

  test('whose conditions nobody understands any more is not told, and that is reported', async () => {
    const traits = [{ method: 'statuses', filter: { a: { $near: 1 } } }];
    const { ports, reports } = courier([bridge('bank', { traits })]);
    const event = eventOf(rent, [{ bridge: 'bank', action: 'status' }]);
    expect(await accept(ports, [event])).toEqual([]);
    expect(reports).toHaveLength(1);
  });

  const commit = { bridge: 'bank', action: 'commit', entry: debit } as const;
  const status = { bridge: 'bank', action: 'status' } as const;

  test('that is gone cannot prepare, which its intent is told; the rest is reported', async () => {
    const { ports, refused, reports } = courier([other, rent]);
    const accepted = await accept(ports, [eventOf(rent, [...prepares, commit, status])]);
    expect(namesOf(accepted)).toEqual([`other prepare ${second}`]);
    const { luid, data } = rent.record;
    expect(refused).toEqual([
      { scope: 'main', luid, handle: data.handle, entry: debit, bridge: 'bank' },
    ]);
    expect(reports).toEqual([
      `The bridge bank is gone, which was to commit ${debit}.`,
      `The bridge bank is gone, which was to status ${data.handle}.`,
    ]);
  });

  test('that was dropped once its intent had ended is called no more, which is no error', async () => {
    const { ports, reports } = courier([other, proved(rent, 1, 'completed')]);
    expect(await accept(ports, [eventOf(rent, [commit, status])])).toEqual([]);
    expect(reports).toEqual([]);
  });

  test('is loaded once for all calls of an event', async () => {
    const { ports, loads } = courier([bank, other]);
    await accept(ports, [eventOf(rent, [...prepares, ...prepares])]);
    expect(loads).toEqual([['bridge bank', 'bridge other']]);
  });
});
