import { describe, expect, test } from 'vitest';
import { rates } from '../../shared/delivery/bytes.ts';
import { type CarryPorts, carry } from '../../shared/delivery/carry.ts';
import { carryDue } from '../../shared/delivery/due.ts';
import { hostPlaces, wholeRoom } from '../../shared/delivery/room.ts';
import type { Delivery } from '../../shared/port/deliveries.ts';
import { replay } from '../../shared/record/resend.ts';
import {
  accepted,
  carried,
  courier,
  leaseMs,
  ok,
  refused,
  settled,
  startMs,
  subject,
  swept,
  timeout,
} from './carrier.ts';

describe('a delivery', () => {
  test('that is answered is over', async () => {
    const [done] = await carried(courier(), accepted());
    expect([done?.status, done?.dueMs, done?.proofs.length]).toEqual(['delivered', undefined, 1]);
  });

  test('whose target is silent waits for its time, which costs no write', async () => {
    const self = courier();
    self.outcome = timeout;
    await carried(self, accepted());
    const [later] = await carried(self, accepted());
    expect(self.asked).toHaveLength(1);
    expect([later?.status, later?.dueMs, later?.version]).toEqual([
      'pending',
      startMs + leaseMs,
      1,
    ]);
  });

  test('that was claimed is put off when its target is silent', async () => {
    const self = courier();
    self.outcome = timeout;
    await carried(self, accepted());
    const [later] = await carried(self, accepted({ status: 'running', version: 2 }));
    expect(self.asked).toHaveLength(1);
    expect([later?.status, later?.dueMs]).toEqual(['pending', startMs + 15_000]);
    expect(later?.proofs).toEqual([]);
  });

  test('that waits in its queue while the circuit of the target opens is left alone in its turn', async () => {
    const self = courier();
    self.outcome = timeout;
    const [first, second] = await carried(self, accepted(), accepted());
    expect(self.asked).toEqual([first?.data.handle]);
    expect([first?.status, second?.status]).toEqual(['failed', 'pending']);
  });

  test('of a target that refuses is asked three times before the others wait', async () => {
    const self = courier();
    self.outcome = refused;
    await carried(self, ...Array.from({ length: 5 }, () => accepted()));
    expect(self.asked).toHaveLength(3);
  });

  test('that finds its queue full is put off', async () => {
    const self = courier({ waitingMax: 1 });
    const all = [accepted(), accepted(), accepted(), accepted()];
    const after = await carried(self, ...all);
    expect(after.map((one) => one?.status)).toEqual([
      'delivered',
      'delivered',
      'pending',
      'pending',
    ]);
    expect(after[3]?.dueMs).toBe(startMs + 15_000);
  });
});

describe('a delivery that fails', () => {
  test('is attempted once, and somebody is woken for the next time', async () => {
    const self = courier();
    self.outcome = { kind: 'answered', status: 500 };
    const [after] = await carried(self, accepted());
    expect([after?.status, after?.attempts, after?.dueMs]).toEqual(['failed', 1, startMs + 1_000]);
    expect(self.asked).toHaveLength(1);
    const { due } = await self.deliveries.due(startMs + 1_000);
    expect(due.map(({ isSoon }) => isSoon)).toEqual([true]);
  });

  test('holds up the later ones of its record, and no others', async () => {
    const self = courier();
    self.outcome = { kind: 'answered', status: 500 };
    const linked = '$wlt.a';
    const ofRecord = (change: number) => {
      const one = accepted({}, change);
      return { ...one, data: { ...one.data, linked } } as Delivery;
    };
    const [first, second] = [ofRecord(1), ofRecord(2)];
    const other = accepted({}, 3);
    await carried(self, first, second, other);
    expect(self.asked).toEqual([first.data.handle, other.data.handle]);
    self.outcome = ok;
    self.nowMs += 1_001;
    await swept(self);
    expect(self.asked.slice(2).toSorted()).toEqual(
      [first.data.handle, second.data.handle, other.data.handle].toSorted(),
    );
    expect(self.asked.indexOf(second.data.handle)).toBeGreaterThan(
      self.asked.lastIndexOf(first.data.handle),
    );
  });
});

test('the backlog of a target in a busy ledger goes on as soon as that answers', async () => {
  const self = courier();
  self.outcome = timeout;
  await carried(self, accepted());
  const waiting = accepted({ spread: 3 });
  carry(self.ports, await self.deliveries.add([waiting]));
  await settled(self.ports);
  expect(self.asked).toHaveLength(1);
  self.outcome = ok;
  self.nowMs += 15_001;
  await carried(self, accepted());
  expect(self.asked.slice(1)).toContain(waiting.data.handle);
});

describe('a delivery whose ledger has sent what it may', () => {
  test('waits for its turn, says so, and was not attempted', async () => {
    const self = courier();
    const bounds = { rates: rates(100), hosts: hostPlaces(100) };
    const ports = { ...self.ports, room: wholeRoom(bounds) };
    const all = [accepted(), accepted()];
    carry(ports, await self.deliveries.add(all));
    await settled(ports);
    const [, second] = await Promise.all(
      all.map(({ scope, luid }) => self.deliveries.read(scope, subject, luid)),
    );
    expect(self.asked).toEqual([all[0]?.data.handle]);
    expect(second).toMatchObject({ status: 'pending', attempts: 0, proofs: [] });
    expect(second?.output).toEqual({
      status: 'pending',
      reason: 'delivery.throttled',
      detail: 'The ledger sends as many bytes a second as it may.',
    });
    expect(Number(second?.dueMs)).toBeGreaterThan(startMs);
  });

  test.each([
    ['the only process', true],
    ['one of several', false],
  ])('is not overtaken in %s by what comes when its turn is', async (_, isOnly) => {
    const self = courier();
    const bounds = { rates: rates(100), hosts: hostPlaces(100), isOnly };
    const ports = { ...self.ports, room: wholeRoom(bounds) };
    const [first, second] = [accepted(), accepted()];
    carry(ports, await self.deliveries.add([first, second]));
    await settled(ports);
    const { scope, subject, luid } = second;
    const waiting = await self.deliveries.read(scope, subject, luid);
    self.nowMs = Number(waiting?.dueMs);
    carry(ports, await self.deliveries.add([accepted()]));
    await settled(ports);
    expect(self.asked).toEqual([first.data.handle]);
    await carryDue(ports);
    await settled(ports);
    expect(self.asked).toEqual([first.data.handle, second.data.handle]);
  });
});

describe('a delivery whose lease is almost over when its turn comes', () => {
  test('is claimed again', async () => {
    const self = courier();
    const one = accepted({ dueMs: startMs + 11_000 });
    const [after] = await carried(self, one);
    expect([after?.status, after?.version]).toEqual(['delivered', 3]);
  });

  test('is not sent when another has taken it on meanwhile', async () => {
    const self = courier();
    const one = accepted({ dueMs: startMs + 11_000 });
    await self.deliveries.add([one]);
    await self.deliveries.save({ ...one, status: 'running', version: 2 }, one);
    carry(self.ports, [one]);
    await settled(self.ports);
    expect(self.asked).toEqual([]);
  });
});

test('what somebody asked to send again is attempted although the target is silent', async () => {
  const self = courier();
  self.outcome = timeout;
  await carried(self, accepted());
  await self.deliveries.add([accepted({ replay: 1, dueMs: startMs })]);
  await swept(self);
  expect(self.asked).toHaveLength(2);
});

test('what is asked to be sent again during an attempt keeps the proof of that one, too', async () => {
  const self = courier();
  const { ports, deliveries } = self;
  const [one] = (await deliveries.add([accepted()])) as [Delivery];
  const stored = () => deliveries.readNamed(one);
  const send: CarryPorts['send'] = async (...request) => {
    const isFirst = self.asked.length === 0;
    const outcome = await ports.send(...request);
    if (isFirst)
      await replay({ ...ports.services, deliveries }, (await stored()) as Delivery, startMs);
    return outcome;
  };
  carry({ ...ports, send }, [one]);
  await settled(ports);
  const asked = await stored();
  expect(asked).toMatchObject({ status: 'pending', replay: 1, attempts: 0, dueMs: startMs });
  expect(asked?.output).toMatchObject({ status: 'delivered' });
  self.outcome = { kind: 'answered', status: 500 };
  await swept(self);
  const after = await stored();
  expect(after?.proofs.map(({ custom }) => custom?.['status'])).toEqual(['delivered', 'failed']);
  expect(self.asked).toHaveLength(2);
});

test('what another process has in hand is left to it when an attempt ends', async () => {
  const self = courier();
  const { ports, deliveries } = self;
  const [one] = (await deliveries.add([accepted()])) as [Delivery];
  const taken = { ...one, status: 'running', replay: 1, version: 2 } as const;
  const send: CarryPorts['send'] = async (...request) => {
    await deliveries.save(taken, one);
    return ports.send(...request);
  };
  carry({ ...ports, send }, [one]);
  await settled(ports);
  expect(await deliveries.readNamed(one)).toEqual(taken);
});

test('an effect whose status cannot be set does not keep its delivery from its end', async () => {
  const self = courier();
  self.outcome = { kind: 'answered', status: 410 };
  const [done] = await carried(self, accepted());
  expect([done?.status, done?.dueMs]).toEqual(['cancelled', undefined]);
  // The store of this courier cannot commit.
  expect(self.reports).toHaveLength(1);
});

test('a delivery that is given up is counted, and not one that nobody waits for', async () => {
  const self = courier();
  self.outcome = { kind: 'answered', status: 501 };
  const gone = accepted();
  const data = { ...gone.data, effect: 'gone' };
  const all = await carried(self, accepted(), { ...gone, data } as Delivery);
  expect(all.map((done) => done?.status)).toEqual(['cancelled', 'cancelled']);
  expect(self.figures).toEqual(['DeliveryCancelled']);
});

describe('a new event of a record', () => {
  const target = { scope: 'main', subject, line: '$wlt.a', luid: '$evd.1', place: '1' };

  test('is put off behind an older one, so that it does not overtake it', () => {
    const { ports } = courier();
    ports.targets.backlog.remember(target, startMs + 5_000);
    expect(ports.targets.postponedUntil(target, startMs)).toBe(startMs + 5_001);
    expect(ports.targets.postponedUntil(target, startMs)).toBe(startMs + 5_002);
    expect(ports.targets.postponedUntil({ ...target, line: '$wlt.b' }, startMs)).toBeUndefined();
  });

  test('waits as long as the older one is known to wait, but not for ever', () => {
    const { ports } = courier();
    ports.targets.backlog.remember(target, startMs);
    expect(ports.targets.postponedUntil({ ...target, luid: '$evd.2' }, startMs + 20_000)).toBe(
      startMs + 1,
    );
    ports.targets.backlog.release(subject, startMs + 25_000);
    expect(ports.targets.backlog.until(target, startMs + 55_000)).toBe(startMs + 25_000);
    expect(ports.targets.backlog.until(target, startMs + 55_001)).toBe(0);
  });

  test('is attempted when the older one is on its way', () => {
    const { ports } = courier();
    ports.targets.backlog.remember(target, startMs);
    ports.targets.backlog.forget(target);
    expect(ports.targets.postponedUntil(target, startMs + 2_000)).toBe(startMs + 1);
    ports.targets.backlog.forget(target);
    expect(ports.targets.postponedUntil(target, startMs + 2_002)).toBeUndefined();
  });

  test('is remembered among so many, of which the oldest records are forgotten', () => {
    const { ports } = courier();
    const at = (index: number) => ({ ...target, line: `$wlt.${index}`, luid: `$evd.${index}` });
    for (let index = 0; index <= 50_000; index += 1)
      ports.targets.backlog.remember(at(index), startMs);
    expect(ports.targets.backlog.until(at(0), startMs)).toBe(0);
    expect(ports.targets.backlog.until(at(1), startMs)).toBe(startMs);
  });
});
