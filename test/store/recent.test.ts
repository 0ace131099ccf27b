/**
 * Goal: what many requests read is read once a second by a process, nothing is older than that, and who has the answer to
 * a change finds it everywhere. Method: several processes in front of one store in memory, in virtual time, with
 * answers that come late or are lost. Decision 129.
 */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Version } from '../../shared/ledger/record.ts';
import type { Store, Want } from '../../shared/port/ports.ts';
import {
  type RecentOptions,
  recentMs,
  recentReads,
  settlingMs,
  withRecent,
} from '../../shared/store/recent.ts';
import { describeStore } from '../contract/store.ts';
import { memoryStore } from '../fixture/memory.ts';
import {
  commitOf,
  created,
  dropped,
  openingOf,
  proved,
  revised,
  transferred,
  writeOf,
} from '../fixture/version.ts';

const scope = 'main';
const symbol = (handle: string) =>
  ({ what: 'record', scope, kind: 'symbol', handle, mayBeRecent: true }) as const;
const usd = symbol('usd');
const rulebook = { what: 'rulebook', scope, mayBeRecent: true } as const;
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

/** A store in memory, and processes in front of it; each counts what it asks for. */
function processesAt(store: Store = memoryStore()) {
  return {
    store,
    newProcess: (options: RecentOptions = { settled: () => wait(settlingMs) }) => {
      const asked: Want[] = [];
      const counting: Store = {
        ...store,
        load: (wants) => {
          asked.push(...wants);
          return store.load(wants);
        },
      };
      return { ...withRecent(counting, recentReads(options)), asked };
    },
  };
}

async function stored(store: Store, next: Version, previous?: Version): Promise<Version> {
  expect(await store.commit(commitOf(writeOf(scope, next, previous)))).toEqual([]);
  return next;
}

/** Advances the clock until something has come to its end; returns the time that it took, in milliseconds. */
async function tookMs(work: Promise<unknown>): Promise<number> {
  const startMs = Date.now();
  let endMs: number | undefined;
  const noting = work.finally(() => {
    endMs = Date.now();
  });
  noting.catch(() => undefined);
  while (endMs === undefined) await vi.advanceTimersByTimeAsync(10);
  await noting;
  return endMs - startMs;
}

describe('what was read of late', () => {
  test('is not asked for again for a second, and no longer', async () => {
    const { store, newProcess } = processesAt();
    const first = await stored(store, created('symbol', 'usd'));
    const one = newProcess();
    for (const ageMs of [0, 1, recentMs - 2]) {
      await vi.advanceTimersByTimeAsync(ageMs);
      expect(await one.load([usd, rulebook])).toEqual([first, undefined]);
    }
    expect(one.asked).toEqual([usd, rulebook]);
    await vi.advanceTimersByTimeAsync(1);
    await one.load([usd, rulebook]);
    expect(one.asked).toHaveLength(4);
  });

  test('is used only where it may be, and only as long as the clock goes on', async () => {
    const { store, newProcess } = processesAt();
    await stored(store, created('symbol', 'usd'));
    const one = newProcess();
    await one.load([usd]);
    await one.load([{ what: 'record', scope, kind: 'symbol', handle: 'usd' }]);
    expect(one.asked).toHaveLength(2);
    vi.setSystemTime(Date.now() - 60_000);
    await one.load([usd]);
    expect(one.asked).toHaveLength(3);
  });

  test('stands in its place among what is read', async () => {
    const { store, newProcess } = processesAt();
    const all: Version[] = [];
    for (const handle of ['a', 'b', 'c', 'd'])
      all.push(await stored(store, created('symbol', handle)));
    const one = newProcess();
    await one.load([symbol('b'), symbol('d')]);
    const wants = [...['a', 'b', 'c'].map(symbol), rulebook, symbol('d')];
    expect(await one.load(wants)).toEqual([...all.slice(0, 3), undefined, all[3]]);
    expect(one.asked.slice(2)).toEqual([symbol('a'), symbol('c'), rulebook]);
  });

  test('is never that something is missing: what is created is found at once, and answered at once', async () => {
    const { newProcess } = processesAt();
    const [one, other] = [newProcess(), newProcess()];
    expect(await one.load([usd])).toEqual([undefined]);
    const version = created('symbol', 'usd');
    expect(await tookMs(stored(other, version))).toBeLessThan(20);
    expect(await one.load([usd])).toEqual([version]);
  });

  test('has bounds: a ledger with many symbols takes no more memory than one with few', async () => {
    const { store, newProcess } = processesAt();
    for (let index = 0; index < 20; index += 1)
      await stored(store, created('symbol', `s${index}`, { custom: { text: 'x'.repeat(1_000) } }));
    const one = newProcess({ bytesMax: 10_000 });
    for (let index = 0; index < 20; index += 1) await one.load([symbol(`s${index}`)]);
    await one.load([symbol('s19')]);
    expect(one.asked).toHaveLength(20);
    await one.load([symbol('s0')]);
    expect(one.asked).toHaveLength(21);
    const none = newProcess({ bytesMax: 1_000 });
    await none.load([usd, symbol('s1')]);
    await none.load([usd, symbol('s1')]);
    expect(none.asked).toHaveLength(4);
  });
});

describe('a change', () => {
  const policy = () => created('policy', 'eyes', { schema: 'status', record: 'intent' });
  const first = created('symbol', 'usd');
  const changes: [string, () => [Version, Version | undefined]][] = [
    ['of a symbol', () => [revised(first), first]],
    ['that freezes a symbol', () => [proved(first, 1, 'inactive'), first]],
    ['that drops a symbol', () => [dropped(first), first]],
    ['of the rules', () => [policy(), undefined]],
    ['that begins to govern', () => [created('circle', 'all', { access: [{}] }), undefined]],
  ];

  test.each(changes)('%s is answered once no process uses what was before', async (_, next) => {
    const { store, newProcess } = processesAt();
    await stored(store, first);
    const [one, other] = [newProcess(), newProcess()];
    await one.load([usd, rulebook]);
    const changing = stored(other, ...next());
    expect(await tookMs(changing)).toBeGreaterThanOrEqual(recentMs);
    await one.load([usd, rulebook]);
    expect(one.asked).toHaveLength(4);
    expect(await one.load([usd, rulebook])).toEqual(await store.load([usd, rulebook]));
  });

  test('of anything else waits for nobody', async () => {
    const { newProcess } = processesAt();
    const one = newProcess();
    const wallet = created('wallet', 'alice');
    for (const [next, previous] of [
      [wallet, undefined],
      [proved(wallet, 1, 'inactive'), wallet],
      [transferred('order-1'), undefined],
      [created('circle', 'few'), undefined],
    ] as const)
      expect(await tookMs(stored(one, next, previous))).toBeLessThan(20);
  });

  test('that fails waits for nobody, and one whose answer is lost is seen by its own process', async () => {
    const { store, newProcess } = processesAt();
    const before = await stored(store, first);
    const one = newProcess();
    await one.load([usd]);
    await stored(store, revised(before), before);
    const late = one.commit(commitOf(writeOf(scope, revised(before), before)));
    expect(await tookMs(late)).toBeLessThan(20);
    expect(await late).toEqual([{ what: 'stale', write: 0 }]);
    const [now] = await one.load([usd]);
    expect(now?.change).toBe(2);
  });

  test('is known at once by all threads that count their changes together', async () => {
    const { store, newProcess } = processesAt();
    await stored(store, first);
    const together = { changes: new Int32Array(new SharedArrayBuffer(4)) };
    const [one, other] = [newProcess(together), newProcess(together)];
    await one.load([usd]);
    expect(await tookMs(stored(other, revised(first), first))).toBeLessThan(20);
    const [found] = await one.load([usd]);
    expect(found?.change).toBe(2);
  });

  test('during a reading leaves nothing of that reading behind', async () => {
    const { store } = processesAt();
    await stored(store, first);
    const slow: Store = {
      ...store,
      load: async (wants) => {
        const found = await store.load(wants);
        await wait(100);
        return found;
      },
    };
    const one = withRecent(slow, recentReads());
    const reading = one.load([usd]);
    await tookMs(wait(50));
    await stored(one, revised(first), first);
    await tookMs(reading);
    const again = one.load([usd]);
    await tookMs(again);
    expect((await again)[0]?.change).toBe(2);
  });

  test('behind the back of a decision makes it read anew', async () => {
    const { store, newProcess } = processesAt();
    await stored(store, first);
    const alice = await stored(store, created('wallet', 'alice'));
    const one = newProcess();
    await one.load([usd]);
    await stored(store, dropped(first), first);
    const next = await stored(store, created('symbol', 'usd'));
    expect(await one.open([openingOf(scope, alice, first)])).toBe(false);
    expect(await one.load([usd])).toEqual([next]);
    await stored(store, revised(next), next);
    const unchanged = [{ scope, version: next }];
    const intent = commitOf(writeOf(scope, transferred('order-1')));
    expect(await one.commit({ ...intent, unchanged })).toEqual([{ what: 'changed', version: 0 }]);
    expect((await one.load([usd]))[0]?.change).toBe(2);
  });
});

test('whatever processes do, a reading is of the last second, and after an answer nobody reads what was before', async () => {
  const delay = fc.integer({ min: 0, max: 700 });
  const step = fc.record({
    process: fc.integer({ min: 0, max: 2 }),
    does: fc.constantFrom('read' as const, 'read' as const, 'read' as const, 'change' as const),
    afterMs: delay,
    thereMs: delay,
    backMs: delay,
    isLost: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 40 }), async (steps) => {
      const { store } = processesAt();
      let current = await stored(store, created('symbol', 'usd'));
      /** The time from which each version is stored, and from which it is answered. */
      const storedAtMs = [0, Date.now()];
      const answeredMs = new Map([[1, Date.now()]]);
      const changeOf = new Map<string, number>();
      const trip = { thereMs: 0, backMs: 0, isLost: false };
      const far = (own: typeof trip): Store => ({
        ...store,
        load: async (wants) => {
          const { thereMs, backMs } = own;
          await wait(thereMs);
          const found = await store.load(wants);
          await wait(backMs);
          return found;
        },
        commit: async ({ token }) => {
          const { thereMs, backMs, isLost } = own;
          await wait(thereMs);
          const next = revised(current);
          expect(await store.commit(commitOf(writeOf(scope, next, current)))).toEqual([]);
          current = next;
          storedAtMs[next.change] = Date.now();
          changeOf.set(token, next.change);
          await wait(backMs);
          if (isLost) throw new Error('lost');
          return [];
        },
      });
      const processes = [0, 1, 2].map(() => {
        const own = { ...trip };
        return {
          own,
          store: withRecent(far(own), recentReads({ settled: () => wait(settlingMs) })),
        };
      });
      const read = async (at: Store): Promise<void> => {
        const beganMs = Date.now();
        const [found] = await at.load([usd]);
        const change = found?.change ?? 0;
        const endedMs = storedAtMs[change + 1] ?? Number.POSITIVE_INFINITY;
        expect(endedMs).toBeGreaterThan(beganMs - recentMs);
        for (const [answered, atMs] of answeredMs)
          if (atMs <= beganMs) expect(change).toBeGreaterThanOrEqual(answered);
      };
      const change = async (at: Store): Promise<void> => {
        const version = created('symbol', 'other');
        const wanted = commitOf(writeOf(scope, revised(version), version));
        const isAnswered = await at.commit(wanted).then(
          () => true,
          () => false,
        );
        const made = changeOf.get(wanted.token);
        if (isAnswered && made !== undefined) answeredMs.set(made, Date.now());
      };
      const all: Promise<void>[] = [];
      const run = async (): Promise<void> => {
        for (const { process, does, afterMs, ...how } of steps) {
          const { own, store: at } = processes[process] as (typeof processes)[number];
          Object.assign(own, how);
          const one = does === 'read' ? read(at) : change(at);
          one.catch(() => undefined);
          all.push(one);
          await wait(afterMs);
        }
        await Promise.all(all);
      };
      await tookMs(run());
    }),
    { numRuns: 60 },
  );
}, 600_000);

describe('the contract of a store', () => {
  beforeEach(() => void vi.useRealTimers());
  describeStore('what was read of late', () => withRecent(memoryStore(), recentReads()));
});
