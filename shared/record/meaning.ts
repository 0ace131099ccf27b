/** The meaning of addresses among the wallets of a ledger. Ruling 42, Decision 81. */
import { candidatesOf, canResolveTo } from '../ledger/address.ts';
import type { MeaningOf, SidedAddress } from '../ledger/names.ts';
import type { Version } from '../ledger/record.ts';
import { hasCounter, type Rulebook } from '../ledger/rulebook.ts';
import type { Reader } from './reader.ts';

/** Wallets that were read, by handle; undefined for one that is not there. */
export type ReadWallets = ReadonlyMap<string, Version | undefined>;

/** The wallet that an address means for a debit or a credit, among wallets that were read. */
export function walletMeant(
  address: string,
  side: SidedAddress['side'],
  wallets: ReadWallets,
  rulebook: Rulebook | undefined,
): Version | undefined {
  const hasDomains = hasCounter(rulebook, 'domain');
  return candidatesOf(address)
    .flatMap((handle) => wallets.get(handle) ?? [])
    .find(({ record: { data, meta } }) =>
      canResolveTo(address, { handle: data.handle, ...(hasDomains && { lies: meta }) }, side),
    );
}

/** The meaning of these addresses, in one round trip; wallets in `known` are not read again. */
export async function meaningIn(
  reader: Pick<Reader, 'record' | 'rulebook'>,
  addresses: readonly SidedAddress[],
  known: ReadWallets = new Map(),
): Promise<MeaningOf> {
  if (addresses.length === 0) return () => undefined;
  const handles = [...new Set(addresses.flatMap(({ address }) => candidatesOf(address)))];
  const read = async (handle: string) => {
    const wallet = known.has(handle) ? known.get(handle) : await reader.record('wallet', handle);
    return [handle, wallet] as const;
  };
  const [rulebook, found] = await Promise.all([reader.rulebook(), Promise.all(handles.map(read))]);
  const wallets = new Map(found);
  return (address, side) => walletMeant(address, side, wallets, rulebook)?.record.data.handle;
}
