/** What a restored ledger holds of what was sent to the one before. */
import { type Client, connect, Declined, type Signed, type SignedList } from './client.ts';
import { type Book, type Intent, wallets } from './drill-traffic.ts';

export interface Found {
  /** How many were promised before the backup and are there, as they were signed. */
  readonly kept: number;
  /** The handles of those that are not. */
  readonly broken: readonly string[];
  /** How many were on their way when the backup was taken, and are in it. */
  readonly lucky: number;
  /** How many were promised after the backup, and went with the table. */
  readonly lost: number;
  /** Balances that are not what the intents come to. */
  readonly wrong: readonly string[];
}

/** What became of an intent. */
type Fate = 'kept' | 'broken' | 'lucky' | 'lost' | 'never promised';

/** Compares a restored ledger with what was promised before a moment. */
export async function compare(server: string, book: Book, backupMs: number): Promise<Found> {
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

/** Whether the ledger has an intent as it was signed, and completed. */
async function holds(ledger: Client, handle: string, { body }: Intent): Promise<boolean> {
  try {
    const found = await ledger.get(`/intents/${handle}`);
    return found.hash === body.hash && found.meta['status'] === 'completed';
  } catch (error) {
    if (error instanceof Declined && error.reason === 'record.not-found') return false;
    throw error;
  }
}

/** Balances beside what the intents that are there come to. */
async function wrongBalances(ledger: Client, there: readonly Intent[]): Promise<string[]> {
  const sums = new Map<unknown, number>();
  for (const { body } of there)
    for (const { source, target, amount } of body.data['claims'] as Signed['data'][]) {
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
