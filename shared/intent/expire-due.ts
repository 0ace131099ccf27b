/**
 * Ends the intents that have waited for too long, and asks the bridges again that have not done what was decided. An
 * intent and its marker end in one commit, so that a crash loses nothing and doing it twice does it once. Rulings 50
 * and 55, Decisions 39 and 70.
 */
import { assert } from '../ledger/assert.ts';
import type { Services } from '../port/action.ts';
import type { Expiries, ExpiryPlaces, WaitingIntent } from '../port/expiries.ts';
import { expire } from './alone.ts';
import { lookMs, type Reminder, remind } from './remind.ts';

export interface ExpirePorts {
  readonly services: Services;
  readonly expiries: Expiries;
  readonly hasTime: () => boolean;
  /**
   * What this process knows of intents that were decided: however many wait for a bridge that is silent, those that are
   * to be ended behind them are reached. Decision 70.
   */
  readonly reminders: Map<string, Reminder>;
  /** Told of what went wrong on our side; the intent is found again. */
  readonly report: (error: unknown) => void;
  /** Told how many calls about decisions nobody has carried out for too long. */
  readonly silent: (callCount: number) => void;
  /** Told how many were found that could not be ended, or not in time. */
  readonly forgotten: (intentCount: number) => void;
}

/** How many intents are ended at a time. */
const chunkLength = 8;

/** Goes once through all that is due, as long as there is time. */
export async function expireDue(ports: ExpirePorts): Promise<void> {
  const { services, expiries, hasTime, reminders } = ports;
  const nowMs = services.clock();
  const found = new Set<string>();
  let places: ExpiryPlaces | undefined;
  let leftCount = 0;
  do {
    const { due, next } = await expiries.due(nowMs, places);
    for (const one of due) found.add(nameOf(one));
    const open = due.filter((one) => !isResting(reminders.get(nameOf(one)), nowMs));
    leftCount += open.length - (await endAll(ports, open));
    places = next;
  } while (places && hasTime());
  // What has ended meanwhile is not marked any more.
  if (!places) for (const name of reminders.keys()) if (!found.has(name)) reminders.delete(name);
  if (leftCount > 0) ports.forgotten(leftCount);
  const callCount = [...reminders.values()].reduce((sum, one) => sum + one.callCount, 0);
  if (callCount > 0) ports.silent(callCount);
}

/** No rest is longer than one: what lies beyond it was set before the clock was set back. Decision 87. */
function isResting(reminder: Reminder | undefined, nowMs: number): boolean {
  return reminder !== undefined && reminder.nextMs > nowMs && reminder.nextMs <= nowMs + lookMs;
}

function nameOf({ scope, luid }: WaitingIntent): string {
  return `${scope} ${luid}`;
}

/** Ends intents, some at a time and as long as there is time; answers of how many nothing is left to be done. */
async function endAll(ports: ExpirePorts, waiting: readonly WaitingIntent[]): Promise<number> {
  let count = 0;
  for (let start = 0; start < waiting.length && ports.hasTime(); start += chunkLength) {
    const chunk = waiting.slice(start, start + chunkLength);
    const ended = await Promise.all(chunk.map((one) => endOne(ports, one)));
    count += ended.filter(Boolean).length;
  }
  return count;
}

/** What goes wrong with one of them keeps no other one from its end; whether nothing did. */
async function endOne(ports: ExpirePorts, waiting: WaitingIntent): Promise<boolean> {
  const { services, reminders, report } = ports;
  try {
    const ledger = await services.identityOf(waiting.scope);
    assert(ledger, 'an intent belongs to a ledger of this server');
    const decided = await expire(services, ledger, waiting);
    if (decided) reminders.set(nameOf(waiting), await remind(services, waiting.scope, decided));
    return true;
  } catch (error) {
    report(error);
    return false;
  }
}
