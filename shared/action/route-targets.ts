/** The wallets that the routes of a wallet lead to. Ruling 43. */
import { candidatesOf } from '../ledger/address.ts';
import { isSame } from '../ledger/alteration.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import type { Route, WalletData } from '../shape/wallet.ts';
import type { Call } from './action.ts';

type Data = Readonly<Record<string, unknown>>;

/** Those that routes lead to which a wallet has not had; an address means the wallet that it means now. */
export async function changedTargets(
  { services, ledger }: Call,
  after: Data,
  before: Data = {},
): Promise<LedgerRecord[]> {
  const old = routesOf(before);
  const changed = routesOf(after).filter((route) => !old.some((other) => isSame(route, other)));
  const addresses = changed.flatMap((route) => ('target' in route ? [route.target] : []));
  if (addresses.length === 0) return [];
  const ways = [...new Set(addresses)].map(candidatesOf);
  const handles = [...new Set(ways.flat())];
  const found = await services.store.load(
    handles.map(
      (handle) => ({ what: 'record', scope: ledger.handle, kind: 'wallet', handle }) as const,
    ),
  );
  const wallets = new Map(handles.map((handle, index) => [handle, found[index]?.record]));
  const targets = ways.map((way) => way.map((handle) => wallets.get(handle)).find(Boolean));
  return [...new Set(targets)].filter((target) => target !== undefined);
}

function routesOf(data: Data): readonly Route[] {
  const { routes = [] } = data as unknown as WalletData;
  return Array.isArray(routes) ? routes : [];
}
