import { describe, expect, test } from 'vitest';
import type { Services } from '../../shared/action/action.ts';
import type { Delivery } from '../../shared/action/deliveries.ts';
import { publicOf, secretKeyOf } from '../../shared/crypto/key.ts';
import {
  type CarryPorts,
  carry,
  carryDue,
  carryLeft,
  putOffUntil,
} from '../../shared/delivery/carry.ts';
import { lanes } from '../../shared/delivery/lanes.ts';
import { putOffs } from '../../shared/delivery/put-off.ts';
import { silences } from '../../shared/delivery/silence.ts';
import type { AttemptOutcome } from '../../shared/ledger/delivery.ts';
import { newDelivery } from '../fixture/delivery.ts';
import { memoryDeliveries } from '../fixture/memory-deliveries.ts';
import { created } from '../fixture/version.ts';

const seed = Buffer.alloc(32, 7);
const key = { public: publicOf(seed), privateKey: secretKeyOf(seed) };
const effect = created('effect', 'hook', {
  signal: 'wallet-created',
  action: { schema: 'webhook', endpoint: 'https://example.com/' },
});
const subject = effect.record.luid;
const ok: AttemptOutcome = { kind: 'answered', status: 204 };
const refused: AttemptOutcome = { kind: 'unreachable', why: 'refused' };
const timeout: AttemptOutcome = { kind: 'unreachable', why: 'timeout' };
const startMs = Date.parse('2026-06-01T00:00:00.000Z');
const leaseMs = 60_000;

/** A courier whose target answers as it is told, and which retries nothing in place. */
function courier(waitingMax = 100) {
  const asked: string[] = [];
  const self = { nowMs: startMs, outcome: ok as AttemptOutcome, asked };
  const deliveries = memoryDeliveries(() => [effect]);
  const services = {
    clock: () => self.nowMs,
    identityOf: async (handle: string) => ({ handle, key }),
    store: { load: async () => [effect, undefined] },
  } as unknown as Services;
  const ports: CarryPorts = {
    services,
    deliveries,
    lanes: lanes(1, waitingMax),
    patienceMs: () => 0,
    leaseMs,
    held: new Set(),
    silences: silences(),
    putOffs: putOffs(),
    report: (error) => {
      throw error;
    },
    send: async ({ headers }) => {
      asked.push(String(headers['webhook-id']));
      return self.outcome;
    },
  };
  return Object.assign(self, { ports, deliveries });
}

/** A delivery that was accepted just now, of a record of its own. */
function accepted(parts: Partial<Delivery> = {}, change = 1): Delivery {
  const { data, ...rest } = newDelivery('main', subject);
  const said = { ...data.record.data, change, moment: new Date(startMs).toISOString() };
  const record = { ...data.record, data: said };
  const linked = `$wlt.${data.handle}`;
  const moment = new Date(startMs).toISOString();
  return { ...rest, moment, data: { ...data, record, linked }, dueMs: startMs + leaseMs, ...parts };
}

async function carried(
  { ports, deliveries }: ReturnType<typeof courier>,
  ...all: readonly Delivery[]
): Promise<(Delivery | undefined)[]> {
  carry(ports, await deliveries.add(all));
  await settled(ports);
  return Promise.all(all.map(({ luid }) => deliveries.read('main', subject, luid)));
}

/** When lanes are empty and what was put off is stored. */
async function settled({ lanes: { idle } }: CarryPorts): Promise<void> {
  await idle();
  await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('a delivery', () => {
  test('that is answered is over', async () => {
    const [done] = await carried(courier(), accepted());
    expect([done?.status, done?.dueMs, done?.proofs.length]).toEqual(['delivered', undefined, 1]);
  });

  test('whose target is silent is put off without being asked', async () => {
    const self = courier();
    self.outcome = timeout;
    await carried(self, accepted());
    const [later] = await carried(self, accepted());
    expect(self.asked).toHaveLength(1);
    expect([later?.status, later?.dueMs]).toEqual(['pending', startMs + 15_000]);
    expect(later?.proofs).toEqual([]);
  });

  test('that waits in its lane while the target goes silent is put off in its turn', async () => {
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

  test('that finds its lane full is put off', async () => {
    const self = courier(1);
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

  test('waits longer each time it is put off', async () => {
    const self = courier();
    self.outcome = timeout;
    const late = accepted({ version: 5, moment: new Date(startMs - 600_000).toISOString() });
    const [, after] = await carried(self, accepted(), late);
    expect(after?.dueMs).toBe(startMs + 600_000);
  });
});

describe('what is due', () => {
  test('is asked for once after a silence, and the rest waits for what that one hears', async () => {
    const self = courier();
    self.outcome = timeout;
    await carried(self, accepted(), accepted(), accepted());
    self.outcome = ok;
    self.nowMs += 15_001;
    await carryDue(self.ports);
    await settled(self.ports);
    expect(self.asked).toHaveLength(2);
    self.nowMs += 60_000;
    await carryDue(self.ports);
    await settled(self.ports);
    expect(new Set(self.asked).size).toBe(3);
  });

  test('is not taken on while it waits in a lane', async () => {
    const self = courier();
    const one = accepted({ dueMs: startMs });
    await self.deliveries.add([one]);
    self.ports.held.add(one.luid);
    expect(await carryDue(self.ports)).toBe(0);
    self.ports.held.clear();
    expect(await carryDue(self.ports)).toBe(1);
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
});

test('what somebody asked to send again is attempted although the target is silent', async () => {
  const self = courier();
  self.outcome = timeout;
  await carried(self, accepted());
  self.outcome = ok;
  await self.deliveries.add([accepted({ replay: 1, dueMs: startMs })]);
  await carryDue(self.ports);
  await settled(self.ports);
  expect(self.asked).toHaveLength(2);
});

test('what was put off goes on as soon as the target is heard of', async () => {
  const self = courier();
  self.outcome = timeout;
  const [, waiting] = await carried(self, accepted(), accepted());
  expect(waiting?.dueMs).toBe(startMs + 15_000);
  self.outcome = ok;
  self.nowMs += 1_000;
  await self.deliveries.add([accepted({ replay: 1, dueMs: startMs })]);
  await carryDue(self.ports);
  await settled(self.ports);
  const released = await self.deliveries.read('main', subject, waiting?.luid ?? '');
  expect([released?.status, released?.dueMs]).toEqual(['pending', self.nowMs]);
  await carryDue(self.ports);
  await settled(self.ports);
  expect(self.asked.at(-1)).toBe(waiting?.data.handle);
});

describe('a new event of a record', () => {
  const target = { scope: 'main', subject, linked: '$wlt.a', luid: '$evd.1' };

  test('is put off behind an older one, so that it does not overtake it', () => {
    const { ports } = courier();
    ports.putOffs.remember(target, startMs + 5_000);
    expect(putOffUntil(ports, target, startMs)).toBe(startMs + 5_001);
    expect(putOffUntil(ports, target, startMs)).toBe(startMs + 5_002);
    expect(putOffUntil(ports, { ...target, linked: '$wlt.b' }, startMs)).toBeUndefined();
  });

  test('is attempted at once when the older one is on its way again', () => {
    const { ports } = courier();
    ports.putOffs.remember(target, startMs - 60_000);
    expect(putOffUntil(ports, target, startMs)).toBeUndefined();
  });
});
