/**
 * The bus on AWS: EventBridge, in batches that `PutEvents` takes. It may accept a part of a batch. The rest is offered
 * again, and what is still not accepted stays in the outbox.
 */
import {
  EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
} from '@aws-sdk/client-eventbridge';
import { canonicalOf } from '../crypto/canonical.ts';
import { assert } from '../ledger/assert.ts';
import type { Bus, EventLine } from './relay.ts';

/** The `source` of our events on the bus. */
export const eventSource = 'countersign';

/**
 * Limits of one call: entries, and bytes of all of them. The limit of bytes was 256 KB until January 2026, and 1 MB
 * since, region by region. Batches stay below the old one; a larger event goes alone.
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
  readonly client?: Pick<EventBridgeClient, 'send'>;
  /** Receives the reasons why events were not accepted in the end. */
  readonly report: (why: string) => void;
}

interface PutPorts {
  readonly client: Pick<EventBridgeClient, 'send'>;
  readonly note: (offer: Offer, why: string) => void;
}

/**
 * A bus by its name. The next event of a record is offered when the one before was accepted. The retries are ours, and
 * the client makes none: the relay must have time left to report why an event was not accepted.
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

/** Offers the events, several times where needed; returns those that were never accepted. */
async function offer(ports: PutPorts, offers: readonly Offer[]): Promise<Offer[]> {
  let refused = [...offers];
  for (let count = 0; count < offerCountMax && refused.length > 0; count += 1) {
    if (count > 0) await pause(count);
    const left = await Promise.all(batchesOf(refused).map((batch) => put(ports, batch)));
    refused = left.flat();
  }
  return refused;
}

/** The next event of a line, as an entry for the bus. */
function offerOf(
  lines: readonly EventLine[],
  counts: readonly number[],
  line: number,
  busName: string,
): Offer {
  const event = lines[line]?.[counts[line] ?? 0];
  assert(event, 'an open line has an event to publish');
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

/** Puts a batch; returns what was not accepted. A batch that is rejected as a whole is put one by one. */
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
    if (batch.length > 1 && isRejected(error)) {
      const left = await Promise.all(batch.map((one) => put(ports, [one])));
      return left.flat();
    }
    // Without an answer, none counts as accepted.
    for (const one of batch) ports.note(one, error instanceof Error ? error.name : String(error));
    return batch;
  }
}

/** True when AWS rejects the content, as when one entry is too large; the others may be accepted alone. */
function isRejected(error: unknown): boolean {
  const { $metadata, name } = error as Error & { $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode ?? 0;
  return (status === 400 || status === 413) && !name.includes('Throttling');
}

function reportOn(whys: readonly string[]): string {
  const reasons = [...new Set(whys)].map(
    (why) => `${why} (${whys.filter((one) => one === why).length})`,
  );
  return `The bus did not accept ${whys.length} events: ${reasons.join(', ')}.`;
}

/** Waits before the next offer, with full jitter. */
function pause(count: number): Promise<void> {
  const waitMs = Math.random() * waitBaseMs * 2 ** count;
  return new Promise((resolve) => setTimeout(resolve, waitMs));
}
