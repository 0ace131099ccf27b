/**
 * How large a version may be, in bytes of JSON: it has to fit into an item of the table, into an event and into the
 * delivery of one; and all that changes at once into one transaction. What requests may fill ends before that, so that
 * there is always room for the ledger's own words and for the record's end. Decision 16. Of an intent, what is yet
 * to be said counts as if it were there already, so that whatever is accepted can be ended. Ruling 68, Decision 77.
 */
import { LedgerError } from '../ledger/errors.ts';
import { carriedOf, type Version } from '../ledger/record.ts';
import { proofCountMax, reserveOf } from '../ledger/room.ts';
import type { Commit, Write } from '../port/ports.ts';

/** A record with all of its proofs, after a request. */
const recordBytesMax = 340_000;
/** A circle: those of others are read for requests that have nothing to do with them. Decision 89. */
const circleBytesMax = 32_000;
/** What the ledger may add by itself: some forty words about a status. */
const reserveBytes = 20_000;
/** The signed wish to end a record, which is kept beside it. */
const dropBytesMax = 40_000;
/** What DynamoDB takes at once, and what of it may be versions: the rest is for balances, signals and keys. */
const commitBytesMax = 4_000_000;
const versionsBytesMax = 3_500_000;
/** A balance with a day of transfers; a signal with a call of the longest names. */
const moveBytes = 5_000;

/** Why a commit is too large to be stored, or would become so before its intents have ended; undefined when it is not. */
export function excessOf(
  commit: Pick<Commit, 'writes' | 'moves' | 'unchanged'>,
): LedgerError | undefined {
  for (const write of commit.writes) {
    const excess = excessOfWrite(write);
    if (excess) return excess;
  }
  return excessTogether(commit);
}

/** Refuses a version that could not be kept, told or ended. Its size as JSON bounds all forms that it takes. */
function excessOfWrite({ next, previous }: Write): LedgerError | undefined {
  // A record that stands can always end, so only what asks for it is measured.
  if (next.drop) return tooLarge('The drop', bytesOf(next.drop), dropBytesMax);
  if (next.kind === 'intent') return excessOfIntent(next, previous);
  const reserve = previous && isOwnWord(next, previous) ? reserveBytes : 0;
  return tooLarge('The record', bytesOf(next.record), bytesMaxOf(next, previous) + reserve);
}

/** What a record may take; one that was larger before there was a bound does not grow. */
function bytesMaxOf({ kind }: Version, previous: Version | undefined): number {
  if (kind !== 'circle') return recordBytesMax;
  return Math.max(circleBytesMax, previous ? bytesOf(previous.record) : 0);
}

/** An intent with all that is yet to be said of it. What takes no more than was kept for it is never refused. */
function excessOfIntent(next: Version, previous: Version | undefined): LedgerError | undefined {
  const after = fullOf(next);
  const bytesMax = intentBytesMaxOf(next);
  if (after.bytes <= bytesMax && after.proofs <= proofCountMax) return undefined;
  const before = previous ? fullOf(previous) : { bytes: 0, proofs: 0 };
  if (after.proofs > Math.max(proofCountMax, before.proofs)) {
    const { proofs } = reserveOf(next);
    const kept = `${proofs} of them are kept for bridges, for who decides and for the ledger`;
    return new LedgerError(
      'record.invalid',
      `An intent takes at most ${proofCountMax} proofs, and ${kept}.`,
      { proofs: after.proofs, reserved: proofs },
    );
  }
  if (after.bytes <= Math.max(bytesMax, before.bytes)) return undefined;
  const reserved = reserveOf(next).bytes;
  const title = `The intent, with ${reserved} bytes for what is yet to be said of it,`;
  return tooLarge(title, after.bytes, bytesMax, { reserved });
}

/** How many proofs and bytes an intent takes when all has been said. */
function fullOf(version: Version): { readonly proofs: number; readonly bytes: number } {
  const { proofs, bytes } = reserveOf(version);
  return {
    proofs: version.record.meta.proofs.length + proofs,
    bytes: bytesOf(version.record) + bytesOf(carriedOf(version)) + bytes,
  };
}

/**
 * What an intent may take so that each later step of its thread fits into one transaction, which writes each intent
 * twice: as it is, and as it was. The first one has the notes of its authors and may be full; the others share the rest.
 */
function intentBytesMaxOf({ record, together = [] }: Version): number {
  const otherCount = together.length - 1;
  if (otherCount < 1 || together[0] === record.data.handle) return recordBytesMax;
  const share = (versionsBytesMax / 2 - recordBytesMax) / otherCount;
  return Math.min(recordBytesMax, Math.floor(share));
}

/** What changes at once, as JSON, which bounds what a transaction holds of it. */
function excessTogether({
  writes,
  moves = [],
  unchanged = [],
}: Pick<Commit, 'writes' | 'moves' | 'unchanged'>): LedgerError | undefined {
  const versions = [
    ...writes.flatMap(({ next, previous }) => (previous ? [next, previous] : [next])),
    ...unchanged.map(({ version }) => version),
  ];
  // So few fit in any case.
  if (versions.length * (recordBytesMax + reserveBytes) <= versionsBytesMax) return undefined;
  const recordsBytes = versions.reduce((sum, one) => sum + bytesOf(one.record), 0);
  const signalsBytes = writes.reduce((sum, { signals }) => sum + bytesOf(signals), 0);
  const bytes = recordsBytes + signalsBytes + moves.length * moveBytes;
  return tooLarge('What changes at once', bytes, commitBytesMax);
}

/** Whether only the ledger has added to the version before. */
function isOwnWord({ record }: Version, { record: before }: Version): boolean {
  const added = record.meta.proofs.slice(before.meta.proofs.length);
  return record.hash === before.hash && added.every(({ origin }) => origin === undefined);
}

/** Refuses a proof that takes more than what is kept for its kind. */
export function assertProofBytes(title: string, proof: object, bytesMax: number): void {
  const excess = tooLarge(title, bytesOf(proof), bytesMax);
  if (excess) throw excess;
}

/** How many bytes something takes as JSON. */
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
