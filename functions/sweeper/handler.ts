/**
 * Fed by a schedule: what was forgotten in an outbox, deliveries that are due, and intents whose time is over. Fed by
 * the table's stream, which says that a delivery is to be attempted soon: deliveries.
 */
import type { Context } from 'aws-lambda';
import { sweep } from '../../shared/delivery/sweep.ts';
import { expireDue } from '../../shared/intent/expire-due.ts';
import { carrying } from '../carrying.ts';
import { expiring } from '../expiring.ts';
import { deployedBus, drainForgotten, relaying } from '../relaying.ts';

/** What must remain of an invocation for a last attempt, with a token, in milliseconds. */
const reserveMs = 25_000;

/** How long others leave alone what an invocation has claimed, in milliseconds. */
const leaseMs = 60_000;

const ports = relaying(deployedBus());

export async function handler(event: object, context: Context): Promise<void> {
  const patienceMs = () => context.getRemainingTimeInMillis() - reserveMs;
  const hasTime = () => patienceMs() > 0;
  if ('Records' in event) return sweep(carrying(patienceMs, leaseMs));
  // A target that takes its time must not keep what was forgotten in an outbox from being told.
  const work = [
    sweep(carrying(patienceMs, leaseMs)),
    drainForgotten(ports, hasTime),
    expireDue(expiring(hasTime)),
  ];
  await Promise.allSettled(work);
  // What went wrong with one of them is told when all have ended.
  await Promise.all(work);
}
