/**
 * The bus on AWS: EventBridge, in batches of what `PutEvents` takes. A batch may be taken in part; what
 * was not is offered again, and told to the relay when it is still not taken.
 */
import {
  EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
} from '@aws-sdk/client-eventbridge';
import { canonicalOf } from '../crypto/canonical.ts';
import type { LedgerEvent } from './event.ts';
import type { Bus } from './relay.ts';

/** Where events say they come from. */
export const eventSource = 'countersign';

/** What one call takes: entries, and bytes over all of them (1 MB, less the framing). */
const entryCountMax = 10;
const batchBytesMax = 900_000;
const offerCountMax = 4;
const waitBaseMs = 50;

interface Offer {
  readonly index: number;
  readonly entry: PutEventsRequestEntry;
  readonly bytes: number;
}

/** What is needed of the client; a test may stand in between. */
type PutClient = Pick<EventBridgeClient, 'send'>;

/** A bus by its name. */
export function eventBridge(busName: string, client: PutClient = new EventBridgeClient({})): Bus {
  return {
    publish: async (events) => {
      let offers = events.map((event, index) => offerOf(event, index, busName));
      for (let count = 0; count < offerCountMax && offers.length > 0; count += 1) {
        if (count > 0) await pause(count);
        const refused = await Promise.all(batchesOf(offers).map((batch) => put(client, batch)));
        offers = refused.flat();
      }
      return offers.map(({ index }) => index);
    },
  };
}

function offerOf(event: LedgerEvent, index: number, busName: string): Offer {
  const detail = canonicalOf(event);
  const entry = {
    EventBusName: busName,
    Source: eventSource,
    DetailType: event.data.signal,
    Detail: detail,
    Resources: [event.luid],
  };
  return { index, entry, bytes: Buffer.byteLength(detail) };
}

function batchesOf(offers: readonly Offer[]): Offer[][] {
  const batches: Offer[][] = [];
  let bytes = 0;
  for (const offer of offers) {
    const batch = batches.at(-1);
    if (batch && batch.length < entryCountMax && bytes + offer.bytes <= batchBytesMax) {
      batch.push(offer);
      bytes += offer.bytes;
    } else {
      batches.push([offer]);
      bytes = offer.bytes;
    }
  }
  return batches;
}

/** Puts a batch; answers what was not taken of it. */
async function put(client: PutClient, batch: Offer[]): Promise<Offer[]> {
  try {
    const { Entries = [] } = await client.send(
      new PutEventsCommand({ Entries: batch.map(({ entry }) => entry) }),
    );
    return batch.filter((_, index) => Entries[index]?.EventId === undefined);
  } catch {
    // Nobody said that any of it was taken.
    return batch;
  }
}

/** Waits before the next offer, with full jitter. */
function pause(count: number): Promise<void> {
  const waitMs = Math.random() * waitBaseMs * 2 ** count;
  return new Promise((resolve) => setTimeout(resolve, waitMs));
}
