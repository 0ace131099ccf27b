/** What accepting events needs, and what comes of them: something to be brought to somebody. */

import type { PatternMaker } from '../ledger/match.ts';
import type { Services } from '../port/action.ts';
import type { Deliveries, Delivery } from '../port/deliveries.ts';
import type { RefusedCall } from './attempted.ts';
import type { WaitingDelivery } from './backlog.ts';

export interface AcceptPorts {
  readonly services: Pick<Services, 'clock' | 'identityOf' | 'store'>;
  readonly deliveries: Deliveries;
  readonly patternMaker: PatternMaker;
  /** How many effects may hear a signal, the oldest first; absent where all of them may. Decision 86. */
  readonly effectsMax?: number;
  /** How long whoever accepts a delivery has for its first attempt before others may try, in ms. */
  readonly leaseMs: number;
  /** Until when a new delivery is put off; undefined when it may be attempted now. */
  readonly putOffUntil: (of: WaitingDelivery, nowMs: number) => number | undefined;
  /** Told that a bridge cannot be asked to prepare something: its intent has to fail. Ruling 57. */
  readonly refused: (call: RefusedCall) => Promise<void>;
  /** Told of what went wrong on our side. */
  readonly report: (error: unknown) => void;
}

/** What is to be brought, and to whom. */
export type Bringing = Pick<Delivery, 'scope' | 'subject' | 'data'>;
