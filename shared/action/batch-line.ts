/** The line of one intent in the answer to an independent batch. Ruling 90, Decision 102. */
import { perform } from '../access/perform.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import type { Call } from '../port/action.ts';
import { httpStatusOf } from '../port/status.ts';
import { signedError } from '../record/sign.ts';
import type { BatchItem } from './batch-answer.ts';
import { storedAs } from './batch-element.ts';
import { createIntent } from './create-intent.ts';

/** Creates an intent as its own request would; the line is what that would have been answered. */
export async function lineOfCreate(call: Call, endMs: number): Promise<BatchItem> {
  try {
    if (performance.now() > endMs) throw tooLate();
    const { body } = await perform(createIntent, call);
    return { status: 201, ...(body as LedgerRecord) };
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    const stored = error.reason === 'record.duplicated' ? await storedAs(call) : undefined;
    return stored ? { status: 200, ...stored.record } : refusedLine(call, error);
  }
}

export function refusedLine({ ledger, services }: Call, error: LedgerError): BatchItem {
  return { status: httpStatusOf(error), ...signedError(ledger, error, services.clock()) };
}

function tooLate(): LedgerError {
  const detail = 'The batch took too long; this intent was not begun, and can be sent again.';
  return new LedgerError('api.request-timeout', detail);
}
