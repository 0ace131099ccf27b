/**
 * Entries that leave the outbox behind the bus. Goal: what is stored meanwhile is told without waiting for that, once and
 * in its order, and nothing is indexed out of order or forgotten before it is indexed. Decision 148.
 */
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Version } from '../../shared/ledger/record.ts';
import type { EntryVersion } from '../../shared/port/catalog.ts';
import type { OutboxEntry } from '../../shared/port/outbox.ts';
import { indexing } from '../../shared/signal/indexing.ts';
import { drain } from '../../shared/signal/relay.ts';
import { created, proved } from '../fixture/version.ts';
import { post } from './post.ts';

/** The time by which a drain goes on. */
let nowMs = 0;
beforeEach(() => {
  nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => void vi.restoreAllMocks());

/** A post whose entries are indexed, and leave when they are let go. */
function slowPost() {
  const ports = post();
  const kept: string[][] = [];
  const left: string[][] = [];
  const gates: { readonly open: () => void; readonly fail: (error: Error) => void }[] = [];
  const keep = async (versions: readonly EntryVersion[]) => {
    kept.push(versions.map(({ entry }) => textOf(entry)));
    return [];
  };
  const outbox = indexing({
    outbox: {
      ...ports.outbox,
      markPublished: async (entries) => {
        await new Promise<void>((open, fail) => void gates.push({ open, fail }));
        left.push(entries.map(textOf));
        await ports.outbox.markPublished(entries);
      },
    },
    ...{ catalog: { keep }, books: { keep: async () => [] } },
    log: { keep: async () => new Set<string>() },
    ...{ clock: ports.clock, metric: ports.metric, report: () => {} },
  });
  const told = () => ports.taken.map(({ luid, data }) => `${luid} ${data.change}`);
  return { ports: { ...ports, outbox, looksAgain: true }, post: ports, kept, left, gates, told };
}

function textOf({ luid, change }: OutboxEntry): string {
  return `${luid} ${change}`;
}

/** Waits until something is so. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1));
}

test('what comes while entries leave is told at once, and leaves together behind them', async () => {
  const { ports, post: desk, kept, left, gates, told } = slowPost();
  const [alice, bob] = [created('wallet', 'alice'), created('wallet', 'bob')];
  const first = textOf(desk.store(alice));
  const drained = drain(ports, 'main', [0]);
  await until(() => gates.length === 1);
  const second = textOf(desk.store(proved(alice), ['wallet-proofs-added']));
  await until(() => told().length === 2);
  const third = textOf(desk.store(bob));
  await until(() => told().length === 3);
  // Nothing of them is written yet: the version before is still being indexed.
  expect(kept).toEqual([[first]]);
  expect(left).toEqual([]);
  gates[0]?.open();
  await until(() => gates.length === 2);
  expect(left).toEqual([[first]]);
  expect(kept).toEqual([[first], [second, third]]);
  gates[1]?.open();
  expect(await drained).toBe(true);
  expect(left).toEqual([[first], [second, third]]);
  expect(told()).toEqual([first, second, third]);
  expect(desk.waiting()).toEqual([]);
});

test('an entry that came late, before those that are leaving, is told as well', async () => {
  const { ports, post: desk, gates, told } = slowPost();
  const late = created('wallet', 'late');
  desk.store(created('wallet', 'alice'));
  const drained = drain(ports, 'main', [0]);
  await until(() => gates.length === 1);
  desk.store(late);
  expect(desk.waiting()[0]?.luid).toBe(late.record.luid);
  await until(() => told().length === 2);
  gates[0]?.open();
  await until(() => gates.length === 2);
  gates[1]?.open();
  expect(await drained).toBe(true);
  expect(desk.waiting()).toEqual([]);
});

test('entries that cannot leave are told again, in their order', async () => {
  const { ports, post: desk, gates, told } = slowPost();
  const alice = created('wallet', 'alice');
  const first = textOf(desk.store(alice));
  const drained = drain(ports, 'main', [0]);
  await until(() => gates.length === 1);
  const second = textOf(desk.store(proved(alice), ['wallet-proofs-added']));
  await until(() => told().length === 2);
  gates[0]?.fail(new Error('throttled'));
  await expect(drained).rejects.toThrow('throttled');
  expect(desk.waiting()).toHaveLength(2);
  const again = drain(ports, 'main', [0]);
  await until(() => gates.length === 2);
  gates[1]?.open();
  expect(await again).toBe(true);
  expect(told()).toEqual([first, second, first, second]);
  expect(desk.waiting()).toEqual([]);
});

test('a bus that fails while entries leave lets them do so first', async () => {
  const { ports, post: desk, left, gates } = slowPost();
  const first = textOf(desk.store(created('wallet', 'alice')));
  let isBroken = false;
  const bus: typeof ports.bus = {
    publish: (lines) => {
      if (!isBroken) return ports.bus.publish(lines);
      gates[0]?.open();
      return Promise.reject(new Error('The bus is away.'));
    },
  };
  const drained = drain({ ...ports, bus }, 'main', [0]);
  await until(() => gates.length === 1);
  isBroken = true;
  const second = desk.store(created('wallet', 'bob'));
  await expect(drained).rejects.toThrow('The bus is away.');
  expect(left).toEqual([[first]]);
  expect(desk.waiting()).toEqual([second]);
});

test('one that is set aside is indexed behind those of its record that were told', async () => {
  const { ports, post: desk, kept, gates } = slowPost();
  const alice = created('wallet', 'alice');
  const [second, third] = [proved(alice), proved(proved(alice))];
  const first = textOf(desk.store(alice));
  const drained = drain(ports, 'main', [0]);
  await until(() => gates.length === 1);
  const told = textOf(desk.store(second, ['wallet-proofs-added']));
  const aside = textOf(desk.store(third, [{ signal: 'wallet-proofs-added', change: 9 }]));
  await until(() => desk.aside.length === 1);
  expect(kept).toEqual([[first], [told, aside]]);
  gates[0]?.open();
  await until(() => gates.length === 2);
  gates[1]?.open();
  expect(await drained).toBe(true);
  expect(desk.waiting()).toEqual([]);
});

test('a drain looks no more after a while, since other outboxes wait for it', async () => {
  const { ports, post: desk, gates, told } = slowPost();
  const first = textOf(desk.store(created('wallet', 'alice')));
  let looks = 0;
  const outbox: typeof ports.outbox = {
    ...ports.outbox,
    oldest: (...place) => {
      looks += 1;
      return ports.outbox.oldest(...place);
    },
  };
  const drained = drain({ ...ports, outbox }, 'main', [0]);
  await until(() => looks > 2);
  nowMs = 2_000;
  const last = looks + 1;
  await until(() => looks === last);
  const second = desk.store(created('wallet', 'bob'));
  gates[0]?.open();
  expect(await drained).toBe(true);
  expect(looks).toBe(last);
  expect(told()).toEqual([first]);
  expect(desk.waiting()).toEqual([second]);
});

test('a drain that shares a processor lets others have it meanwhile', async () => {
  const { ports, post: desk, gates, told } = slowPost();
  const first = textOf(desk.store(created('wallet', 'alice')));
  const drained = drain({ ...ports, looksAgain: false }, 'main', [0]);
  await until(() => gates.length === 1);
  const second = desk.store(created('wallet', 'bob'));
  nowMs = 500;
  await new Promise((resolve) => setTimeout(resolve, 100));
  gates[0]?.open();
  expect(await drained).toBe(true);
  expect(told()).toEqual([first]);
  expect(desk.waiting()).toEqual([second]);
});

type Step = 'alice' | 'bob' | 'let go' | 'pause';

/** Stores versions while a drain runs and entries leave; returns them in order, by record. */
async function takenThrough(
  { ports, post: desk, gates }: ReturnType<typeof slowPost>,
  all: readonly Step[],
): Promise<string[][]> {
  const versions = { alice: [created('wallet', 'alice')], bob: [created('wallet', 'bob')] };
  for (const version of Object.values(versions).flat()) desk.store(version);
  const drained = ended(gates, drain(ports, 'main', [0]));
  for (const step of all) {
    await new Promise((resolve) => setTimeout(resolve, step === 'pause' ? 60 : 0));
    if (step === 'let go') gates.at(-1)?.open();
    if (step !== 'alice' && step !== 'bob') continue;
    const next = proved(versions[step].at(-1) as Version);
    versions[step].push(next);
    desk.store(next);
  }
  expect(await drained()).toBe(true);
  // The stream tells of what came too late for this drain.
  expect(await ended(gates, drain(ports, 'main', [0]))()).toBe(true);
  return Object.values(versions).map((own) =>
    own.map(({ record, change }) => `${record.luid} ${change}`),
  );
}

/** Lets all go until a drain is over. */
function ended(gates: ReturnType<typeof slowPost>['gates'], drained: Promise<boolean>) {
  let isOver = false;
  const result = drained.finally(() => {
    isOver = true;
  });
  return async (): Promise<boolean> => {
    while (!isOver) {
      gates.at(-1)?.open();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return result;
  };
}

test('whatever comes meanwhile, all of it is told once, in order, and leaves once it is indexed', async () => {
  const step = fc.constantFrom<Step>('alice', 'bob', 'let go', 'pause');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (all) => {
      const slow = slowPost();
      const records = await takenThrough(slow, all);
      const stored = records.flat().toSorted();
      expect(slow.told().toSorted()).toEqual(stored);
      expect(slow.kept.flat().toSorted()).toEqual(stored);
      expect(slow.left.flat().toSorted()).toEqual(stored);
      for (const own of records) {
        const isOwn = (text: string) => own.includes(text);
        expect(slow.told().filter(isOwn)).toEqual(own);
        expect(slow.kept.flat().filter(isOwn)).toEqual(own);
      }
    }),
    { numRuns: 20 },
  );
});
