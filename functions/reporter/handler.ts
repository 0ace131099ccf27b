/** Triggered by a schedule: produces the reports that are due, as long as there is time. */
import type { Context } from 'aws-lambda';
import { produceDue } from '../../shared/report/produce.ts';
import { producing } from '../reporting.ts';

/** Time that a further step may take, in milliseconds. */
const reserveMs = 30_000;

export async function handler(_event: unknown, context: Context): Promise<void> {
  const ports = producing(() => context.getRemainingTimeInMillis() > reserveMs);
  while (ports.hasTime() && (await produceDue(ports)));
}
