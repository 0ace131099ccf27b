import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Version } from '../../shared/ledger/record.ts';
import type { LedgerEvent } from '../../shared/signal/event.ts';
import { drain } from '../../shared/signal/relay.ts';
import { created, proved, revised, transferred } from '../fixture/version.ts';
import { type Post, post } from './post.ts';

const drained = (ports: Post) => drain(ports, 'main', [0]);
const changesOf = (events: readonly LedgerEvent[], { record }: Version) =>
  events.filter(({ luid }) => luid === record.luid).map(({ data }) => data.change);
const saidBy = (events: readonly LedgerEvent[]) =>
  events.map(({ data }) => `${data.signal} ${data.change}`);

/** The version and so many after it, each stored with its signal. */
function storedTimes(ports: Post, first: Version, count: number): Version {
  let version = first;
  ports.store(version);
  for (let index = 1; index < count; index += 1) {
    version = proved(version);
    ports.store(version, [`${version.kind}-proofs-added`]);
  }
  return version;
}

describe('an outbox that is drained', () => {
  test('is told whole, and forgotten', async () => {
    const ports = post();
    const wallet = storedTimes(ports, created('wallet', 'alice'), 3);
    storedTimes(ports, created('wallet', 'bob'), 1);
    expect(await drained(ports)).toBe(true);
    expect(ports.taken).toHaveLength(4);
    expect(changesOf(ports.taken, wallet)).toEqual([1, 2, 3]);
    expect(ports.waiting()).toEqual([]);
    expect(await drained(ports)).toBe(true);
    expect(ports.taken).toHaveLength(4);
  });

  test('may be empty: the bus hears nothing', async () => {
    const ports = post();
    expect(await drained(ports)).toBe(true);
    expect(ports.offered).toEqual([]);
  });

  test('may hold more than is read at once', async () => {
    const ports = post();
    const wallet = storedTimes(ports, created('wallet', 'alice'), 120);
    expect(await drained(ports)).toBe(true);
    expect(changesOf(ports.taken, wallet)).toEqual(Array.from({ length: 120 }, (_, i) => i + 1));
  });

  test('is the one that was asked for', async () => {
    const ports = post();
    ports.store(created('wallet', 'alice'));
    expect(await drain(ports, 'other', [0])).toBe(true);
    expect(await drain(ports, 'main', [1])).toBe(true);
    expect(ports.taken).toEqual([]);
  });

  test('says how long the oldest entry has waited', async () => {
    const ports = post();
    storedTimes(ports, created('wallet', 'alice'), 2);
    await drained(ports);
    expect(ports.metrics).toEqual([['OutboxLag', 41]]);
  });

  test('forgets an entry that has nothing to tell', async () => {
    const ports = post();
    ports.store(created('wallet', 'alice'), []);
    expect(await drained(ports)).toBe(true);
    expect(ports.waiting()).toEqual([]);
    expect(ports.offered).toEqual([]);
    expect(ports.aside).toEqual([]);
  });
});

test('the events of a record are offered in the order of its entries and their signals', async () => {
  const ports = post();
  const intent = transferred('rent');
  ports.store(intent, ['intent-created', 'intent-updated', 'balance-received']);
  storedTimes(ports, created('wallet', 'alice'), 2);
  await drained(ports);
  expect(ports.offered.map(saidBy)).toEqual([
    ['intent-created 4', 'intent-updated 4', 'balance-received 4'],
    ['wallet-created 1', 'wallet-proofs-added 2'],
  ]);
});

describe('when the bus takes a part', () => {
  test('the rest is offered again, and nothing overtakes it', async () => {
    const ports = post();
    const alice = storedTimes(ports, created('wallet', 'alice'), 3);
    const bob = storedTimes(ports, created('wallet', 'bob'), 3);
    let refusalCount = 2;
    ports.trouble.refuses = ({ luid, data }) =>
      luid === alice.record.luid && data.change === 2 && refusalCount-- > 0;
    expect(await drained(ports)).toBe(false);
    expect(changesOf(ports.taken, alice)).toEqual([1]);
    expect(changesOf(ports.taken, bob)).toEqual([1, 2, 3]);
    expect(ports.waiting().map(({ change }) => change)).toEqual([2, 3]);
    ports.trouble = {};
    expect(await drained(ports)).toBe(true);
    expect(changesOf(ports.taken, alice)).toEqual([1, 2, 3]);
  });

  test('an entry is forgotten with its last event only', async () => {
    const ports = post();
    const entry = ports.store(transferred('rent'), ['intent-created', 'balance-received']);
    ports.trouble.refuses = ({ data }) => data.signal === 'balance-received';
    expect(await drained(ports)).toBe(false);
    expect(ports.waiting()).toEqual([entry]);
    ports.trouble = {};
    expect(await drained(ports)).toBe(true);
    // The first event comes twice: the handle says so.
    const [first, again, last] = ports.taken;
    expect(again).toEqual(first);
    expect(last?.data.signal).toBe('balance-received');
  });

  test('a record whose events pile up does not hold up the others', async () => {
    const ports = post();
    const stuck = storedTimes(ports, created('wallet', 'stuck'), 130);
    const other = storedTimes(ports, created('wallet', 'other'), 3);
    ports.trouble.refuses = ({ luid }) => luid === stuck.record.luid;
    expect(await drained(ports)).toBe(false);
    expect(changesOf(ports.taken, other)).toEqual([1, 2, 3]);
    expect(ports.waiting()).toHaveLength(130);
    // It is offered once, not once for each page.
    expect(changesOf(ports.offered.flat(), stuck)).toEqual([1]);
  });
});

describe('a crash', () => {
  test('between the bus and the outbox tells twice, never not at all', async () => {
    const ports = post();
    const wallet = storedTimes(ports, created('wallet', 'alice'), 3);
    let crashCount = 1;
    ports.trouble.beforeTold = () => {
      if (crashCount-- > 0) throw new Error('crash');
    };
    await expect(drained(ports)).rejects.toThrow('crash');
    expect(ports.waiting().map(({ change }) => change)).toEqual([1, 2, 3]);
    expect(await drained(ports)).toBe(true);
    expect(changesOf(ports.taken, wallet)).toEqual([1, 2, 3, 1, 2, 3]);
    expect(ports.taken.slice(3)).toEqual(ports.taken.slice(0, 3));
  });

  test('of the bus loses nothing', async () => {
    const ports = post();
    storedTimes(ports, created('wallet', 'alice'), 2);
    const publish = () => Promise.reject(new Error('no bus'));
    await expect(drain({ ...ports, bus: { publish } }, 'main', [0])).rejects.toThrow('no bus');
    expect(ports.waiting()).toHaveLength(2);
  });
});

describe('an entry that cannot be told', () => {
  test('is put aside with the reason and counted, and the rest is told', async () => {
    const ports = post();
    const wallet = created('wallet', 'alice');
    ports.store(wallet);
    const later = revised(wallet);
    const poisoned = ports.store(later, [{ signal: 'wallet-updated', change: 9 }]);
    const last = revised(later);
    ports.store(last, ['wallet-updated']);
    ports.store(created('wallet', 'bob'));
    expect(await drained(ports)).toBe(true);
    expect(ports.aside).toEqual([
      {
        entry: poisoned,
        why: 'Broken assertion: an outbox entry tells changes of its own version',
      },
    ]);
    expect(ports.metrics.filter(([name]) => name === 'OutboxSetAside')).toEqual([
      ['OutboxSetAside', 1],
    ]);
    expect(changesOf(ports.taken, wallet)).toEqual([1, 3]);
    expect(ports.taken).toHaveLength(3);
    expect(ports.waiting()).toEqual([]);
  });

  test('may lack its version', async () => {
    const ports = post();
    const entry = ports.store(created('wallet', 'alice'));
    ports.store(created('wallet', 'bob'));
    const versions: typeof ports.outbox.versions = async (entries) =>
      (await ports.outbox.versions(entries)).map((version) =>
        version?.record.luid === entry.luid ? undefined : version,
      );
    expect(await drain({ ...ports, outbox: { ...ports.outbox, versions } }, 'main', [0])).toBe(
      true,
    );
    expect(ports.aside).toEqual([{ entry, why: 'The version that it tells is not in the table.' }]);
    expect(ports.taken).toHaveLength(1);
  });

  test('may hold what is no error', async () => {
    const ports = post();
    const entry = ports.store(created('wallet', 'alice'));
    const poisoned = {
      get steps(): never {
        throw 'neither text nor error';
      },
    } as unknown as Version;
    const outbox = { ...ports.outbox, versions: async () => [poisoned] };
    expect(await drain({ ...ports, outbox }, 'main', [0])).toBe(true);
    expect(ports.aside).toEqual([{ entry, why: 'neither text nor error' }]);
  });

  test('does not hold up a shard that is full of such entries', async () => {
    const ports = post();
    for (let index = 0; index < 120; index += 1)
      ports.store(created('wallet', `w${index}`), [{ signal: 'wallet-created', change: 7 }]);
    const wallet = storedTimes(ports, created('wallet', 'alice'), 1);
    expect(await drained(ports)).toBe(true);
    expect(ports.aside).toHaveLength(120);
    expect(changesOf(ports.taken, wallet)).toEqual([1]);
  });

  test('is left alone while the outbox itself has trouble', async () => {
    const ports = post();
    ports.store(created('wallet', 'alice'), []);
    ports.trouble.beforeTold = () => {
      throw new Error('throttled');
    };
    await expect(drained(ports)).rejects.toThrow('throttled');
    expect(ports.aside).toEqual([]);
    expect(ports.waiting()).toHaveLength(1);
  });
});

// Goal: whatever fails, every event arrives, and those of a record arrive in order. Method: records
// that are changed while the relay crashes and the bus refuses at random; then calm.
test('through any trouble all is told, in order for each record', async () => {
  const runs = fc.array(
    fc.record({
      changes: fc.array(fc.nat({ max: 4 }), { maxLength: 40 }),
      refusals: fc.infiniteStream(fc.integer({ min: 0, max: 3 })),
      crashes: fc.infiniteStream(fc.integer({ min: 0, max: 5 })),
    }),
    { minLength: 1, maxLength: 4 },
  );
  await fc.assert(
    fc.asyncProperty(runs, async (rounds) => {
      const ports = post();
      const records = ['a', 'b', 'c', 'd', 'e'].map((handle) => created('wallet', handle));
      for (const record of records) ports.store(record);
      for (const { changes, refusals, crashes } of rounds) {
        for (const index of changes) {
          const next = proved(records[index] as Version);
          records[index] = next;
          ports.store(next, ['wallet-proofs-added', 'balance-received']);
        }
        ports.trouble = {
          refuses: () => refusals.next().value === 0,
          beforeTold: () => {
            if (crashes.next().value === 0) throw new Error('crash');
          },
        };
        await drained(ports).catch(() => false);
      }
      ports.trouble = {};
      expect(await drained(ports)).toBe(true);
      expect(ports.waiting()).toEqual([]);
      for (const record of records) {
        const heard = ports.taken.filter(({ luid }) => luid === record.record.luid);
        const firsts = new Map(heard.map(({ data }) => [data.handle, data]));
        const changes = [...firsts.values()].map(({ change }) => change);
        expect(changes).toEqual(changes.toSorted((a, b) => a - b));
        expect(firsts.size).toBe(1 + (record.change - 1) * 2);
      }
    }),
    { numRuns: 100 },
  );
});
