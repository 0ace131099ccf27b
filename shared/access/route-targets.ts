/** The wallets that the routes of a wallet lead to. Ruling 43. */
import { candidatesOf } from '../ledger/address.ts';
import { isSame } from '../ledger/alteration.ts';
import type { Entry } from '../ledger/balance.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import type { Call } from '../port/action.ts';
import type { Route, WalletData } from '../shape/wallet.ts';
import { walletMeant } from './addressed.ts';

type Data = Readonly<Record<string, unknown>>;

/** Those that routes lead to which a wallet has not had; an address means the wallet that it means now. */
export async function changedTargets(
  { services, ledger }: Call,
  after: Data,
  before: Data = {},
): Promise<LedgerRecord[]> {
  const old = routesOf(before);
  const changed = routesOf(after).filter((route) => !old.some((other) => isSame(route, other)));
  const ways = changed.flatMap(wayOf);
  if (ways.length === 0) return [];
  const handles = [...new Set(ways.flatMap(({ target }) => candidatesOf(target)))];
  const scope = ledger.handle;
  const [rulebook, ...found] = await services.store.load([
    { what: 'rulebook', scope },
    ...handles.map((handle) => ({ what: 'record', scope, kind: 'wallet', handle }) as const),
  ]);
  const wallets = new Map(handles.map((handle, index) => [handle, found[index]]));
  const targets = ways.map(({ target, side }) => walletMeant(target, side, wallets, rulebook));
  return [...new Set(targets)].flatMap((target) => target?.record ?? []);
}

/** Where a route leads, and what it does there. */
function wayOf(route: Route): { readonly target: string; readonly side: Entry['schema'] }[] {
  if (!('target' in route)) return [];
  return [{ target: route.target, side: route.action === 'debit' ? 'debit' : 'credit' }];
}

function routesOf(data: Data): readonly Route[] {
  const { routes = [] } = data as unknown as WalletData;
  return Array.isArray(routes) ? routes : [];
}
