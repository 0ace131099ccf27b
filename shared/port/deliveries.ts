/** What the courier needs of the store: deliveries, and the effects that ask for them. */
import type { CallAction } from '../ledger/call.ts';
import type { DeliveryStatus } from '../ledger/delivery.ts';
import type { Version } from '../ledger/record.ts';
import type { Proof } from '../shape/proof.ts';
import type { Page, Scope } from './ports.ts';

/** What is sent, an event or a call: made once, signed by the ledger, the same on every attempt. Rulings 54, 59. */
export interface SignedEvent {
  /** Of an intent whose bridges are told how it stands. */
  readonly luid?: string;
  readonly hash: string;
  readonly data: Readonly<Record<string, unknown>> & { readonly handle: string };
  readonly meta: { readonly proofs: readonly Proof[]; readonly moment?: string };
}

/** In how many digits the number of a change is written where texts are to sort by it. */
const placeLength = 16;

interface Brought {
  /** `evt_…`: of an event its own, of a call one that follows from what is asked. */
  readonly handle: string;
  readonly record: SignedEvent;
  /** Luid of the record that it is about. */
  readonly linked: string;
}

/** An event that is told. */
export interface ToldData extends Brought {
  /** The effect that asked for it. */
  readonly effect: string;
  /** The bridge that it goes to, when it does. */
  readonly bridge?: string;
  readonly action?: never;
  readonly entry?: never;
}

/** A call that is made. Ruling 54. */
export interface CallData extends Brought {
  readonly bridge: string;
  readonly action: CallAction;
  /** The entry that it is about; absent of a status, which is of the intent. */
  readonly entry?: string;
  readonly effect?: never;
}

/** One event, or one call, on its way to one target. Ruling 60. */
export interface Delivery {
  readonly scope: Scope;
  /** Luid of who it is for: the effect that asked for the event, or the bridge that is called. */
  readonly subject: string;
  /** `$evd.…`: follows from the handle and the subject, so that an event is accepted once. */
  readonly luid: string;
  readonly hash: string;
  readonly data: ToldData | CallData;
  readonly status: DeliveryStatus;
  /** When it was accepted, ISO 8601 UTC. */
  readonly moment: string;
  /** How often it was asked to be sent again. */
  readonly replay: number;
  /** Attempts since it was accepted or last asked for again. */
  readonly attempts: number;
  /** When to attempt it (again), in milliseconds; absent once it is over. */
  readonly dueMs?: number;
  /** Said of the version that is saved, and of no other: somebody is woken to attempt it at its time. Decision 85. */
  readonly isSoon?: true;
  readonly output?: Readonly<Record<string, unknown>>;
  readonly proofs: readonly Proof[];
  /** Counts its changes; a save of an older one is refused. */
  readonly version: number;
}

/** A delivery that is due, by name. */
export interface DueDelivery extends Pick<Delivery, 'scope' | 'subject' | 'luid'> {
  readonly dueMs: number;
  /** Somebody asked to send it again, and it was not attempted since. */
  readonly isAsked: boolean;
  /** It is to be attempted as soon as it is due: whoever looks after what is due is woken for it. */
  readonly isSoon?: true;
}

/** A part of what is due, and where the next part begins; it is the last part when there is none. */
export interface DuePart {
  readonly due: readonly DueDelivery[];
  readonly next?: DuePlaces;
}

/** A place in each of the lists of what is due; absent where a list has come to its end. */
export type DuePlaces = readonly (string | undefined)[];

/** A page of deliveries; with `before`, of those that are older than that one. */
export interface DeliveryPage extends Page {
  readonly before?: string;
}

/** Whether somebody asked to send a delivery again and it was not attempted since. */
export function isAsked({ replay, attempts }: Pick<Delivery, 'replay' | 'attempts'>): boolean {
  return replay > 0 && attempts === 0;
}

/** What a delivery calls its bridge for; undefined of one that tells an event. */
export function callIn({ data }: Pick<Delivery, 'data'>): CallData | undefined {
  return data.action === undefined ? undefined : data;
}

/** What waits for each other on its way to a target: the events of a record, the calls of an entry. Decision 55. */
export function lineOf({ data }: Pick<Delivery, 'data'>): string {
  return data.entry ?? data.linked;
}

/**
 * The place of a delivery among those that wait for each other, as a text that sorts: events by the moment of their
 * change, and within it by its number; calls as they were accepted, of those that were accepted at once what prepares.
 */
export function placeOf({ data, moment }: Pick<Delivery, 'data' | 'moment'>): string {
  if (data.action !== undefined) return `${moment}#${data.action === 'prepare' ? 0 : 1}`;
  const { moment: changedAt, change } = data.record.data;
  return `${String(changedAt)}#${String(change).padStart(placeLength, '0')}`;
}

/** Deliveries and who asks for them. */
export interface Deliveries {
  /** The effects of a ledger that subscribe to a signal, as they stand. */
  subscribers(scope: Scope, signal: string): Promise<Version[]>;
  /**
   * Stores new deliveries; answers those that were not there yet, in their order. One that is too large
   * stops all of them.
   */
  add(deliveries: readonly Delivery[]): Promise<Delivery[]>;
  read(scope: Scope, subject: string, luid: string): Promise<Delivery | undefined>;
  /** A page of a target's deliveries, newest first. */
  list(scope: Scope, subject: string, page: DeliveryPage): Promise<Delivery[]>;
  /** Puts `next` in the place of `previous`; false when that is no longer current. */
  save(next: Delivery, previous: Delivery): Promise<boolean>;
  /** What is due by that time, from a place on, the longest due first: some thousands at a time. */
  due(nowMs: number, from?: DuePlaces): Promise<DuePart>;
  /** Those of the deliveries that are still due, in their order. */
  readDue(due: readonly DueDelivery[], nowMs: number): Promise<Delivery[]>;
}
