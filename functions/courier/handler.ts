/** Fed by the bus: keeps and attempts a delivery for each effect that an event matches. */
import type { EventBridgeEvent } from 'aws-lambda';
import { carry } from '../../shared/delivery/carry.ts';
import { accept } from '../../shared/delivery/courier.ts';
import type { LedgerEvent } from '../../shared/signal/event.ts';
import { accepting, carrying, sharedHere, targetsHere } from '../carrying.ts';

/** How long others leave alone what an invocation has accepted, in milliseconds. */
const leaseMs = 60_000;
/** An invocation attempts what it has accepted, once: it takes on nothing else, and the sweeper does the rest. */
const patienceMs = () => Number.NEGATIVE_INFINITY;

export async function handler({ detail }: EventBridgeEvent<string, LedgerEvent>): Promise<void> {
  carry(carrying(patienceMs, leaseMs, sharedHere), await accept(accepting(leaseMs), [detail]));
  await targetsHere.queues.idle();
}
