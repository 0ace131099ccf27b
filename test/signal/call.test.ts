/**
 * Goal: what becomes of the call to a bridge, attempt by attempt, whatever the bridge answers and whatever has been
 * decided meanwhile. Rulings 53 to 57 and 61, Decisions 55 and 56.
 */
import { describe, expect, test } from 'vitest';
import { hashOf } from '../../shared/crypto/digest.ts';
import { privateKeyOf, publicOf } from '../../shared/crypto/key.ts';
import { sign } from '../../shared/crypto/proof.ts';
import type { RefusedCall } from '../../shared/delivery/attempted.ts';
import { rates } from '../../shared/delivery/bytes.ts';
import { attemptMsMax } from '../../shared/delivery/call.ts';
import { carry } from '../../shared/delivery/carry.ts';
import { carryDue, type DuePorts, dueWalk } from '../../shared/delivery/due.ts';
import { hostPlaces, wholeRoom } from '../../shared/delivery/room.ts';
import { Targets } from '../../shared/delivery/targets.ts';
import { type Tokens, tokens } from '../../shared/delivery/tokens.ts';
import type { CallAction } from '../../shared/ledger/call.ts';
import { type AttemptOutcome, waitsMs } from '../../shared/ledger/delivery.ts';
import type { Version } from '../../shared/ledger/record.ts';
import type { OutgoingRequest } from '../../shared/outgoing/send.ts';
import type { Services } from '../../shared/port/action.ts';
import type { CallData, Delivery } from '../../shared/port/deliveries.ts';
import { entryCallHandle } from '../../shared/record/call-name.ts';
import { deliveryLuidOf, replay } from '../../shared/record/resend.ts';
import { bridge, bridged, type EntryWish, entryOf, type IntentWish } from '../fixture/bridged.ts';
import { memoryDeliveries } from '../fixture/memory-deliveries.ts';
import { otherLuid } from '../fixture/other-luid.ts';
import { proved, revised } from '../fixture/version.ts';

const seed = Buffer.alloc(32, 7);
const key = { public: publicOf(seed), privateKey: privateKeyOf(seed) };
const startMs = Date.parse('2026-06-01T00:00:00.000Z');
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const leaseMs = 60_000;
const expiry = '2026-06-01T01:00:00.000Z';

const answered = (status: number): AttemptOutcome => ({ kind: 'answered', status });
const unreachable: AttemptOutcome = { kind: 'unreachable', why: 'refused' };

const noTokens: Tokens = tokens({ clock: () => startMs, ask: () => Promise.reject('no token') });

/** A bank that answers as it is told, and a courier that retries nothing in place. */
function bank(bankVersion = bridge('bank')) {
  const requests: OutgoingRequest[] = [];
  const refused: RefusedCall[] = [];
  const figures: string[] = [];
  const records = new Map<string, Version>();
  const self = {
    nowMs: startMs,
    outcome: answered(202),
    /** The order of what happens. */
    log: [] as string[],
    requests,
    refused,
    figures,
    tokens: noTokens,
  };
  const deliveries = memoryDeliveries(() => []);
  const put = (version: Version) =>
    records.set(`${version.kind} ${version.record.data.handle}`, version);
  put(bankVersion);
  const services = {
    clock: () => self.nowMs,
    identityOf: async (handle: string) => ({ handle, key }),
    deliveries,
    keyring: { unwrap: async (bytes: Uint8Array) => bytes },
    store: {
      load: async (wants: { what: string; kind: string; handle: string; luid: string }[]) =>
        wants.map(({ what, kind, handle, luid }) => {
          if (what === 'secrets') return { token: Buffer.from('s3cret') };
          if (what === 'record') return records.get(`${kind} ${handle}`);
          const living = [...records.values()].find(({ record }) => record.luid === luid);
          return living && { kind, luid, handle: living.record.data.handle };
        }),
    },
  } as unknown as Services;
  const ports: DuePorts = {
    services,
    deliveries,
    targets: new Targets({ all: 100, ofLedger: 100, ofUnproven: 100, ofTarget: 32, waiting: 100 }),
    room: wholeRoom({ rates: rates(1e9), hosts: hostPlaces(100) }),
    patienceMs: () => 0,
    leaseMs,
    walk: dueWalk(),
    report: (error) => {
      throw error;
    },
    refused: async (call) => {
      self.log.push('refused');
      refused.push(call);
    },
    metric: (name) => void figures.push(name),
    tokens: {
      of: (holder) => self.tokens.of(holder),
      reportUse: (...told) => self.tokens.reportUse(...told),
    },
    send: async (request) => {
      self.log.push(`${request.method} ${new URL(request.endpoint).pathname}`);
      requests.push(request);
      return self.outcome;
    },
  };
  return Object.assign(self, {
    ports,
    deliveries,
    put,
    remove: (name: string) => records.delete(name),
    bankVersion,
  });
}

type Bank = ReturnType<typeof bank>;

/** An intent with one debit at the bank. */
function intentOf(wish: IntentWish = {}, entry: Partial<EntryWish> = {}): Version {
  return bridged({ expiry, entries: [{ schema: 'debit', ...entry }], ...wish });
}

/** The same intent later: with another status, and more reported of its entry. */
function later(intent: Version, status: string, reported: readonly string[] = []): Version {
  const entry: EntryWish = { schema: 'debit', handle: entryOf(intent), reported };
  const next = bridged({ handle: intent.record.data.handle, status, expiry, entries: [entry] });
  return { ...next, record: { ...next.record, luid: intent.record.luid } };
}

/** The delivery of a call about the only entry of an intent, accepted now. */
function callFor(
  self: Bank,
  intent: Version,
  action: CallAction,
  parts: Partial<Delivery> = {},
): Delivery {
  const entry = entryOf(intent);
  const isStatus = action === 'status';
  const body = isStatus
    ? { ...intent.record.data }
    : { handle: entry, action, intent: intent.record };
  const hash = hashOf(body);
  const proof = sign(hash, { moment: new Date(startMs).toISOString() }, key);
  const record = { hash, data: body, meta: { proofs: [proof] } };
  const handle = isStatus ? 'evt_00000000000000000' : entryCallHandle('main', { action, entry });
  const data: CallData = {
    ...{ handle, bridge: 'bank', action, record, linked: intent.record.luid },
    ...(!isStatus && { entry }),
  };
  const subject = self.bankVersion.record.luid;
  const moment = new Date(self.nowMs).toISOString();
  return {
    ...{ scope: 'main', subject, luid: deliveryLuidOf(handle, subject), hash: hashOf(data), data },
    ...{ status: 'pending', moment, replay: 0, attempts: 0, dueMs: self.nowMs + leaseMs },
    ...{ proofs: [], version: 1, ...parts },
  };
}

/** The call that was made before what was decided, which its bridge has accepted. */
async function preparedAt(self: Bank, intent: Version): Promise<void> {
  const { dueMs: _dueMs, ...over } = callFor(self, intent, 'prepare', { status: 'delivered' });
  await self.deliveries.add([over]);
}

/** Takes on what there is to be done; answers the delivery as it stands then. */
async function carried(self: Bank, delivery: Delivery): Promise<Delivery> {
  carry(self.ports, await self.deliveries.add([delivery]));
  return stored(self, delivery);
}

async function stored(self: Bank, { scope, subject, luid }: Delivery): Promise<Delivery> {
  await self.ports.targets.queues.idle();
  await new Promise((resolve) => setImmediate(resolve));
  const found = await self.deliveries.read(scope, subject, luid);
  if (!found) throw new Error('There is no delivery.');
  return found;
}

/** Lets time pass until a delivery is due, and takes on what is due. */
async function nextOf(self: Bank, delivery: Delivery): Promise<Delivery> {
  const { dueMs } = await stored(self, delivery);
  if (dueMs === undefined) throw new Error('It is over.');
  self.nowMs = Math.max(self.nowMs, dueMs);
  await carryDue(self.ports);
  return stored(self, delivery);
}

const shown = ({ status, output }: Delivery) => {
  const { reason, detail } = output ?? {};
  return [status, reason, detail].filter((part) => part !== undefined);
};

describe('a call', () => {
  test.each([
    ['prepare', 'processing', [], 'POST /core/debits'],
    ['commit', 'committed', ['prepared'], 'POST /core/debits/{entry}/commit'],
    ['abort', 'aborted', ['prepared'], 'POST /core/debits/{entry}/abort'],
    ['status', 'completed', [], 'PUT /core/intents/{intent}'],
  ] as const)(
    'to %s is made below the address of the bridge',
    async (action, status, reported, place) => {
      const self = bank();
      const intent = intentOf({ status }, { reported });
      self.put(intent);
      if (action === 'abort') await preparedAt(self, intent);
      const delivery = callFor(self, intent, action);
      const done = await carried(self, delivery);
      expect(shown(done)).toEqual(['delivered', { httpStatus: 202 }]);
      const expected = place
        .replace('{entry}', entryOf(intent))
        .replace('{intent}', intent.record.data.handle);
      expect(self.log).toEqual([expected]);
      const [request] = self.requests;
      expect(request?.headers).toEqual({ 'content-type': 'application/json' });
      expect(JSON.parse(String(request?.body))).toEqual(
        JSON.parse(JSON.stringify(delivery.data.record)),
      );
    },
  );

  test('is the same on every attempt', async () => {
    const self = bank();
    const intent = intentOf();
    self.put(intent);
    self.outcome = answered(500);
    const delivery = callFor(self, intent, 'prepare');
    await carried(self, delivery);
    self.put(later(intent, 'processing'));
    await nextOf(self, delivery);
    const [first, second] = self.requests;
    expect(second).toEqual(first);
  });

  test('finds its bridge under a new handle', async () => {
    const self = bank();
    const intent = intentOf();
    self.put(intent);
    self.remove('bridge bank');
    self.put(revised(self.bankVersion, { handle: 'new-bank' }));
    expect(shown(await carried(self, callFor(self, intent, 'prepare')))[0]).toBe('delivered');
  });

  test('carries the headers of the bridge', async () => {
    const secure = [{ schema: 'header', key: 'X-Key', value: 'Bearer {{ secret.token }}' }];
    const self = bank(bridge('bank', { secure }));
    const intent = intentOf();
    self.put(intent);
    await carried(self, callFor(self, intent, 'prepare'));
    expect(self.requests[0]?.headers).toMatchObject({ 'x-key': 'Bearer s3cret' });
  });

  test.each([
    [answered(400), 'delivery.target-rejected', { httpStatus: 400 }],
    [answered(410), 'delivery.target-rejected', { httpStatus: 410 }],
    [answered(500), 'delivery.target-rejected', { httpStatus: 500 }],
    [unreachable, 'delivery.target-unreachable', 'refused'],
  ] as const)(
    'that fails with %j is made again a second later',
    async (outcome, reason, detail) => {
      const self = bank();
      const intent = intentOf();
      self.put(intent);
      self.outcome = outcome;
      const delivery = await carried(self, callFor(self, intent, 'prepare'));
      expect(shown(delivery)).toEqual(['failed', reason, detail]);
      expect(delivery.dueMs).toBe(startMs + 1_000);
      self.outcome = answered(202);
      expect(shown(await nextOf(self, delivery))).toEqual(['delivered', { httpStatus: 202 }]);
      expect(self.bankVersion.record.meta.status).toBe('created');
    },
  );
});

describe('a bridge that does not do what it is asked', () => {
  test('to prepare fails the intent, before the delivery is over', async () => {
    const self = bank();
    const intent = intentOf();
    self.put(intent);
    self.outcome = answered(501);
    const done = await carried(self, callFor(self, intent, 'prepare'));
    expect(shown(done)).toEqual(['cancelled', 'delivery.permanent-failure', { httpStatus: 501 }]);
    const { luid, data } = intent.record;
    const entry = entryOf(intent);
    expect(self.refused).toEqual([
      { scope: 'main', luid, handle: data.handle, entry, bridge: 'bank' },
    ]);
    expect(self.log).toEqual(['POST /core/debits', 'refused']);
  });

  test('is asked again when its intent cannot be told', async () => {
    const self = bank();
    const intent = intentOf();
    self.put(intent);
    self.outcome = answered(501);
    const reports: unknown[] = [];
    const broken = {
      ...self.ports,
      refused: () => Promise.reject(new Error('no table')),
      report: (error: unknown) => void reports.push(error),
    };
    const delivery = callFor(self, intent, 'prepare');
    carry(broken, await self.deliveries.add([delivery]));
    expect((await stored(self, delivery)).status).toBe('pending');
    expect(reports).toHaveLength(1);
    self.nowMs += leaseMs;
    expect(shown(await nextOf(self, delivery))[0]).toBe('cancelled');
  });

  test.each(['commit', 'abort', 'status'] as const)(
    'to %s ends that call alone',
    async (action) => {
      const self = bank();
      const intent = intentOf({ status: action === 'commit' ? 'committed' : 'aborted' });
      self.put(intent);
      self.outcome = answered(501);
      if (action === 'abort') await preparedAt(self, intent);
      const done = await carried(self, callFor(self, intent, action));
      expect(shown(done)).toEqual(['cancelled', 'delivery.permanent-failure', { httpStatus: 501 }]);
      expect(self.refused).toEqual([]);
    },
  );

  test('because it is gone fails what is to be prepared', async () => {
    const self = bank();
    const intent = intentOf();
    self.put(intent);
    self.remove('bridge bank');
    const done = await carried(self, callFor(self, intent, 'prepare'));
    expect(shown(done)).toEqual(['cancelled', 'delivery.permanent-failure', 'The bridge is gone.']);
    expect(self.refused).toHaveLength(1);
    expect(self.requests).toEqual([]);
  });
});

describe('a prepare', () => {
  test.each(['failed', 'aborted', 'rejected'])(
    'of an intent that is %s meanwhile is not sent',
    async (status) => {
      const self = bank();
      const intent = intentOf();
      self.put(intent);
      self.outcome = answered(500);
      const delivery = await carried(self, callFor(self, intent, 'prepare'));
      self.put(later(intent, status));
      expect(shown(await nextOf(self, delivery))).toEqual([
        'cancelled',
        'delivery.permanent-failure',
        `Given up: the intent is ${status}.`,
      ]);
      expect(self.requests).toHaveLength(1);
    },
  );

  test('is over once its bridge has reported', async () => {
    const self = bank();
    const intent = intentOf();
    self.put(intent);
    self.outcome = answered(500);
    const delivery = await carried(self, callFor(self, intent, 'prepare'));
    self.put(later(intent, 'processing', ['prepared']));
    expect(shown(await nextOf(self, delivery))).toEqual([
      'delivered',
      'The bridge has reported prepared.',
    ]);
  });

  test('is given up at expiry, at that very moment, and not before', async () => {
    const self = bank();
    const intent = intentOf();
    self.put(intent);
    self.outcome = answered(500);
    let delivery = await carried(self, callFor(self, intent, 'prepare'));
    while (delivery.dueMs !== undefined && delivery.dueMs < Date.parse(expiry))
      delivery = await nextOf(self, delivery);
    expect(delivery.dueMs).toBe(Date.parse(expiry));
    const { length } = self.requests;
    expect(shown(await nextOf(self, delivery))).toEqual([
      'cancelled',
      'delivery.permanent-failure',
      'Given up at expiry.',
    ]);
    expect(self.requests).toHaveLength(length);
    // Six quick ones, a minute, five and thirty.
    expect(length).toBe(10);
  });

  test('that was asked for again is sent also when it was reported, as long as nothing is decided', async () => {
    const self = bank();
    const intent = intentOf({}, { reported: ['prepared'] });
    self.put(intent);
    const asked = { replay: 1, attempts: 0, dueMs: startMs };
    const done = await carried(self, callFor(self, intent, 'prepare', asked));
    expect(shown(done)).toEqual(['delivered', { httpStatus: 202 }]);
  });
});

describe('what was decided', () => {
  test.each([
    ['commit', 'committed'],
    ['abort', 'aborted'],
  ] as const)(
    'is asked for (%s) until the bridge answers, and then once a day',
    async (action, status) => {
      const self = bank();
      const intent = intentOf({ status }, { reported: ['prepared'] });
      self.put(intent);
      self.outcome = answered(500);
      await preparedAt(self, intent);
      let delivery = await carried(self, callFor(self, intent, action));
      const waits: number[] = [];
      for (let count = 0; count < 30; count += 1) {
        waits.push((delivery.dueMs ?? 0) - self.nowMs);
        delivery = await nextOf(self, delivery);
      }
      expect(waits.slice(0, waitsMs.length)).toEqual(waitsMs);
      expect(new Set(waits.slice(waitsMs.length))).toEqual(new Set([dayMs]));
      expect(shown(delivery)[0]).toBe('failed');
      self.outcome = answered(202);
      expect(shown(await nextOf(self, delivery))[0]).toBe('delivered');
    },
  );

  test.each([
    ['commit', 'committed', 'committed'],
    ['abort', 'aborted', 'aborted'],
  ] as const)(
    'and reported meanwhile is asked for (%s) no more',
    async (action, status, report) => {
      const self = bank();
      const intent = intentOf({ status }, { reported: ['prepared'] });
      self.put(intent);
      self.outcome = answered(500);
      await preparedAt(self, intent);
      const delivery = await carried(self, callFor(self, intent, action));
      self.put(later(intent, status, ['prepared', report]));
      expect(shown(await nextOf(self, delivery))).toEqual([
        'delivered',
        `The bridge has reported ${report}.`,
      ]);
      expect(self.requests).toHaveLength(1);
    },
  );

  test('goes on also when the bridge was silent for longer than the whole schedule', async () => {
    const self = bank();
    const intent = intentOf({ status: 'committed' }, { reported: ['prepared'] });
    self.put(intent);
    const due = { status: 'failed', attempts: 13, dueMs: startMs + 30 * dayMs } as const;
    const delivery = callFor(self, intent, 'commit', due);
    await self.deliveries.add([delivery]);
    self.nowMs = startMs + 30 * dayMs;
    self.ports.targets.breaker.missed(delivery.subject, true, self.nowMs);
    await carryDue(self.ports);
    const waiting = await stored(self, delivery);
    expect([waiting.status, self.requests.length]).toEqual(['pending', 0]);
    expect(self.figures).toEqual(['BridgeSilent']);
    // The only one that waits finds out.
    expect(shown(await nextOf(self, delivery))[0]).toBe('delivered');
  });

  test('is left alone while the bridge is silent, however old its entry is', async () => {
    const self = bank();
    const intent = intentOf({ status: 'committed' }, { reported: ['prepared'] });
    self.put(intent);
    const delivery = callFor(self, intent, 'commit', { dueMs: startMs });
    await self.deliveries.add([delivery]);
    self.ports.targets.breaker.missed(delivery.subject, true, startMs);
    await carryDue(self.ports);
    expect(await stored(self, delivery)).toEqual(delivery);
  });

  test('and reported, or given up, while the bridge was silent is over', async () => {
    const self = bank();
    const [committed, expired] = [
      intentOf({ status: 'completed' }, { reported: ['prepared', 'committed'] }),
      intentOf(),
    ];
    for (const one of [committed, expired]) self.put(one);
    const due = { status: 'failed', attempts: 13, dueMs: startMs + 30 * dayMs } as const;
    const commit = callFor(self, committed, 'commit', due);
    const prepare = callFor(self, expired, 'prepare', due);
    const status = callFor(self, committed, 'status', due);
    await self.deliveries.add([commit, prepare, { ...status, luid: otherLuid(prepare.luid) }]);
    self.nowMs = startMs + 30 * dayMs;
    self.ports.targets.breaker.missed(commit.subject, true, self.nowMs);
    await carryDue(self.ports);
    expect(shown(await stored(self, commit))[0]).toBe('delivered');
    expect(shown(await stored(self, prepare)).at(-1)).toBe('Given up at expiry.');
    const { due: left } = await self.deliveries.due(self.nowMs + dayMs);
    expect(left).toEqual([]);
    expect(self.requests).toEqual([]);
  });

  test('is not asked for without end of an entry that had failed at its bridge', async () => {
    const self = bank();
    const intent = intentOf({ status: 'rejected' }, { reported: ['failed'] });
    self.put(intent);
    self.outcome = answered(500);
    await preparedAt(self, intent);
    let delivery = await carried(self, callFor(self, intent, 'abort'));
    while (delivery.dueMs !== undefined) delivery = await nextOf(self, delivery);
    expect(shown(delivery).slice(0, 2)).toEqual(['cancelled', 'delivery.retry-cap-exhausted']);
    expect(self.requests).toHaveLength(waitsMs.length + 1);
  });
});

describe('an abort', () => {
  /** By then, the first attempts of all who accepted a call have ended. */
  const longAgo = new Date(startMs - 200_000).toISOString();
  /** An abort, beside the prepare of the same entry as it stands. */
  async function beside(parts: Partial<Delivery>, isOnly = false) {
    const self = bank();
    self.ports = { ...self.ports, room: { ...self.ports.room, isOnly } };
    const intent = intentOf({ status: 'aborted' });
    self.put(intent);
    await self.deliveries.add([callFor(self, intent, 'prepare', parts)]);
    return { self, delivery: await carried(self, callFor(self, intent, 'abort')) };
  }

  test.each(['running', 'pending'] as const)('waits while its prepare is %s', async (status) => {
    const { self, delivery } = await beside({ status, dueMs: startMs + 5_000, moment: longAgo });
    expect([delivery.status, delivery.attempts, delivery.proofs]).toEqual(['pending', 0, []]);
    expect(delivery.dueMs).toBe(startMs + 1_000);
    expect(self.requests).toEqual([]);
    self.nowMs = startMs + 5_000;
    expect(shown(await nextOf(self, delivery))[0]).toBe('delivered');
  });

  test.each([
    ['was accepted', { status: 'delivered' }],
    ['failed long ago', { status: 'failed', dueMs: startMs + 5_000, moment: longAgo }],
    ['was given up long ago', { status: 'cancelled', moment: longAgo }],
    ['was left behind long ago', { status: 'running', dueMs: startMs, moment: longAgo }],
  ] as const)('goes on when its prepare %s', async (_, parts) => {
    const { delivery } = await beside(parts);
    expect(shown(delivery)[0]).toBe('delivered');
  });

  const inVain = [
    ['has failed', { status: 'failed', dueMs: startMs + 60_000 }],
    ['was given up', { status: 'cancelled' }],
    ['was put off until now', { status: 'pending', dueMs: startMs }],
  ] as const;

  test.each(inVain)(
    'waits when its prepare %s: another process may have the same event, and ask only now',
    async (_, parts) => {
      let { self, delivery } = await beside(parts);
      while (self.nowMs < startMs + attemptMsMax - 1_000) {
        expect([delivery.status, delivery.attempts]).toEqual(['pending', 0]);
        expect(self.requests).toEqual([]);
        delivery = await nextOf(self, delivery);
      }
      expect(shown(await nextOf(self, delivery))[0]).toBe('delivered');
    },
  );

  test.each(inVain)('goes on in the only process when its prepare %s', async (_, parts) => {
    const { delivery } = await beside(parts, true);
    expect(shown(delivery)[0]).toBe('delivered');
  });

  test.each([1, 2, 3])(
    'waits also when its prepare is asked for again in the middle of an attempt, %d times',
    async (count) => {
      const self = bank();
      const intent = intentOf({ status: 'aborted' });
      self.put(intent);
      const running = { status: 'running', dueMs: startMs + 5_000, moment: longAgo } as const;
      const prepare = callFor(self, intent, 'prepare', running);
      await self.deliveries.add([prepare]);
      for (let asked = 0; asked < count; asked += 1)
        await replay(self.ports.services, await stored(self, prepare), startMs);
      const delivery = await carried(self, callFor(self, intent, 'abort'));
      expect([delivery.status, self.requests]).toEqual(['pending', []]);
      self.nowMs = startMs + 5_000;
      expect(shown(await nextOf(self, delivery))[0]).toBe('delivered');
    },
  );

  test('waits for a prepare that is not stored, as long as an attempt of it may take', async () => {
    const self = bank();
    const intent = intentOf({ status: 'aborted' });
    self.put(intent);
    let delivery = await carried(self, callFor(self, intent, 'abort'));
    // A prepare whose attempt has not ended lies nowhere: another process may have it.
    while (self.nowMs < startMs + attemptMsMax - 1_000) {
      expect([delivery.status, delivery.attempts, self.requests]).toEqual(['pending', 0, []]);
      delivery = await nextOf(self, delivery);
    }
    expect(shown(await nextOf(self, delivery))[0]).toBe('delivered');
  });

  test('waits for no prepare when the clock was set back since it was accepted', async () => {
    const self = bank();
    const intent = intentOf({ status: 'aborted' });
    self.put(intent);
    const aborting = callFor(self, intent, 'abort');
    self.nowMs = startMs - 3_600_000;
    expect(shown(await carried(self, aborting))[0]).toBe('delivered');
  });

  test('goes on as soon as the prepare that it waits for is stored', async () => {
    const self = bank();
    const intent = intentOf({ status: 'aborted' });
    self.put(intent);
    const delivery = await carried(self, callFor(self, intent, 'abort'));
    expect(self.requests).toEqual([]);
    await preparedAt(self, intent);
    expect(shown(await nextOf(self, delivery))[0]).toBe('delivered');
  });

  test('looks once, and leaves its place to others until it is due again', async () => {
    const self = bank();
    const intent = intentOf({ status: 'aborted' });
    self.put(intent);
    await self.deliveries.add([callFor(self, intent, 'prepare', { status: 'running' })]);
    const delivery = await carried(self, callFor(self, intent, 'abort'));
    expect([delivery.status, delivery.dueMs, delivery.version]).toEqual([
      'pending',
      startMs + 1_000,
      2,
    ]);
    const { due } = await self.deliveries.due(startMs + 1_000);
    expect(due.map(({ luid, isSoon }) => [luid, isSoon])).toContainEqual([delivery.luid, true]);
    expect(self.requests).toEqual([]);
  });
});

describe('an inactive bridge', () => {
  // It takes nothing new; what is under way comes to its end. Decision 55.
  test.each([
    ['prepare', 'processing', []],
    ['commit', 'committed', ['prepared']],
    ['abort', 'aborted', ['prepared']],
    ['status', 'completed', ['prepared', 'committed']],
  ] as const)('is called for a %s as any other', async (action, status, reported) => {
    const self = bank();
    const intent = intentOf({ status }, { reported });
    self.put(intent);
    self.put(proved(self.bankVersion, 1, 'inactive'));
    if (action === 'abort') await preparedAt(self, intent);
    const delivery = await carried(self, callFor(self, intent, action));
    expect(shown(delivery)[0]).toBe('delivered');
    expect(self.requests).toHaveLength(1);
  });
});

describe('the calls of one entry', () => {
  test('are made one after the other, those of others beside them', async () => {
    const self = bank();
    const one = intentOf();
    const other = intentOf({ status: 'committed' }, { reported: ['prepared'] });
    for (const intent of [one, other]) self.put(intent);
    let answer = (_: AttemptOutcome) => {};
    const slow = new Promise<AttemptOutcome>((resolve) => {
      answer = resolve;
    });
    const places: string[] = [];
    const ports: DuePorts = {
      ...self.ports,
      send: ({ endpoint }) => {
        places.push(new URL(endpoint).pathname.replace('/core/debits', ''));
        return places.length === 1 ? slow : Promise.resolve(answered(202));
      },
    };
    const prepare = callFor(self, one, 'prepare');
    const abort = callFor(self, one, 'abort');
    const commit = callFor(self, other, 'commit');
    carry(ports, await self.deliveries.add([prepare, abort, commit]));
    expect(shown(await waitFor(self, commit))[0]).toBe('delivered');
    const [first, second] = [entryOf(one), entryOf(other)];
    expect(places).toEqual(['', `/${second}/commit`]);
    self.put(later(one, 'aborted'));
    answer(answered(202));
    expect(shown(await stored(self, abort))[0]).toBe('delivered');
    expect(places.slice(2)).toEqual([`/${first}/abort`]);
  });

  /** The delivery once it is over, while others are not. */
  async function waitFor(self: Bank, { scope, subject, luid }: Delivery): Promise<Delivery> {
    for (;;) {
      const found = await self.deliveries.read(scope, subject, luid);
      if (found && found.dueMs === undefined) return found;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
});

describe('a decision that its bridge does not carry out', () => {
  test.each(['commit', 'abort'] as const)('(%s) is counted after an hour', async (action) => {
    const self = bank();
    const status = action === 'commit' ? 'committed' : 'aborted';
    const intent = intentOf({ status }, { reported: ['prepared'] });
    self.put(intent);
    self.outcome = answered(500);
    await preparedAt(self, intent);
    let delivery = await carried(self, callFor(self, intent, action));
    while (self.nowMs + 1 < startMs + hourMs && (delivery.dueMs ?? 0) <= startMs + hourMs)
      delivery = await nextOf(self, delivery);
    expect(self.figures).toEqual([]);
    delivery = await nextOf(self, delivery);
    expect(self.figures).toEqual(['BridgeSilent']);
    self.outcome = answered(202);
    await nextOf(self, delivery);
    expect(self.figures).toEqual(['BridgeSilent']);
  });

  test('because it does not do such things is counted too, a prepare is not', async () => {
    const self = bank();
    const [committed, pending] = [
      intentOf({ status: 'committed' }, { reported: ['prepared'] }),
      intentOf({ expiry: '2027-01-01T00:00:00.000Z' }),
    ];
    for (const one of [committed, pending]) self.put(one);
    const moment = new Date(startMs - 2 * hourMs).toISOString();
    self.outcome = answered(501);
    await carried(self, callFor(self, committed, 'commit', { moment }));
    self.outcome = answered(500);
    await carried(self, callFor(self, pending, 'prepare', { moment }));
    // The call is given up as well: 501 says that asking again is of no use.
    expect(self.figures).toEqual(['BridgeSilent', 'DeliveryCancelled']);
  });
});

test('what nobody waits for is not counted, however long it fails', async () => {
  const self = bank();
  const intent = intentOf({ status: 'rejected' }, { reported: ['failed'] });
  self.put(intent);
  self.outcome = answered(404);
  const moment = new Date(startMs - 2 * hourMs).toISOString();
  await carried(self, callFor(self, intent, 'abort', { moment }));
  expect(self.log).toHaveLength(1);
  expect(self.figures).toEqual([]);
});

describe('a bridge that asks for tokens', () => {
  const secure = [
    { schema: 'header', key: 'authorization', value: 'Basic {{ secret.token }}' },
    {
      schema: 'oauth2',
      clientId: 'ledger',
      clientSecret: '{{ secret.token }}',
      tokenUrl: 'https://login.example/token',
    },
  ];

  function withTokens(...texts: readonly string[]) {
    const self = bank(bridge('bank', { secure }));
    const asked: OutgoingRequest[] = [];
    self.tokens = tokens({
      clock: () => self.nowMs,
      ask: async (request) => {
        asked.push(request);
        const text = texts[asked.length - 1];
        if (text === undefined) return { kind: 'unreachable', why: 'dns', detail: '' };
        const said = { access_token: text, token_type: 'bearer', expires_in: 3_600 };
        return { kind: 'answered', status: 200, body: JSON.stringify(said) };
      },
    });
    const intent = intentOf();
    self.put(intent);
    return { self, asked, delivery: callFor(self, intent, 'prepare') };
  }

  const authorizations = ({ requests }: Bank) =>
    requests.map(({ headers }) => headers['authorization']);

  test('is called with one, whatever its headers say', async () => {
    const { self, asked, delivery } = withTokens('one');
    expect(shown(await carried(self, delivery))[0]).toBe('delivered');
    expect(authorizations(self)).toEqual(['Bearer one']);
    const pair = Buffer.from('ledger:s3cret').toString('base64');
    expect(asked.map(({ headers }) => headers['authorization'])).toEqual([`Basic ${pair}`]);
  });

  test('and refuses one is called with another, once', async () => {
    const { self, delivery } = withTokens('one', 'two', 'three');
    self.outcome = answered(401);
    await carried(self, delivery);
    await nextOf(self, delivery);
    await nextOf(self, delivery);
    expect(authorizations(self)).toEqual(['Bearer one', 'Bearer two', 'Bearer two']);
  });

  test('is not called without one, and tried again as one that is silent', async () => {
    const { self, delivery } = withTokens();
    const failed = await carried(self, delivery);
    expect(shown(failed)).toEqual(['failed', 'delivery.target-unreachable', 'no token: dns']);
    expect(failed.dueMs).toBe(startMs + 1_000);
    expect(self.requests).toEqual([]);
  });
});

test('a call about an intent that is not there is a bug, and is found due again', async () => {
  const self = bank();
  const delivery = callFor(self, intentOf(), 'prepare');
  const reports: unknown[] = [];
  const ports = { ...self.ports, report: (error: unknown) => void reports.push(error) };
  carry(ports, await self.deliveries.add([delivery]));
  expect((await stored(self, delivery)).dueMs).toBe(startMs + leaseMs);
  expect(reports).toHaveLength(1);
});
