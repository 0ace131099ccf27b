/** Fetches the entries of a wallet from a running ledger; each answer is verified. Ruling 82. */
import { connect } from '../../shared/client/client.ts';
import { signerIn } from '../bank/key.ts';
import { assertSymbol } from '../command/amounts.ts';
import { limits } from '../command/connection.ts';
import type { ReconcileRequest, WalletSource } from './reconcile-request.ts';

const dayMs = 86_400_000;
const pageLength = 100;

/** The data of the entries of the period, and of as many days around it as dates may differ. */
export async function entriesOf(
  { server, ledger, wallet, symbol, keyPath }: WalletSource,
  { period, bounds }: Pick<ReconcileRequest, 'period' | 'bounds'>,
): Promise<Readonly<Record<string, unknown>>[]> {
  const client = await connect(server, {
    ...limits,
    ...(ledger !== undefined && { ledger }),
    ...(keyPath !== undefined && { signer: signerIn(keyPath) }),
  });
  await assertSymbol(client, symbol);
  const { from, to } = period;
  const endMs = to === undefined ? Date.now() : (to + 1 + bounds.days) * dayMs;
  const query = {
    symbol,
    'page.limit': pageLength,
    ...(from !== undefined && { from: momentOf((from - bounds.days) * dayMs) }),
    // The ledger refuses a moment in the future.
    ...(endMs < Date.now() && { to: momentOf(endMs) }),
  };
  const entries: Readonly<Record<string, unknown>>[] = [];
  for await (const { data } of client.all('/wallets/{id}/entries', { path: { id: wallet }, query }))
    entries.push(data as unknown as Readonly<Record<string, unknown>>);
  return entries;
}

function momentOf(ms: number): string {
  return new Date(Math.max(0, ms)).toISOString();
}
