/** The contract of deliveries, as tests that any implementation passes beside its store. */
import { describe, expect, test } from 'vitest';
import type { Version } from '../../shared/ledger/record.ts';
import {
  type Deliveries,
  type Delivery,
  type DueDelivery,
  type DuePart,
  spreadMemberOf,
} from '../../shared/port/deliveries.ts';
import type { Layouts } from '../../shared/port/layouts.ts';
import type { Store } from '../../shared/port/ports.ts';
import { claimed, delivered, laterMs, newDelivery } from '../fixture/delivery.ts';
import {
  commitOf,
  created,
  dropped,
  newLuid,
  proved,
  revised,
  writeOf,
} from '../fixture/version.ts';
import { grow } from './layout.ts';
import { newScope } from './store.ts';

/** A store and its deliveries. */
export interface DeliveryPorts {
  readonly store: Store;
  readonly deliveries: Deliveries;
  readonly layouts: Layouts;
}

const signal = 'wallet-created';
const read = (deliveries: Deliveries, { scope, subject, luid }: Delivery) =>
  deliveries.read(scope, subject, luid);

/** The due deliveries of one ledger: all tests share the database. */
async function dueOf(deliveries: Deliveries, scope: string, nowMs: number) {
  const own = (await markedBy(deliveries, nowMs)).filter((one) => one.scope === scope);
  return deliveries.readDue(own, nowMs);
}

/** All deliveries that are due at a time, by name, shard by shard. */
async function markedBy(deliveries: Deliveries, nowMs: number) {
  const due: DueDelivery[] = [];
  let part: DuePart | undefined;
  do {
    part = await deliveries.due(nowMs, part?.next);
    due.push(...part.due);
  } while (part.next);
  return due;
}

/** Runs the contract against the ports that are there once the tests run. */
export function describeDeliveries(name: string, portsNow: () => DeliveryPorts): void {
  describeKeeping(name, portsNow);
  describeDue(name, portsNow);
  describeParts(name, portsNow);
  describeSpread(name, portsNow);
  describeSubscribers(name, portsNow);
}

function describeKeeping(name: string, portsNow: () => DeliveryPorts): void {
  describe(`deliveries in ${name}`, () => {
    test('a delivery is read as it was added and as it was saved', async () => {
      const { deliveries } = portsNow();
      const first = newDelivery(newScope(), newLuid('eff'));
      expect(await deliveries.add([first])).toEqual([first]);
      expect(await read(deliveries, first)).toEqual(first);
      const next = delivered(first);
      expect(await deliveries.save(next, first)).toBe(true);
      expect(await read(deliveries, first)).toEqual(next);
      const again: Delivery = { ...next, replay: 2, attempts: 0, dueMs: laterMs + 7, version: 3 };
      expect(await deliveries.save(again, next)).toBe(true);
      expect(await read(deliveries, first)).toEqual(again);
    });

    test('those that are not stored yet are found, each once and in their order', async () => {
      const { deliveries } = portsNow();
      const all = Array.from({ length: 3 }, () => newDelivery(newScope(), newLuid('eff')));
      const [one, two, three] = all as [Delivery, Delivery, Delivery];
      await deliveries.add([two]);
      expect(await deliveries.newAmong([three, two, one, three])).toEqual([three, one]);
      expect(await deliveries.newAmong([])).toEqual([]);
    });

    test('a delivery is found under its own ledger, subject and luid only', async () => {
      const { deliveries } = portsNow();
      const one = newDelivery(newScope(), newLuid('eff'));
      await deliveries.add([one]);
      const { scope, subject, luid } = one;
      expect(await deliveries.read(newScope(), subject, luid)).toBeUndefined();
      expect(await deliveries.read(scope, newLuid('eff'), luid)).toBeUndefined();
      expect(await deliveries.read(scope, subject, newLuid('evd'))).toBeUndefined();
      expect(await deliveries.read(scope, subject, '')).toBeUndefined();
      expect(await deliveries.list(newScope(), subject, { index: 0, limit: 9 })).toEqual([]);
      expect(await deliveries.list(scope, newLuid('eff'), { index: 0, limit: 9 })).toEqual([]);
    });

    test('what is added again is not new, and stays as it is', async () => {
      const { deliveries } = portsNow();
      const [scope, subject] = [newScope(), newLuid('eff')];
      const [one, two, three] = [
        newDelivery(scope, subject),
        newDelivery(scope, subject),
        newDelivery(scope, newLuid('eff')),
      ];
      expect(await deliveries.add([one, one])).toEqual([one]);
      const next = delivered(one);
      await deliveries.save(next, one);
      expect(await deliveries.add([two, one, three])).toEqual([two, three]);
      expect(await deliveries.add([one, two, three])).toEqual([]);
      expect(await deliveries.add([])).toEqual([]);
      expect(await read(deliveries, one)).toEqual(next);
      expect(await dueOf(deliveries, scope, laterMs)).toHaveLength(2);
    });

    test('what two targets are told in equal words is kept for both', async () => {
      const { deliveries } = portsNow();
      const scope = newScope();
      const one = newDelivery(scope, newLuid('brg'));
      // The status of an intent is made anew for each bridge, so the record is equal and not the same.
      const data = { ...one.data, record: structuredClone(one.data.record) };
      const other = { ...newDelivery(scope, newLuid('brg')), hash: one.hash, data };
      expect(await deliveries.add([one, other])).toEqual([one, other]);
      expect([await read(deliveries, one), await read(deliveries, other)]).toEqual([one, other]);
    });

    test('of many that add the same, each delivery is new to one of them', async () => {
      const { deliveries } = portsNow();
      const [scope, subject] = [newScope(), newLuid('eff')];
      const all = Array.from({ length: 60 }, () => newDelivery(scope, subject));
      const parts = [all, all.slice(0, 40), all.slice(20), all.toReversed()];
      const added = await Promise.all(parts.map((part) => deliveries.add(part)));
      const luids = added.flat().map(({ luid }) => luid);
      expect(luids.toSorted()).toEqual(all.map(({ luid }) => luid));
      expect(await deliveries.list(scope, subject, { index: 0, limit: 100 })).toEqual(
        all.toReversed(),
      );
    });

    test('of many that save in the place of one version exactly one does', async () => {
      const { deliveries } = portsNow();
      const first = newDelivery(newScope(), newLuid('eff'));
      await deliveries.add([first]);
      const rivals = Array.from({ length: 20 }, (_, index) => claimed(first, laterMs + index));
      const saved = await Promise.all(rivals.map((next) => deliveries.save(next, first)));
      const [winner, ...others] = rivals.filter((_, index) => saved[index]);
      expect(others).toEqual([]);
      expect(await read(deliveries, first)).toEqual(winner);
      const due = await dueOf(deliveries, first.scope, laterMs + 20);
      expect(due).toEqual([winner]);
    });

    test('a version that is no longer current, or never was there, is not replaced', async () => {
      const { deliveries } = portsNow();
      const [first, stray] = [
        newDelivery(newScope(), newLuid('eff')),
        newDelivery(newScope(), newLuid('eff')),
      ];
      await deliveries.add([first]);
      const second = claimed(first, laterMs);
      const third = delivered(second);
      await deliveries.save(second, first);
      await deliveries.save(third, second);
      expect(await deliveries.save(delivered(second), second)).toBe(false);
      expect(await deliveries.save(claimed(first, 5), first)).toBe(false);
      expect(await deliveries.save(claimed(stray, 5), stray)).toBe(false);
      expect(await read(deliveries, first)).toEqual(third);
      expect(await read(deliveries, stray)).toBeUndefined();
      expect(await dueOf(deliveries, first.scope, laterMs)).toEqual([]);
    });

    test('only the version after the one before is saved', async () => {
      const { deliveries } = portsNow();
      const first = newDelivery(newScope(), newLuid('eff'));
      const skipping = { ...first, version: 3 };
      await expect(deliveries.save(skipping, first)).rejects.toThrow('Broken assertion');
    });

    test('a thousand deliveries come newest first, page by page', async () => {
      const { deliveries } = portsNow();
      const [scope, subject] = [newScope(), newLuid('eff')];
      const all = Array.from({ length: 1000 }, () => newDelivery(scope, subject));
      expect(await deliveries.add(all)).toEqual(all);
      const newest = all.toReversed();
      const page = (index: number, limit: number) =>
        deliveries.list(scope, subject, { index, limit });
      expect(await page(0, 100)).toEqual(newest.slice(0, 100));
      expect(await page(3, 250)).toEqual(newest.slice(750));
      expect(await page(33, 30)).toEqual(newest.slice(990));
      expect(await page(34, 30)).toEqual([]);
      const older = { index: 0, limit: 100, before: newest[99]?.luid ?? '' };
      expect(await deliveries.list(scope, subject, older)).toEqual(newest.slice(100, 200));
    });

    test('an event that is too large is refused, and all that is added with it', async () => {
      const { deliveries } = portsNow();
      const [scope, subject] = [newScope(), newLuid('eff')];
      const sized = (bytes: number) => newDelivery(scope, subject, {}, { text: 'x'.repeat(bytes) });
      const large = Array.from({ length: 15 }, () => sized(380 * 1024));
      expect(await deliveries.add(large)).toHaveLength(15);
      expect(await deliveries.list(scope, subject, { index: 0, limit: 20 })).toHaveLength(15);
      const fitting = newDelivery(scope, subject);
      await expect(deliveries.add([fitting, sized(400 * 1024)])).rejects.toMatchObject({
        reason: 'api.body-malformed',
        custom: { fault: 'too-large' },
      });
      expect(await read(deliveries, fitting)).toBeUndefined();
    });
  });
}

function describeDue(name: string, portsNow: () => DeliveryPorts): void {
  describe(`due deliveries in ${name}`, () => {
    test('a delivery is due from its time on, until it is over', async () => {
      const { deliveries } = portsNow();
      const scope = newScope();
      const first = newDelivery(scope, newLuid('eff'), { dueMs: 1000 });
      const second = claimed(first, 2000);
      const third: Delivery = { ...second, attempts: 1, version: 3 };
      const over = delivered(third);
      await deliveries.add([first]);
      expect(await dueOf(deliveries, scope, 999)).toEqual([]);
      expect(await dueOf(deliveries, scope, 1000)).toEqual([first]);
      await deliveries.save(second, first);
      expect(await dueOf(deliveries, scope, 1999)).toEqual([]);
      await deliveries.save(third, second);
      expect(await dueOf(deliveries, scope, 2000)).toEqual([third]);
      await deliveries.save(over, third);
      expect(await dueOf(deliveries, scope, laterMs)).toEqual([]);
      const again: Delivery = { ...over, status: 'pending', dueMs: 3000, version: 5 };
      await deliveries.save(again, over);
      expect(await dueOf(deliveries, scope, 3000)).toEqual([again]);
      await deliveries.save(delivered(again), again);
      expect(await dueOf(deliveries, scope, laterMs)).toEqual([]);
    });

    test('a delivery that is added as over is not due', async () => {
      const { deliveries } = portsNow();
      const one = { ...delivered(newDelivery(newScope(), newLuid('eff'))), version: 1 };
      expect(await deliveries.add([one])).toEqual([one]);
      expect(await read(deliveries, one)).toEqual(one);
      expect(await dueOf(deliveries, one.scope, laterMs * 2)).toEqual([]);
    });

    test('the longest due come first, of all ledgers, by name', async () => {
      const { deliveries } = portsNow();
      const times = [50, 10, 40, 20, 30];
      const early = times.map((dueMs) => newDelivery(newScope(), newLuid('eff'), { dueMs }));
      await deliveries.add(early);
      const sorted = early.toSorted((one, other) => Number(one.dueMs) - Number(other.dueMs));
      const { due, ...rest } = await deliveries.due(60);
      expect(rest).toEqual({});
      expect(due).toEqual(
        sorted.map(({ scope, subject, luid, dueMs }) => ({
          ...{ scope, subject, luid, dueMs },
          isReplay: false,
        })),
      );
      expect(await deliveries.readDue(due.slice(1, 3), 60)).toEqual(sorted.slice(1, 3));
      expect(await deliveries.readDue(due, 30)).toEqual(sorted.slice(0, 3));
      expect(await deliveries.readDue(due, 10, 29)).toEqual(sorted.slice(0, 3));
      expect(await deliveries.readDue(due, 10, 30)).toEqual(sorted.slice(0, 4));
      expect(await deliveries.due(9)).toEqual({ due: [] });
      for (const one of early) await deliveries.save(delivered(one), one);
    });
  });
}

function describeParts(name: string, portsNow: () => DeliveryPorts): void {
  describe(`very many due deliveries in ${name}`, () => {
    test('are told part by part, each of them once', async () => {
      const { deliveries } = portsNow();
      const [scope, subject] = [newScope(), newLuid('eff')];
      const all = Array.from({ length: 9_000 }, () => newDelivery(scope, subject, { dueMs: 70 }));
      await deliveries.add(all);
      const first = await deliveries.due(70);
      expect(first.next).toBeDefined();
      const marked = await markedBy(deliveries, 70);
      expect(marked.length).toBeGreaterThan(first.due.length);
      const own = marked.filter((one) => one.scope === scope).map(({ luid }) => luid);
      expect(own.toSorted()).toEqual(all.map(({ luid }) => luid).toSorted());
    });

    test('one that was asked for says so, until it was attempted', async () => {
      const { deliveries } = portsNow();
      const scope = newScope();
      const marks = async () =>
        (await markedBy(deliveries, laterMs))
          .filter((one) => one.scope === scope)
          .map(({ isReplay: isAsked }) => isAsked);
      const first = newDelivery(scope, newLuid('eff'));
      const asked: Delivery = { ...first, replay: 1, version: 2 };
      const taken = claimed(asked, laterMs - 1);
      const failed: Delivery = { ...taken, attempts: 1, version: 4 };
      await deliveries.add([first]);
      for (const [next, previous, isAsked] of [
        [asked, first, true],
        [taken, asked, true],
        [failed, taken, false],
      ] as const) {
        expect(await deliveries.save(next, previous)).toBe(true);
        expect(await marks()).toEqual([isAsked]);
      }
    });
  });
}

function describeSpread(name: string, portsNow: () => DeliveryPorts): void {
  describe(`deliveries about spread intents in ${name}`, () => {
    /** Some of a ledger that grew while they came, oldest first, about intents of old and new layouts. */
    const spreadIn = async ({ deliveries, layouts }: DeliveryPorts) => {
      const [scope, subject] = [newScope(), newLuid('brg')];
      const all: Delivery[] = [];
      for (const most of [1, 4, 16, 64]) {
        for (let number = 0; number < 20; number += 1)
          all.push(newDelivery(scope, subject, spreadMemberOf({ spread: (number * 7) % most })));
        expect(await deliveries.add(all)).toEqual(all.slice(-20));
        if (most < 64) await grow({ layouts }, scope);
      }
      return { scope, subject, all };
    };

    test('are listed among the others in their order, and read by luid and by name', async () => {
      const ports = portsNow();
      const { deliveries } = ports;
      const { scope, subject, all } = await spreadIn(ports);
      const newest = all.toReversed();
      for (const limit of [1, 7, 80, 100])
        for (const index of [0, 1, 3])
          expect(await deliveries.list(scope, subject, { index, limit })).toEqual(
            newest.slice(index * limit, (index + 1) * limit),
          );
      const before = newest[9]?.luid ?? '';
      expect(await deliveries.list(scope, subject, { index: 1, limit: 5, before })).toEqual(
        newest.slice(15, 20),
      );
      for (const one of all) {
        expect(await read(deliveries, one)).toEqual(one);
        expect(await deliveries.readNamed(one)).toEqual(one);
      }
      expect(await deliveries.list(scope, newLuid('brg'), { index: 0, limit: 9 })).toEqual([]);
      expect(await deliveries.newAmong(all)).toEqual([]);
      expect(await deliveries.add(all)).toEqual([]);
    });

    test('are due, are saved and end as all others', async () => {
      const ports = portsNow();
      const { deliveries } = ports;
      const { scope, all } = await spreadIn(ports);
      const [first] = all as [Delivery];
      const last = all.findLast(({ spread }) => spread !== undefined) as Delivery;
      expect((await dueOf(deliveries, scope, laterMs)).map(({ luid }) => luid).toSorted()).toEqual(
        all.map(({ luid }) => luid),
      );
      const taken = claimed(last, laterMs + 1);
      expect(await deliveries.save(taken, last)).toBe(true);
      expect(await deliveries.save(claimed(last, laterMs + 2), last)).toBe(false);
      const again = (await dueOf(deliveries, scope, laterMs + 1)).find(
        ({ luid }) => luid === last.luid,
      );
      expect(again).toEqual(taken);
      for (const [next, previous] of [
        [delivered(taken), taken],
        [delivered(first), first],
      ] as const) {
        expect(await deliveries.save(next, previous)).toBe(true);
        expect(await read(deliveries, next)).toEqual(next);
      }
      expect(await dueOf(deliveries, scope, laterMs + 1)).toHaveLength(all.length - 2);
    });
  });
}

function describeSubscribers(name: string, portsNow: () => DeliveryPorts): void {
  const committed = async (store: Store, scope: string, next: Version, previous?: Version) =>
    expect(await store.commit(commitOf(writeOf(scope, next, previous)))).toEqual([]);

  describe(`subscribers in ${name}`, () => {
    test('an effect is there in the very commit that wrote it, in its ledger only', async () => {
      const { store, deliveries } = portsNow();
      const [scope, other] = [newScope(), newScope()];
      const hook = created('effect', 'hook', { signal });
      expect(await deliveries.subscribers(scope, signal)).toEqual([]);
      await committed(store, scope, hook);
      expect(await deliveries.subscribers(scope, signal)).toEqual([hook]);
      expect(await deliveries.subscribers(scope, 'wallet-dropped')).toEqual([]);
      expect(await deliveries.subscribers(other, signal)).toEqual([]);
    });

    test('an effect that was not stored is not there', async () => {
      const { store, deliveries } = portsNow();
      const scope = newScope();
      const hook = created('effect', 'hook', { signal });
      await committed(store, scope, hook);
      const rival = commitOf(writeOf(scope, created('effect', 'hook', { signal })));
      expect(await store.commit(rival)).toHaveLength(1);
      const stale = revised(hook, { signal: 'wallet-dropped' });
      await committed(store, scope, proved(hook), hook);
      expect(await store.commit(commitOf(writeOf(scope, stale, hook)))).toHaveLength(1);
      expect(await deliveries.subscribers(scope, signal)).toHaveLength(1);
      expect(await deliveries.subscribers(scope, 'wallet-dropped')).toEqual([]);
    });

    test('effects are found as they stand after updates, renames and drops', async () => {
      const { store, deliveries } = portsNow();
      const scope = newScope();
      const first = created('effect', 'hook', { signal });
      const second = proved(first, 1, 'inactive');
      const third = revised(second, { custom: { n: 1 } });
      const fourth = revised(third, { handle: 'hooky' });
      const fifth = revised(fourth, { signal: 'wallet-dropped' });
      const sixth = revised(fifth, { signal, handle: 'hook' });
      await committed(store, scope, first);
      for (const [previous, next] of [
        [first, second],
        [second, third],
        [third, fourth],
      ] as const) {
        await committed(store, scope, next, previous);
        expect(await deliveries.subscribers(scope, signal)).toEqual([next]);
      }
      await committed(store, scope, fifth, fourth);
      expect(await deliveries.subscribers(scope, signal)).toEqual([]);
      expect(await deliveries.subscribers(scope, 'wallet-dropped')).toEqual([fifth]);
      await committed(store, scope, sixth, fifth);
      expect(await deliveries.subscribers(scope, signal)).toEqual([sixth]);
      expect(await deliveries.subscribers(scope, 'wallet-dropped')).toEqual([]);
      await committed(store, scope, dropped(sixth), sixth);
      expect(await deliveries.subscribers(scope, signal)).toEqual([]);
      const heir = created('effect', 'hook', { signal });
      await committed(store, scope, heir);
      expect(await deliveries.subscribers(scope, signal)).toEqual([heir]);
    });

    test('hundreds of effects are found, the oldest first', async () => {
      const { store, deliveries } = portsNow();
      const scope = newScope();
      const hooks = Array.from({ length: 230 }, (_, index) =>
        created('effect', `hook-${230 - index}`, { signal }),
      );
      await Promise.all(hooks.map((hook) => committed(store, scope, hook)));
      expect(await deliveries.subscribers(scope, signal)).toEqual(hooks);
    });
  });
}
