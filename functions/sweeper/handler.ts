/** Fed by a schedule: what was forgotten in an outbox, and deliveries that are due. */
import type { Context } from 'aws-lambda';
import { carryDue } from '../../shared/delivery/carry.ts';
import { scopesOf } from '../../shared/signal/shards.ts';
import { carrying, lanesHere } from '../carrying.ts';
import { deployedBus, drainForgotten, relaying } from '../relaying.ts';
import { wiring } from '../wiring.ts';

/** What must remain of an invocation for a last attempt, in milliseconds. */
const reserveMs = 15_000;

/** How long others leave alone what an invocation has claimed, in milliseconds. */
const leaseMs = 60_000;

const ports = relaying(deployedBus());

export async function handler(_event: unknown, context: Context): Promise<void> {
  const patienceMs = () => context.getRemainingTimeInMillis() - reserveMs;
  while (patienceMs() > 0 && (await carryDue(carrying(patienceMs, leaseMs))) > 0)
    await lanesHere.idle();
  for await (const scope of scopesOf(wiring.services.store)) {
    if (patienceMs() <= 0) return;
    await drainForgotten(ports, scope);
  }
}
