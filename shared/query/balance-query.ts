/** Parameters of the lists and sums of balances. Rulings 84 to 86. */
import { timeOfLuid } from '../crypto/luid.ts';
import { isHandleText } from '../ledger/address.ts';
import type { Query } from '../ledger/query.ts';
import type { Call } from '../port/action.ts';
import { readerFor } from '../record/reader.ts';
import { parseMoment, refusedParameter } from './moment.ts';

/** Reads the symbol of a query; refuses with `api.query-malformed` what is no handle. */
export function parseSymbol(query: Query): string | undefined {
  const [symbol, ...more] = query['symbol'] ?? [];
  if (more.length > 0 || (symbol !== undefined && !isHandleText(symbol)))
    throw refusedParameter('symbol', 'must be the handle of one symbol.');
  return symbol;
}

/**
 * Reads the moment of a query, in milliseconds, by default now. Refuses with `api.query-malformed` one that cannot be
 * read or is in the future and, once the permission was granted, one before the ledger.
 */
export async function parseSumMoment(call: Call, allow: () => Promise<unknown>): Promise<number> {
  const nowMs = call.services.clock();
  const at = parseMoment(call.query, 'moment', nowMs);
  await allow();
  if (at) await assertSinceLedger(call, at.atMs);
  return at?.atMs ?? nowMs;
}

/** Refuses a moment before the ledger was made. */
export async function assertSinceLedger(call: Call, atMs: number): Promise<void> {
  const home = await readerFor(call).home();
  if (home && atMs < timeOfLuid(home.luid))
    throw refusedParameter('moment', 'must not be before the ledger was made.');
}
