/** The ports of accepting events, and the deliveries that come of it. */

import type { PatternMaker } from '../ledger/match.ts';
import type { Services } from '../port/action.ts';
import type { Deliveries, Delivery } from '../port/deliveries.ts';
import type { RefusedCall } from './attempted.ts';
import type { WaitingDelivery } from './backlog.ts';

export interface AcceptPorts {
  readonly services: Pick<Services, 'clock' | 'identityOf' | 'store'>;
  readonly deliveries: Deliveries;
  readonly patternMaker: PatternMaker;
  /** The most effects that may subscribe to a signal, the oldest first; absent for all of them. Decision 86. */
  readonly effectsMax?: number;
  /** The lease of an accepted delivery: its first attempt may take so long before others may try, in milliseconds. */
  readonly leaseMs: number;
  /** The time until which a new delivery is put off; undefined when it may be attempted now. */
  readonly postponedUntil: (of: WaitingDelivery, nowMs: number) => number | undefined;
  /** Called for an entry that its bridge cannot prepare: the intent has to fail. Ruling 57. */
  readonly refused: (call: RefusedCall) => Promise<void>;
  /** Called with an error of our own. */
  readonly report: (error: unknown) => void;
}

/** A new delivery: its target, its data, and the number of the intent that it is about. */
export type Bringing = Pick<Delivery, 'scope' | 'subject' | 'spread' | 'data'>;
