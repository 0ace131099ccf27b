/** Triggered by the bus: stores a delivery for each matching effect, and attempts it. */
import type { EventBridgeEvent } from 'aws-lambda';
import { carry } from '../../shared/delivery/carry.ts';
import { accept } from '../../shared/delivery/courier.ts';
import type { LedgerEvent } from '../../shared/signal/event.ts';
import { accepting, carrying, sharedHere, targetsHere } from '../carrying.ts';

/** Other workers leave accepted deliveries alone for this time, in milliseconds. */
const leaseMs = 60_000;
/** An invocation attempts what it accepted once and takes nothing else; the sweeper does the rest. */
const patienceMs = () => Number.NEGATIVE_INFINITY;

export async function handler({ detail }: EventBridgeEvent<string, LedgerEvent>): Promise<void> {
  carry(carrying(patienceMs, leaseMs, sharedHere), await accept(accepting(leaseMs), [detail]));
  await targetsHere.queues.idle();
}
