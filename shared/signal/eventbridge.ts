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
import { assert } from '../ledger/assert.ts';
import type { Bus, EventLine } from './relay.ts';

/** Where events say they come from. */
export const eventSource = 'countersign';

/** What one call takes: entries, and bytes over all of them (1 MB, less the framing). */
const entryCountMax = 10;
const batchBytesMax = 900_000;
const offerCountMax = 4;
const waitBaseMs = 50;

interface Offer {
  readonly line: number;
  readonly entry: PutEventsRequestEntry;
  readonly bytes: number;
}

/** What is needed of the client; a test may stand in between. */
type PutClient = Pick<EventBridgeClient, 'send'>;

/** A bus by its name. The next event of a record is offered when the one before was taken. */
export function eventBridge(busName: string, client: PutClient = new EventBridgeClient({})): Bus {
  return {
    publish: async (lines) => {
      const counts = lines.map(() => 0);
      let open = lines.map((_, line) => line).filter((line) => hasMore(lines, counts, line));
      while (open.length > 0) {
        const offers = open.map((line) => offerOf(lines, counts, line, busName));
        const refused = new Set((await offer(client, offers)).map(({ line }) => line));
        open = open.filter((line) => !refused.has(line));
        for (const line of open) counts[line] = (counts[line] ?? 0) + 1;
        open = open.filter((line) => hasMore(lines, counts, line));
      }
      return counts;
    },
  };
}

function hasMore(lines: readonly EventLine[], counts: readonly number[], line: number): boolean {
  return (counts[line] ?? 0) < (lines[line]?.length ?? 0);
}

/** Offers an event of each line, again where it was not taken; answers what never was. */
async function offer(client: PutClient, offers: readonly Offer[]): Promise<Offer[]> {
  let refused = [...offers];
  for (let count = 0; count < offerCountMax && refused.length > 0; count += 1) {
    if (count > 0) await pause(count);
    const left = await Promise.all(batchesOf(refused).map((batch) => put(client, batch)));
    refused = left.flat();
  }
  return refused;
}

/** The event that a line has to tell next, as an entry of the bus. */
function offerOf(
  lines: readonly EventLine[],
  counts: readonly number[],
  line: number,
  busName: string,
): Offer {
  const event = lines[line]?.[counts[line] ?? 0];
  assert(event, 'an open line has an event to tell');
  const detail = canonicalOf(event);
  const entry = {
    EventBusName: busName,
    Source: eventSource,
    DetailType: event.data.signal,
    Detail: detail,
    Resources: [event.luid],
  };
  return { line, entry, bytes: Buffer.byteLength(detail) };
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
