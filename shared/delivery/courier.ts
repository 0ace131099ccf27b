/**
 * The courier: matches events to the effects of their ledger, keeps a delivery for each match, and
 * attempts deliveries. An event is accepted once, however often it comes. Rulings 57 to 61.
 */
import type { Identity, Services } from '../action/action.ts';
import type { Deliveries, Delivery, SignedEvent } from '../action/deliveries.ts';
import { inactive } from '../action/effect-status.ts';
import { deliveryLuidOf } from '../action/events.ts';
import { momentOf, signed } from '../action/sign.ts';
import { hashOf } from '../crypto/digest.ts';
import { type Matcher, type PatternMaker, parseConditions } from '../ledger/match.ts';
import type { Version } from '../ledger/record.ts';
import type { EffectData } from '../shape/effect.ts';
import type { LedgerEvent } from '../signal/event.ts';
import type { Waiting } from './put-off.ts';

export interface AcceptPorts {
  readonly services: Pick<Services, 'clock' | 'identityOf'>;
  readonly deliveries: Deliveries;
  readonly patternMaker: PatternMaker;
  /** How long whoever accepts a delivery has for its first attempt before others may try, in ms. */
  readonly leaseMs: number;
  /** Until when a new delivery is put off; undefined when it may be attempted now. */
  readonly putOffUntil: (of: Waiting, nowMs: number) => number | undefined;
  /** Told of what went wrong on our side. */
  readonly report: (error: unknown) => void;
}

/**
 * Keeps a delivery for each effect that an event matches; answers the new ones that may be attempted
 * now, in order.
 */
export async function accept(
  ports: AcceptPorts,
  events: readonly LedgerEvent[],
): Promise<Delivery[]> {
  const subscribers = subscribersOf(ports);
  const wanted: Delivery[] = [];
  for (const event of events) {
    const effects = await subscribers(event.ledger, event.data.signal);
    const matching = effects.filter((effect) => matcherOf(ports, effect)(event.data));
    if (matching.length === 0) continue;
    const ledger = await ports.services.identityOf(event.ledger);
    if (!ledger) throw new Error(`Ledger ${event.ledger} told an event and cannot be found.`);
    const record = signedEvent(ports, ledger, event);
    wanted.push(...matching.map((effect) => deliveryOf(ports, event, record, effect)));
  }
  if (wanted.length === 0) return [];
  const added = await ports.deliveries.add(wanted);
  return added.filter(({ moment, dueMs }) => dueMs === Date.parse(moment) + ports.leaseMs);
}

/** Reads the subscribers of each ledger and signal once for all the events at hand. */
function subscribersOf({ deliveries }: AcceptPorts) {
  const known = new Map<string, Promise<Version[]>>();
  return (ledger: string, signal: string): Promise<Version[]> => {
    const name = `${ledger} ${signal}`;
    const effects = known.get(name) ?? deliveries.subscribers(ledger, signal);
    known.set(name, effects);
    return effects;
  };
}

/** Whether the effect wants to hear an event; its filter was checked when it was written. */
function matcherOf({ patternMaker, report }: AcceptPorts, { record }: Version): Matcher {
  if (record.meta.status === inactive) return () => false;
  const filter = record.data['filter'] as Readonly<Record<string, unknown>> | undefined;
  try {
    return filter ? guarded(parseConditions(filter, patternMaker), report) : () => true;
  } catch (error) {
    // It was accepted once; an effect that nobody understands any more must not stop the others.
    report(error);
    return () => false;
  }
}

/** A filter that fails on an event lets nothing through. */
function guarded(matches: Matcher, report: AcceptPorts['report']): Matcher {
  return (value) => {
    try {
      return matches(value);
    } catch (error) {
      report(error);
      return false;
    }
  };
}

function signedEvent(
  { services }: AcceptPorts,
  ledger: Identity,
  { data }: LedgerEvent,
): SignedEvent {
  return signed(ledger, data, services.clock());
}

function deliveryOf(
  { services, leaseMs, putOffUntil }: AcceptPorts,
  event: LedgerEvent,
  record: SignedEvent,
  effect: Version,
): Delivery {
  const nowMs = services.clock();
  const subject = effect.record.luid;
  const scope = event.ledger;
  const luid = deliveryLuidOf(record.data.handle, subject);
  const waiting = { scope, subject, luid, linked: event.luid };
  const { action } = effect.record.data as unknown as EffectData;
  const data = {
    handle: record.data.handle,
    ...(action.schema === 'bridge' && { bridge: action.bridge }),
    effect: effect.record.data.handle,
    record,
    linked: event.luid,
  };
  return {
    scope,
    subject,
    luid,
    hash: hashOf(data),
    data,
    status: 'pending',
    moment: momentOf(nowMs),
    replay: 0,
    attempts: 0,
    dueMs: putOffUntil(waiting, nowMs) ?? nowMs + leaseMs,
    proofs: [],
    version: 1,
  };
}
