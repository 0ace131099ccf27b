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

/**
 * What one call takes: entries, and bytes over all of them. That was 256 KB until January 2026 and is 1 MB
 * since, not everywhere at once; we stay below the old limit, and an event that is larger goes alone.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevents.html
 */
const entryCountMax = 10;
const batchBytesMax = 256_000;
const offerCountMax = 4;
const waitBaseMs = 50;

interface Offer {
  readonly line: number;
  readonly entry: PutEventsRequestEntry;
  readonly bytes: number;
}

export interface EventBridgeOptions {
  /** What is needed of the client; a test may stand in between. */
  readonly client?: Pick<EventBridgeClient, 'send'>;
  /** Told why events were not taken in the end. */
  readonly report: (why: string) => void;
}

/** How a batch is put: through whom, and where it is noted why something was not taken. */
interface PutPorts {
  readonly client: Pick<EventBridgeClient, 'send'>;
  readonly note: (offer: Offer, why: string) => void;
}

/**
 * A bus by its name. The next event of a record is offered when the one before was taken. What was not taken is
 * offered again here, and by no client in addition: a relay must not end before it has said why.
 */
export function eventBridge(
  busName: string,
  { client = new EventBridgeClient({ maxAttempts: 1 }), report }: EventBridgeOptions,
): Bus {
  return {
    publish: async (lines) => {
      const counts = lines.map(() => 0);
      let open = lines.map((_, line) => line).filter((line) => hasMore(lines, counts, line));
      while (open.length > 0) {
        const offers = open.map((line) => offerOf(lines, counts, line, busName));
        const whys = new Map<Offer, string>();
        const note = (one: Offer, why: string) => void whys.set(one, why);
        const left = await offer({ client, note }, offers);
        if (left.length > 0) report(reportOn(left.map((one) => whys.get(one) ?? 'unknown')));
        const refused = new Set(left.map(({ line }) => line));
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
async function offer(ports: PutPorts, offers: readonly Offer[]): Promise<Offer[]> {
  let refused = [...offers];
  for (let count = 0; count < offerCountMax && refused.length > 0; count += 1) {
    if (count > 0) await pause(count);
    const left = await Promise.all(batchesOf(refused).map((batch) => put(ports, batch)));
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
  const { signal } = event.data;
  const entry = {
    EventBusName: busName,
    Source: eventSource,
    DetailType: signal,
    Detail: detail,
    Resources: [event.luid],
  };
  return { line, entry, bytes: Buffer.byteLength(`${eventSource}${signal}${detail}${event.luid}`) };
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

/** Puts a batch; answers what was not taken of it. One that is refused as a whole is put one by one. */
async function put(ports: PutPorts, batch: Offer[]): Promise<Offer[]> {
  try {
    const { Entries = [] } = await ports.client.send(
      new PutEventsCommand({ Entries: batch.map(({ entry }) => entry) }),
    );
    return batch.filter((one, index) => {
      const { EventId, ErrorCode } = Entries[index] ?? {};
      if (EventId === undefined) ports.note(one, ErrorCode ?? 'unknown');
      return EventId === undefined;
    });
  } catch (error) {
    if (batch.length > 1 && isRefusal(error)) {
      const left = await Promise.all(batch.map((one) => put(ports, [one])));
      return left.flat();
    }
    // Nobody said that any of it was taken.
    for (const one of batch) ports.note(one, error instanceof Error ? error.name : String(error));
    return batch;
  }
}

/** Whether it is the content that is refused, as when it is too large: then it is that of one of them. */
function isRefusal(error: unknown): boolean {
  const { $metadata, name } = error as Error & { $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode ?? 0;
  return (status === 400 || status === 413) && !name.includes('Throttling');
}

/** Why events were not taken: each reason, and of how many. */
function reportOn(whys: readonly string[]): string {
  const reasons = [...new Set(whys)].map(
    (why) => `${why} (${whys.filter((one) => one === why).length})`,
  );
  return `The bus did not take ${whys.length} events: ${reasons.join(', ')}.`;
}

/** Waits before the next offer, with full jitter. */
function pause(count: number): Promise<void> {
  const waitMs = Math.random() * waitBaseMs * 2 ** count;
  return new Promise((resolve) => setTimeout(resolve, waitMs));
}
