/** Storage of the courier: deliveries, and the effects that subscribe to signals. */
import type { CallAction } from '../ledger/call.ts';
import type { DeliveryStatus } from '../ledger/delivery.ts';
import type { Version } from '../ledger/record.ts';
import type { Proof } from '../shape/proof.ts';
import type { Page, Scope } from './ports.ts';

/** The body of an event or a call. It is made and signed once and is the same on every attempt. Rulings 54, 59. */
export interface SignedEvent {
  /** Set for a call that tells a bridge the status of an intent. */
  readonly luid?: string;
  readonly hash: string;
  readonly data: Readonly<Record<string, unknown>> & { readonly handle: string };
  readonly meta: { readonly proofs: readonly Proof[]; readonly moment?: string };
}

/** Digits of a change number in a text that sorts. */
const placeLength = 16;

interface Brought {
  /** `evt_…`: the handle of the event, or one derived from the call. */
  readonly handle: string;
  readonly record: SignedEvent;
  /** Luid of the record in question. */
  readonly linked: string;
}

/** The content of an event. */
export interface PublishedData extends Brought {
  /** The effect that subscribed to it. */
  readonly effect: string;
  /** Set when the effect publishes to a bridge. */
  readonly bridge?: string;
  readonly action?: never;
  readonly entry?: never;
}

/** The content of a call to a bridge. Ruling 54. */
export interface CallData extends Brought {
  readonly bridge: string;
  readonly action: CallAction;
  /** The entry in question; absent for a status, which concerns the whole intent. */
  readonly entry?: string;
  readonly effect?: never;
}

/** One event or call for one target. Ruling 60. */
export interface Delivery {
  readonly scope: Scope;
  /** Luid of the effect that subscribed to the event, or of the bridge that is called. */
  readonly subject: string;
  /** `$evd.…`: derived from handle and subject, so that accepting an event twice stores it once. */
  readonly luid: string;
  /** The number of the intent that it is about, in a busy ledger: it lies in a partition of that. Decision 138. */
  readonly spread?: number;
  readonly hash: string;
  readonly data: PublishedData | CallData;
  readonly status: DeliveryStatus;
  /** The moment of acceptance, ISO 8601 UTC. */
  readonly moment: string;
  /** The number of times that a caller asked to send it again. */
  readonly replay: number;
  /** Attempts since acceptance, or since the last request to send it again. */
  readonly attempts: number;
  /** The time of the next attempt, in milliseconds; absent once the delivery has ended. */
  readonly dueMs?: number;
  /** Asks for a worker to be woken for the next attempt. It holds for the saved version alone. Decision 85. */
  readonly isSoon?: true;
  readonly output?: Readonly<Record<string, unknown>>;
  readonly proofs: readonly Proof[];
  /** The number of changes; saving over a newer version fails. */
  readonly version: number;
}

/** The number of a delivery or an event as a member of it; none for 0, which is the partition of a quiet ledger. */
export function spreadMemberOf({ spread = 0 }: { readonly spread?: number | undefined }): {
  readonly spread?: number;
} {
  return spread === 0 ? {} : { spread };
}

/** The members by which a delivery is found. */
export type DeliveryName = Pick<Delivery, 'scope' | 'subject' | 'luid' | 'spread'>;

/** The name of a delivery that is due. */
export interface DueDelivery extends DeliveryName {
  readonly dueMs: number;
  /** A caller asked to send it again, and there was no attempt since. */
  readonly isReplay: boolean;
  /** A worker is woken for it as soon as it is due. */
  readonly isSoon?: true;
}

/** A page of the due deliveries; `next` is absent on the last page. */
export interface DuePart {
  readonly due: readonly DueDelivery[];
  readonly next?: DuePlaces;
}

/** A cursor for each shard of the due list; undefined for a shard that is exhausted. */
export type DuePlaces = readonly (string | undefined)[];

/** A page of deliveries; with `before`, of those that are older than this luid. */
export interface DeliveryPage extends Page {
  readonly before?: string;
}

/** True when a caller asked to send it again and there was no attempt since. */
export function isRetryRequested({
  replay,
  attempts,
}: Pick<Delivery, 'replay' | 'attempts'>): boolean {
  return replay > 0 && attempts === 0;
}

/** The call of a delivery; undefined for an event. */
export function callIn({ data }: Pick<Delivery, 'data'>): CallData | undefined {
  return data.action === undefined ? undefined : data;
}

/**
 * The ordering key: deliveries of one key to a target go out one after the other. Events are ordered by record,
 * calls by entry. Decision 55.
 */
export function lineOf({ data }: Pick<Delivery, 'data'>): string {
  return data.entry ?? data.linked;
}

/**
 * The position of a delivery under its ordering key, as a text that sorts. Events sort by the moment and the number
 * of their change. Calls sort by acceptance; of those accepted at once, a prepare comes first.
 */
export function placeOf({ data, moment }: Pick<Delivery, 'data' | 'moment'>): string {
  if (data.action !== undefined) return `${moment}#${data.action === 'prepare' ? 0 : 1}`;
  const { moment: changedAt, change } = data.record.data;
  return `${String(changedAt)}#${String(change).padStart(placeLength, '0')}`;
}

export interface Deliveries {
  /** The current effects of a ledger that subscribe to a signal. */
  subscribers(scope: Scope, signal: string): Promise<Version[]>;
  /** Stores new deliveries; returns those that did not exist, in their order. All fail when one is too large. */
  add(deliveries: readonly Delivery[]): Promise<Delivery[]>;
  /** Those that are not stored yet, in their order, each once. All fail when one is too large to be added. */
  newAmong(deliveries: readonly Delivery[]): Promise<Delivery[]>;
  /** The delivery of a luid, whichever intent it is about: in a busy ledger it is looked for in all partitions. */
  read(scope: Scope, subject: string, luid: string): Promise<Delivery | undefined>;
  /** The delivery of a name, in the one partition that the name says. */
  readNamed(name: DeliveryName): Promise<Delivery | undefined>;
  /** A page of a target's deliveries, newest first. */
  list(scope: Scope, subject: string, page: DeliveryPage): Promise<Delivery[]>;
  /** Replaces `previous`, as it is stored, by `next`; false when `previous` is no longer current. */
  save(next: Delivery, previous: Delivery): Promise<boolean>;
  /** Some thousands of the deliveries that are due by this time, the longest due first, from a cursor on. */
  due(nowMs: number, from?: DuePlaces): Promise<DuePart>;
  /**
   * Those of the named deliveries that are still due, in their order, or will be within `aheadMs`, 0 unless given. Names
   * that have not been true for minutes before `nowMs` are forgotten.
   */
  readDue(due: readonly DueDelivery[], nowMs: number, aheadMs?: number): Promise<Delivery[]>;
}
