/** The ports of an attempt, and its result. */

import { type AttemptOutcome, cancelled, type DeliveryVerdict } from '../ledger/delivery.ts';
import type { Services } from '../port/action.ts';
import type { Deliveries } from '../port/deliveries.ts';
import type { Scope } from '../port/ports.ts';
import type { WriteMetric } from '../signal/relay.ts';
import type { BridgePorts } from './bridge.ts';
import type { Room } from './room.ts';

export interface AttemptPorts extends BridgePorts {
  readonly services: Services;
  readonly deliveries: Deliveries;
  /** Called with an error of our own; the delivery becomes due again. */
  readonly report: (error: unknown) => void;
  /** Called for an entry that its bridge refuses to prepare: the intent has to fail. Ruling 57. */
  readonly refused: (call: RefusedCall) => Promise<void>;
  readonly metric: WriteMetric;
  /** The limits of a ledger in this process. */
  readonly room: Room;
}

/** An entry that its bridge will never prepare. */
export interface RefusedCall {
  readonly scope: Scope;
  /** Luid and handle of the intent. */
  readonly luid: string;
  readonly handle: string;
  readonly entry: string;
  /** Handle of the bridge. */
  readonly bridge: string;
}

export interface Attempted {
  readonly verdict: DeliveryVerdict;
  /** The answer of the target; absent when it was not asked. */
  readonly outcome?: AttemptOutcome;
  /** True when an intent waits for this call. */
  readonly isAwaited?: boolean;
}

/** The result of a delivery without a target. */
export function unasked(detail: string): Attempted {
  return { verdict: cancelled('delivery.permanent-failure', detail) };
}
