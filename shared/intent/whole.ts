/**
 * Busy balances before a refusal: what some of their shards have does not tell what the balance has, so they are read
 * whole, and decided by once more. Decision 125.
 */
import { balanceKeyOf } from '../ledger/balance.ts';
import { isPartial } from '../ledger/shards.ts';
import type { Balance, Scope, Store } from '../port/ports.ts';

/** Those of the balances of which some shards were read, with all their shards as they were at one moment, by key. */
export async function wholeOf(
  store: Pick<Store, 'load'>,
  scope: Scope,
  balances: Iterable<Balance | undefined>,
): Promise<ReadonlyMap<string, Balance | undefined>> {
  const partial = [...balances].flatMap((one) =>
    one && isPartial(one.shards) ? { wallet: one.wallet, symbol: one.symbol } : [],
  );
  if (partial.length === 0) return new Map();
  const wants = partial.map(
    (name) => ({ what: 'balance', scope, ...name, isWhole: true }) as const,
  );
  const whole = await store.load(wants);
  return new Map(
    partial.map(({ wallet, symbol }, index) => [balanceKeyOf(wallet, symbol), whole[index]]),
  );
}
