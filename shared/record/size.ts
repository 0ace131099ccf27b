/**
 * Size limits of records, in bytes of JSON. A version must fit into an item of the table, an event and a delivery;
 * a commit must fit into one transaction. Requests get less than the technical limit, so that statements of the
 * ledger and the end of the record always fit. Decision 16.
 *
 * All future proofs of an intent count as if they were there already, so that every accepted intent can be ended.
 * Ruling 68, Decision 77.
 */
import { companions } from '../crypto/companions.ts';
import { LedgerError } from '../ledger/errors.ts';
import { attachmentOf, type LedgerRecord, type Version } from '../ledger/record.ts';
import { proofCountMax, reserveOf } from '../ledger/reserve.ts';
import { isReversalStatement } from '../ledger/reversal.ts';
import type { Commit, Write } from '../port/ports.ts';

/** A record with all its proofs, after a request. */
const recordBytesMax = 340_000;
/** A circle is read in requests of others, so it is smaller. Decision 89. */
const circleBytesMax = 32_000;
/** Room for statements of the ledger: some forty status changes. */
const reserveBytes = 20_000;
/** Room of an intent that only the statements on its reversals may take. Decision 105. */
const reversalRoom = { bytes: reserveBytes, proofs: 40 } as const;
/** The signed drop, which is stored with the last version. */
const dropBytesMax = 40_000;
/** The DynamoDB limit of a transaction, and the share of versions in it. The rest is for balances, signals and keys. */
export const commitBytesMax = 4_000_000;
const versionsBytesMax = 3_500_000;
/** A balance with a day of transfer counters; a signal with a call of the longest names. */
const moveBytes = 5_000;

type MeasuredCommit = Pick<Commit, 'writes' | 'moves' | 'unchanged'>;

/** The error for a commit that is too large, or whose intents could become too large before they end. */
export function excessOf(commit: MeasuredCommit): LedgerError | undefined {
  for (const write of commit.writes) {
    const excess = excessOfWrite(write);
    if (excess) return excess;
  }
  return excessTogether(commit);
}

/** The size as JSON bounds the size of each stored form. */
function excessOfWrite({ next, previous }: Write): LedgerError | undefined {
  // A stored record can always be dropped; only the drop itself is measured.
  if (next.drop) return tooLarge('The drop', bytesOf(next.drop), dropBytesMax);
  if (next.kind === 'intent') return excessOfIntent(next, previous);
  const reserve = previous && isByLedgerAlone(next, previous) ? reserveBytes : 0;
  return tooLarge('The record', bytesOf(next.record), bytesMaxOf(next, previous) + reserve);
}

/** A circle that is larger from before this limit existed may stay, and cannot grow. */
function bytesMaxOf({ kind }: Version, previous: Version | undefined): number {
  if (kind !== 'circle') return recordBytesMax;
  return Math.max(circleBytesMax, previous ? bytesOf(previous.record) : 0);
}

/** Measures an intent with all its future proofs. A proof within the reserve is always accepted. */
function excessOfIntent(next: Version, previous: Version | undefined): LedgerError | undefined {
  const after = finalSizeOf(next);
  const more = previous && isReversal(next, previous) ? reversalRoom : { bytes: 0, proofs: 0 };
  const bytesMax = intentBytesMaxOf(next) + more.bytes;
  const proofsMax = proofCountMax + more.proofs;
  if (after.bytes <= bytesMax && after.proofs <= proofsMax) return undefined;
  const before = previous ? finalSizeOf(previous) : { bytes: 0, proofs: 0 };
  if (after.proofs > Math.max(proofsMax, before.proofs)) {
    const { proofs } = reserveOf(next);
    const reserveHint = `${proofs} of them are kept for bridges, for who decides and for the ledger`;
    return new LedgerError(
      'record.invalid',
      `An intent takes at most ${proofCountMax} proofs, and ${reserveHint}.`,
      { proofs: after.proofs, reserved: proofs },
    );
  }
  if (after.bytes <= Math.max(bytesMax, before.bytes)) return undefined;
  const reserved = reserveOf(next).bytes;
  const title = `The intent, with ${reserved} bytes for what is yet to be said of it,`;
  return tooLarge(title, after.bytes, bytesMax, { reserved });
}

/** True when the ledger states a reversal of an intent that has moved. */
function isReversal(next: Version, previous: Version): boolean {
  const custom = next.record.meta.proofs.at(-1)?.custom ?? {};
  return isByLedgerAlone(next, previous) && isReversalStatement(custom);
}

/** The final number of proofs and bytes of an intent. */
function finalSizeOf(version: Version): { readonly proofs: number; readonly bytes: number } {
  const { proofs, bytes } = reserveOf(version);
  // The store chooses it for a version that was found to fit, and stores it beside the content.
  const { spread: _spread, ...attachment } = attachmentOf(version);
  return {
    proofs: version.record.meta.proofs.length + proofs,
    bytes: recordBytesOf(version.record) + bytesOf(attachment) + bytes,
  };
}

/**
 * The share of one intent in a thread. Each step of a thread is one transaction that writes each intent twice, as it is
 * and as it was. The first intent carries the data of its authors and may use the full size; the others share the rest.
 */
function intentBytesMaxOf({ record, together = [] }: Version): number {
  const otherCount = together.length - 1;
  if (otherCount < 1 || together[0] === record.data.handle) return recordBytesMax;
  // An intent that the first one undoes is written as well. Ruling 92.
  const share = (versionsBytesMax / 2 - 2 * recordBytesMax) / otherCount;
  return Math.min(recordBytesMax, Math.floor(share));
}

/** The size of a whole commit as JSON, which bounds the size of the transaction. */
function excessTogether(commit: MeasuredCommit): LedgerError | undefined {
  const versions = versionsIn(commit);
  // This few versions always fit.
  if (versions.length * (recordBytesMax + reserveBytes) <= versionsBytesMax) return undefined;
  return tooLarge('What changes at once', bytesOfCommit(commit), commitBytesMax);
}

/** The bytes of a commit as JSON; those of several as one are at most their sum. */
export function bytesOfCommit({ writes, moves = [], unchanged = [] }: MeasuredCommit): number {
  const recordsBytes = versionsIn({ writes, unchanged }).reduce(
    (sum, one) => sum + recordBytesOf(one.record),
    0,
  );
  const signalsBytes = writes.reduce((sum, { signals }) => sum + bytesOf(signals), 0);
  return recordsBytes + signalsBytes + moves.length * moveBytes;
}

function versionsIn({ writes, unchanged = [] }: MeasuredCommit): Version[] {
  return [
    ...writes.flatMap(({ next, previous }) => (previous ? [next, previous] : [next])),
    ...unchanged.map(({ version }) => version),
  ];
}

/** True when only the ledger added proofs. */
function isByLedgerAlone({ record }: Version, { record: before }: Version): boolean {
  const added = record.meta.proofs.slice(before.meta.proofs.length);
  return record.hash === before.hash && added.every(({ origin }) => origin === undefined);
}

/** Refuses with `api.body-malformed` a proof larger than the reserve of its kind. */
export function assertProofBytes(title: string, proof: object, bytesMax: number): void {
  const excess = tooLarge(title, bytesOf(proof), bytesMax);
  if (excess) throw excess;
}

/** The sizes of records: a new one is measured by itself, and with those that are stored beside it. */
const measured = companions<LedgerRecord, number>();

function recordBytesOf(record: LedgerRecord): number {
  const known = measured.get(record) ?? bytesOf(record);
  measured.set(record, known);
  return known;
}

export function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function tooLarge(
  title: string,
  bytes: number,
  bytesMax: number,
  more: Readonly<Record<string, unknown>> = {},
): LedgerError | undefined {
  if (bytes <= bytesMax) return undefined;
  const detail = `${title} would take ${bytes} bytes; at most ${bytesMax} can be kept.`;
  return new LedgerError('api.body-malformed', detail, {
    ...{ fault: 'too-large', bytes, bytesMax },
    ...more,
  });
}
