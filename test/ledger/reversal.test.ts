/** Goal: reversals undo what the claims of an intent moved, and never more in sum. Ruling 92. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LedgerRecord } from '../../shared/ledger/record.ts';
import { reserveOf } from '../../shared/ledger/reserve.ts';
import {
  isReversalStatement,
  leftOf,
  reversalStatementOf,
  sharesIn,
  type UndoneClaim,
  undoingOf,
  withoutShare,
} from '../../shared/ledger/reversal.ts';
import type { Claim } from '../../shared/shape/intent.ts';
import { bridged } from '../fixture/bridged.ts';
import { claimOf } from '../fixture/client.ts';

const claimsOf = (...texts: readonly string[]) => texts.map(claimOf) as unknown as Claim[];
const intentOf = (claims: readonly string[], words: readonly object[] = [], status = 'completed') =>
  bridged({ handle: 'paid', claims: claimsOf(...claims), words, status });
const recordOf = (...all: Parameters<typeof intentOf>): LedgerRecord => intentOf(...all).record;
const word = (status: string, by: string, claims?: readonly UndoneClaim[]) =>
  reversalStatementOf({ status, by, claims } as never, '2027-01-01T00:00:00.000Z');

describe('claims that undo', () => {
  test.each([
    ['transfer a b 5 usd', 'transfer b a 5 usd'],
    ['issue a 5 usd', 'destroy a 5 usd'],
    ['destroy a 5 usd', 'issue a 5 usd'],
  ])('%s: %s', (claim, back) => {
    expect(undoingOf(recordOf([claim]), claimsOf(back))).toEqual({
      undoes: true,
      claims: [{ claim: 0, amount: 5 }],
    });
  });

  test('name wallets and symbols in either form', () => {
    const back = [{ ...claimOf('transfer b a 5 usd'), source: { handle: 'b', custom: { x: 1 } } }];
    expect(undoingOf(recordOf(['transfer a b 5 usd']), back as never)).toMatchObject({
      undoes: true,
    });
  });

  test.each([
    ['core.reversal-invalid', 'transfer a b 5 usd'],
    ['core.reversal-invalid', 'transfer b a 5 eur'],
    ['core.reversal-invalid', 'limit a dailyCount 5 usd'],
    ['core.reversal-exceeded', 'transfer b a 6 usd'],
  ])('are none, %s: %s', (reason, back) => {
    const paid = recordOf(['transfer a b 5 usd', 'limit a dailyCount 5 usd']);
    expect(undoingOf(paid, claimsOf(back))).toMatchObject({ undoes: false, reason });
  });

  test.each(['pending', 'processing', 'prepared', 'failed', 'aborted', 'rejected'])(
    'undo nothing of an intent that is %s',
    (status) => {
      const paid = recordOf(['transfer a b 5 usd'], [], status);
      expect(undoingOf(paid, claimsOf('transfer b a 1 usd'))).toMatchObject({
        reason: 'core.reversal-invalid',
        detail: 'Intent paid has moved nothing: nothing of it can be reversed.',
      });
    },
  );

  test('take equal claims in their order, and leave what others took', () => {
    const words = [
      word('reversed', 'one', [{ claim: 0, amount: 5 }]),
      word('reversing', 'two', [{ claim: 1, amount: 1 }]),
    ];
    const paid = recordOf(
      ['transfer a b 5 usd', 'transfer a b 5 usd', 'transfer a b 5 usd'],
      words,
    );
    expect(undoingOf(paid, claimsOf('transfer b a 3 usd', 'transfer b a 4 usd'))).toEqual({
      undoes: true,
      claims: [
        { claim: 1, amount: 4 },
        { claim: 2, amount: 3 },
      ],
    });
  });
});

describe('the shares of an intent', () => {
  test('are those stated last, with the claims stated first', () => {
    const part = [{ claim: 0, amount: 2 }];
    const words = [
      word('reversing', 'one', part),
      word('reversing', 'two', part),
      word('reversed', 'one'),
      word('reinstated', 'two'),
    ];
    const paid = recordOf(['transfer a b 5 usd', 'limit a dailyCount 9 usd'], words);
    expect(sharesIn(paid)).toEqual([
      { by: 'one', status: 'reversed', claims: part },
      { by: 'two', status: 'reinstated', claims: part },
    ]);
    expect(leftOf(paid)).toEqual([3, 0]);
  });

  test('are what was stated of them last, and nothing without them', () => {
    const words = [
      word('reversing', 'one', [{ claim: 0, amount: 4 }]),
      word('reversing', 'two', [{ claim: 0, amount: 1 }]),
      word('reversed', 'one', [{ claim: 0, amount: 2 }]),
    ];
    const paid = recordOf(['transfer a b 5 usd'], words);
    expect(leftOf(paid)).toEqual([2]);
    expect(leftOf(withoutShare(paid, 'one'))).toEqual([4]);
    expect(withoutShare(paid, 'other')).toEqual(paid);
  });

  test('are not what others say', () => {
    const paid = intentOf(['transfer a b 5 usd']);
    const { record } = paid;
    const [said] = intentOf(
      [],
      [word('reversed', 'x', [{ claim: 0, amount: 5 }])],
    ).record.meta.proofs.slice(-1);
    const forged = { ...said, origin: 'key-pair' } as never;
    const proofs = [...record.meta.proofs, forged];
    const claimed = { ...record, meta: { ...record.meta, proofs } };
    expect(sharesIn(claimed)).toEqual([]);
    expect(withoutShare(claimed, 'x')).toEqual(claimed);
    expect(isReversalStatement({ status: 'completed', by: 'x' })).toBe(false);
    expect(isReversalStatement({ status: 'reversed' })).toBe(false);
  });

  test('show more than was moved as less than nothing, of claims that there are not too', () => {
    const words = [
      word('reversed', 'one', [
        { claim: 0, amount: 7 },
        { claim: 3, amount: 1 },
      ]),
    ];
    expect(leftOf(recordOf(['transfer a b 5 usd'], words))).toEqual([-2, undefined, undefined, -1]);
    expect(sharesIn(recordOf([], [{ status: 'reversed', by: 'bare' }]))).toMatchObject([
      { claims: [] },
    ]);
  });

  test('that wait keep room for the statement of their end', () => {
    const part = [{ claim: 0, amount: 2 }];
    const free = reserveOf(intentOf(['transfer a b 5 usd']));
    const waiting = reserveOf(intentOf(['transfer a b 5 usd'], [word('reversing', 'one', part)]));
    expect([waiting.proofs - free.proofs, waiting.bytes - free.bytes]).toEqual([1, 3000]);
    const ended = [word('reversing', 'one', part), word('reversed', 'one')];
    expect(reserveOf(intentOf(['transfer a b 5 usd'], ended))).toEqual(free);
  });
});

test('any number of reversals undoes what was moved, and no more', () => {
  const amounts = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(amounts, fc.array(fc.integer({ min: 1, max: 30 })), (moved, backs) => {
      const claims = moved.map((amount) => `transfer a b ${amount} usd`);
      const words: object[] = [];
      let left = moved.reduce((sum, one) => sum + one, 0);
      for (const [index, amount] of backs.entries()) {
        const undoing = undoingOf(recordOf(claims, words), claimsOf(`transfer b a ${amount} usd`));
        expect(undoing.undoes).toBe(amount <= left);
        if (!undoing.undoes) continue;
        expect(undoing.claims.reduce((sum, one) => sum + one.amount, 0)).toBe(amount);
        words.push(word('reversed', `back-${index}`, undoing.claims));
        left -= amount;
      }
      const rest = leftOf(recordOf(claims, words));
      expect(rest.every((one) => one >= 0)).toBe(true);
      expect(rest.reduce((sum, one) => sum + one, 0)).toBe(left);
    }),
  );
});
