/** Goal: a refusal says what its author wrote, and nothing of what lies behind that. Decision 37. */
import { describe, expect, test } from 'vitest';
import { entriesOf } from '../../shared/ledger/balance.ts';
import { disclosedTo, type FailureDetail } from '../../shared/ledger/disclosure.ts';
import type { Claim } from '../../shared/shape/intent.ts';

const usd = { symbol: 'usd', amount: 5 } as const;
const claims: readonly Claim[] = [
  { action: 'issue', target: 'till', ...usd },
  { action: 'transfer', source: 'alice', target: { handle: 'bob' }, ...usd },
  { action: 'destroy', source: 'carol', ...usd },
  { action: 'limit', wallet: 'dan', symbol: 'usd', metric: 'maxBalance', amount: 5 },
];
const why = (...tellings: FailureDetail['disclosures'] & object): FailureDetail => ({
  ...{ reason: 'core.limit-exceeded', detail: 'all of it', disclosures: tellings },
});
const detailOf = (one: FailureDetail) => disclosedTo(one, claims).detail;

describe('a refusal', () => {
  test('that names nothing behind the claims is told as it is', () => {
    const plain = { reason: 'core.intent-expired', detail: 'too late' } as const;
    expect(disclosedTo(plain, claims)).toEqual(plain);
  });

  test.each(['till', 'alice', 'bob', 'carol', 'dan'])(
    'names %s, whom the claims name',
    (wallet) => {
      expect(disclosedTo(why({ detail: 'so it is', wallets: [wallet] }), claims)).toEqual({
        reason: 'core.limit-exceeded',
        detail: 'so it is',
      });
    },
  );

  test.each([
    ['alice', 'figures'],
    ['carol', 'figures'],
    ['dan', 'figures'],
    ['bob', 'name'],
    ['till', 'name'],
  ])('tells of %s the %s, since it is theirs or not', (wallet, told) => {
    const own = { detail: 'figures', wallets: [wallet], isOwn: true } as const;
    expect(detailOf(why(own, { detail: 'name', wallets: [wallet] }))).toBe(told);
  });

  test.each([
    ['core.limit-exceeded', 'has a limit that does not allow it'],
    ['core.insufficient-balance', 'holds too little'],
    ['core.routing-failed', 'has no route that leads on'],
    ['core.bridge-unreachable', 'lies at a bridge that is inactive and takes no new entries'],
    ['core.unexpected-error', 'does not take part'],
  ] as const)('%s of a wallet that nobody has named names none', (fault, said) => {
    const hidden = { ...why({ detail: 'of eve', wallets: ['bob', 'eve'] }), reason: fault };
    expect(disclosedTo(hidden, claims)).toEqual({
      reason: fault,
      detail: `A wallet behind what the claims name ${said}.`,
    });
  });

  test('says which claim led to such a wallet, where that is known', () => {
    const entries = claims.flatMap((claim, index) =>
      entriesOf(claim, index).map((entry) =>
        index === 1 && entry.schema === 'credit' ? { ...entry, holder: { wallet: 'eve' } } : entry,
      ),
    );
    const hidden = why({ detail: 'of eve', wallets: ['eve'] });
    expect(disclosedTo(hidden, claims, entries).detail).toBe(
      'A wallet behind what claim 1 names has a limit that does not allow it.',
    );
  });
});
