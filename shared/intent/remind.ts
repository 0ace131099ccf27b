/**
 * Reminders of bridges after a decision. Calls that are left undone are counted for the operator. A bridge that
 * accepted a call and never reported is called again. Ruling 55, Decision 70.
 */
import { decidedAtOf } from '../ledger/intent.ts';
import type { Version } from '../ledger/record.ts';
import type { Services } from '../port/action.ts';
import type { Delivery } from '../port/deliveries.ts';
import type { Scope } from '../port/ports.ts';
import { replay } from '../record/resend.ts';
import { callsAwaited } from './waiting.ts';

/** A decided intent that waits for its bridges. */
export interface Reminder {
  /** Calls that bridges have left undone for too long. */
  readonly callCount: number;
  /** The time of the next check, in milliseconds. */
  readonly nextMs: number;
}

/** From this age on, undone calls of a decision are counted. In milliseconds. */
export const overdueAfterMs = 3_600_000;
/** A bridge that accepted a call is called again after this time, and then at each interval. */
const firstAgainMs = 3_600_000;
const againMs = 24 * 3_600_000;
/** The interval between two checks of an intent. */
export const checkIntervalMs = 3_600_000;

/** Calls late bridges again, and returns the number of calls that are still undone. */
export async function remind(
  services: Services,
  scope: Scope,
  version: Version,
): Promise<Reminder> {
  const nowMs = services.clock();
  const decidedMs = Date.parse(decidedAtOf(version.record) ?? '');
  if (nowMs - decidedMs < overdueAfterMs)
    return { callCount: 0, nextMs: decidedMs + overdueAfterMs };
  const nextMs = nowMs + checkIntervalMs;
  // The first intent speaks for the whole thread.
  const isFirst = !version.together || version.together[0] === version.record.data.handle;
  if (!isFirst) return { callCount: 0, nextMs };
  const awaited = await callsAwaited(services, scope, version);
  for (const { delivery } of awaited)
    if (delivery && isLate(delivery, nowMs)) await replay(services, delivery, nowMs);
  return { callCount: awaited.length, nextMs };
}

/** True when an accepted call is so old that the bridge may have lost it. A refused call is not repeated. */
function isLate({ status, replay: count, proofs }: Delivery, nowMs: number): boolean {
  if (status !== 'delivered') return false;
  const takenMs = Date.parse(String(proofs.at(-1)?.custom?.['moment']));
  return nowMs - takenMs >= (count === 0 ? firstAgainMs : againMs);
}
