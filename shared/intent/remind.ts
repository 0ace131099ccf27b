/**
 * A decision that bridges have not carried out is not forgotten: what they still have to do is counted as long as that
 * lasts, and who took a call and never said that it was done is asked again. Ruling 55, Decision 70.
 */
import { decidedAtOf } from '../ledger/intent.ts';
import type { Version } from '../ledger/record.ts';
import type { Services } from '../port/action.ts';
import type { Delivery } from '../port/deliveries.ts';
import type { Scope } from '../port/ports.ts';
import { replay } from '../record/resend.ts';
import { callsAwaited } from './waiting.ts';

/** What is known of an intent that was decided and has not ended. */
export interface Reminder {
  /** How many calls its bridges have not carried out for too long. */
  readonly callCount: number;
  /** When to look at it again, in milliseconds. */
  readonly nextMs: number;
}

/** From when on what was decided and is not done is somebody's concern, in milliseconds. */
export const silentMs = 3_600_000;
/** How long a bridge that took a call is left alone before it is asked for the second time, and then each time. */
const firstAgainMs = 3_600_000;
const againMs = 24 * 3_600_000;
/** How often an intent is looked at whose bridges are silent. */
export const lookMs = 3_600_000;

/** Asks again whoever is late with what was decided about an intent; answers what is still to be done. */
export async function remind(
  services: Services,
  scope: Scope,
  version: Version,
): Promise<Reminder> {
  const nowMs = services.clock();
  const decidedMs = Date.parse(decidedAtOf(version.record) ?? '');
  if (nowMs - decidedMs < silentMs) return { callCount: 0, nextMs: decidedMs + silentMs };
  const nextMs = nowMs + lookMs;
  // The first intent of a thread speaks for all of it.
  const isFirst = !version.together || version.together[0] === version.record.data.handle;
  if (!isFirst) return { callCount: 0, nextMs };
  const awaited = await callsAwaited(services, scope, version);
  for (const { delivery } of awaited)
    if (delivery && isLate(delivery, nowMs)) await replay(services, delivery, nowMs);
  return { callCount: awaited.length, nextMs };
}

/** Whether a bridge took a call so long ago that it may have lost it. What it refused for good is not asked again. */
function isLate({ status, replay: count, proofs }: Delivery, nowMs: number): boolean {
  if (status !== 'delivered') return false;
  const takenMs = Date.parse(String(proofs.at(-1)?.custom?.['moment']));
  return nowMs - takenMs >= (count === 0 ? firstAgainMs : againMs);
}
