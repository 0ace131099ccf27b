/**
 * How large a version may be, in bytes of JSON: it has to fit into an item of the table, into an event
 * and into the delivery of one. What requests may fill ends before that, so that there is always room
 * for the ledger's own words and for the record's end. Decision 16.
 */
import { LedgerError } from '../ledger/errors.ts';
import type { Version } from '../ledger/record.ts';
import type { Write } from './ports.ts';

/** A record with all of its proofs, after a request. */
const recordBytesMax = 340_000;
/** What the ledger may add by itself: some forty words about a status. */
const reserveBytes = 20_000;
/** The signed wish to end a record, which is kept beside it. */
const dropBytesMax = 40_000;

/** Refuses a version that could not be kept or told. Its size as JSON bounds all forms that it takes. */
export function assertRoom({ next, previous }: Pick<Write, 'next' | 'previous'>): void {
  if (next.drop) {
    // A record that stands can always end, so only what asks for it is measured.
    assertBytes('The drop', next.drop, dropBytesMax);
    return;
  }
  const reserve = previous && isOwnWord(next, previous) ? reserveBytes : 0;
  assertBytes('The record', next.record, recordBytesMax + reserve);
}

/** Whether only the ledger has added to the version before. */
function isOwnWord({ record }: Version, { record: before }: Version): boolean {
  const added = record.meta.proofs.slice(before.meta.proofs.length);
  return record.hash === before.hash && added.every(({ origin }) => origin === undefined);
}

function assertBytes(title: string, value: unknown, bytesMax: number): void {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes <= bytesMax) return;
  const detail = `${title} would take ${bytes} bytes; at most ${bytesMax} can be kept.`;
  throw new LedgerError('api.body-malformed', detail, { fault: 'too-large', bytes });
}
