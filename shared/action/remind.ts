/**
 * A decision that bridges have not carried out is not forgotten: it is counted as long as that lasts, and who took a
 * call and never said that it was done is asked again. Ruling 55, Decision 70.
 */
import { decidedAtOf } from '../ledger/intent.ts';
import type { Version } from '../ledger/record.ts';
import type { Services } from './action.ts';
import type { Delivery } from './deliveries.ts';
import { replay } from './events.ts';
import type { Scope } from './ports.ts';
import { callsAwaited } from './waiting.ts';

export interface RemindPorts {
  readonly services: Services;
  /** Told how many calls of an intent nobody has carried out for too long. */
  readonly silent: (callCount: number) => void;
}

/** From when on what was decided and is not done is somebody's concern, in milliseconds. */
export const silentMs = 3_600_000;
/** How long a bridge that took a call is left alone before it is asked for the second time, and then each time. */
const firstAgainMs = 3_600_000;
const againMs = 24 * 3_600_000;

/** Counts what bridges still have to do for an intent that was decided, and asks again whoever is late. */
export async function remind(
  { services, silent }: RemindPorts,
  scope: Scope,
  version: Version,
): Promise<void> {
  const nowMs = services.clock();
  const decidedAt = decidedAtOf(version.record);
  if (decidedAt === undefined || nowMs - Date.parse(decidedAt) < silentMs) return;
  const awaited = await callsAwaited(services, scope, version);
  if (awaited.length === 0) return;
  silent(awaited.length);
  for (const { delivery } of awaited)
    if (delivery && isLate(delivery, nowMs)) await replay(services, delivery, nowMs);
}

/** Whether a bridge took a call so long ago that it may have lost it. What it refused for good is not asked again. */
function isLate({ status, replay: count, proofs }: Delivery, nowMs: number): boolean {
  if (status !== 'delivered') return false;
  const takenMs = Date.parse(String(proofs.at(-1)?.custom?.['moment']));
  return nowMs - takenMs >= (count === 0 ? firstAgainMs : againMs);
}
