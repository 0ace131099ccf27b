/**
 * Ends the intents that have waited for too long, and asks the bridges again that have not done what was decided. An
 * intent and its marker end in one commit, so that a crash loses nothing and doing it twice does it once. Rulings 50
 * and 55, Decisions 39 and 70.
 */
import { assert } from '../ledger/assert.ts';
import { expire } from './alone.ts';
import type { Expiries, ExpiryPlaces, WaitingIntent } from './expiries.ts';
import { type RemindPorts, remind } from './remind.ts';

export interface ExpirePorts extends RemindPorts {
  readonly expiries: Expiries;
  readonly hasTime: () => boolean;
  /** Told of what went wrong on our side; the intent is found again. */
  readonly report: (error: unknown) => void;
  /** Told how many were found that could not be ended, or not in time. */
  readonly forgotten?: (intentCount: number) => void;
}

/** How many intents are ended at a time. */
const chunkLength = 8;

/** Goes once through all that is due, as long as there is time. */
export async function expireDue(ports: ExpirePorts): Promise<void> {
  const { services, expiries, hasTime } = ports;
  const nowMs = services.clock();
  let places: ExpiryPlaces | undefined;
  let leftCount = 0;
  do {
    const { due, next } = await expiries.due(nowMs, places);
    leftCount += due.length;
    for (let start = 0; start < due.length && hasTime(); start += chunkLength) {
      const chunk = due.slice(start, start + chunkLength);
      const ended = await Promise.all(chunk.map((one) => endOne(ports, one)));
      leftCount -= ended.filter(Boolean).length;
    }
    places = next;
  } while (places && hasTime());
  if (leftCount > 0) ports.forgotten?.(leftCount);
}

/** What goes wrong with one of them keeps no other one from its end; whether nothing did. */
async function endOne(ports: ExpirePorts, waiting: WaitingIntent): Promise<boolean> {
  const { services, report } = ports;
  try {
    const ledger = await services.identityOf(waiting.scope);
    assert(ledger, 'an intent belongs to a ledger of this server');
    const decided = await expire(services, ledger, waiting);
    if (decided) await remind(ports, waiting.scope, decided);
    return true;
  } catch (error) {
    report(error);
    return false;
  }
}
