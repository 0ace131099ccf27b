/** A courier whose target answers as it is told, over deliveries in memory. */

import { privateKeyOf, publicOf } from '../../shared/crypto/key.ts';
import { encodeTime } from '../../shared/crypto/luid.ts';
import type { RefusedCall } from '../../shared/delivery/attempted.ts';
import { rates } from '../../shared/delivery/bytes.ts';
import { carry } from '../../shared/delivery/carry.ts';
import { carryDue, type DuePorts, dueWalk } from '../../shared/delivery/due.ts';
import { hostPlaces, wholeRoom } from '../../shared/delivery/room.ts';
import { Targets } from '../../shared/delivery/targets.ts';
import { tokens } from '../../shared/delivery/tokens.ts';
import type { AttemptOutcome } from '../../shared/ledger/delivery.ts';
import type { Version } from '../../shared/ledger/record.ts';
import type { Services } from '../../shared/port/action.ts';
import type { Delivery } from '../../shared/port/deliveries.ts';
import { newDelivery } from '../fixture/delivery.ts';
import { memoryDeliveries } from '../fixture/memory-deliveries.ts';
import { created } from '../fixture/version.ts';

const seed = Buffer.alloc(32, 7);
const key = { public: publicOf(seed), privateKey: privateKeyOf(seed) };

/** An effect whose endpoint is named as it is. */
export function hook(handle: string): Version {
  const action = { schema: 'webhook', endpoint: `https://example.com/${handle}` };
  return created('effect', handle, { signal: 'wallet-created', action });
}

const effect = hook('hook');
export const subject = effect.record.luid;
export const ok: AttemptOutcome = { kind: 'answered', status: 204 };
export const refused: AttemptOutcome = { kind: 'unreachable', why: 'refused' };
export const timeout: AttemptOutcome = { kind: 'unreachable', why: 'timeout' };
export const startMs = Date.parse('2026-06-01T00:00:00.000Z');
export const leaseMs = 60_000;

/** A courier which retries nothing in place; targets do what `outcome` says, or `outcomeAt` for one of them. */
export function courier({
  waitingMax = 100,
  others = [] as readonly Version[],
  isOnly = false,
} = {}) {
  const asked: string[] = [];
  const reports: unknown[] = [];
  const outcomeAt = new Map<string, AttemptOutcome>();
  const refusals: RefusedCall[] = [];
  const figures: string[] = [];
  const self = { nowMs: startMs, outcome: ok, asked, reports, outcomeAt, refusals, figures };
  const deliveries = memoryDeliveries(() => [effect]);
  const effects = new Map([effect, ...others].map((one) => [one.record.data.handle, one]));
  const services = {
    clock: () => self.nowMs,
    identityOf: async (handle: string) => ({ handle, key }),
    store: { load: async ([want]: { handle: string }[]) => [effects.get(want?.handle ?? '')] },
  } as unknown as Services;
  const ports: DuePorts = {
    services,
    deliveries,
    targets: new Targets({
      all: 100,
      ofLedger: 100,
      ofUnproven: 100,
      ofTarget: 1,
      waiting: waitingMax,
    }),
    room: wholeRoom({ rates: rates(1e9), hosts: hostPlaces(100), isOnly }),
    patienceMs: () => 0,
    leaseMs,
    walk: dueWalk(),
    report: (error) => void reports.push(error),
    refused: async (call) => void refusals.push(call),
    metric: (name) => void figures.push(name),
    tokens: tokens({
      clock: () => self.nowMs,
      ask: async () => ({ kind: 'unreachable', why: 'refused', detail: '' }),
    }),
    send: async ({ headers, endpoint }) => {
      asked.push(String(headers['webhook-id']));
      return outcomeAt.get(endpoint) ?? self.outcome;
    },
  };
  return Object.assign(self, { ports, deliveries });
}

export type Courier = ReturnType<typeof courier>;

/** A delivery that was accepted just now, of a record of its own. */
export function accepted(parts: Partial<Delivery> = {}, change = 1): Delivery {
  return acceptedBy(effect, startMs, parts, change);
}

let count = 0;

/** A delivery to a target, of an event that was accepted when it happened. */
export function acceptedBy(
  { record: target }: Version,
  atMs: number,
  parts: Partial<Delivery> = {},
  change = 1,
): Delivery {
  count += 1;
  const name = `${encodeTime(atMs)}${String(count).padStart(9, '0')}`;
  const { data, ...rest } = newDelivery('main', target.luid);
  const moment = new Date(atMs).toISOString();
  const handle = `evt_${name}`;
  const record = { ...data.record, data: { ...data.record.data, handle, change, moment } };
  const said = { handle, effect: target.data.handle, record, linked: `$wlt.${name}` };
  const luid = `$evd.${name}`;
  return { ...rest, luid, moment, data: said, dueMs: atMs + leaseMs, ...parts };
}

/** Carries deliveries to their end; answers them as they are stored then. */
export async function carried(
  { ports, deliveries }: Courier,
  ...all: readonly Delivery[]
): Promise<(Delivery | undefined)[]> {
  carry(ports, await deliveries.add(all));
  await settled(ports);
  return Promise.all(all.map(({ scope, luid }) => deliveries.read(scope, subject, luid)));
}

/** Takes on a part of what is due, to its end; answers how much was handled. */
export async function swept({ ports }: Courier): Promise<number> {
  const { handledCount } = await carryDue(ports);
  await settled(ports);
  return handledCount;
}

/** Resolves when queues are empty and what was put off is stored. */
export async function settled({ targets }: DuePorts): Promise<void> {
  await targets.queues.idle();
  await new Promise((resolve) => setImmediate(resolve));
}
