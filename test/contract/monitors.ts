/** The contract of monitors, as tests that any implementation passes beside its store. Ruling 95, Decision 110. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Crossing } from '../../shared/ledger/monitor.ts';
import type { Version } from '../../shared/ledger/record.ts';
import type { BookName } from '../../shared/port/books.ts';
import type { BookRest, MonitorState, Monitors } from '../../shared/port/monitors.ts';
import type { Claim } from '../../shared/shape/intent.ts';
import { courseOf, nextMoment, type Side, sidesOf } from '../fixture/booked.ts';
import {
  commitOf,
  created,
  dropped,
  newLuid,
  proved,
  revised,
  transferred,
  writeOf,
} from '../fixture/version.ts';
import { type BookPorts, bookedScope, published, toldOf } from './books.ts';
import { newScope } from './store.ts';

/** A store with its outbox, its books and its monitors. */
export interface MonitorPorts extends BookPorts {
  readonly monitors: Monitors;
}

const done = ['prepared', 'committed', 'completed'];
const usd = { symbol: 'usd' };
const ever = new Date(0).toISOString();
const paying: Claim = { action: 'transfer', source: 'alice', target: 'bob', amount: 30, ...usd };
const issuing: Claim = { action: 'issue', target: 'alice', amount: 100, ...usd };
const courseFor = (handle: string, claims: readonly Claim[], ...commits: string[][]) =>
  courseOf(handle, { claims, sides: sidesOf(claims), commits });

async function stored({ store }: MonitorPorts, scope: string, next: Version, previous?: Version) {
  expect(await store.commit(commitOf(writeOf(scope, next, previous)))).toEqual([]);
}

const byWallet = ({ wallet: one = '' }: BookName, { wallet: other = '' }: BookName) =>
  one < other ? -1 : 1;

const linesOf = ({ rows }: Pick<BookRest, 'rows'>) =>
  rows.map(
    ({ entry: { intent, moment }, totals: { credits, debits, reserved } }) =>
      `${moment} ${intent.handle} ${credits - debits} ${reserved}`,
  );

/** A book behind a moment, part by part, as a monitor goes through it. */
async function restOf({ monitors }: MonitorPorts, name: BookName, after: string) {
  const parts: BookRest[] = [];
  for (let until = after; ; ) {
    const part = await monitors.rest(name, until);
    expect(part).toBeDefined();
    if (!part) throw new Error('The ledger has no books.');
    parts.push(part);
    if (!part.hasMore)
      return { parts, before: parts[0]?.before, rows: parts.flatMap((one) => one.rows) };
    const last = part.rows.at(-1)?.entry.moment ?? '';
    expect(last > until).toBe(true);
    until = last;
  }
}

/** Runs the contract against the ports that are there once the tests run. */
export function describeMonitors(name: string, portsNow: () => MonitorPorts, runCount = 200): void {
  describe(`monitors in ${name}`, () => {
    describeMoved(portsNow);
    describeRest(portsNow, runCount);
    describeStates(portsNow, runCount);
  });
}

function describeMoved(portsNow: () => MonitorPorts): void {
  test('look at the balances that a version moved, and at no others', async () => {
    const ports = portsNow();
    const scope = await bookedScope(ports.store);
    const wallets = ['alice', 'bob'].map((wallet) => ({ scope, wallet, ...usd }));
    const [held, moved] = courseFor('pay', [paying], ['prepared'], done) as [Version, Version];
    const movedNow = async () => {
      const names = await ports.monitors.moved(await toldOf(ports, scope));
      return names.toSorted(byWallet);
    };
    await stored(ports, scope, created('wallet', 'alice'));
    await stored(ports, scope, held);
    expect(await movedNow()).toEqual(wallets.slice(0, 1));
    await published(ports, scope);
    await stored(ports, scope, moved, held);
    expect(await movedNow()).toEqual(wallets);
    await published(ports, scope);
    expect(await movedNow()).toEqual([]);
    // A further proof on what has moved already.
    await stored(ports, scope, proved(moved, 1, 'completed'), moved);
    expect(await movedNow()).toEqual([]);
    await published(ports, scope);
    const [issue] = courseFor('issue', [issuing], done) as [Version];
    await stored(ports, scope, issue);
    expect(await movedNow()).toEqual([{ scope, ...usd }, ...wallets.slice(0, 1)]);
  });

  test('name a balance once, however many versions moved it, and each ledger by itself', async () => {
    const ports = portsNow();
    const scopes = [await bookedScope(ports.store), await bookedScope(ports.store)];
    for (const scope of scopes)
      for (const handle of ['a', 'b']) await stored(ports, scope, transferred(handle));
    const told = await Promise.all(scopes.map((scope) => toldOf(ports, scope)));
    const names = await ports.monitors.moved(told.flat());
    const expected = scopes.flatMap((scope) =>
      ['alice', 'bob'].map((wallet) => ({ scope, wallet, ...usd })),
    );
    expect(names).toHaveLength(4);
    expect(names).toEqual(expect.arrayContaining(expected));
  });
}

function describeRest(portsNow: () => MonitorPorts, runCount: number): void {
  test('read a book behind a moment, before and after it is published', async () => {
    const ports = portsNow();
    const scope = await bookedScope(ports.store);
    const alice = { scope, wallet: 'alice', ...usd };
    const [issue] = courseFor('issue', [issuing], done) as [Version];
    const [held, moved] = courseFor('pay', [paying], ['prepared'], done) as [Version, Version];
    await stored(ports, scope, issue);
    await stored(ports, scope, held);
    await stored(ports, scope, moved, held);
    const [first, second, third] = [issue, held, moved].map(
      ({ steps }) => steps.at(-1)?.moment ?? '',
    ) as [string, string, string];
    const lines = [
      `${first} issue 100 0`,
      `${second} pay 100 30`,
      `${third} pay 100 0`,
      `${third} pay 70 0`,
    ];
    for (const round of ['waiting', 'published', 'again']) {
      const readings = [ever, first, second, third].map((after) => restOf(ports, alice, after));
      const [all, behindFirst, behindSecond, behindThird] = await Promise.all(readings);
      expect([round, linesOf(all ?? { rows: [] })]).toEqual([round, lines]);
      expect(behindFirst && linesOf(behindFirst)).toEqual(lines.slice(1));
      expect(behindFirst?.before).toMatchObject({ credits: 100n, debits: 0n, reserved: 0n });
      expect(behindSecond?.before).toMatchObject({ credits: 100n, debits: 0n, reserved: 30n });
      expect(behindSecond && linesOf(behindSecond)).toEqual(lines.slice(2));
      expect(behindThird?.before).toMatchObject({ credits: 100n, debits: 30n, reserved: 0n });
      expect(behindThird?.rows).toEqual([]);
      await published(ports, scope);
    }
    const nobody = await restOf(ports, { ...alice, wallet: 'carol' }, ever);
    expect(linesOf(nobody)).toEqual([]);
  });

  test('read a long book in parts, and never a part of a millisecond', async () => {
    const ports = portsNow();
    const scope = await bookedScope(ports.store);
    const sides = Array.from({ length: 90 }, (): Side => ({ wallet: 'alice', amount: 1 }));
    const moments = Array.from({ length: 7 }, () => nextMoment());
    for (const [index, moment] of moments.entries()) {
      const script = { claims: [], sides, commits: [done] };
      await stored(ports, scope, courseOf(`i${index}`, script, [moment])[0] as Version);
    }
    for (const _ of ['waiting', 'published']) {
      const { parts, rows } = await restOf(ports, { scope, wallet: 'alice', ...usd }, ever);
      expect(parts.length).toBeGreaterThan(1);
      for (const { rows: own } of parts) expect(own.length % sides.length).toBe(0);
      expect(rows.map(({ totals }) => Number(totals.credits))).toEqual(
        Array.from({ length: 7 * sides.length }, (_row, index) => index + 1),
      );
      await published(ports, scope);
    }
  });

  test('look at nothing in a ledger whose books are not made', async () => {
    const { monitors } = portsNow();
    expect(
      await monitors.rest({ scope: newScope(), wallet: 'alice', ...usd }, ever),
    ).toBeUndefined();
  });

  test('begin at no special time in a ledger that had books from the beginning', async () => {
    const { store, monitors } = portsNow();
    expect(await monitors.sinceMs(await bookedScope(store))).toBe(0);
  });

  test('read what a plain list says, whatever is late, waits and is published', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { minLength: 1, maxLength: 12 }), (deeds) =>
        agree(portsNow(), deeds),
      ),
      { numRuns: runCount },
    );
  });
}

const deed = fc.record({
  amount: fc.integer({ min: -99, max: 99 }).filter((amount) => amount !== 0),
  /** How long before the others it took place: a machine whose clock is slow. */
  lateMs: fc.constantFrom(0, 0, 1, 5),
  publishes: fc.boolean(),
});
type Deed = typeof deed extends fc.Arbitrary<infer One> ? One : never;

async function agree(ports: MonitorPorts, deeds: readonly Deed[]): Promise<void> {
  const scope = await bookedScope(ports.store);
  const lines: { moment: string; amount: number }[] = [];
  for (const [index, { amount, lateMs, publishes }] of deeds.entries()) {
    const moment = new Date(Date.parse(nextMoment()) - lateMs).toISOString();
    const script = { claims: [], sides: [{ wallet: 'alice', amount }], commits: [done] };
    await stored(ports, scope, courseOf(`i${index}`, script, [moment])[0] as Version);
    lines.push({ moment, amount });
    if (publishes) await published(ports, scope, Date.parse(moment) + 20_000);
  }
  const sumAt = (moment: string) =>
    lines.reduce((sum, one) => (one.moment <= moment ? sum + one.amount : sum), 0);
  const moments = [...new Set(lines.map(({ moment }) => moment))].sort();
  for (const after of [ever, ...moments]) {
    const { before, rows } = await restOf(ports, { scope, wallet: 'alice', ...usd }, after);
    expect(Number((before?.credits ?? 0n) - (before?.debits ?? 0n))).toBe(sumAt(after));
    const ends = rows.filter(({ entry }, index) => rows[index + 1]?.entry.moment !== entry.moment);
    expect(
      ends.map(({ entry, totals }) => [entry.moment, Number(totals.credits - totals.debits)]),
    ).toEqual(moments.filter((one) => one > after).map((one) => [one, sumAt(one)]));
    expect(rows).toHaveLength(lines.filter(({ moment }) => moment > after).length);
  }
}

const crossing = (number: number, more: Partial<Crossing> = {}): Crossing => ({
  ...{ number, direction: 'below', available: 4n, moment: ever },
  ...more,
});

const stateOf = (version: number, more: Partial<MonitorState> = {}): MonitorState => ({
  ...{ condition: '{"threshold":5}', until: ever, side: 'above', count: 0, pending: [], version },
  ...more,
});

const monitor = (handle: string) =>
  created('effect', handle, { signal: 'balance-crossed', action: { schema: 'webhook' } });

function describeStates(portsNow: () => MonitorPorts, runCount: number): void {
  const monitorIn = async (ports: MonitorPorts, handle = 'low') => {
    const scope = await bookedScope(ports.store);
    const effect = monitor(handle);
    await stored(ports, scope, effect);
    return { scope, effect, luid: effect.record.luid };
  };

  test('keep what they were told, as it was said', async () => {
    const ports = portsNow();
    const { monitors } = ports;
    const { scope, luid } = await monitorIn(ports);
    expect(await monitors.read(scope, luid)).toBeUndefined();
    const pending = [
      crossing(7, { available: 2n ** 77n + 1n, direction: 'above' }),
      crossing(8, {
        available: -(2n ** 64n) - 1n,
        intent: { handle: 'rent', luid: newLuid('int') },
      }),
    ];
    const first = stateOf(1, { until: nextMoment(), side: 'below', count: 8, pending });
    expect(await monitors.save(scope, luid, first)).toBe(true);
    expect(await monitors.read(scope, luid)).toEqual(first);
    const second = { ...first, pending: [], condition: '{}', version: 2 };
    expect(await monitors.save(scope, luid, second)).toBe(true);
    expect(await monitors.read(scope, luid)).toEqual(second);
  });

  test('are each by themselves: by ledger and by effect', async () => {
    const ports = portsNow();
    const { monitors, store } = ports;
    const { scope, effect, luid } = await monitorIn(ports);
    const other = monitor('other');
    await stored(ports, scope, other);
    const elsewhere = await bookedScope(store);
    await stored(ports, elsewhere, effect);
    expect(await monitors.save(scope, luid, stateOf(1, { count: 3 }))).toBe(true);
    expect(await monitors.read(scope, other.record.luid)).toBeUndefined();
    expect(await monitors.read(elsewhere, luid)).toBeUndefined();
    expect(await monitors.save(elsewhere, luid, stateOf(1, { count: 4 }))).toBe(true);
    expect((await monitors.read(scope, luid))?.count).toBe(3);
  });

  test('store one of two next states', async () => {
    const ports = portsNow();
    const { monitors } = ports;
    const { scope, luid } = await monitorIn(ports);
    for (const version of [1, 2, 3]) {
      const [one, other] = [stateOf(version, { count: 1 }), stateOf(version, { count: 2 })];
      const results = await Promise.all(
        [one, other].map((state) => monitors.save(scope, luid, state)),
      );
      expect(results.toSorted()).toEqual([false, true]);
      expect(await monitors.read(scope, luid)).toEqual(results[0] ? one : other);
    }
  });

  test('last as long as their effect, over its updates', async () => {
    const ports = portsNow();
    const { monitors } = ports;
    const { scope, effect, luid } = await monitorIn(ports);
    expect(await monitors.save(scope, luid, stateOf(1))).toBe(true);
    const renamed = revised(effect, { handle: 'lower' });
    await stored(ports, scope, renamed, effect);
    expect(await monitors.read(scope, luid)).toEqual(stateOf(1));
    expect(await monitors.save(scope, luid, stateOf(2))).toBe(true);
    await stored(ports, scope, dropped(renamed), renamed);
    expect(await monitors.read(scope, luid)).toBeUndefined();
    for (const version of [1, 2, 3])
      expect(await monitors.save(scope, luid, stateOf(version))).toBe(false);
    expect(await monitors.read(scope, luid)).toBeUndefined();
    // Another one of that name has a state of its own.
    const next = monitor('lower');
    await stored(ports, scope, next);
    expect(await monitors.read(scope, next.record.luid)).toBeUndefined();
    expect(await monitors.save(scope, next.record.luid, stateOf(1))).toBe(true);
  });

  test('are of an effect that there is', async () => {
    const ports = portsNow();
    const { scope } = await monitorIn(ports);
    const luid = newLuid('eff');
    expect(await ports.monitors.save(scope, luid, stateOf(1))).toBe(false);
    expect(await ports.monitors.read(scope, luid)).toBeUndefined();
  });

  test('follow each other by number, whoever stores them', async () => {
    const number = fc.integer({ min: 1, max: 6 });
    await fc.assert(
      fc.asyncProperty(fc.array(number, { maxLength: 12 }), async (versions) => {
        const ports = portsNow();
        const { scope, luid } = await monitorIn(ports);
        let last: MonitorState | undefined;
        for (const [count, version] of versions.entries()) {
          const next = stateOf(version, { count });
          const isNext = version === (last?.version ?? 0) + 1;
          expect(await ports.monitors.save(scope, luid, next)).toBe(isNext);
          if (isNext) last = next;
          expect(await ports.monitors.read(scope, luid)).toEqual(last);
        }
      }),
      { numRuns: runCount },
    );
  });

  test('that have to look again are known, until no more notes are made of them than were read', async () => {
    const { store, monitors } = portsNow();
    const [scope, other] = [await bookedScope(store), await bookedScope(store)];
    const [low, high] = [newLuid('eff'), newLuid('eff')];
    const noted = async () => [...(await monitors.behind(scope))].sort();
    expect(await noted()).toEqual([]);
    await monitors.noteBehind(scope, low);
    await monitors.noteBehind(scope, high);
    await monitors.noteBehind(scope, high);
    expect(new Map(await noted())).toEqual(
      new Map([
        [low, 1],
        [high, 2],
      ]),
    );
    await monitors.caughtUp(scope, high, 1);
    await monitors.caughtUp(scope, low, 1);
    expect(await noted()).toEqual([[high, 2]]);
    await monitors.caughtUp(scope, high, 2);
    await monitors.caughtUp(scope, high, 2);
    expect(await noted()).toEqual([]);
    expect(await monitors.behind(other)).toEqual(new Map());
    // A ledger without books looks at nothing.
    const none = newScope();
    await monitors.noteBehind(none, low);
    expect(await monitors.behind(none)).toEqual(new Map());
    expect(await monitors.sinceMs(scope)).toBe(0);
  });
}
