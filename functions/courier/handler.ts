/** Fed by the bus: keeps and attempts a delivery for each effect that an event matches. */
import type { Context, EventBridgeEvent } from 'aws-lambda';
import { carry } from '../../shared/delivery/carry.ts';
import { accept } from '../../shared/delivery/courier.ts';
import type { LedgerEvent } from '../../shared/signal/event.ts';
import { accepting, carrying, lanesHere } from '../carrying.ts';

/** How long others leave alone what an invocation has accepted, in milliseconds. */
const leaseMs = 60_000;
/** How long an invocation may sleep before a retry; the sweeper makes the later ones. */
const patienceMsMax = 3_000;
/** What must remain of it for a last attempt, with a token, in milliseconds. */
const reserveMs = 25_000;

export async function handler(
  { detail }: EventBridgeEvent<string, LedgerEvent>,
  context: Context,
): Promise<void> {
  const patienceMs = () => Math.min(patienceMsMax, context.getRemainingTimeInMillis() - reserveMs);
  carry(carrying(patienceMs, leaseMs), await accept(accepting(leaseMs), [detail]));
  await lanesHere.idle();
}
