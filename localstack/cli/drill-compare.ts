/** Compares a restored ledger with the intents that were sent to the one before. */
import { connect, type Ledger, LedgerRefused } from '../../shared/client/client.ts';
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
  const ledger = await connect(server, { signer: book.key });
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
async function holds(ledger: Ledger, handle: string, { hash }: Intent): Promise<boolean> {
  try {
    const found = await ledger.get('/intents/{id}', { path: { id: handle } });
    return found.hash === hash && found.meta.status === 'completed';
  } catch (error) {
    if (error instanceof LedgerRefused && error.reason === 'record.not-found') return false;
    throw error;
  }
}

/** The balances that differ from the sum of the stored intents, a line each. */
async function wrongBalances(ledger: Ledger, there: readonly Intent[]): Promise<string[]> {
  const sums = new Map<string, number>();
  for (const { moved } of there) {
    const { source = '', target, amount } = moved;
    sums.set(source, (sums.get(source) ?? 0) - amount);
    sums.set(target, (sums.get(target) ?? 0) + amount);
  }
  const wrong: string[] = [];
  for (const wallet of wallets) {
    const { data } = await ledger.get('/wallets/{id}/balances', { path: { id: wallet } });
    const found = data.reduce((sum, one) => sum + Number(one.data.amount), 0);
    const expected = sums.get(wallet) ?? 0;
    if (found !== expected) wrong.push(`${wallet} has ${found} instead of ${expected}`);
  }
  return wrong;
}
