/** The error of an atomic batch: which of its intents cannot be stored, and why. Ruling 90. */
import { type ErrorCustom, LedgerError } from '../ledger/errors.ts';

/** The reason why one intent refuses the whole batch: an API error, or the failure of the intent. */
export interface BatchFault {
  /** The place of the intent in the batch, from 0. */
  readonly index: number;
  readonly reason: string;
  readonly detail: string;
  readonly custom?: ErrorCustom;
}

export function faultOf(
  index: number,
  {
    reason,
    detail,
    custom,
  }: Omit<BatchFault, 'index' | 'custom'> & {
    readonly custom?: ErrorCustom | undefined;
  },
): BatchFault {
  return { index, reason, detail, ...(custom && { custom }) };
}

/** Refuses with `record.invalid` a batch that has any fault. */
export function refuseFaults(faults: readonly BatchFault[]): void {
  const [first] = faults;
  if (!first) return;
  const detail = `Intent ${first.index} of the batch cannot be stored, and so none was: ${first.detail}`;
  throw new LedgerError('record.invalid', detail, { errors: faults });
}
