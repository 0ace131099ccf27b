/** Wallets behind addresses, in claims and in routes. Rulings 38, 42 and 43, Decision 81. */
import { candidatesOf } from '../ledger/address.ts';
import { isSame } from '../ledger/alteration.ts';
import type { SidedAddress } from '../ledger/names.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import type { Call } from '../port/action.ts';
import { walletMeant } from '../record/meaning.ts';
import { readerFor } from '../record/reader.ts';
import type { Route, WalletData } from '../shape/wallet.ts';

type WalletLike = Readonly<Record<string, unknown>>;

/** The wallets that addresses mean, in their order, read in one round trip. */
export async function walletsMeant(
  call: Call,
  addresses: readonly SidedAddress[],
): Promise<(LedgerRecord | undefined)[]> {
  const handles = [...new Set(addresses.flatMap(({ address }) => candidatesOf(address)))];
  const reader = readerFor(call);
  const [rulebook, found] = await Promise.all([
    reader.rulebook(),
    reader.records('wallet', handles),
  ]);
  const wallets = new Map(handles.map((handle, index) => [handle, found[index]]));
  return addresses.map(
    ({ address, side }) => walletMeant(address, side, wallets, rulebook)?.record,
  );
}

/** The target wallets of those routes that are new or changed. Ruling 43. */
export async function changedTargets(
  call: Call,
  after: WalletLike,
  before: WalletLike = {},
): Promise<LedgerRecord[]> {
  const old = routesOf(before);
  const changed = routesOf(after).filter((route) => !old.some((other) => isSame(route, other)));
  const targets = changed.flatMap(targetOf);
  if (targets.length === 0) return [];
  return [...new Set(await walletsMeant(call, targets))].flatMap((target) => target ?? []);
}

function targetOf(route: Route): SidedAddress[] {
  if (!('target' in route)) return [];
  return [{ address: route.target, side: route.action === 'debit' ? 'debit' : 'credit' }];
}

function routesOf(data: WalletLike): readonly Route[] {
  const { routes = [] } = data as unknown as WalletData;
  return Array.isArray(routes) ? routes : [];
}
