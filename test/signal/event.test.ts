import { describe, expect, test } from 'vitest';
import { isLuid, timeOfLuid } from '../../shared/crypto/luid.ts';
import { eventsOf, type LedgerEvent, recordName } from '../../shared/signal/event.ts';
import { created, dropped, proved, revised, transferred } from '../fixture/version.ts';
import { entryOf } from './post.ts';

const wallet = created('wallet', 'alice');
const onlyOf = (events: readonly LedgerEvent[]): LedgerEvent => {
  expect(events).toHaveLength(1);
  return events[0] as LedgerEvent;
};

describe('an event', () => {
  test('says its signal and its change, with the record as it stood', () => {
    const { record } = wallet;
    const { ledger, luid, data } = onlyOf(eventsOf(entryOf(wallet), wallet));
    expect({ ledger, luid }).toEqual({ ledger: 'main', luid: record.luid });
    expect(data).toEqual({
      handle: data.handle,
      signal: 'wallet-created',
      change: 1,
      moment: record.meta.moment,
      wallet: record,
    });
  });

  test('made again is the same, with the same handle', () => {
    for (const version of [wallet, revised(wallet), transferred('rent')]) {
      const copy = JSON.parse(JSON.stringify(version)) as typeof version;
      const made = eventsOf(entryOf(version), version);
      expect(eventsOf(entryOf(copy), copy)).toEqual(made);
      // It is told long after, when the record has moved on; the version is what was stored.
      expect(eventsOf({ ...entryOf(version), place: 'x', shard: 3 }, copy)).toEqual(made);
    }
  });

  test('has a handle like a luid, of the time of the change', () => {
    const { handle } = onlyOf(eventsOf(entryOf(wallet), wallet)).data;
    const luid = handle.replace('evt_', '$evt.');
    expect(isLuid(luid, 'evt')).toBe(true);
    expect(timeOfLuid(luid)).toBe(Date.parse(wallet.record.meta.moment));
  });
});

// Goal: whoever hears an event twice can tell by its handle, and never takes two events for one.
test('no two events share a handle: over signals, changes, records and ledgers', () => {
  const versions = [wallet, proved(wallet), created('wallet', 'bob'), created('symbol', 'usd')];
  const handles = ['main', 'other', ''].flatMap((scope) =>
    versions.flatMap((version) => {
      const signals = ['balance-received', 'balance-received', `${version.kind}-updated`];
      return eventsOf(entryOf(version, signals, scope), version).map(({ data }) => data.handle);
    }),
  );
  expect(handles).toHaveLength(36);
  expect(new Set(handles).size).toBe(36);
});

describe('an intent that was created and completed at once', () => {
  const intent = transferred('rent');
  const received = (amount: string) => ({
    signal: 'balance-received',
    change: 4,
    custom: { wallet: 'bob', symbol: 'usd', amount },
  });
  const changed = (change: number) => ({
    signal: change === 1 ? 'intent-created' : 'intent-updated',
    change,
  });
  const signals = [changed(1), changed(2), changed(3), changed(4), received('1500')];
  const events = eventsOf(entryOf(intent, signals), intent);

  test('is told change by change, each as it stood then', () => {
    const told = events.map(({ data }) => {
      const { meta } = data['intent'] as typeof intent.record;
      return [data.signal, data.change, meta.status, meta.proofs.length];
    });
    expect(told).toEqual([
      ['intent-created', 1, 'pending', 4],
      ['intent-updated', 2, 'prepared', 5],
      ['intent-updated', 3, 'committed', 6],
      ['intent-updated', 4, 'completed', 7],
      ['balance-received', 4, 'completed', 7],
    ]);
  });

  test('tells who received what, beside the intent', () => {
    expect(events[4]?.data).toEqual({
      handle: events[4]?.data.handle,
      signal: 'balance-received',
      change: 4,
      moment: intent.record.meta.moment,
      intent: intent.record,
      wallet: 'bob',
      symbol: 'usd',
      amount: 1500,
    });
  });

  test('tells the wallet and the symbol as records, while they are there', () => {
    const bob = created('wallet', 'bob').record;
    const usd = created('symbol', 'usd').record;
    const parties = new Map([
      [recordName('main', 'wallet', 'bob'), bob],
      [recordName('main', 'symbol', 'usd'), usd],
    ]);
    const { data } = onlyOf(eventsOf(entryOf(intent, [received('1')]), intent, parties));
    expect([data['wallet'], data['symbol']]).toEqual([bob, usd]);
  });

  test('tells only their handles when the event would become too large', () => {
    const bob = created('wallet', 'bob', { custom: { note: 'x'.repeat(400_000) } }).record;
    const parties = new Map([[recordName('main', 'wallet', 'bob'), bob]]);
    const { data } = onlyOf(eventsOf(entryOf(intent, [received('1')]), intent, parties));
    expect([data['wallet'], data['symbol'], data['amount']]).toEqual(['bob', 'usd', 1]);
  });

  test.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', '9007199254740992'],
    ['360287970189639640', '360287970189639640'],
  ])('an amount of %s is a number as far as numbers are exact', (digits, amount) => {
    const event = onlyOf(eventsOf(entryOf(intent, [received(digits)]), intent));
    expect(event.data['amount']).toBe(amount);
    expect(JSON.parse(JSON.stringify(event))).toEqual(event);
  });

  test('may add something other than an amount', () => {
    const signal = { signal: 'wallet-limited', change: 4, custom: { limit: 'daily' } };
    const { data } = onlyOf(eventsOf(entryOf(intent, [signal]), intent));
    expect(data['limit']).toBe('daily');
    expect(data).not.toHaveProperty('amount');
  });
});

test('what happens to a ledger is told in that ledger', () => {
  const ledger = created('ledger', 'bank');
  const event = onlyOf(eventsOf(entryOf(ledger, ['ledger-created'], ''), ledger));
  expect(event.ledger).toBe('bank');
  expect(event.data['ledger']).toEqual(ledger.record);
});

test('an end is told with the record as it was last, and the moment of its end', () => {
  const last = dropped(wallet);
  const { data } = onlyOf(eventsOf(entryOf(last, ['wallet-dropped']), last));
  expect(data.change).toBe(2);
  expect(data.moment).toBe(last.steps.at(-1)?.moment);
  expect(data['wallet']).toEqual(last.record);
});

test('an entry without signals tells nothing', () => {
  expect(eventsOf(entryOf(wallet, []), wallet)).toEqual([]);
});

test('an entry that tells a change of another version is a bug', () => {
  const later = revised(wallet);
  for (const change of [1, 3])
    expect(() => eventsOf(entryOf(later, [{ signal: 'wallet-updated', change }]), later)).toThrow(
      'an outbox entry names changes of its own version',
    );
});
