/**
 * The events of bridge entries, made of the event of their intent where an effect subscribes to them. They take no
 * place in the outbox and on the bus. Rulings 70 and 78, Decision 78.
 */

import { canonicalOf } from '../crypto/canonical.ts';
import { hashOf } from '../crypto/digest.ts';
import { namedLuid } from '../crypto/luid.ts';
import { assert } from '../ledger/assert.ts';
import { requestOf, withoutNotes } from '../ledger/call-request.ts';
import { domainOfHandle } from '../ledger/domain.ts';
import type { EntryNews } from '../ledger/entry-signals.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import type { Identity } from '../port/action.ts';
import { spreadMemberOf } from '../port/deliveries.ts';
import { countersign } from '../record/sign.ts';
import { type EventData, eventBytesMax, type LedgerEvent } from '../signal/event.ts';
import type { AcceptPorts } from './accepted.ts';
import { type CalledRecords, recordsOf } from './calls.ts';

/** The events of the entries that an event changes, for the signals with subscribers. */
export async function entryEventsOf(
  ports: AcceptPorts,
  ledger: Identity,
  event: LedgerEvent,
  news: readonly EntryNews[],
): Promise<LedgerEvent[]> {
  const records = await recordsOf(ports, event, news);
  const made = news.map(async (one) => {
    const intent = records.intents.get(one.intent ?? '');
    assert(intent, 'an intent never ends');
    const domain = await domainOf(ports, event.ledger, one, records);
    return {
      ledger: event.ledger,
      luid: intent.record.luid,
      ...spreadMemberOf(intent),
      data: dataOf(ledger, event, one, { intent: intent.record, domain }),
      ...(domain !== undefined && { domain }),
    };
  });
  return Promise.all(made);
}

/** The domain of the bridge that the intent began with, also where that was dropped or has another handle. */
async function domainOf(
  { services }: AcceptPorts,
  scope: string,
  { bridge: handle, intent = '' }: EntryNews,
  { bridges, intents }: CalledRecords,
): Promise<string | undefined> {
  const found = bridges.get(handle);
  const luid = intents.get(intent)?.bridgeLuids?.[handle];
  if (found && (luid === undefined || found.record.luid === luid)) return found.record.meta.domain;
  // No change of a record moves it to another domain, so the first one says it.
  const [first] = luid === undefined ? [] : await services.store.past(scope, luid, 1, 1);
  return first ? first.record.meta.domain : domainOfHandle(handle);
}

interface EntryPlace {
  readonly intent: LedgerRecord;
  readonly domain: string | undefined;
}

/** The data of an event: the entry, and the proof where that is the news. */
function dataOf(
  ledger: Identity,
  event: LedgerEvent,
  news: EntryNews,
  { intent, domain }: EntryPlace,
): EventData {
  const { signal, entry, bridge, change } = news;
  const { moment } = event.data;
  const { data: entryData } = requestOf({ bridge, action: 'prepare', entry }, intent);
  const proof = signal === 'bridge-entry-proofs-added' && { proof: intent.meta.proofs.at(-1) };
  const eventOf = (data: typeof entryData): EventData => ({
    ...{ handle: handleOf(event, news), signal, change, moment },
    'bridge-entry': recordOf(ledger, { ...data, bridge: { handle: bridge } }, domain, {
      status: news.status,
      moment,
    }),
    ...proof,
  });
  const whole = eventOf(entryData);
  const fits = Buffer.byteLength(canonicalOf(whole)) <= eventBytesMax;
  return fits ? whole : eventOf(withoutNotes(entryData));
}

/** An entry as a record: its data has a hash, which the ledger signs. */
function recordOf(
  ledger: Identity,
  data: Readonly<Record<string, unknown>>,
  domain: string | undefined,
  said: Readonly<Record<'status' | 'moment', string>>,
): object {
  const hash = hashOf(data);
  const { luid } = data;
  const proofs = [countersign(ledger, hash, { luid, ...said })];
  return { luid, hash, data, meta: { proofs, ...said, ...(domain !== undefined && { domain }) } };
}

/** The handle follows from the event of the intent, so that a receiver recognizes a repetition. */
function handleOf({ ledger, data }: LedgerEvent, { signal, entry }: EntryNews): string {
  const name = `${ledger} ${data.handle} ${signal} ${entry}`;
  return namedLuid('evt', Date.parse(data.moment), name).replace('$evt.', 'evt_');
}
