import { describe, expect, test } from 'vitest';
import { hashOf } from '../../shared/crypto/digest.ts';
import { privateKeyOf, publicOf } from '../../shared/crypto/key.ts';
import { isLuid } from '../../shared/crypto/luid.ts';
import { verify } from '../../shared/crypto/proof.ts';
import type { AcceptPorts } from '../../shared/delivery/accepted.ts';
import { accept } from '../../shared/delivery/courier.ts';
import type { Version } from '../../shared/ledger/record.ts';
import type { Delivery } from '../../shared/port/deliveries.ts';
import { momentOf, printed } from '../../shared/record/sign.ts';
import { eventsOf, type LedgerEvent } from '../../shared/signal/event.ts';
import { patternMaker } from '../../shared/signal/pattern.ts';
import { memoryDeliveries } from '../fixture/memory-deliveries.ts';
import { created, proved, transferred } from '../fixture/version.ts';
import { entryOf } from './post.ts';

const leaseMs = 60_000;

const seed = Buffer.alloc(32, 7);
const key = { public: publicOf(seed), privateKey: privateKeyOf(seed) };
const nowMs = Date.parse('2026-02-01T00:00:00.000Z');
const webhook = { schema: 'webhook', endpoint: 'https://example.com/events' };

/** An effect of a signal. */
function effectOf(handle: string, signal: string, filter?: object): Version {
  return created('effect', handle, { signal, action: webhook, ...(filter && { filter }) });
}

/** The courier of a server that hosts `main`, with these effects; counts how often they are read. */
function courier(effects: readonly Version[]) {
  const reads: string[] = [];
  const deliveries = memoryDeliveries((scope, signal) => {
    reads.push(`${scope} ${signal}`);
    return scope === 'main' ? effects.filter(({ record }) => record.data['signal'] === signal) : [];
  });
  const ports: AcceptPorts = {
    services: {
      clock: () => nowMs,
      identityOf: async (handle) => (handle === 'main' ? { handle, key } : undefined),
      store: { load: async () => [] } as never,
    },
    refused: async () => {},
    deliveries,
    patternMaker,
    leaseMs,
    postponedUntil: () => undefined,
    report: (error) => {
      throw error;
    },
  };
  return { ports, deliveries, reads };
}

const intent = transferred('rent');
const received = {
  signal: 'balance-received',
  change: 4,
  custom: { wallet: 'bob', symbol: 'usd', amount: '1500' },
};
const [intentCreated, balanceReceived] = eventsOf(
  entryOf(intent, [{ signal: 'intent-created', change: 1 }, received]),
  intent,
) as [LedgerEvent, LedgerEvent];

const effectsOf = (deliveries: readonly Delivery[]) => deliveries.map(({ data }) => data.effect);

test('a delivery is kept for each effect that an event matches, and for no other', async () => {
  const { ports } = courier([
    effectOf('all', 'balance-received'),
    effectOf('large', 'balance-received', { amount: { $gte: 1500 }, wallet: 'bob' }),
    effectOf('larger', 'balance-received', { amount: { $gt: 1500 } }),
    effectOf('by-record', 'balance-received', { 'intent.data.claims.0.source': 'alice' }),
    effectOf('by-pattern', 'balance-received', { wallet: { $regex: '^b.b$' } }),
    effectOf('other-pattern', 'balance-received', { wallet: { $regex: '^b$' } }),
    effectOf('created', 'intent-created'),
  ]);
  expect(effectsOf(await accept(ports, [balanceReceived]))).toEqual([
    'all',
    'large',
    'by-record',
    'by-pattern',
  ]);
});

test.each([
  [{ 'balance.symbol': 'usd' }, ['monitor']],
  [{ 'balance.wallet': 'bob', 'intent.handle': 'rent' }, ['monitor']],
  [{ 'balance.symbol': 'eur' }, []],
  [{ 'intent.data.claims.source': 'alice' }, []],
])('a filter %j sees an event that names its intent alone', async (filter, told) => {
  const { ports } = courier([effectOf('monitor', 'balance-crossed', filter)]);
  const { intent: _intent, ...data } = balanceReceived.data;
  const crossed = {
    ...{ ...data, signal: 'balance-crossed', balance: { wallet: 'bob', symbol: 'usd' } },
    intent: { luid: intent.record.luid, handle: intent.record.data.handle },
  };
  expect(effectsOf(await accept(ports, [{ ...balanceReceived, data: crossed }]))).toEqual(told);
});

test.each<[object, boolean]>([
  [{ $gte: '9007199254740993' }, true],
  [{ $gt: '27021597764222973' }, false],
  [{ $lt: '30000000000000000000' }, true],
  [{ $in: ['27021597764222973'] }, true],
  [{ $gt: 1500 }, true],
  [{ $regex: '^2702' }, true],
])('an amount beyond 2^53 is compared with %j as a number', async (condition, isTold) => {
  const amount = '27021597764222973';
  const told = isTold ? ['one'] : [];
  const { ports: receivers } = courier([
    effectOf('one', 'balance-received', { amount: condition }),
  ]);
  const large = { ...balanceReceived, data: { ...balanceReceived.data, amount } };
  expect(effectsOf(await accept(receivers, [large]))).toEqual(told);
  const filter = { 'balance.available': condition };
  const { ports: monitors } = courier([effectOf('one', 'balance-crossed', filter)]);
  const { intent: _intent, amount: _amount, ...data } = balanceReceived.data;
  const balance = { wallet: 'bob', symbol: 'usd', available: amount };
  const crossed = { ...data, signal: 'balance-crossed', balance };
  expect(effectsOf(await accept(monitors, [{ ...balanceReceived, data: crossed }]))).toEqual(told);
});

test.each<[object, boolean]>([
  [{ 'wallet.data.handle': 'bob', 'symbol.data.handle': 'usd' }, true],
  [{ 'wallet.data.handle': { $regex: '^b' } }, true],
  [{ 'wallet.data.handle': { $exists: true }, wallet: 'bob' }, true],
  [{ 'symbol.data.handle': { $ne: 'eur' } }, true],
  [{ 'symbol.data.handle': 'eur' }, false],
  [{ 'symbol.data.handle': { $ne: 'usd' } }, false],
  [{ 'wallet.data.handle': { $exists: false } }, false],
  [{ wallet: { $ne: 'bob' } }, false],
  [{ 'wallet.data.custom.vip': true }, false],
])(
  'a filter %j sees a wallet and a symbol that an event names by handle',
  async (filter, isTold) => {
    const { ports } = courier([effectOf('one', 'balance-received', filter)]);
    expect(effectsOf(await accept(ports, [balanceReceived]))).toEqual(isTold ? ['one'] : []);
  },
);

test('a filter that fails on an event stops no other effect, and is reported', async () => {
  const effects = ['one', 'two'].map((handle) =>
    effectOf(handle, 'balance-received', { wallet: { $regex: handle === 'one' ? 'a' : '^b' } }),
  );
  const { ports } = courier(effects);
  const reports: unknown[] = [];
  const report = (error: unknown) => void reports.push(error);
  const failing = (pattern: string) =>
    pattern === 'a'
      ? () => {
          throw new Error('no engine');
        }
      : patternMaker(pattern);
  const accepted = await accept({ ...ports, patternMaker: failing, report }, [balanceReceived]);
  expect(effectsOf(accepted)).toEqual(['two']);
  expect(reports).toEqual([new Error('no engine')]);
});

test('an effect whose filter takes too much work is told nothing, and stops no other', async () => {
  const effects = [
    effectOf('dear', 'intent-created', { 'intent.data.custom.text': { $regex: '^a{100}' } }),
    effectOf('cheap', 'intent-created', { 'intent.data.custom.text': { $regex: '^a' } }),
  ];
  const told = async (length: number) => {
    const { ports } = courier(effects);
    const long = transferred('long', 'a', 'b', { custom: { text: 'a'.repeat(length) } });
    const entry = entryOf(long, [{ signal: 'intent-created', change: 1 }]);
    return effectsOf(await accept(ports, eventsOf(entry, long)));
  };
  expect(await told(500)).toEqual(['dear', 'cheap']);
  expect(await told(1_000)).toEqual(['cheap']);
});

test('an effect that is inactive is told nothing', async () => {
  const effect = effectOf('all', 'intent-created');
  const { ports } = courier([proved(effect, 1, 'inactive')]);
  expect(await accept(ports, [intentCreated])).toEqual([]);
  const again = courier([proved(proved(effect, 1, 'inactive'), 1, 'active')]);
  expect(effectsOf(await accept(again.ports, [intentCreated]))).toEqual(['all']);
});

describe('a delivery', () => {
  const effect = effectOf('all', 'balance-received');

  test('lies in the partitions of the intent that it is about, and otherwise where it always did', async () => {
    const { ports } = courier([effectOf('all', 'intent-created')]);
    const spreads = [undefined, 0, 7].map((spread, index) => {
      const version = transferred(`of-${index}`);
      return { ...version, ...(spread !== undefined && { spread }) };
    });
    const signals = [{ signal: 'intent-created', change: 1 }];
    const events = spreads.flatMap((version) => eventsOf(entryOf(version, signals), version));
    const found = await accept(ports, JSON.parse(JSON.stringify(events)) as LedgerEvent[]);
    expect(found.map((one) => one.spread)).toEqual([undefined, undefined, 7]);
    expect(found.map((one) => 'spread' in one)).toEqual([false, false, true]);
  });

  test('names the effect, the event and its record, and is due after the lease', async () => {
    const { ports, deliveries } = courier([effect]);
    const [delivery] = await accept(ports, [balanceReceived]);
    expect(delivery).toEqual({
      scope: 'main',
      subject: effect.record.luid,
      luid: delivery?.luid,
      hash: hashOf(delivery?.data),
      data: {
        handle: balanceReceived.data.handle,
        effect: 'all',
        record: delivery?.data.record,
        linked: intent.record.luid,
      },
      status: 'pending',
      moment: '2026-02-01T00:00:00.000Z',
      replay: 0,
      attempts: 0,
      dueMs: nowMs + leaseMs,
      proofs: [],
      version: 1,
    });
    expect(isLuid(delivery?.luid ?? '', 'evd')).toBe(true);
    expect((await deliveries.due(nowMs + leaseMs)).due).toHaveLength(1);
    expect((await deliveries.due(nowMs + leaseMs - 1)).due).toEqual([]);
  });

  test('brings the event signed by its ledger', async () => {
    const { ports } = courier([effect]);
    const [delivery] = await accept(ports, [balanceReceived]);
    const { hash, data, meta } = (delivery as Delivery).data.record;
    expect(data).toEqual(balanceReceived.data);
    expect(hash).toBe(hashOf(data));
    expect(meta.proofs).toHaveLength(1);
    expect(meta.proofs[0]?.signer).toBe('system');
    expect(meta.proofs[0]?.public).toBe(key.public);
    expect(meta.proofs.every((proof) => verify(hash, proof))).toBe(true);
  });

  describe('that was attempted, and not stored before a crash', () => {
    const { moment } = balanceReceived.data;
    const madeAfter = async (ms: number, from?: string) => {
      const { ports } = courier([effect]);
      const keys = [
        { public: 'before', from: moment, until: from },
        { public: key.public, from, proofs: [] },
      ];
      const system = created('signer', 'system', {
        public: key.public,
        ...(from !== undefined && { keys }),
      });
      const store = { ...ports.services.store, load: async () => [system] as never };
      const clock = () => Date.parse(moment) + ms;
      const services = { ...ports.services, clock, store };
      const [delivery] = await accept({ ...ports, services }, [balanceReceived]);
      return delivery as Delivery;
    };
    const statedBy = ({ data }: Delivery) => data.record.meta.proofs.map(({ custom }) => custom);

    test('brings the same text when it is made again, however long after', async () => {
      const first = await madeAfter(40);
      expect(statedBy(first)).toEqual([{ moment }]);
      for (const ms of [41, 3_600_000, 30 * 86_400_000]) {
        const again = await madeAfter(ms);
        expect(printed(again.data.record)).toBe(printed(first.data.record));
        expect([again.luid, again.hash]).toEqual([first.luid, first.hash]);
      }
    });

    test('states no moment from before the key that signs it', async () => {
      const dayMs = 86_400_000;
      const from = momentOf(Date.parse(moment) + dayMs);
      const late = await madeAfter(2 * dayMs, from);
      expect(statedBy(late)).toEqual([{ moment: momentOf(Date.parse(moment) + 2 * dayMs) }]);
      const before = momentOf(Date.parse(moment) - dayMs);
      expect(statedBy(await madeAfter(2 * dayMs, before))).toEqual([{ moment }]);
    });
  });
});

describe('an event that comes again', () => {
  const effects = [effectOf('one', 'intent-created'), effectOf('two', 'intent-created')];

  test('makes no new deliveries, by its handle', async () => {
    const { ports, deliveries } = courier(effects);
    const first = await accept(ports, [intentCreated]);
    expect(effectsOf(first)).toEqual(['one', 'two']);
    expect(await accept(ports, [intentCreated])).toEqual([]);
    const copy = JSON.parse(JSON.stringify(intentCreated)) as LedgerEvent;
    expect(await accept(ports, [copy, copy])).toEqual([]);
    for (const { scope, subject, luid } of first)
      expect(await deliveries.read(scope, subject, luid)).toMatchObject({ version: 1 });
  });

  test('also when it comes twice at once', async () => {
    const { ports } = courier(effects);
    expect(await accept(ports, [intentCreated, intentCreated])).toHaveLength(2);
  });

  test('is new to an effect that has come since', async () => {
    const known = effects.slice(0, 1);
    const { ports } = courier(known);
    await accept(ports, [intentCreated]);
    known.push(effectOf('late', 'intent-created'));
    expect(effectsOf(await accept(ports, [intentCreated]))).toEqual(['late']);
  });

  test('is not taken for another one', async () => {
    const { ports } = courier([
      effectOf('one', 'intent-created'),
      effectOf('two', 'intent-updated'),
      effectOf('three', 'intent-updated'),
    ]);
    const signals = [1, 2, 3, 4].map((change) => ({
      signal: change === 1 ? 'intent-created' : 'intent-updated',
      change,
    }));
    const events = eventsOf(entryOf(intent, signals), intent);
    const accepted = await accept(ports, events);
    expect(effectsOf(accepted)).toEqual(['one', ...Array(3).fill(['two', 'three']).flat()]);
    expect(new Set(accepted.map(({ luid }) => luid)).size).toBe(7);
  });
});

describe('what is asked of the store', () => {
  test('are the effects of a ledger and a signal, once for all events at hand', async () => {
    const { ports, reads } = courier([]);
    await accept(ports, [intentCreated, balanceReceived, intentCreated]);
    expect(reads).toEqual(['main intent-created', 'main balance-received']);
  });

  test('is nothing where nothing happened', async () => {
    const { ports, reads } = courier([]);
    expect(await accept(ports, [])).toEqual([]);
    expect(reads).toEqual([]);
  });
});

test('an effect hears nothing of another ledger', async () => {
  const { ports } = courier([effectOf('all', 'intent-created')]);
  expect(await accept(ports, [{ ...intentCreated, ledger: 'other' }])).toEqual([]);
});

test('a ledger that tells an event and cannot be found is a bug', async () => {
  const { ports } = courier([effectOf('all', 'intent-created')]);
  const services = { ...ports.services, identityOf: async () => undefined };
  await expect(accept({ ...ports, services }, [intentCreated])).rejects.toThrow('Ledger main');
});
