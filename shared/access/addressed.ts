/** Wallets as addresses may mean them. Rulings 38 and 42, Decision 81. */
import { candidatesOf, isMeant } from '../ledger/address.ts';
import type { Entry } from '../ledger/balance.ts';
import type { Version } from '../ledger/record.ts';
import { hasRule, type Rulebook } from '../ledger/rulebook.ts';

/** The wallet among these that an address means, to be credited or debited; undefined when there is none. */
export function walletMeant(
  address: string,
  side: Entry['schema'],
  wallets: ReadonlyMap<string, Version | undefined>,
  rulebook: Rulebook | undefined,
): Version | undefined {
  const hasDomains = hasRule(rulebook, 'domain');
  return candidatesOf(address)
    .flatMap((handle) => wallets.get(handle) ?? [])
    .find(({ record: { data, meta } }) =>
      isMeant(address, { handle: data.handle, ...(hasDomains && { lies: meta }) }, side),
    );
}
