/** Fed by a schedule: what was forgotten in an outbox, and deliveries that are due. */
import type { Context } from 'aws-lambda';
import { sweep } from '../../shared/delivery/sweep.ts';
import { carrying } from '../carrying.ts';
import { deployedBus, drainForgotten, relaying } from '../relaying.ts';

/** What must remain of an invocation for a last attempt, in milliseconds. */
const reserveMs = 15_000;

/** How long others leave alone what an invocation has claimed, in milliseconds. */
const leaseMs = 60_000;

const ports = relaying(deployedBus());

export async function handler(_event: unknown, context: Context): Promise<void> {
  const patienceMs = () => context.getRemainingTimeInMillis() - reserveMs;
  // A target that takes its time must not keep what was forgotten in an outbox from being told.
  const work = [
    sweep(carrying(patienceMs, leaseMs)),
    drainForgotten(ports, () => patienceMs() > 0),
  ];
  await Promise.allSettled(work);
  // What went wrong with one of them is told when both have ended.
  await Promise.all(work);
}
