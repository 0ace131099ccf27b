/** Arbitrary claims over few wallets and symbols, so that they meet. */
import fc from 'fast-check';
import type { Claim, ClaimReference } from '../../shared/shape/intent.ts';

export const walletNames = ['alice', 'bob', 'carol'] as const;
export const symbolNames = ['usd', 'eur'] as const;

/** Small ones collide with balances, the large ones carry sums beyond 2^53. */
const amounts = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 20 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }) },
  { weight: 1, arbitrary: fc.constant(Number.MAX_SAFE_INTEGER) },
);

const partyOf = (names: readonly string[]): fc.Arbitrary<ClaimReference> => {
  const handles = fc.constantFrom(...names);
  return fc.oneof(
    handles,
    handles.map((handle) => ({ handle })),
  );
};
const wallets = partyOf(walletNames);
const symbols = partyOf(symbolNames);

/** One claim of any action. */
const claims: fc.Arbitrary<Claim> = fc.oneof(
  fc.record({
    action: fc.constant('issue' as const),
    target: wallets,
    symbol: symbols,
    amount: amounts,
  }),
  fc.record({
    action: fc.constant('transfer' as const),
    source: wallets,
    target: wallets,
    symbol: symbols,
    amount: amounts,
  }),
  fc.record({
    action: fc.constant('destroy' as const),
    source: wallets,
    symbol: symbols,
    amount: amounts,
  }),
);

/** The claims of one intent. */
export const claimLists = fc.array(claims, { minLength: 1, maxLength: 5 });

/** Intents in the order in which they take effect. */
export const intentLists = fc.array(
  claimLists.map((list) => ({ claims: list })),
  { maxLength: 12 },
);
