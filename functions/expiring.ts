/** What the workers that end waiting intents share: the sweeper, and the thread that stands for it offline. */
import type { ExpirePorts } from '../shared/intent/expire-due.ts';
import { metric } from './figures.ts';
import { judging } from './judging.ts';

/** An instance that is kept between two ticks does not look at the same intents in each of them. */
const reminders: ExpirePorts['reminders'] = new Map();

/** How to end what has waited for too long, for a process that goes on for as long as it is told. */
export function expiring(hasTime: () => boolean): ExpirePorts {
  const { services, expiries, complain } = judging;
  const report = (error: unknown): void => complain('expiry', error);
  const silent = (callCount: number): void => metric('BridgeSilent', callCount);
  const forgotten = (intentCount: number): void => metric('IntentForgotten', intentCount);
  return { services, expiries, hasTime, reminders, report, silent, forgotten };
}
