/**
 * The sweeper of intents: begins those that were signed for later, rejects expired ones, and asks bridges again that
 * have not carried out a decision. An intent and its marker change in one commit, so a crash loses nothing and a repeated
 * run changes nothing. Rulings 50, 55 and 89, Decisions 39, 70 and 99.
 */
import { assert } from '../ledger/assert.ts';
import type { Services } from '../port/action.ts';
import type { Expiries, ExpiryPlaces, WaitingIntent } from '../port/expiries.ts';
import { begin } from './begin.ts';
import { checkIntervalMs, type Reminder, remind } from './remind.ts';
import { expire } from './unprompted.ts';

export interface ExpirePorts {
  readonly services: Services;
  readonly expiries: Expiries;
  readonly hasTime: () => boolean;
  /**
   * Decided intents that wait for bridges, with the time of their next check. Skipping them lets the sweeper reach
   * expired intents behind any number of them. Decision 70.
   */
  readonly reminders: Map<string, Reminder>;
  /** Called with each error; the next run finds the intent again. */
  readonly report: (error: unknown) => void;
  /** Called with the number of calls that bridges have left undone for too long. */
  readonly unanswered: (callCount: number) => void;
  /** Called with the number of intents that failed or were not reached in time. */
  readonly forgotten: (intentCount: number) => void;
}

/** Intents that are handled at once. */
const chunkLength = 8;

/** Walks once through all due intents, as long as there is time. */
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
  // An intent that has ended has no marker, so its reminder is dropped.
  if (!places) for (const name of reminders.keys()) if (!found.has(name)) reminders.delete(name);
  if (leftCount > 0) ports.forgotten(leftCount);
  const callCount = [...reminders.values()].reduce((sum, one) => sum + one.callCount, 0);
  if (callCount > 0) ports.unanswered(callCount);
}

/** A reminder further ahead than one interval stems from before the clock was set back. Decision 87. */
function isResting(reminder: Reminder | undefined, nowMs: number): boolean {
  return (
    reminder !== undefined && reminder.nextMs > nowMs && reminder.nextMs <= nowMs + checkIntervalMs
  );
}

function nameOf({ scope, luid }: WaitingIntent): string {
  return `${scope} ${luid}`;
}

/** Handles intents in chunks as long as there is time; returns how many succeeded. */
async function endAll(ports: ExpirePorts, waiting: readonly WaitingIntent[]): Promise<number> {
  let count = 0;
  for (let start = 0; start < waiting.length && ports.hasTime(); start += chunkLength) {
    const chunk = waiting.slice(start, start + chunkLength);
    const ended = await Promise.all(chunk.map((one) => endOne(ports, one)));
    count += ended.filter(Boolean).length;
  }
  return count;
}

/** Handles one intent; an error is reported and does not stop the others. True when it succeeded. */
async function endOne(ports: ExpirePorts, waiting: WaitingIntent): Promise<boolean> {
  const { services, reminders, report } = ports;
  try {
    const ledger = await services.identityOf(waiting.scope);
    assert(ledger, 'an intent belongs to a ledger of this server');
    const { decided, isDue } = await expire(services, ledger, waiting);
    if (isDue) await begin(services, ledger, waiting);
    if (decided) reminders.set(nameOf(waiting), await remind(services, waiting.scope, decided));
    return true;
  } catch (error) {
    report(error);
    return false;
  }
}
