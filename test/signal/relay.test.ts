import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Version } from '../../shared/ledger/record.ts';
import type { Want } from '../../shared/port/ports.ts';
import type { LedgerEvent } from '../../shared/signal/event.ts';
import { drain, drainAll } from '../../shared/signal/relay.ts';
import { scopesOf } from '../../shared/signal/shards.ts';
import { created, proved, revised, transferred } from '../fixture/version.ts';
import { type Post, post } from './post.ts';

const drained = (ports: Post) => drain(ports, 'main', [0]);
const minutes = (count: number) => count * 60_000;
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

  test('reads what many signals name once', async () => {
    const ports = post();
    const alice = created('wallet', 'alice');
    const named = ['alice', 'bob', 'alice', 'alice'];
    for (const [index, wallet] of named.entries())
      ports.store(transferred(`one-${index}`, 'alice', 'bob'), [
        { signal: 'balance-received', change: 1, custom: { wallet, symbol: 'usd', amount: '1' } },
      ]);
    const asked: string[] = [];
    const reader = {
      ...ports.reader,
      load: async (wants: readonly Want[]) => {
        const handles = wants.map((want) => (want as { readonly handle: string }).handle);
        asked.push(...handles);
        return handles.map((handle) => (handle === 'alice' ? alice : undefined)) as never;
      },
    };
    expect(await drained({ ...ports, reader })).toBe(true);
    expect(asked).toEqual(['alice', 'usd', 'bob']);
    const told = ports.taken.map(({ data }) => data['wallet']);
    expect(told).toEqual(named.map((name) => (name === 'alice' ? alice.record : name)));
    expect(new Set(ports.taken.map(({ data }) => data['symbol']))).toEqual(new Set(['usd']));
  });

  test('may be empty: the bus hears nothing', async () => {
    const ports = post();
    expect(await drained(ports)).toBe(true);
    expect(ports.offered).toEqual([]);
  });

  test('may hold more than is read at once', async () => {
    const ports = post();
    const wallet = storedTimes(ports, created('wallet', 'alice'), 320);
    expect(await drained(ports)).toBe(true);
    expect(changesOf(ports.taken, wallet)).toEqual(Array.from({ length: 320 }, (_, i) => i + 1));
  });

  test('is read as much at a time from one shard as from four, since each step takes a place in the log', async () => {
    const limitsOf = async (shards: readonly number[], count: number) => {
      const ports = post();
      storedTimes(ports, created('wallet', 'alice'), count);
      const limits: number[] = [];
      const outbox: Post['outbox'] = {
        ...ports.outbox,
        oldest: (scope, shard, limit, after) => {
          limits.push(limit);
          return ports.outbox.oldest(scope, shard, limit, after);
        },
      };
      expect(await drain({ ...ports, outbox }, 'main', shards)).toBe(true);
      expect(ports.taken).toHaveLength(count);
      return limits;
    };
    expect(await limitsOf([0], 199)).toEqual([200]);
    expect(await limitsOf([0], 200)).toEqual([200, 200]);
    expect(await limitsOf([0, 1, 2, 3], 49)).toEqual([50, 50, 50, 50]);
    // Those that go on are fewer.
    expect(await limitsOf([0, 1, 2, 3], 60)).toEqual([50, 50, 50, 50, 200]);
    expect(new Set(await limitsOf([0, 1, 2, 3, 4, 5, 6], 3))).toEqual(new Set([50]));
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
    const stuck = storedTimes(ports, created('wallet', 'stuck'), 330);
    const other = storedTimes(ports, created('wallet', 'other'), 3);
    ports.trouble.refuses = ({ luid }) => luid === stuck.record.luid;
    expect(await drained(ports)).toBe(false);
    expect(changesOf(ports.taken, other)).toEqual([1, 2, 3]);
    expect(ports.waiting()).toHaveLength(330);
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

describe('an entry that is seen before its version', () => {
  test('waits and is told later, with the rest of its record behind it', async () => {
    const ports = post();
    const alice = storedTimes(ports, created('wallet', 'alice'), 3);
    const bob = storedTimes(ports, created('wallet', 'bob'), 2);
    ports.trouble.lacks = ({ luid, change }) => luid === alice.record.luid && change === 2;
    expect(await drained(ports)).toBe(false);
    expect(changesOf(ports.taken, alice)).toEqual([1]);
    expect(changesOf(ports.taken, bob)).toEqual([1, 2]);
    expect(ports.aside).toEqual([]);
    ports.pass(minutes(4));
    expect(await drained(ports)).toBe(false);
    expect(ports.waiting().map(({ change }) => change)).toEqual([2, 3]);
    ports.trouble = {};
    expect(await drained(ports)).toBe(true);
    expect(changesOf(ports.taken, alice)).toEqual([1, 2, 3]);
  });

  test('does not hold up a shard that is full of such entries', async () => {
    const ports = post();
    for (let index = 0; index < 120; index += 1) ports.store(created('wallet', `w${index}`));
    const wallet = storedTimes(ports, created('wallet', 'alice'), 1);
    ports.trouble.lacks = ({ luid }) => luid !== wallet.record.luid;
    expect(await drained(ports)).toBe(false);
    expect(changesOf(ports.taken, wallet)).toEqual([1]);
    expect(ports.waiting()).toHaveLength(120);
  });
});

test('an entry that is minutes old, and whose version is superseded at the moment, is told with the rest', async () => {
  const ports = post();
  const alice = storedTimes(ports, created('wallet', 'alice'), 2);
  const bob = storedTimes(ports, created('wallet', 'bob'), 1);
  ports.pass(minutes(6));
  let left = 3;
  const asked: number[] = [];
  const outbox: Post['outbox'] = {
    ...ports.outbox,
    versions: (entries) => {
      asked.push(entries.length);
      left -= 1;
      return ports.outbox.versions(entries);
    },
  };
  ports.trouble.lacks = ({ luid, change }) =>
    left > 0 && luid === alice.record.luid && change === 1;
  expect(await drain({ ...ports, outbox }, 'main', [0])).toBe(true);
  expect(ports.aside).toEqual([]);
  expect(changesOf(ports.taken, alice)).toEqual([1, 2]);
  expect(changesOf(ports.taken, bob)).toEqual([1]);
  // An outbox that writes at once indexes those that are read together.
  expect(asked).toEqual([3, 3, 3]);
});

describe('a party of a signal', () => {
  const received = (wallet: string) => ({
    signal: 'balance-received',
    change: 4,
    custom: { wallet, symbol: 'usd', amount: '5' },
  });

  test('that cannot be read is told by handle, and stops nobody', async () => {
    const ports = post();
    ports.store(transferred('rent'), [received('bob')]);
    ports.store(created('wallet', 'alice'));
    const reader = { ...ports.reader, load: () => Promise.reject(new Error('throttled')) };
    expect(await drain({ ...ports, reader }, 'main', [0])).toBe(true);
    expect(ports.taken.map(({ data }) => data['wallet'])).toMatchObject(['bob', {}]);
    expect(ports.waiting()).toEqual([]);
  });

  test('whose handle a later wallet has is told by handle, and not to those who hear of that one', async () => {
    const ports = post();
    ports.store(transferred('rent'), [received('bob')]);
    const made = created('wallet', 'bob');
    const meta = { ...made.record.meta, domain: 'elsewhere' };
    const later = { ...made, record: { ...made.record, meta } };
    ports.store(later);
    const load = async (wants: readonly unknown[]) =>
      wants.map((want) => (Object(want).handle === 'bob' ? later : undefined)) as never;
    expect(await drain({ ...ports, reader: { ...ports.reader, load } }, 'main', [0])).toBe(true);
    const [told] = ports.taken;
    expect([told?.data['wallet'], told?.domain]).toEqual(['bob', undefined]);
  });

  test('and has changed since is told as it stood: the same text after a crash', async () => {
    const ports = post();
    let bob = revised(created('wallet', 'bob'), { custom: { floor: 1 } });
    const past: Version[] = [];
    const reader = {
      ...ports.reader,
      load: async (wants: readonly unknown[]) =>
        wants.map((want) => (Object(want).handle === 'bob' ? bob : undefined)) as never,
      past: async (_scope: string, luid: string, first: number) =>
        past.filter(({ record, change }) => record.luid === luid && change >= first),
    };
    ports.store(transferred('rent'), [received('bob')]);
    ports.trouble.beforeTold = () => {
      throw new Error('crash');
    };
    await expect(drain({ ...ports, reader }, 'main', [0])).rejects.toThrow('crash');
    for (const floor of [2, 3]) {
      past.push(bob);
      bob = revised(bob, { custom: { floor } });
    }
    ports.trouble = {};
    expect(await drain({ ...ports, reader }, 'main', [0])).toBe(true);
    const [first, again] = ports.taken;
    expect(first?.data['wallet']).toEqual(past[0]?.record);
    expect(again).toEqual(first);
  });
});

describe('outboxes of many ledgers', () => {
  async function* scopes() {
    yield* ['', 'broken', 'main', 'stuck', 'late'];
  }

  test('are drained one after the other, whatever becomes of one', async () => {
    const ports = post();
    ports.store(created('wallet', 'alice'));
    const reports: unknown[] = [];
    const seen: string[] = [];
    const oldest: typeof ports.outbox.oldest = async (scope, ...rest) => {
      seen.push(scope);
      if (scope === 'broken') throw new Error('broken');
      return ports.outbox.oldest(scope === 'stuck' ? 'main' : scope, ...rest);
    };
    const hasTime = () => seen.length < 4;
    const report = (error: unknown) => reports.push(error);
    const outbox = { ...ports.outbox, oldest };
    await drainAll({ ...ports, outbox, hasTime, report }, scopes());
    expect(seen).toEqual(['', 'broken', 'main', 'stuck']);
    expect(ports.taken).toHaveLength(1);
    expect(reports).toEqual([new Error('broken')]);
  });

  test('say which of them could not be told', async () => {
    const ports = post();
    ports.store(created('wallet', 'alice'));
    ports.trouble.refuses = () => true;
    const reports: unknown[] = [];
    const sweep = { hasTime: () => true, report: (error: unknown) => void reports.push(error) };
    await drainAll({ ...ports, ...sweep }, scopes());
    expect(reports).toEqual(["Some events of the scope 'main' could not be published yet."]);
  });

  test('are found page by page, each page after the last one', async () => {
    const handles = Array.from({ length: 250 }, (_, index) => `ledger-${index}`);
    const asked: (string | undefined)[] = [];
    const ledgers = async (limit: number, after?: string) => {
      asked.push(after);
      const start = after === undefined ? 0 : Number(after) + 1;
      const page = handles.slice(start, start + limit);
      return page.map((handle, index) => ({ handle, place: String(start + index) }));
    };
    const found: string[] = [];
    for await (const scope of scopesOf({ ledgers })) found.push(scope);
    expect(found).toEqual(['', ...handles]);
    expect(asked).toEqual([undefined, '99', '199']);
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
        why: 'Broken assertion: an outbox entry names changes of its own version',
      },
    ]);
    expect(ports.metrics.filter(([name]) => name === 'OutboxSetAside')).toEqual([
      ['OutboxSetAside', 1],
    ]);
    expect(changesOf(ports.taken, wallet)).toEqual([1, 3]);
    expect(ports.taken).toHaveLength(3);
    expect(ports.waiting()).toEqual([]);
  });

  test('may lack its version for good, and is put aside once it is minutes old', async () => {
    const ports = post();
    const entry = ports.store(created('wallet', 'alice'));
    ports.store(created('wallet', 'bob'));
    ports.trouble.lacks = ({ luid }) => luid === entry.luid;
    ports.pass(minutes(6));
    expect(await drained(ports)).toBe(true);
    expect(ports.aside).toEqual([{ entry, why: 'The version of the entry is not in the table.' }]);
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
