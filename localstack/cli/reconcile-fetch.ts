/** Fetches the entries of a wallet from a running ledger, page by page; each answer is verified. Ruling 82. */

import { keyOf } from '../bank/key.ts';
import { connect, type SignedList } from './client.ts';
import type { ReconcileRequest, WalletSource } from './reconcile-request.ts';

const dayMs = 86_400_000;
const pageLength = 100;

/** The data of the entries of the period, and of as many days around it as dates may differ. */
export async function entriesOf(
  { server, ledger, wallet, symbol, keyPath }: WalletSource,
  { period, bounds }: Pick<ReconcileRequest, 'period' | 'bounds'>,
): Promise<Readonly<Record<string, unknown>>[]> {
  const reader = keyPath === undefined ? undefined : keyOf(keyPath);
  const client = await connect(server, { ledger, reader });
  const { from, to } = period;
  const query = new URLSearchParams({ symbol, 'page.limit': String(pageLength) });
  if (from !== undefined) query.set('from', momentOf((from - bounds.days) * dayMs));
  const endMs = to === undefined ? Date.now() : (to + 1 + bounds.days) * dayMs;
  // The ledger refuses a moment in the future.
  if (endMs < Date.now()) query.set('to', momentOf(endMs));
  const entries: Readonly<Record<string, unknown>>[] = [];
  for (;;) {
    const path = `/wallets/${encodeURIComponent(wallet)}/entries?${query}`;
    const { data, page } = await client.get<SignedList & { page: { next?: string } }>(path);
    entries.push(...data.map((entry) => entry.data));
    if (page.next === undefined) return entries;
    query.set('page.cursor', page.next);
  }
}

function momentOf(ms: number): string {
  return new Date(Math.max(0, ms)).toISOString();
}
