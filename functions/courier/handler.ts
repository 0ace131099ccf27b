/** Triggered by the bus: attempts a delivery for each matching effect, and stores it. */
import type { EventBridgeEvent } from 'aws-lambda';
import type { LedgerEvent } from '../../shared/signal/event.ts';
import { carriers } from '../carrying.ts';

/** Other workers leave accepted deliveries alone for this time, in milliseconds. */
const leaseMs = 60_000;

/** An invocation attempts what it accepted once and takes nothing else; the sweeper does the rest. */
export async function handler({ detail }: EventBridgeEvent<string, LedgerEvent>): Promise<void> {
  await carriers.bring(detail, leaseMs);
}
