/** Shared set-up of the workers that expire intents: the sweeper, and its thread offline. */
import type { ExpirePorts } from '../shared/intent/expire-due.ts';
import { metric } from './figures.ts';
import { judging } from './judging.ts';

/** Kept between two runs of an instance, so that a run skips the intents that rest. */
const reminders: ExpirePorts['reminders'] = new Map();

export function expiring(hasTime: () => boolean): ExpirePorts {
  const { services, expiries, complain } = judging;
  const report = (error: unknown): void => complain('expiry', error);
  const unanswered = (callCount: number): void => metric('BridgeSilent', callCount);
  const forgotten = (intentCount: number): void => metric('IntentForgotten', intentCount);
  return { services, expiries, hasTime, reminders, report, unanswered, forgotten };
}
