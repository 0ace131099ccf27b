/** Scenarios of a simulation: requests, the manners of banks, and trouble. */
import fc from 'fast-check';
import type { Json } from '../fixture/client.ts';
import { type HostileKind, hostileKinds, patternable } from '../fixture/hostile.ts';
import { type Manners, type Reported, reportable } from './bank.ts';
import { bankNames, parties, symbols, unfreeWallets, walletNames } from './ledger.ts';
import type { Trouble } from './scheduler.ts';

export type Step =
  | ({ readonly does: 'ask' } & Wish)
  /** Of one of the intents that are there: asks for it again, agrees to it, gives it more time, or decides on it. */
  | { readonly does: 'repeat' | 'agree' | 'extend' | 'commit' | 'abort'; readonly which: number }
  /** Commits one that waits for a decision, or a new one, and takes this part of its first claim, which may have less. */
  | {
      readonly does: 'capture';
      readonly which: number;
      readonly part: number;
      readonly claims: readonly Json[];
    }
  /** Asks for an intent that undoes a part of a claim, mostly of an intent that has moved it. */
  | ({ readonly does: 'reverse'; readonly which: number; readonly part: number } & Terms)
  /** Asks for several intents at once. */
  | {
      readonly does: 'batch';
      readonly mode: 'independent' | 'atomic';
      readonly lists: readonly (readonly Json[])[];
    }
  | { readonly does: 'lie'; readonly bank: number; readonly which: number; readonly what: Reported }
  /** A stranger adds a proof of so many bytes to an intent. */
  | { readonly does: 'stuff'; readonly which: number; readonly length: number }
  /** A hostile client makes a record whose patterns cost much, or too much to judge. */
  | { readonly does: 'plant'; readonly kind: HostileKind; readonly isHopeless: boolean }
  /** The same somebody asks for what is in the vault, and says a note of so many bytes. */
  | { readonly does: 'steal'; readonly amount: number; readonly noteLength: number }
  /** A wallet is frozen, or no longer. */
  | { readonly does: 'freeze'; readonly wallet: string; readonly isFrozen: boolean }
  /** A client lists the wallets. */
  | { readonly does: 'look' }
  | { readonly does: 'rest' | 'wake'; readonly bank: number }
  /** The clock of the ledger is set so far ahead of the right time. */
  | { readonly does: 'set'; readonly aheadMs: number }
  | { readonly does: 'wait'; readonly ms: number }
  | { readonly does: 'kill' };

/** When an intent takes effect: with a decision, and so long after it was signed; 0 for at once. */
export interface Terms {
  readonly isManual: boolean;
  readonly laterMs: number;
}

/** A requested intent, with a note of so many bytes and so many proofs beside that of the author. */
export interface Wish extends Terms {
  readonly claims: readonly Json[];
  readonly noteLength: number;
  readonly crowd: number;
}

export interface Scenario {
  /** Decides on the order of all that happens, and on all else that is left to chance. */
  readonly seed: number;
  readonly steps: readonly Step[];
  readonly manners: readonly Manners[];
  readonly trouble: Trouble;
  /** True when the webhook that receives every intent is silent meanwhile. */
  readonly isHushed: boolean;
  /** The number of events after the last step before all becomes good. */
  readonly length: number;
  /** True when the end is audited in a table. */
  readonly isAudited: boolean;
}

const hourMs = 3_600_000;
/** So far that whatever waits for that clock comes much later than anything else does. */
const farAheadMs = 5 * 24 * hourMs;

/** Those whose money goes on are named more often. */
const party = fc.constantFrom(...parties, 'step', 'loop', 'fork', 'b1');
const symbol = fc.constantFrom(...symbols, 'usd', 'usd');
const amount = fc.integer({ min: 1, max: 9 });
const which = fc.nat({ max: 1_000 });
const bank = fc.nat({ max: bankNames.length - 1 });
const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });
const action = <Name extends string>(name: Name) => fc.constant(name);

const claim: fc.Arbitrary<Json> = fc.oneof(
  weighted(
    10,
    fc.record({ action: action('transfer'), source: party, target: party, symbol, amount }),
  ),
  weighted(1, fc.record({ action: action('issue'), target: party, symbol, amount })),
  weighted(1, fc.record({ action: action('destroy'), source: party, symbol, amount })),
  weighted(
    1,
    fc.record({
      action: action('limit'),
      wallet: party,
      symbol,
      metric: fc.constantFrom('minBalance', 'maxBalance', 'dailyCount', 'dailyAmount'),
      amount: fc.integer({ min: 0, max: 60 }),
    }),
  ),
);
const claims = fc.oneof(
  weighted(2, fc.tuple(claim)),
  weighted(1, fc.array(claim, { minLength: 2, maxLength: 5 })),
);

/** Claims that need neither a bank nor anybody else, so that all of them may be stored at once. */
const payer = fc.constantFrom('ann', 'bob');
const payee = fc.constantFrom('ann', 'bob', 'door');
const ownClaim: fc.Arbitrary<Json> = fc.oneof(
  fc.record({ action: action('transfer'), source: payer, target: payee, symbol, amount }),
  fc.record({ action: action('issue'), target: payee, symbol, amount }),
);
const ownClaims = fc.array(ownClaim, { minLength: 1, maxLength: 2 });

const terms = {
  isManual: fc.oneof(weighted(4, fc.constant(false)), weighted(1, fc.constant(true))),
  laterMs: fc.oneof(weighted(6, fc.constant(0)), weighted(1, fc.constantFrom(60_000, hourMs))),
};

const about = <Name extends Step['does']>(does: Name) =>
  fc.record({ does: fc.constant(does), which });
const step: fc.Arbitrary<Step> = fc.oneof(
  weighted(
    12,
    fc.record({
      does: action('ask'),
      claims,
      ...terms,
      noteLength: fc.oneof(
        weighted(7, fc.constant(0)),
        weighted(2, fc.constant(patternable)),
        weighted(1, fc.constantFrom(140_000, 230_000, 300_000, 335_000)),
      ),
      crowd: fc.oneof(weighted(15, fc.constant(0)), weighted(1, fc.constantFrom(470, 490))),
    }),
  ),
  weighted(
    2,
    fc.record({
      does: action('stuff'),
      which,
      length: fc.constantFrom(1, 3_500, 20_000, 150_000, 320_000),
    }),
  ),
  weighted(1, about('repeat')),
  weighted(2, about('agree')),
  weighted(2, about('extend')),
  weighted(
    2,
    fc.record({
      does: action('freeze'),
      wallet: fc.constantFrom(...walletNames.filter((one) => !unfreeWallets.includes(one))),
      isFrozen: fc.oneof(weighted(1, fc.constant(true)), weighted(2, fc.constant(false))),
    }),
  ),
  weighted(2, about('commit')),
  weighted(2, about('abort')),
  weighted(3, fc.record({ does: action('capture'), which, part: amount, claims: ownClaims })),
  weighted(6, fc.record({ does: action('reverse'), which, part: amount, ...terms })),
  weighted(
    2,
    fc.record({
      does: action('batch'),
      mode: fc.constantFrom('independent' as const, 'atomic' as const),
      lists: fc.oneof(
        weighted(4, fc.array(ownClaims, { minLength: 1, maxLength: 3 })),
        weighted(1, fc.array(claims, { minLength: 1, maxLength: 4 })),
      ),
    }),
  ),
  weighted(
    2,
    fc.record({
      does: action('lie'),
      bank,
      which,
      what: fc.constantFrom(...reportable),
    }),
  ),
  weighted(1, fc.record({ does: fc.constantFrom('rest' as const, 'wake' as const), bank })),
  weighted(
    2,
    fc.record({
      does: action('wait'),
      ms: fc.oneof(
        weighted(4, fc.integer({ min: 1, max: 5_000 })),
        weighted(3, fc.integer({ min: 1, max: 10 * 60_000 })),
        weighted(1, fc.integer({ min: 1, max: 30 * 60 * 60_000 })),
      ),
    }),
  ),
  weighted(1, fc.record({ does: action('kill') })),
  weighted(
    3,
    fc.record({
      does: action('plant'),
      kind: fc.constantFrom(...hostileKinds, 'circle' as const),
      isHopeless: fc.boolean(),
    }),
  ),
  weighted(
    1,
    fc.record({ does: action('steal'), amount, noteLength: fc.constantFrom(0, patternable) }),
  ),
  weighted(1, fc.record({ does: action('look') })),
  weighted(
    2,
    fc.record({ does: action('set'), aheadMs: fc.constantFrom(0, 0, -hourMs, farAheadMs) }),
  ),
);

const seldom = fc.oneof(
  weighted(4, fc.constant(0)),
  weighted(3, fc.constantFrom(50, 150)),
  weighted(1, fc.constantFrom(400)),
);
const manners: fc.Arbitrary<Manners> = fc.record({
  ...{ refuses: seldom, fails: seldom, isConfused: seldom, isLate: seldom, isDeaf: seldom },
  ...{ isUnable: seldom, isSilent: seldom, repeats: seldom, lies: seldom },
});

export const scenario: fc.Arbitrary<Scenario> = fc.record({
  seed: fc.noShrink(fc.integer()),
  steps: fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }),
  manners: fc.tuple(manners, manners, manners),
  trouble: fc.record({ dies: fc.constantFrom(0, 3, 15), fails: fc.constantFrom(0, 5, 30) }),
  isHushed: fc.boolean(),
  length: fc.constantFrom(0, 200, 1_000),
  isAudited: fc.oneof(weighted(7, fc.constant(false)), weighted(1, fc.constant(true))),
});
