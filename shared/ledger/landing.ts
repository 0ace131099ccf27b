/**
 * Where one entry comes to: the wallet that its address means, and the wallets that this one and the next
 * pass it on to. Rulings 42 and 43.
 */
import type { Route } from '../shape/wallet.ts';
import { type Addressed, candidatesOf, isMeant } from './address.ts';
import type { Entry } from './balance.ts';
import type { Fault } from './errors.ts';
import type { Telling, Why } from './telling.ts';
import { judgedOr } from './work.ts';

/** A wallet as far as money finds its way by it. */
export interface RoutedWallet extends Addressed {
  readonly bridge?: string;
  readonly routes?: readonly Route[];
}

/** Wallets by handle: undefined for one that is not there, no key for one that was not looked for. */
export type KnownWallets = ReadonlyMap<string, RoutedWallet | undefined>;

/** Why nothing is found: these wallets have to be looked for first, or there is no way. */
export type Stop =
  | { readonly is: 'needed'; readonly wallets: readonly string[] }
  | ({ readonly is: 'refused' } & Why);

/** The refusal of an intent, as its proof will tell it. */
export function refused(fault: Fault, detail: string): Stop {
  return { is: 'refused', fault, detail };
}

/** The wallet that an address means, to be credited or debited: `absent` when there is none. Ruling 42. */
export function walletAt(
  address: string,
  side: Entry['schema'],
  known: KnownWallets,
): RoutedWallet | 'absent' | (Stop & { readonly is: 'needed' }) {
  const candidates = candidatesOf(address);
  for (const candidate of candidates) {
    // Less exact ones count only when it is known that this one is not there. All are asked for at once.
    if (!known.has(candidate))
      return { is: 'needed', wallets: candidates.filter((one) => !known.has(one)) };
    const wallet = known.get(candidate);
    if (wallet && isMeant(address, wallet, side)) return wallet;
  }
  return 'absent';
}

/** How many wallets may pass one entry on within an intent. Ruling 43. */
export const hopCountMax = 3;

/** The routes that are looked at for each side of a claim. Decision 50. */
const actionsOf: Readonly<Record<Entry['schema'], readonly Route['action'][]>> = {
  debit: ['debit', 'accept'],
  credit: ['credit', 'forward', 'accept'],
};

/** An entry on its way. */
export interface Way {
  readonly side: Entry['schema'];
  readonly start: RoutedWallet;
  /** The wallets that it has been through before, in other intents of the thread. */
  readonly passed: readonly string[];
  /** Whether a route is for the claim. */
  readonly fits: (route: Route) => boolean;
}

/** Where an entry has come to. */
export interface Landing {
  readonly is: 'landed';
  readonly wallet: string;
  /** The address that the wallet forwards it to. */
  readonly onward?: string;
  /** The wallets that it has been through, that one included. */
  readonly passed: readonly string[];
}

/** Follows the routes of a side from wallet to wallet, until one keeps the entry or forwards it. */
export function landingOf({ side, start, passed, fits }: Way, known: KnownWallets): Landing | Stop {
  let wallet = start;
  const through = [...passed];
  for (let hops = 0; hops <= hopCountMax; hops += 1) {
    const { handle } = wallet;
    if (through.includes(handle))
      return failed(`The routes lead back to wallet ${handle}.`, [handle]);
    through.push(handle);
    const route = routeOf(wallet, side, fits);
    if ('is' in route) return route;
    const landed = { is: 'landed', wallet: handle, passed: through } as const;
    if (route.action === 'accept') return landed;
    if (route.action === 'forward') return { ...landed, onward: route.target };
    const next = targetOf(route.target, handle, side, known);
    if ('is' in next) return next;
    wallet = next;
  }
  const detail = `Wallet ${start.handle} is more than ${hopCountMax} routes away from the end.`;
  return failed(detail, [start.handle]);
}

/** The route that decides; a wallet without any for the side takes the entry itself. Decision 50. */
function routeOf(
  { handle, routes = [] }: RoutedWallet,
  side: Way['side'],
  fits: Way['fits'],
): Route | Stop {
  const own = routes.filter(({ action }) => actionsOf[side].includes(action));
  if (own.length === 0) return { action: 'accept' };
  return judgedOr<Route | Stop>(
    () => own.find(fits) ?? failed(`Wallet ${handle} has no route for such a ${side}.`, [handle]),
    () => failed(`The routes of wallet ${handle} take too much work to judge.`, [handle]),
  );
}

/** The wallet that a route leads to. */
export function targetOf(
  address: string,
  from: string,
  side: Entry['schema'],
  known: KnownWallets,
): RoutedWallet | Stop {
  const found = walletAt(address, side, known);
  return found === 'absent'
    ? failed(
        `The route of wallet ${from} leads to ${address}, which does not exist.`,
        [from, address],
        { detail: `The route of wallet ${from} leads to what does not exist.`, wallets: [from] },
      )
    : found;
}

function failed(detail: string, wallets: readonly string[], ...more: readonly Telling[]): Stop {
  const tellings = [{ detail, wallets }, ...more];
  return { is: 'refused', fault: 'core.routing-failed', detail, tellings };
}
