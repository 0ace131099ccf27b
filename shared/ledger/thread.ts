/** Intents that commit or fail as one, with the reports of bridges on them. Rulings 43, 46, 55 and 56. */
import type { BridgeCall } from './call.ts';

/** In the order of an intent's life; the last three are those of a failure. Ruling 46. */
export const statuses = [
  'pending',
  'processing',
  'prepared',
  'committed',
  'completed',
  'failed',
  'aborted',
  'rejected',
] as const;
export type Status = (typeof statuses)[number];

/** The statuses that a bridge can report for an entry. Ruling 56. */
export const reports = ['prepared', 'failed', 'committed', 'aborted'] as const;
/** `unsupported` is a statement of the ledger: the bridge does not offer the operation. Ruling 57. */
export const bridgeReports = [...reports, 'unsupported'] as const;
export type BridgeReport = (typeof bridgeReports)[number];

/** An entry at a bridge, with the reports that were accepted for it. */
export interface BridgedEntry {
  readonly handle: string;
  readonly schema: 'debit' | 'credit';
  readonly bridge: string;
  readonly reported: readonly BridgeReport[];
}

/** The part of a thread that transitions depend on. */
export interface Thread {
  readonly status: Status;
  /** True when a signer has to decide the commit. Ruling 51. */
  readonly isManual: boolean;
  /** True when it takes effect later, and can be aborted until then. Ruling 89. */
  readonly isLater?: boolean;
  /** The entries at bridges, for each intent. */
  readonly intents: readonly (readonly BridgedEntry[])[];
}

/** The entries for which bridges were called so far: credits follow once all debits are prepared. Ruling 55. */
export function calledEntries(thread: Thread): BridgedEntry[] {
  if (thread.status === 'pending') return [];
  return entriesIn(thread, 'debit').every(hasReport('prepared'))
    ? entriesIn(thread)
    : entriesIn(thread, 'debit');
}

/** The calls that bridges have not answered with a report yet. Ruling 55. */
export function awaitedCalls(thread: Thread): BridgeCall[] {
  const sent = calledEntries(thread);
  if (thread.status === 'processing')
    return sent.filter((entry) => entry.reported.length === 0).map(callFor('prepare'));
  if (thread.status === 'committed')
    return sent.filter((entry) => !hasReport('committed')(entry)).map(callFor('commit'));
  if (thread.status === 'aborted')
    return sent.filter((entry) => !isOver(entry)).map(callFor('abort'));
  return [];
}

export function callFor(action: 'prepare' | 'commit' | 'abort') {
  return ({ bridge, handle }: BridgedEntry): BridgeCall => ({ bridge, action, entry: handle });
}

/** All entries of a thread at bridges, or those of one side. */
export function entriesIn({ intents }: Thread, schema?: 'debit' | 'credit'): BridgedEntry[] {
  return intents.flat().filter((entry) => schema === undefined || entry.schema === schema);
}

export function hasReport(report: BridgeReport): (entry: BridgedEntry) => boolean {
  return ({ reported }) => reported.includes(report);
}

/** True when a bridge has nothing left to undo for an entry. */
export function isOver({ reported }: BridgedEntry): boolean {
  return reported.some((one) => one === 'failed' || one === 'aborted' || one === 'unsupported');
}
