/** What the courier needs of the store: deliveries, and the effects that ask for them. */
import type { DeliveryStatus } from '../ledger/delivery.ts';
import type { Version } from '../ledger/record.ts';
import type { Proof } from '../shape/proof.ts';
import type { Page, Scope } from './ports.ts';

/** An event as it is sent: made once, signed by the ledger, the same on every attempt. Ruling 59. */
export interface SignedEvent {
  readonly hash: string;
  readonly data: Readonly<Record<string, unknown>> & { readonly handle: string };
  readonly meta: { readonly proofs: readonly Proof[]; readonly moment?: string };
}

/** One event on its way to one target. Ruling 60. */
export interface Delivery {
  readonly scope: Scope;
  /** Luid of the effect that asked for it. */
  readonly subject: string;
  /** `$evd.…`: follows from the event and the effect, so that an event is accepted once. */
  readonly luid: string;
  readonly hash: string;
  readonly data: {
    readonly handle: string;
    readonly effect: string;
    readonly record: SignedEvent;
    /** Luid of the record that the event is about. */
    readonly linked: string;
  };
  readonly status: DeliveryStatus;
  /** When it was accepted, ISO 8601 UTC. */
  readonly moment: string;
  /** How often it was asked to be sent again. */
  readonly replay: number;
  /** Attempts since it was accepted or last asked for again. */
  readonly attempts: number;
  /** When to attempt it (again), in milliseconds; absent once it is over. */
  readonly dueMs?: number;
  readonly output?: Readonly<Record<string, unknown>>;
  readonly proofs: readonly Proof[];
  /** Counts its changes; a save of an older one is refused. */
  readonly version: number;
}

/** Deliveries and who asks for them. */
export interface Deliveries {
  /** The effects of a ledger that subscribe to a signal, as they stand. */
  subscribers(scope: Scope, signal: string): Promise<Version[]>;
  /** Stores new deliveries; answers those that were not there yet. */
  add(deliveries: readonly Delivery[]): Promise<Delivery[]>;
  read(scope: Scope, subject: string, luid: string): Promise<Delivery | undefined>;
  /** A page of a target's deliveries, newest first. */
  list(scope: Scope, subject: string, page: Page): Promise<Delivery[]>;
  /** Puts `next` in the place of `previous`; false when that is no longer current. */
  save(next: Delivery, previous: Delivery): Promise<boolean>;
  /** Some deliveries that are due. */
  due(nowMs: number, limit: number): Promise<Delivery[]>;
}
