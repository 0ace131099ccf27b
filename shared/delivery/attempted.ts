/** What an attempt of a delivery needs, and what comes of it. */

import { type AttemptOutcome, cancelled, type Verdict } from '../ledger/delivery.ts';
import type { Services } from '../port/action.ts';
import type { Deliveries } from '../port/deliveries.ts';
import type { Scope } from '../port/ports.ts';
import type { Metric } from '../signal/relay.ts';
import type { BridgePorts } from './bridge.ts';
import type { Room } from './room.ts';

export interface AttemptPorts extends BridgePorts {
  readonly services: Services;
  readonly deliveries: Deliveries;
  /** Told of what went wrong on our side; the delivery is found due again. */
  readonly report: (error: unknown) => void;
  /** Told that a bridge does not do what it was asked to prepare: its intent has to fail. Ruling 57. */
  readonly refused: (call: RefusedCall) => Promise<void>;
  readonly metric: Metric;
  /** What a ledger may take of this process. */
  readonly room: Room;
}

/** An entry that its bridge does not prepare, and never will. */
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
  readonly verdict: Verdict;
  /** How the target answered, when it was asked. */
  readonly outcome?: AttemptOutcome;
  /** Whether an intent waits for what a bridge was called for. */
  readonly isAwaited?: boolean;
}

/** Nobody is there to be asked any more. */
export function unasked(detail: string): Attempted {
  return { verdict: cancelled('delivery.permanent-failure', detail) };
}
