/**
 * Reserves room in a record for all that may still be added to an intent: reports of bridges, a decision, and the
 * ledger's statements. The reserve is full from the creation and shrinks with each addition. So an accepted intent can
 * always end, whatever proofs others add to it. Ruling 68, Decision 77.
 */
import type { Claim, IntentData } from '../shape/intent.ts';
import { bridgedIn, isAhead, isPending, isUndecided, notBeforeOf } from './intent.ts';
import type { Version } from './record.ts';
import { sharesIn } from './reversal.ts';
import { type BridgedEntry, hasReport, isOver, type Status } from './thread.ts';
import { table } from './transition.ts';

/** The most proofs of a record. */
export const proofCountMax = 500;

/** The proofs that may still come, and the most bytes that they take. */
export interface Reserve {
  readonly proofs: number;
  readonly bytes: number;
}

/** The most bytes of JSON for all reports of one intent, and for one of them. */
const allReportsBytes = 160_000;
const oneReportBytesMax = 4_000;
/** The most bytes of a decision, and of the last signature when other proofs leave no room. Rulings 49 and 51. */
export const decisionBytesMax = 4_000;
/** The bytes of a ledger's statement: of a status, of a failure in addition, and of an entry with the longest names. */
const statementBytes = 500;
const failureBytes = 3_600;
const resolvedBytes = 1_300;
/** The bytes of one captured claim in the statement of a decision. */
const captureBytes = 50;
/** The bytes of the statement that a waiting reversal of the intent has ended, with the longest names. Ruling 92. */
const reversalBytes = 3_000;
/** The bytes beside each proof: a comma, and its index among the accepted ones. */
const overheadBytes = 16;
/** A bridge reports on an entry twice: before the decision and after it. Ruling 56. */
const reportsOfEntry = 2;

/** The most bytes of JSON for a report on an intent: an equal share for each report that may come. */
export function reportBytesMaxOf(version: Version): number {
  return shareOf(entriesOf(version).bridged.length);
}

/** The room to keep for later proofs. Proofs of other callers must leave it free. */
export function reserveOf(version: Version): Reserve {
  const { record } = version;
  const status = record.meta.status as Status;
  const { bridged, unresolvedCount } = entriesOf(version);
  const reports = bridged.reduce((sum, entry) => sum + reportsAhead(status, entry), 0);
  const signatures = isPending(record) ? 1 : 0;
  const decisions = signatures + (isDecidable(version) ? 1 : 0);
  const statements = statementsAhead(status) + (isAhead(record) ? 1 : 0);
  const reversals = sharesIn(record).filter((one) => one.status === 'reversing').length;
  return {
    proofs: reports + decisions + statements + unresolvedCount + reversals,
    bytes:
      reports * (shareOf(bridged.length) + overheadBytes) +
      decisions * (decisionBytesMax + overheadBytes) +
      statements * statementBytes +
      (isUndecided(record) ? failureBytes : 0) +
      (isManual(version) && isUndecided(record) ? captureBytes * claimsIn(version).length : 0) +
      unresolvedCount * resolvedBytes +
      reversals * reversalBytes,
  };
}

function shareOf(entryCount: number): number {
  const share = Math.floor(allReportsBytes / (reportsOfEntry * Math.max(entryCount, 1)));
  return Math.min(share, oneReportBytesMax);
}

/** The entries at bridges. An unresolved intent counts as many as its claims could have. */
function entriesOf(version: Version): {
  readonly bridged: readonly Pick<BridgedEntry, 'reported'>[];
  readonly unresolvedCount: number;
} {
  if (!isPending(version.record)) return { bridged: bridgedIn(version), unresolvedCount: 0 };
  const sides = claimsIn(version).flatMap((claim) => Array<Claim>(sideCountOf(claim)).fill(claim));
  // Only transfers call a bridge. Ruling 54.
  const transferred = sides.filter(({ action }) => action === 'transfer');
  return {
    bridged: transferred.map(() => ({ reported: [] })),
    unresolvedCount: sides.length,
  };
}

/** The number of wallets that a claim moves. */
function sideCountOf({ action }: Claim): number {
  if (action === 'limit') return 0;
  return action === 'transfer' ? 2 : 1;
}

/** The number of reports on an entry that may still be accepted. */
function reportsAhead(status: Status, entry: Pick<BridgedEntry, 'reported'>): number {
  const { reported } = entry as BridgedEntry;
  switch (status) {
    case 'pending':
    case 'processing':
      return reportsOfEntry - reported.length;
    case 'prepared':
      return 1;
    case 'committed':
      return hasReport('committed')(entry as BridgedEntry) ? 0 : 1;
    case 'aborted':
      return isOver(entry as BridgedEntry) ? 0 : 1;
    default:
      return 0;
  }
}

/** The number of statuses on the longest way to the end; the ledger states each of them once. */
function statementsAhead(status: Status): number {
  const next = table.flatMap((row) => (row.in === status && row.to !== undefined ? row.to : []));
  return next.length === 0 ? 0 : 1 + Math.max(...next.map(statementsAhead));
}

function claimsIn({ record }: Version): readonly Claim[] {
  return (record.data as unknown as IntentData).claims;
}

/** True while a proof may decide the intent. Rulings 51 and 89. */
function isDecidable(version: Version): boolean {
  const { record } = version;
  if (isManual(version)) return isUndecided(record);
  return isPending(record) && notBeforeOf(record) !== undefined;
}

function isManual({ record }: Version): boolean {
  return (record.data as unknown as IntentData).config?.commit === 'manual';
}
