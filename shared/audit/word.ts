/**
 * The statements of the ledger on an intent: those on the intent itself are its statuses and its times, and those on its
 * entries have a handle. Rulings 48, 88 and 89.
 */
import { isOfTimes, type ResolvedEntry, resolvedIn, type Statement } from '../ledger/intent.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import { isReversalStatement } from '../ledger/reversal.ts';
import { isOfLedger } from './proof.ts';

const resolved = 'resolved';

/** The statements of the ledger on an intent, in order. */
export function wordsOf({ record }: Version): Statement[] {
  return record.meta.proofs.filter(isOfLedger).map(({ custom = {} }) => custom);
}

/** True for a statement on the status of the intent, and not on its times or one of its entries. */
export function isOfStatus(word: Statement): boolean {
  return (
    word['handle'] === undefined &&
    !isResolving(word) &&
    !isOfTimes(word) &&
    !isReversalStatement(word)
  );
}

/** True for a statement that resolves an entry. */
export function isResolving({ status }: Statement): boolean {
  return status === resolved;
}

/** The statuses in these statements, in order. */
export function statusesIn(words: readonly Statement[]): string[] {
  return words.filter(isOfStatus).map(({ status }) => String(status));
}

/** The statuses of an intent in the statements of the ledger. */
export function statusesOf(version: Version): string[] {
  return statusesIn(wordsOf(version));
}

/** The resolved entries, without those that have no valid amount or no claims. */
export function entriesIn({ record }: Version): ResolvedEntry[] {
  return resolvedIn(record).filter(
    ({ amount, inputs }) => Number.isSafeInteger(amount) && Array.isArray(inputs),
  );
}

/** True for an intent that the ledger made to forward another one. */
export function isForwarded({ data, meta }: LedgerRecord): boolean {
  return meta.thread !== undefined && meta.thread !== data.handle;
}

/** The intents to compare with one: all others of its thread for the first one, else the first one. */
export function besides({ record, together = [] }: Version): string[] {
  const { data, meta } = record;
  if (meta.thread === undefined) return [];
  return isForwarded(record) ? [meta.thread] : together.filter((handle) => handle !== data.handle);
}
