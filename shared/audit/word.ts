/**
 * What the ledger says of an intent: words about the intent itself, which are its statuses, and words about
 * its entries, which have a handle. Ruling 48.
 */
import { type ResolvedEntry, resolvedIn, type Words } from '../ledger/intent.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import { isOfLedger } from './proof.ts';

const resolved = 'resolved';

/** All that the ledger says of an intent, in order. */
export function wordsOf({ record }: Version): Words[] {
  return record.meta.proofs.filter(isOfLedger).map(({ custom = {} }) => custom);
}

/** Whether a word is about the intent, and not about one of its entries. */
export function isOfStatus(word: Words): boolean {
  return word['handle'] === undefined && !isResolving(word);
}

/** Whether a word resolves an entry. */
export function isResolving({ status }: Words): boolean {
  return status === resolved;
}

/** The statuses that the words bring, in order. */
export function statusesIn(words: readonly Words[]): string[] {
  return words.filter(isOfStatus).map(({ status }) => String(status));
}

/** The statuses that an intent went through, as far as the ledger said. */
export function statusesOf(version: Version): string[] {
  return statusesIn(wordsOf(version));
}

/** The entries that were resolved, but for those with an amount that is none, or of no claims. */
export function entriesIn({ record }: Version): ResolvedEntry[] {
  return resolvedIn(record).filter(
    ({ amount, inputs }) => Number.isSafeInteger(amount) && Array.isArray(inputs),
  );
}

/** Whether an intent was made by the ledger, because another one is forwarded by it. */
export function isForwarded({ data, meta }: LedgerRecord): boolean {
  return meta.thread !== undefined && meta.thread !== data.handle;
}

/** The intents to look at beside one: all others of its thread when it is the first of them, else the first one. */
export function besides({ record, together = [] }: Version): string[] {
  const { data, meta } = record;
  if (meta.thread === undefined) return [];
  return isForwarded(record) ? [meta.thread] : together.filter((handle) => handle !== data.handle);
}
