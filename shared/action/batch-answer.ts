/** The lines of the answer to a batch, as large as Lambda carries them. Ruling 90. */
import type { LedgerRecord } from '../ledger/record.ts';
import { answerBytesMax, carriedBytesOf } from '../query/answer-size.ts';
import { printed, printedList, type Signed } from '../record/sign.ts';

/** A record or an API error, with the HTTP status that it would have had alone. */
export type BatchItem = { readonly status: number } & (LedgerRecord | Signed<object>);

/** Bytes of the answer beside its lines. */
const frameBytes = 10_000;

/**
 * The lines, and their text; when all are too large together, records have only the last proof of each key of the ledger,
 * and say so.
 */
export function carried(
  items: readonly BatchItem[],
  bytesMax: number = answerBytesMax,
): { readonly lines: readonly object[]; readonly text: string } {
  const texts = items.map((item) => printed(item));
  const bytes = texts.reduce((sum, text) => sum + carriedBytesOf(text), frameBytes);
  const lines = bytes <= bytesMax ? items : items.map(shortened);
  return { lines, text: printedList(lines === items ? texts : lines.map((line) => printed(line))) };
}

function shortened(item: BatchItem): object {
  const { meta } = item;
  if (!('luid' in item)) return item;
  const own = meta.proofs.filter(({ origin }) => origin === undefined);
  const last = new Map(own.map((proof) => [proof.public, proof]));
  return { ...item, meta: { ...meta, proofs: [...last.values()], isShortened: true } };
}
