/** What the bridge says of each call about an entry, in a line that a person can read. */
import type { Books, Decision, IntentName, Report } from './books.ts';

/** What came of a call. */
export function lineOf(books: Books, { report, step }: Decision, intent: IntentName): string {
  const { status, handle } = report;
  const did = step ? didOf(books, report) : 'as before';
  return `${status.padEnd(10)} ${did} (${handle} of ${intent.handle})`;
}

function didOf({ accounts, entries }: Books, report: Report): string {
  if (report.status === 'failed') return `${report.reason}: ${report.detail}`;
  const { entry, first } = entries.get(report.handle) ?? {};
  if (!entry) return 'what never came';
  if (first?.status === 'failed') return 'what had failed';
  const { schema, amount, symbol, account } = entry;
  const money = `${amount} ${symbol}`;
  const isDebit = schema === 'debit';
  if (report.status === 'prepared')
    return isDebit ? `hold ${money} on ${account}` : `expect ${money} for ${account}`;
  if (report.status === 'aborted')
    return isDebit ? `let go of ${money} on ${account}` : `expect no more ${money} for ${account}`;
  const did = isDebit ? `took ${money} from ${account}` : `brought ${money} to ${account}`;
  return `${did}, which has ${accounts.get(account)?.balance}`;
}
