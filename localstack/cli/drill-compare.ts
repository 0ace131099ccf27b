/** Compares a restored ledger with the intents that were sent to the one before. */
import {
  connect,
  Declined,
  type LedgerClient,
  type SignedList,
  type SignedRecord,
} from './client.ts';
import { type Intent, type SentIntents, wallets } from './drill-traffic.ts';

export interface DrillResult {
  /** The number promised before the backup and stored as they were signed. */
  readonly kept: number;
  /** The handles of those that were promised before the backup and are missing or changed. */
  readonly broken: readonly string[];
  /** The number that was under way at the backup and is in it. */
  readonly lucky: number;
  /** The number promised after the backup and lost with the table. */
  readonly lost: number;
  /** Balances that differ from the sum of the intents. */
  readonly wrong: readonly string[];
}

type Fate = 'kept' | 'broken' | 'lucky' | 'lost' | 'never promised';

export async function compare(
  server: string,
  book: SentIntents,
  backupMs: number,
): Promise<DrillResult> {
  const ledger = await connect(server);
  const fates = new Map<string, Fate>();
  const there: Intent[] = [];
  for (const [handle, intent] of book.intents) {
    const isThere = await holds(ledger, handle, intent);
    if (isThere) there.push(intent);
    fates.set(handle, fateOf(intent, isThere, backupMs));
  }
  const withFate = (fate: Fate) => [...fates].filter(([, one]) => one === fate);
  return {
    kept: withFate('kept').length,
    broken: withFate('broken').map(([handle]) => handle),
    lucky: withFate('lucky').length,
    lost: withFate('lost').length,
    wrong: await wrongBalances(ledger, there),
  };
}

function fateOf({ promisedMs }: Intent, isThere: boolean, backupMs: number): Fate {
  if (promisedMs !== undefined && promisedMs <= backupMs) return isThere ? 'kept' : 'broken';
  if (isThere) return 'lucky';
  return promisedMs === undefined ? 'never promised' : 'lost';
}

/** True when the ledger has an intent as it was signed, and completed. */
async function holds(ledger: LedgerClient, handle: string, { body }: Intent): Promise<boolean> {
  try {
    const found = await ledger.get(`/intents/${handle}`);
    return found.hash === body.hash && found.meta['status'] === 'completed';
  } catch (error) {
    if (error instanceof Declined && error.reason === 'record.not-found') return false;
    throw error;
  }
}

/** The balances that differ from the sum of the stored intents, a line each. */
async function wrongBalances(ledger: LedgerClient, there: readonly Intent[]): Promise<string[]> {
  const sums = new Map<unknown, number>();
  for (const { body } of there)
    for (const { source, target, amount } of body.data['claims'] as SignedRecord['data'][]) {
      sums.set(source, (sums.get(source) ?? 0) - Number(amount));
      sums.set(target, (sums.get(target) ?? 0) + Number(amount));
    }
  const wrong: string[] = [];
  for (const wallet of wallets) {
    const { data } = await ledger.get<SignedList>(`/wallets/${wallet}/balances`);
    const found = data.reduce((sum, one) => sum + Number(one.data['amount']), 0);
    const expected = sums.get(wallet) ?? 0;
    if (found !== expected) wrong.push(`${wallet} has ${found} instead of ${expected}`);
  }
  return wrong;
}
