/**
 * Triggered by a schedule: drains leftover outbox entries, signs checkpoints and has them cosigned, attempts due
 * deliveries, and expires intents. Triggered by the stream of the table for an urgent delivery: attempts due deliveries
 * only.
 */
import type { Context } from 'aws-lambda';
import { sweep } from '../../shared/delivery/sweep.ts';
import { expireDue } from '../../shared/intent/expire-due.ts';
import { carriers } from '../carrying.ts';
import { signForgotten } from '../checkpointing.ts';
import { askAll } from '../cosigning.ts';
import { expiring } from '../expiring.ts';
import { deployedBus, drainForgotten, relaying } from '../relaying.ts';

/** Time for a last attempt and its token, in milliseconds. */
const reserveMs = 25_000;

/** Other workers leave claimed deliveries alone for this time, in milliseconds. */
const leaseMs = 60_000;

const ports = relaying(deployedBus());

export async function handler(event: object, context: Context): Promise<void> {
  const patienceMs = () => context.getRemainingTimeInMillis() - reserveMs;
  const hasTime = () => patienceMs() > 0;
  if ('Records' in event) return sweep(carriers.carrying(patienceMs, leaseMs));
  // These run side by side, so that a slow target does not delay the outbox.
  const work = [
    sweep(carriers.carrying(patienceMs, leaseMs)),
    drainForgotten(ports, hasTime)
      .then(() => signForgotten(hasTime))
      .then(() => askAll(hasTime)),
    expireDue(expiring(hasTime)),
  ];
  await Promise.allSettled(work);
  // All of them end before an error is thrown.
  await Promise.all(work);
}
