/** Wallets with routes for tests, written as lines, and routing that is told what it asks for. */
import fc from 'fast-check';
import type { PatternMaker } from '../../shared/ledger/match.ts';
import {
  type KnownWallets,
  type RoutedWallet,
  type Routing,
  route,
} from '../../shared/ledger/routing.ts';
import type { Claim, IntentData } from '../../shared/shape/intent.ts';
import type { Route } from '../../shared/shape/wallet.ts';

export const patternMaker: PatternMaker = (pattern) => {
  const regex = new RegExp(pattern);
  return (text) => regex.test(text);
};

/** A transfer of 5 usd, unless said otherwise. */
export const transfer = (source: string, target: string, more: object = {}): Claim => ({
  ...({ action: 'transfer', source, target, symbol: 'usd', amount: 5 } as const),
  ...more,
});

const routeOf = (action: Route['action'], target?: string, filter?: object) =>
  ({ action, ...(target !== undefined && { target }), ...(filter && { filter }) }) as Route;
export const credit = (target: string, filter?: object) => routeOf('credit', target, filter);
export const debit = (target: string, filter?: object) => routeOf('debit', target, filter);
export const forward = (target: string, filter?: object) => routeOf('forward', target, filter);
export const accept = (filter?: object) => routeOf('accept', undefined, filter);

/** Wallets by handle: each with its routes. */
export type Houses = Readonly<Record<string, readonly Route[]>>;

export const walletsOf = (houses: Houses): ReadonlyMap<string, RoutedWallet> =>
  new Map(Object.entries(houses).map(([handle, routes]) => [handle, { handle, routes }]));

/** What is asked for, round by round, and how it ends. */
export interface Talk {
  readonly rounds: readonly (readonly string[])[];
  readonly routing: Exclude<Routing, { readonly is: 'needed' }>;
}

/** Routes an intent; whatever is asked for is looked up. */
export function talkOf(
  wallets: ReadonlyMap<string, RoutedWallet>,
  intent: Pick<IntentData, 'claims' | 'schema' | 'custom'>,
): Talk {
  let known: KnownWallets = new Map();
  const rounds: (readonly string[])[] = [];
  for (;;) {
    const routing = route(intent, known, patternMaker);
    if (routing.is !== 'needed') return { rounds, routing };
    const fresh = routing.wallets.filter((handle) => !known.has(handle));
    if (fresh.length === 0) throw new Error('what is known is asked for again');
    rounds.push(routing.wallets);
    known = new Map([
      ...known,
      ...routing.wallets.map((each) => [each, wallets.get(each)] as const),
    ]);
  }
}

/** The thread as lines, one for each intent: `alice -5 usd, bob +5 usd`; or the fault. */
export function linesOf({ routing }: Talk): readonly string[] | string {
  if (routing.is === 'refused') return `${routing.reason}: ${routing.detail}`;
  return routing.thread.map(({ entries, from }) => {
    const words = entries.map(({ holder, amount, symbol }) => {
      const who = holder === 'supply' ? 'supply' : holder.wallet;
      return `${who} ${amount > 0n ? '+' : ''}${amount} ${symbol}`;
    });
    return `${from === undefined ? '' : `(${from}) `}${words.join(', ')}`;
  });
}

/** How routing ends for these wallets and claims, and what it asked for. */
export const talk = (wallets: Houses, claims: readonly Claim[], about: object = {}) =>
  talkOf(walletsOf(wallets), { claims: [...claims], ...about });

/** The same, as lines. */
export const thread = (wallets: Houses, ...claims: Claim[]) => linesOf(talk(wallets, claims));

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 's:x@d', 's@d', 's'] as const;
/** Handles that wallets have, and some that lead to them, or to none. */
const addresses = fc.constantFrom(...names, 's:y@d', 'z@d', 's:z', 'nobody');
/** Wallets that forward to each other, each only to those after it. */
const chain = Array.from({ length: 14 }, (_, index) => `w${index}`);

const filters = fc.constantFrom(
  undefined,
  undefined,
  { symbol: 'usd' },
  { amount: { $lte: 10 } },
  { source: { $ne: 'a' } },
  { 'target.handle': { $exists: true } },
);
const routes: fc.Arbitrary<Route> = fc
  .record({
    action: fc.constantFrom('credit', 'debit', 'forward', 'forward', 'accept'),
    target: addresses,
    filter: filters,
  })
  .map(({ action, target, filter }) => ({
    action,
    ...(action !== 'accept' && { target }),
    ...(filter && { filter }),
  })) as fc.Arbitrary<Route>;

/** A ledger with few wallets that lead to each other, in circles too. */
const circles: fc.Arbitrary<Houses> = fc
  .array(
    fc.tuple(
      fc.constantFrom(...names),
      fc.oneof(fc.constant([]), fc.array(routes, { maxLength: 3 })),
    ),
    { minLength: 3, maxLength: 12 },
  )
  .map((pairs) => Object.fromEntries(pairs));

/** A ledger whose wallets forward over long ways. */
const chains: fc.Arbitrary<Houses> = fc
  .array(fc.integer({ min: 1, max: 2 }), { minLength: chain.length, maxLength: chain.length })
  .map((steps) =>
    Object.fromEntries(
      chain.map((handle, index) => {
        const target = chain[index + (steps[index] ?? 1)];
        return [handle, target === undefined ? [] : [{ action: 'forward' as const, target }]];
      }),
    ),
  );

/** Wallets that lead to each other. */
export const houses: fc.Arbitrary<Houses> = fc
  .tuple(circles, chains)
  .map(([some, others]) => ({ ...others, ...some }));

const places = fc.oneof({ weight: 4, arbitrary: addresses }, fc.constantFrom(...chain));
const party = fc.oneof(
  places,
  places.map((handle) => ({ handle })),
);
const common = { symbol: fc.constantFrom('usd', 'eur'), amount: fc.integer({ min: 1, max: 20 }) };

/** Claims between those, of every action. */
export const claimLists: fc.Arbitrary<Claim[]> = fc.array(
  fc.oneof(
    fc.record({ action: fc.constant('issue' as const), target: party, ...common }),
    fc.record({ action: fc.constant('destroy' as const), source: party, ...common }),
    fc.record({
      action: fc.constant('transfer' as const),
      ...{ source: party, target: party, ...common },
    }),
  ),
  { minLength: 1, maxLength: 4 },
);
