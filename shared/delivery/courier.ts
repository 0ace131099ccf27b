/**
 * The courier: it matches events with the effects of their ledger and adds a delivery for each match, and for each call
 * to a bridge. An event is accepted once, however often it comes. Rulings 54 and 57 to 61.
 */

import { hashOf } from '../crypto/digest.ts';
import { BudgetExceeded, budgetOf, paidFrom, unitsFor } from '../ledger/budget.ts';
import { parseConditions } from '../ledger/match.ts';
import type { Version } from '../ledger/record.ts';
import { inactive } from '../ledger/vouching.ts';
import type { Identity } from '../port/action.ts';
import { type Delivery, spreadMemberOf } from '../port/deliveries.ts';
import { domainsIn } from '../record/lineage.ts';
import { deliveryLuidOf } from '../record/resend.ts';
import { momentOf } from '../record/sign.ts';
import type { EffectData } from '../shape/effect.ts';
import type { LedgerEvent } from '../signal/event.ts';
import type { AcceptPorts, Bringing } from './accepted.ts';
import { callsOf } from './calls.ts';
import { entryEventsOf } from './entries.ts';
import { seenEvent } from './seen.ts';
import { type SignFor, signingFor } from './signing.ts';
import { waitingOf } from './targets.ts';

/**
 * Adds a delivery for each effect that an event matches and for each bridge that it calls; returns the new ones that
 * may be attempted now, in order.
 */
export async function accept(
  ports: AcceptPorts,
  events: readonly LedgerEvent[],
): Promise<Delivery[]> {
  const subscribers = subscribersOf(ports);
  const near = nearIn(ports);
  const wanted: Delivery[] = [];
  const bring = async (event: LedgerEvent): Promise<void> => {
    const all = await subscribers(event.ledger, event.data.signal);
    const meant = all.filter((effect) => isMeant(effect, event));
    const effects = await near(event, meant);
    const seen = await seenEvent(ports.services, event.ledger, event.data, effects.map(filterOf));
    const matching = effects.filter((effect) => isWanted(ports, effect, seen));
    if (matching.length === 0 && !event.calls?.length) return;
    const ledger = await ledgerOf(ports, event);
    const sign = await signingFor(ports, ledger, event);
    const events = eventsFor(sign, event, matching);
    const calls = await callsOf(ports, sign, event);
    wanted.push(...[...events, ...calls].map((one) => deliveryOf(ports, one)));
  };
  for (const event of events) {
    await bring(event);
    for (const one of await aboutEntries(ports, event, subscribers)) await bring(one);
  }
  if (wanted.length === 0) return [];
  const added = await ports.deliveries.add(wanted);
  return added.filter(({ moment, dueMs }) => dueMs === Date.parse(moment) + ports.leaseMs);
}

/** The ledger that published an event. */
async function ledgerOf({ services }: AcceptPorts, event: LedgerEvent): Promise<Identity> {
  const ledger = await services.identityOf(event.ledger);
  if (!ledger) throw new Error(`Ledger ${event.ledger} told an event and cannot be found.`);
  return ledger;
}

type Subscribers = (ledger: string, signal: string) => Promise<Version[]>;

/** The events of bridge entries that follow from an event; none where no effect subscribes to them. Ruling 78. */
async function aboutEntries(
  ports: AcceptPorts,
  event: LedgerEvent,
  subscribers: Subscribers,
): Promise<LedgerEvent[]> {
  const { entries = [] } = event;
  const hasSubscribers = await Promise.all(
    entries.map(async ({ signal }) => (await subscribers(event.ledger, signal)).length > 0),
  );
  const wanted = entries.filter((_, index) => hasSubscribers[index]);
  return wanted.length === 0
    ? []
    : entryEventsOf(ports, await ledgerOf(ports, event), event, wanted);
}

/** Reads the subscribers of each ledger and signal once for all given events. */
function subscribersOf({ deliveries }: AcceptPorts): Subscribers {
  const known = new Map<string, Promise<Version[]>>();
  return (ledger, signal) => {
    const name = `${ledger} ${signal}`;
    const effects = known.get(name) ?? deliveries.subscribers(ledger, signal);
    known.set(name, effects);
    return effects;
  };
}

/**
 * The effects whose domain reaches the record of an event, up to the limit. Those of the whole ledger come first, then
 * those of the outer domains, each the oldest first: effects of a domain take no place from those above it. The lineage
 * of a domain is read once for all given events. Ruling 70, Decision 86.
 */
function nearIn({ services, effectsMax }: AcceptPorts) {
  const known = new Map<string, Promise<string[]>>();
  const above = (ledger: string, domain: string): Promise<string[]> => {
    const name = `${ledger} ${domain}`;
    const domains = known.get(name) ?? domainsIn(services, ledger, domain);
    known.set(name, domains);
    return domains;
  };
  return async ({ ledger, domain }: LedgerEvent, effects: readonly Version[]) => {
    const isElsewhere = ({ record: { meta } }: Version) =>
      meta.domain !== undefined && meta.domain !== domain;
    const lineage = domain === undefined ? [] : [domain];
    const lies =
      domain !== undefined && effects.some(isElsewhere) ? await above(ledger, domain) : lineage;
    const order = [undefined, ...lies.toReversed()];
    const placeOf = ({ record }: Version) => order.indexOf(record.meta.domain);
    return effects
      .filter((effect) => placeOf(effect) >= 0)
      .toSorted((one, other) => placeOf(one) - placeOf(other))
      .slice(0, effectsMax);
  };
}

/** True unless the event is that of another monitor. Ruling 95. */
function isMeant({ record }: Version, { effect }: LedgerEvent): boolean {
  return effect === undefined || effect === record.luid;
}

/** True when the filter of the effect matches an event; the filter was checked when it was written. */
function isWanted({ patternMaker, report }: AcceptPorts, effect: Version, event: unknown): boolean {
  if (effect.record.meta.status === inactive) return false;
  const filter = filterOf(effect);
  const paid = paidFrom(budgetOf(unitsFor.effect), patternMaker);
  try {
    return filter === undefined || parseConditions(filter, paid)(event);
  } catch (error) {
    // The filter was valid when it was written. An error in it must not stop the other effects.
    if (!(error instanceof BudgetExceeded)) report(error);
    return false;
  }
}

function filterOf({ record }: Version): Readonly<Record<string, unknown>> | undefined {
  return record.data['filter'] as Readonly<Record<string, unknown>> | undefined;
}

/** The deliveries of an event to its effects; the event is signed once. */
function eventsFor(sign: SignFor, event: LedgerEvent, effects: readonly Version[]): Bringing[] {
  if (effects.length === 0) return [];
  const record = sign(event.data);
  const { handle } = event.data;
  return effects.map((effect) => {
    const { action } = effect.record.data as unknown as EffectData;
    const data = {
      handle,
      ...(action.schema === 'bridge' && { bridge: action.bridge }),
      effect: effect.record.data.handle,
      record,
      linked: event.luid,
    };
    return { scope: event.ledger, subject: effect.record.luid, ...spreadMemberOf(event), data };
  });
}

function deliveryOf(
  { services, leaseMs, postponedUntil }: AcceptPorts,
  { scope, subject, spread, data }: Bringing,
): Delivery {
  const nowMs = services.clock();
  const luid = deliveryLuidOf(data.handle, subject);
  const moment = momentOf(nowMs);
  const waiting = waitingOf({ scope, subject, luid, ...spreadMemberOf({ spread }), data, moment });
  return {
    scope,
    subject,
    luid,
    ...spreadMemberOf({ spread }),
    hash: hashOf(data),
    data,
    status: 'pending',
    moment,
    replay: 0,
    attempts: 0,
    dueMs: postponedUntil(waiting, nowMs) ?? nowMs + leaseMs,
    proofs: [],
    version: 1,
  };
}
