/**
 * What is yet to be said of an intent, and the room that is kept for it: the reports of bridges, a decision, and the
 * ledger's own words. All of it is counted from the first moment, and becomes less with each of them, so that an
 * intent which was accepted can always be ended, whatever others have added to it. Ruling 68, Decision 77.
 */
import type { Claim, IntentData } from '../shape/intent.ts';
import { bridgedIn, isPending, isUndecided } from './intent.ts';
import type { Version } from './record.ts';
import { type BridgedEntry, is, isOver, type Status } from './thread.ts';
import { table } from './transition.ts';

/** How many proofs a record holds at most. */
export const proofCountMax = 500;

/** Proofs that are yet to come, and the bytes that they take at most. */
export interface Reserve {
  readonly proofs: number;
  readonly bytes: number;
}

/** What the reports of one intent take together at most, in bytes of JSON, and one of them. */
const allReportsBytes = 160_000;
const oneReportBytesMax = 4_000;
/** What a decision takes at most, and so does the last signature where others have left no more room. Rulings 49 and 51. */
export const decisionBytesMax = 4_000;
/** What the ledger says: of a status, of why it failed beside that, and of an entry with the longest names. */
const wordBytes = 500;
const faultBytes = 3_600;
const resolvedBytes = 1_300;
/** What each proof takes beside itself: a comma, and its place among those that count. */
const besideBytes = 16;
/** An entry is spoken of twice: before the decision and after it. Ruling 56. */
const reportsOfEntry = 2;

/** What a report on an intent may take, in bytes of JSON: an equal share for each that may come. */
export function reportBytesMaxOf(version: Version): number {
  return shareOf(entriesOf(version).bridged.length);
}

/** What is yet to come of proofs that others cannot take the place of. */
export function reserveOf(version: Version): Reserve {
  const { record } = version;
  const status = record.meta.status as Status;
  const { bridged, unresolvedCount } = entriesOf(version);
  const reports = bridged.reduce((sum, entry) => sum + reportsAhead(status, entry), 0);
  const signatures = isPending(record) ? 1 : 0;
  const decisions = signatures + (isManual(version) && isUndecided(record) ? 1 : 0);
  const words = wordsAhead(status);
  return {
    proofs: reports + decisions + words + unresolvedCount,
    bytes:
      reports * (shareOf(bridged.length) + besideBytes) +
      decisions * (decisionBytesMax + besideBytes) +
      words * wordBytes +
      (isUndecided(record) ? faultBytes : 0) +
      unresolvedCount * resolvedBytes,
  };
}

function shareOf(entryCount: number): number {
  const share = Math.floor(allReportsBytes / (reportsOfEntry * Math.max(entryCount, 1)));
  return Math.min(share, oneReportBytesMax);
}

/** The entries at bridges; of an intent that nobody has resolved yet, as many as there may be. */
function entriesOf(version: Version): {
  readonly bridged: readonly Pick<BridgedEntry, 'reported'>[];
  readonly unresolvedCount: number;
} {
  if (!isPending(version.record)) return { bridged: bridgedIn(version), unresolvedCount: 0 };
  const { claims } = version.record.data as unknown as IntentData;
  const sides = claims.flatMap((claim) => Array<Claim>(sidesOf(claim)).fill(claim));
  // Only transfers call a bridge. Ruling 54.
  const transferred = sides.filter(({ action }) => action === 'transfer');
  return {
    bridged: transferred.map(() => ({ reported: [] })),
    unresolvedCount: sides.length,
  };
}

/** How many wallets a claim moves. */
function sidesOf({ action }: Claim): number {
  if (action === 'limit') return 0;
  return action === 'transfer' ? 2 : 1;
}

/** How many reports of an entry may still count. */
function reportsAhead(status: Status, entry: Pick<BridgedEntry, 'reported'>): number {
  const { reported } = entry as BridgedEntry;
  switch (status) {
    case 'pending':
    case 'processing':
      return reportsOfEntry - reported.length;
    case 'prepared':
      return 1;
    case 'committed':
      return is('committed')(entry as BridgedEntry) ? 0 : 1;
    case 'aborted':
      return isOver(entry as BridgedEntry) ? 0 : 1;
    default:
      return 0;
  }
}

/** How many statuses lie on the longest way to the end: the ledger says one word of each. */
function wordsAhead(status: Status): number {
  const next = table.flatMap((row) => (row.in === status && row.to !== undefined ? row.to : []));
  return next.length === 0 ? 0 : 1 + Math.max(...next.map(wordsAhead));
}

function isManual({ record }: Version): boolean {
  return (record.data as unknown as IntentData).config?.commit === 'manual';
}
