/** Intents that commit or fail as one, as far as bridges take part: where each entry stands. Rulings 43, 46, 55 and 56. */
import type { BridgeCall } from './call.ts';

/** In the order in which an intent goes through them; the last three on the way of a failure. Ruling 46. */
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

/** What a bridge says of an entry. Ruling 56. */
export const reports = ['prepared', 'failed', 'committed', 'aborted'] as const;
/** The last one is the ledger's own word: the bridge does not do such things at all. Ruling 57. */
export type Report = (typeof reports)[number] | 'unsupported';

/** An entry that a bridge is called for, and what counts of all that was reported of it. */
export interface BridgedEntry {
  readonly handle: string;
  readonly schema: 'debit' | 'credit';
  readonly bridge: string;
  readonly reported: readonly Report[];
}

/** The intents that commit or fail as one, as far as they stand in the way of each other. */
export interface Thread {
  readonly status: Status;
  /** Whether somebody has to say that it is committed. Ruling 51. */
  readonly isManual: boolean;
  /** For each intent its entries at bridges. */
  readonly intents: readonly (readonly BridgedEntry[])[];
}

/** The bridges' entries that something was asked for: credits only once all debits are prepared. Ruling 55. */
export function sentIn(thread: Thread): BridgedEntry[] {
  if (thread.status === 'pending') return [];
  return entriesIn(thread, 'debit').every(is('prepared'))
    ? entriesIn(thread)
    : entriesIn(thread, 'debit');
}

/** What a thread waits for bridges to do. Ruling 55. */
export function outstandingIn(thread: Thread): BridgeCall[] {
  const sent = sentIn(thread);
  if (thread.status === 'processing')
    return sent.filter((entry) => entry.reported.length === 0).map(asked('prepare'));
  if (thread.status === 'committed')
    return sent.filter((entry) => !is('committed')(entry)).map(asked('commit'));
  if (thread.status === 'aborted')
    return sent.filter((entry) => !isOver(entry)).map(asked('abort'));
  return [];
}

/** The call that asks a bridge to do something with an entry. */
export function asked(action: 'prepare' | 'commit' | 'abort') {
  return ({ bridge, handle }: BridgedEntry): BridgeCall => ({ bridge, action, entry: handle });
}

/** All entries of a thread at bridges, or those of one side. */
export function entriesIn({ intents }: Thread, schema?: 'debit' | 'credit'): BridgedEntry[] {
  return intents.flat().filter((entry) => schema === undefined || entry.schema === schema);
}

/** Whether that was reported of an entry. */
export function is(report: Report): (entry: BridgedEntry) => boolean {
  return ({ reported }) => reported.includes(report);
}

/** Whether an entry that is not to be has left nothing behind. */
export function isOver({ reported }: BridgedEntry): boolean {
  return reported.some((one) => one === 'failed' || one === 'aborted' || one === 'unsupported');
}
