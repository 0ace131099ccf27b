import { describe, expect, test, vi } from 'vitest';
import { carryAhead, clockFollower, watched } from '../../shared/delivery/ahead.ts';
import { carryDue, carryLeft, scheduleMs, sharesOf } from '../../shared/delivery/due.ts';
import { sweep } from '../../shared/delivery/sweep.ts';
import { waitingOf } from '../../shared/delivery/targets.ts';
import type { Delivery } from '../../shared/port/deliveries.ts';
import { newLuid } from '../fixture/version.ts';
import {
  accepted,
  acceptedBy,
  carried,
  courier,
  hook,
  leaseMs,
  ok,
  refused,
  settled,
  startMs,
  subject,
  swept,
  timeout,
} from './carrier.ts';

const times = <Thing>(count: number, make: () => Thing) => Array.from({ length: count }, make);

function ofOneWallet(change: number, parts: Partial<Delivery> = {}): Delivery {
  const one = accepted({ dueMs: startMs, ...parts }, change);
  return { ...one, data: { ...one.data, linked: '$wlt.one' } } as Delivery;
}

describe('what is due', () => {
  test('is probed once when the time of its open circuit is over, and the rest goes on with the outcome', async () => {
    const self = courier();
    self.outcome = timeout;
    await carried(self, accepted(), accepted(), accepted());
    self.nowMs += leaseMs;
    expect(await swept(self)).toBe(1);
    expect(self.asked).toHaveLength(2);
    expect(await swept(self)).toBe(0);
    self.outcome = ok;
    self.nowMs += leaseMs;
    expect(await swept(self)).toBe(1);
    expect(new Set(self.asked).size).toBe(3);
  });

  test('is not taken on while it waits in a queue', async () => {
    const self = courier();
    const one = accepted({ dueMs: startMs });
    await self.deliveries.add([one]);
    let leave = () => {};
    const inQueue = new Promise<void>((resolve) => {
      leave = resolve;
    });
    self.ports.targets.enter(one, () => inQueue);
    expect((await carryDue(self.ports)).handledCount).toBe(0);
    leave();
    await settled(self.ports);
    expect(await swept(self)).toBe(1);
  });

  test('and was left by an earlier process is taken on in the order of the changes', async () => {
    const self = courier();
    const left = [3, 1, 2].map((change) => accepted({ dueMs: startMs + leaseMs }, change));
    const failed = accepted({ status: 'failed' }, 4);
    await self.deliveries.add([...left, failed]);
    await carryLeft(self.ports);
    await settled(self.ports);
    expect(self.asked).toEqual([1, 2, 0].map((index) => left[index]?.data.handle));
  });

  test('after a restart waits for an older one of its record that is retried within moments', async () => {
    const self = courier();
    const retried = {
      status: 'failed',
      attempts: 1,
      isSoon: true,
      dueMs: startMs + 1_000,
    } as const;
    const [first, second] = [ofOneWallet(1, retried), ofOneWallet(2)];
    await self.deliveries.add([first, second]);
    await carryLeft(self.ports);
    await settled(self.ports);
    expect(self.asked).toEqual([]);
    self.nowMs += 1_001;
    await swept(self);
    expect(self.asked).toEqual([first, second].map(({ data }) => data.handle));
  });

  test('after a restart does not wait for one that fails for longer', async () => {
    const self = courier();
    const later = { status: 'failed', attempts: 7, dueMs: startMs + 10_000 } as const;
    const [first, second] = [ofOneWallet(1, later), ofOneWallet(2)];
    await self.deliveries.add([first, second]);
    await carryLeft(self.ports);
    await settled(self.ports);
    expect(self.asked).toEqual([second.data.handle]);
  });

  test('and was left by an earlier process may be very many', async () => {
    const self = courier({ waitingMax: 10_000 });
    const left = times(9_000, () => accepted());
    await self.deliveries.add(left);
    await carryLeft(self.ports);
    await settled(self.ports);
    expect(self.asked).toEqual(left.map(({ data }) => data.handle));
  });
});

describe('a look at what is due', () => {
  test('that sees an event without the one before it does not let it overtake', async () => {
    const self = courier();
    const [first, second] = [ofOneWallet(1), ofOneWallet(2)];
    for (const one of [first, second])
      self.ports.targets.backlog.remember(waitingOf(one), startMs - 5_000, startMs);
    // The shards of the list are read side by side, so one may be read before both are stored and another after.
    await self.deliveries.add([second]);
    self.nowMs += 500;
    await swept(self);
    expect(self.asked).toEqual([]);
    await self.deliveries.add([first]);
    self.nowMs += 101;
    await swept(self);
    expect(self.asked).toEqual([first, second].map(({ data }) => data.handle));
  });

  test('in the only process waits for one that a busy machine brings late', async () => {
    const self = courier({ isOnly: true });
    const [first, second] = [ofOneWallet(1), ofOneWallet(2)];
    for (const one of [first, second]) self.ports.targets.backlog.remember(waitingOf(one), startMs);
    await self.deliveries.add([second]);
    self.nowMs += 29_000;
    await swept(self);
    expect(self.asked).toEqual([]);
    self.nowMs += 1_000;
    await swept(self);
    expect(self.asked).toEqual([second.data.handle]);
  });

  test('does not wait for ever for one that another process has taken on', async () => {
    const self = courier();
    const [first, second] = [ofOneWallet(1), ofOneWallet(2)];
    for (const one of [first, second]) self.ports.targets.backlog.remember(waitingOf(one), startMs);
    await self.deliveries.add([second]);
    self.nowMs += 2_000;
    await swept(self);
    expect(self.asked).toEqual([second.data.handle]);
  });
});

describe('what a clock that ran ahead has put off', () => {
  const dayMs = 24 * 3_600_000;
  const hourMs = 3_600_000;

  test('is attempted when the clock is right again, and nothing else before its time', async () => {
    const self = courier();
    self.outcome = refused;
    // Refused before, it waits as long as it should.
    const [before] = await carried(self, accepted({ attempts: 7 }));
    self.nowMs += 3 * dayMs;
    const [meanwhile] = await carried(
      self,
      acceptedBy(hook('hook'), self.nowMs, { subject, attempts: 7 }),
    );
    self.nowMs -= 3 * dayMs;
    expect([before?.dueMs, meanwhile?.dueMs]).toEqual([
      startMs + 5 * 60_000,
      startMs + 3 * dayMs + 5 * 60_000,
    ]);
    self.outcome = ok;
    await carryAhead(self.ports, 0);
    expect(await swept(self)).toBe(1);
    expect(self.asked.at(-1)).toBe(meanwhile?.data.handle);
    self.nowMs += 5 * 60_000;
    expect(await swept(self)).toBe(1);
    expect(self.asked.at(-1)).toBe(before?.data.handle);
  });

  test('is known by its last attempt where the clock was ahead by an hour, and seen to be set back', async () => {
    const self = courier();
    self.outcome = refused;
    const late = accepted({ attempts: 7, dueMs: startMs + hourMs });
    const own = accepted({ attempts: 8, dueMs: startMs });
    self.nowMs += hourMs;
    await carried(self, late);
    self.nowMs -= hourMs;
    await carried(self, own);
    self.outcome = ok;
    const askedCount = self.asked.length;
    await carryAhead(self.ports, hourMs);
    expect(await swept(self)).toBe(1);
    expect(self.asked.slice(askedCount)).toEqual([late.data.handle]);
  });

  test('is looked for once more, since whoever was at it may store it after the first look', async () => {
    const self = courier();
    let steadyMs = 0;
    const follow = clockFollower(
      self.ports,
      watched(self.ports.services.clock, () => steadyMs),
    );
    const pass = (ms: number): void => {
      steadyMs += ms;
      self.nowMs += ms;
    };
    await follow();
    self.nowMs += 3 * dayMs;
    await follow();
    const late = acceptedBy(hook('hook'), self.nowMs, { subject, dueMs: self.nowMs + leaseMs });
    self.nowMs -= 3 * dayMs;
    await follow();
    await self.deliveries.add([late]);
    pass(29_999);
    await follow();
    expect(await swept(self)).toBe(0);
    pass(1);
    await follow();
    expect(await swept(self)).toBe(1);
    expect(self.asked).toEqual([late.data.handle]);
  });

  test('is found however short the clock was ahead, between two looks', async () => {
    const self = courier();
    const watch = watched(self.ports.services.clock, () => 0);
    const follow = clockFollower(self.ports, watch);
    await follow();
    self.nowMs += hourMs;
    // Whoever puts it off reads the clock that is watched, and nobody looks meanwhile.
    const dueMs = watch.clock() + leaseMs;
    await self.deliveries.add([acceptedBy(hook('hook'), self.nowMs, { subject, dueMs })]);
    self.nowMs -= hourMs;
    await follow();
    expect(await swept(self)).toBe(1);
  });

  test('is a lease that no process has', async () => {
    const self = courier();
    const left = accepted({ status: 'running', dueMs: startMs + 3 * dayMs });
    const leased = accepted({ status: 'running', dueMs: startMs + leaseMs });
    await self.deliveries.add([left, leased]);
    await carryAhead(self.ports, 3 * dayMs);
    expect(await swept(self)).toBe(1);
    expect(self.asked).toEqual([left.data.handle]);
  });
});

describe('a target with very much that is due', () => {
  const [dead, good] = [hook('dead'), hook('good')];
  const beside = () => {
    const self = courier({ others: [dead, good] });
    self.outcomeAt.set('https://example.com/dead', timeout);
    return self;
  };

  test('does not hold up the retries of another one, even when it is silent', async () => {
    const self = beside();
    const dueMs = startMs - 1_000;
    const backlog = times(5_000, () => acceptedBy(dead, startMs - 5_000, { dueMs }));
    const retries = times(20, () => acceptedBy(good, startMs - 2_000, { status: 'failed', dueMs }));
    await self.deliveries.add([...backlog, ...retries]);
    self.ports.targets.breaker.missed(dead.record.luid, true, startMs);
    expect(await swept(self)).toBe(20);
    expect(self.asked.toSorted()).toEqual(retries.map(({ data }) => data.handle).toSorted());
  });

  test('is not known to be silent at first, and holds up nobody then either', async () => {
    const self = beside();
    const dueMs = startMs - 1_000;
    const backlog = times(5_000, () => acceptedBy(dead, startMs - 5_000, { dueMs }));
    const retries = times(20, () => acceptedBy(good, startMs - 2_000, { dueMs }));
    await self.deliveries.add([...backlog, ...retries]);
    await swept(self);
    for (const { data } of retries) expect(self.asked).toContain(data.handle);
    expect(self.asked).toHaveLength(21);
  });

  test('is looked through to its end, whatever lies behind it', async () => {
    const self = beside();
    const dueMs = startMs - 1_000;
    await self.deliveries.add(times(20_000, () => acceptedBy(dead, startMs - 5_000, { dueMs })));
    const one = acceptedBy(good, startMs - 1, { dueMs: startMs - 1 });
    await self.deliveries.add([one]);
    self.ports.targets.breaker.missed(dead.record.luid, true, startMs);
    const handled = [await swept(self), await swept(self), await swept(self)];
    expect(handled).toEqual([0, 0, 1]);
    expect(self.asked).toEqual([one.data.handle]);
  });

  test('is given no second share before it got through the first', async () => {
    const self = courier({ others: [dead, good], waitingMax: 1_000 });
    const dueMs = startMs - 1_000;
    await self.deliveries.add(times(300, () => acceptedBy(dead, startMs - 5_000, { dueMs })));
    let answer = (_: typeof ok) => {};
    const slow = new Promise<typeof ok>((resolve) => {
      answer = resolve;
    });
    const ports = { ...self.ports, send: () => slow };
    expect(await carryDue(ports)).toEqual({ handledCount: 100, isWhole: true });
    expect(await carryDue(ports)).toEqual({ handledCount: 0, isWhole: true });
    answer(ok);
    await settled(ports);
    expect(await carryDue(ports)).toEqual({ handledCount: 100, isWhole: true });
  });

  test('gets a share of each look, in its order', () => {
    const due = (name: string, count: number) =>
      times(count, () => ({
        ...{ scope: 'main', subject: name, luid: newLuid('evd') },
        ...{ dueMs: 1, isReplay: false },
      }));
    const [many, some, few] = [due('many', 500), due('some', 150), due('few', 3)];
    const { chosen, left } = sharesOf([...many, ...some, ...few]);
    const of = (name: string) => chosen.filter((one) => one.subject === name);
    expect(of('many')).toEqual(many.slice(0, 100));
    expect(of('some')).toEqual(some.slice(0, 100));
    expect(of('few')).toEqual(few);
    expect(left).toEqual([...many.slice(100), ...some.slice(100)]);
    const crowd = times(600, () => due(newLuid('eff'), 2)).flat();
    expect(sharesOf(crowd).chosen).toHaveLength(400);
    expect(new Set(sharesOf(crowd).chosen.map((one) => one.subject)).size).toBe(400);
  });
});

test('each ledger gets its turns, however many targets another one has', () => {
  const due = (scope: string, prefix: 'eff' | 'brg', count: number) =>
    times(count, () => ({
      ...{ scope, subject: newLuid(prefix), luid: newLuid('evd') },
      ...{ dueMs: 1, isReplay: false },
    }));
  const [many, few, calls] = [due('many', 'eff', 900), due('few', 'eff', 5), due('many', 'brg', 5)];
  const { chosen } = sharesOf([...many, ...few, ...calls]);
  expect(chosen).toHaveLength(400);
  expect(chosen).toEqual(expect.arrayContaining([...few, ...calls]));
});

test('no more of a ledger is taken on than it may have under way, whatever it is for', async () => {
  const others = times(500, () => hook(newLuid('eff')));
  const self = courier({ others });
  const ports = { ...self.ports, send: () => new Promise<typeof ok>(() => {}) };
  await self.deliveries.add(
    others.map((one) => acceptedBy(one, startMs - 5_000, { dueMs: startMs })),
  );
  expect((await carryDue(ports)).handledCount).toBe(400);
  expect((await carryDue(ports)).handledCount).toBe(0);
});

test('what waits for a target goes on as soon as it is heard of, in the order of the changes', async () => {
  const self = courier();
  self.outcome = timeout;
  const waiting = times(5, () => accepted());
  const [, ...after] = await carried(self, accepted(), ...waiting);
  expect(after.every((one) => one?.status === 'pending')).toBe(true);
  self.outcome = ok;
  self.nowMs += 500;
  const asked = accepted({ replay: 1, dueMs: startMs });
  await self.deliveries.add([asked]);
  await swept(self);
  const handles = [asked, ...waiting].map(({ data }) => data.handle);
  expect(self.asked.slice(1)).toEqual(handles);
  expect(self.reports).toEqual([]);
});

test('very much that waits for a target goes on as soon as it is heard of, some at a time', async () => {
  const self = courier({ waitingMax: 10_000 });
  self.outcome = timeout;
  const waiting = times(1_000, () => accepted());
  await carried(self, accepted(), ...waiting);
  self.outcome = ok;
  await self.deliveries.add([accepted({ replay: 1, dueMs: startMs })]);
  await swept(self);
  expect(self.asked.slice(2)).toEqual(waiting.map(({ data }) => data.handle));
});

describe('what waits for a silent target', () => {
  /** A delivery as it stands when its target has been silent until now. */
  async function afterOpening(parts: Partial<Delivery>, atMs: number) {
    const self = courier();
    const one = acceptedBy(hook('hook'), atMs, { subject, dueMs: startMs, ...parts });
    await self.deliveries.add([one]);
    self.ports.targets.breaker.missed(subject, true, startMs);
    const handledCount = await swept(self);
    expect(self.asked).toEqual([]);
    const delivery = await self.deliveries.read('main', subject, one.luid);
    return { handledCount, delivery, figures: self.figures };
  }

  test('is left alone while its schedule lasts', async () => {
    const { handledCount, delivery } = await afterOpening({}, startMs - scheduleMs);
    expect([handledCount, delivery?.status, delivery?.version]).toEqual([0, 'pending', 1]);
  });

  test('is given up after it, as after the last attempt', async () => {
    const { handledCount, delivery, figures } = await afterOpening({}, startMs - scheduleMs - 1);
    expect(figures).toEqual(['DeliveryCancelled']);
    expect([handledCount, delivery?.status, delivery?.dueMs]).toEqual([1, 'cancelled', undefined]);
    expect(delivery?.proofs.map(({ custom }) => custom)).toMatchObject([
      { status: 'cancelled', reason: 'delivery.retry-cap-exhausted' },
    ]);
    expect(delivery?.attempts).toBe(0);
  });

  test('goes on when it was asked for again in between', async () => {
    const moment = new Date(startMs - 5_000).toISOString();
    const proof = { method: 'ed25519-v2', public: '', digest: '', result: '', custom: { moment } };
    const parts = { replay: 1, attempts: 8, proofs: [proof as never] };
    const { handledCount, delivery } = await afterOpening(parts, startMs - scheduleMs - 1);
    expect([handledCount, delivery?.status, delivery?.dueMs]).toEqual([
      1,
      'pending',
      startMs + 1_800_000,
    ]);
  });

  test('is attempted by its schedule when the target is there, however old it is', async () => {
    const self = courier();
    const old = startMs - scheduleMs - 60_000;
    await self.deliveries.add([
      acceptedBy(hook('hook'), old, { subject, dueMs: startMs, attempts: 12, status: 'failed' }),
    ]);
    expect(await swept(self)).toBe(1);
    expect(self.asked).toHaveLength(1);
  });
});

describe('a sweep', () => {
  const [slow, quick] = [hook('slow'), hook('quick')];

  test('takes on what becomes due while a slow target is asked, and ends with nothing left', async () => {
    const self = courier({ others: [slow, quick] });
    let answer = (_: typeof ok) => {};
    const ports = {
      ...self.ports,
      patienceMs: () => 1,
      send: (request: Parameters<typeof self.ports.send>[0]) =>
        request.endpoint.endsWith('slow')
          ? new Promise<typeof ok>((resolve) => {
              answer = resolve;
            })
          : self.ports.send(request),
    };
    await self.deliveries.add([acceptedBy(slow, startMs - 1, { dueMs: startMs })]);
    const work = sweep(ports);
    const late = acceptedBy(quick, startMs - 1, { dueMs: startMs });
    await self.deliveries.add([late]);
    await vi.waitFor(() => expect(self.asked).toEqual([late.data.handle]), 180_000);
    answer(ok);
    await work;
    expect(await self.deliveries.due(startMs + leaseMs)).toEqual({ due: [] });
  });

  test('looks through all parts, and only while there is patience', async () => {
    const self = courier({ others: [slow] });
    await self.deliveries.add(
      times(9_000, () => acceptedBy(slow, startMs - 5_000, { dueMs: startMs })),
    );
    self.ports.targets.breaker.missed(slow.record.luid, true, startMs);
    let lookCount = 0;
    const due: typeof self.deliveries.due = (...look) => {
      lookCount += 1;
      return self.deliveries.due(...look);
    };
    const deliveries = { ...self.deliveries, due };
    await sweep({ ...self.ports, deliveries });
    expect(lookCount).toBe(0);
    await sweep({ ...self.ports, deliveries, patienceMs: () => 1 });
    expect(lookCount).toBe(2);
  });
});
