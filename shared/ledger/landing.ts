/**
 * Follows one entry from the address in its claim to a wallet. It resolves the address, then applies routes until a
 * wallet accepts or forwards the entry. Rulings 42 and 43.
 */
import type { Route } from '../shape/wallet.ts';
import { type Addressed, candidatesOf, canResolveTo } from './address.ts';
import type { Entry } from './balance.ts';
import { resultOr } from './budget.ts';
import type { Disclosure, FailureDetail } from './disclosure.ts';
import type { FailureReason } from './errors.ts';
import type { MeaningOf } from './names.ts';

/** A wallet, as far as routing needs it. */
export interface RoutedWallet extends Addressed {
  readonly bridge?: string;
  readonly routes?: readonly Route[];
  /** True for a wallet that takes part in no new entry. Ruling 94. */
  readonly isInactive?: boolean;
}

/** Wallets by handle. Undefined: no such wallet. No key: not read yet. */
export type KnownWallets = ReadonlyMap<string, RoutedWallet | undefined>;

/** The end of a search without a result: `needed` names wallets to read before the next try, `refused` is final. */
export type Stop =
  | { readonly is: 'needed'; readonly wallets: readonly string[] }
  | ({ readonly is: 'refused' } & FailureDetail);

export function refused(reason: FailureReason, detail: string): Stop {
  return { is: 'refused', reason, detail };
}

/** Resolves an address for a debit or a credit; `absent` when it means no wallet. Ruling 42. */
export function walletAt(
  address: string,
  side: Entry['schema'],
  known: KnownWallets,
): RoutedWallet | 'absent' | (Stop & { readonly is: 'needed' }) {
  const candidates = candidatesOf(address);
  for (const candidate of candidates) {
    // A less exact candidate counts only once the more exact one is known to be absent. All unread candidates are read
    // together.
    if (!known.has(candidate))
      return { is: 'needed', wallets: candidates.filter((one) => !known.has(one)) };
    const wallet = known.get(candidate);
    if (wallet && canResolveTo(address, wallet, side)) return wallet;
  }
  return 'absent';
}

/** The meaning of addresses among these wallets; nothing where it takes a wallet that was not read. */
export function meaningIn(known: KnownWallets): MeaningOf {
  return (address, side) => {
    const found = walletAt(address, side, known);
    return found === 'absent' || 'is' in found ? undefined : found.handle;
  };
}

/** The most wallets that may pass one entry on within an intent. Ruling 43. */
export const hopCountMax = 3;

/** The route actions that apply to each side of a claim. Decision 50. */
const actionsOf: Readonly<Record<Entry['schema'], readonly Route['action'][]>> = {
  debit: ['debit', 'accept'],
  credit: ['credit', 'forward', 'accept'],
};

/** The start of a search for one entry. */
export interface EntryPath {
  readonly side: Entry['schema'];
  readonly start: RoutedWallet;
  /** The wallets that it has passed in earlier intents of the thread. */
  readonly passed: readonly string[];
  /** True when the conditions of a route match the claim. */
  readonly fits: (route: Route) => boolean;
}

/** The wallet where an entry ends. */
export interface Landing {
  readonly is: 'landed';
  readonly wallet: string;
  /** The address to which that wallet forwards the entry. */
  readonly onward?: string;
  /** All wallets that it has passed, including the last. */
  readonly passed: readonly string[];
}

/** Follows routes from wallet to wallet, until one accepts the entry or forwards it. */
export function landingOf(
  { side, start, passed, fits }: EntryPath,
  known: KnownWallets,
): Landing | Stop {
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

/** The first route that fits decides. A wallet without routes for the side accepts the entry. Decision 50. */
function routeOf(
  { handle, routes = [], isInactive = false }: RoutedWallet,
  side: EntryPath['side'],
  fits: EntryPath['fits'],
): Route | Stop {
  if (isInactive) return frozen(handle, side);
  const own = routes.filter(({ action }) => actionsOf[side].includes(action));
  if (own.length === 0) return { action: 'accept' };
  return resultOr<Route | Stop>(
    () => own.find(fits) ?? failed(`Wallet ${handle} has no route for such a ${side}.`, [handle]),
    () => failed(`The routes of wallet ${handle} take too much work to judge.`, [handle]),
  );
}

/** The wallet that a route names. */
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

/** The refusal of an inactive wallet, wherever on its way an entry meets it. Decision 109. */
function frozen(handle: string, side: Entry['schema']): Stop {
  const reason = side === 'debit' ? 'core.source-inactive' : 'core.target-inactive';
  const detail = `Wallet ${handle} is inactive: it neither pays nor receives.`;
  return { is: 'refused', reason, detail, disclosures: [{ detail, wallets: [handle] }] };
}

function failed(detail: string, wallets: readonly string[], ...more: readonly Disclosure[]): Stop {
  const disclosures = [{ detail, wallets }, ...more];
  return { is: 'refused', reason: 'core.routing-failed', detail, disclosures };
}
