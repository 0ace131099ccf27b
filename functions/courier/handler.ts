/** Triggered by the bus: attempts a delivery for each matching effect, and stores it. */
import type { EventBridgeEvent } from 'aws-lambda';
import { carry } from '../../shared/delivery/carry.ts';
import { accept } from '../../shared/delivery/courier.ts';
import { quickMs } from '../../shared/delivery/room.ts';
import type { LedgerEvent } from '../../shared/signal/event.ts';
import { accepting, carrying, firstHere, sharedHere, targetsHere } from '../carrying.ts';

/** Other workers leave accepted deliveries alone for this time, in milliseconds. */
const leaseMs = 60_000;
/** An invocation attempts what it accepted once and takes nothing else; the sweeper does the rest. */
const patienceMs = () => Number.NEGATIVE_INFINITY;

export async function handler({ detail }: EventBridgeEvent<string, LedgerEvent>): Promise<void> {
  const ports = { ...carrying(patienceMs, leaseMs, sharedHere), deliveries: firstHere.deliveries };
  await firstHere.bring({
    eventCount: 1,
    accept: (deliveries) => accept({ ...accepting(leaseMs), deliveries }, [detail]),
    carry: (all) => carry(ports, all),
    momentMs: quickMs,
  });
  await targetsHere.queues.idle();
}
