/** Goal: whatever patterns and texts callers choose, judging ends within its price. Decision 83. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  BudgetExceeded,
  budgetOf,
  lengthOf,
  type PatternMaker,
  paidFrom,
  paidOnceFrom,
  payForRow,
  resultOr,
  tooExpensive,
  unitsPerCharacter,
} from '../../shared/ledger/budget.ts';
import { LedgerError } from '../../shared/ledger/errors.ts';

/** Finds a text in another, for so much; counts how often it is asked. */
function dear(perCharacter = 2, making = 10) {
  const asked: string[] = [];
  const maker: PatternMaker = (pattern) =>
    Object.assign(
      (text: string) => {
        asked.push(text);
        return text.includes(pattern);
      },
      { cost: { making, perCharacter } },
    );
  return { asked, maker };
}

describe('a purse', () => {
  test('pays for as much as it has, and then for nothing any more', () => {
    const { pay } = budgetOf(10);
    pay(4);
    pay(6);
    expect(() => pay(1)).toThrow(BudgetExceeded);
    expect(() => pay(0)).toThrow(BudgetExceeded);
  });

  test('refuses in the words that it was given', () => {
    const { pay } = budgetOf(0, tooExpensive('the filter'));
    expect(() => pay(1)).toThrow(
      'record.invalid: The patterns of the filter take too much work to judge.',
    );
  });
});

describe('a pattern', () => {
  test('costs its making and each character', () => {
    const spent: number[] = [];
    const { maker } = dear();
    const finds = paidFrom({ pay: (units) => void spent.push(units) }, maker)('a');
    expect([finds('bab'), finds('')]).toEqual([true, false]);
    expect(spent).toEqual([10, 7, 1]);
    expect(finds.cost).toEqual({ making: 10, perCharacter: 2 });
  });

  test('costs a unit for each character where nobody says', () => {
    const spent: number[] = [];
    const finds = paidFrom(
      { pay: (units) => void spent.push(units) },
      (pattern) => (text) => text === pattern,
    );
    expect([finds('a')('a'), finds('a')('bb')]).toEqual([true, false]);
    expect(spent).toEqual([0, 2, 0, 3]);
  });

  test('is not asked when there is nothing left', () => {
    const { asked, maker } = dear();
    const finds = paidFrom(budgetOf(17), maker)('a');
    finds('bab');
    expect(() => finds('a')).toThrow(BudgetExceeded);
    expect(asked).toEqual(['bab']);
  });

  test('is dearer the more instructions it has', () => {
    expect([0, 16, 160].map(unitsPerCharacter)).toEqual([1, 2, 11]);
  });
});

describe('a request pays once', () => {
  test('for a pattern, and for what it was tried on', () => {
    const { asked, maker } = dear();
    const spent: number[] = [];
    const once = paidOnceFrom({ pay: (units) => void spent.push(units) }, maker);
    expect([once('a')('bab'), once('a')('bab'), once('a')('b'), once('b')('b')]).toEqual([
      true,
      true,
      false,
      true,
    ]);
    expect(spent).toEqual([10, 7, 3, 10, 3]);
    expect(asked).toEqual(['bab', 'b', 'b']);
    expect(once('a').cost).toEqual({ making: 10, perCharacter: 2 });
    expect(paidOnceFrom(budgetOf(9), (_) => () => true)('a')('b')).toBe(true);
  });

  test('but remembers few texts, and none that is long', () => {
    const { asked, maker } = dear();
    const finds = paidOnceFrom(budgetOf(1_000_000), maker)('a');
    const long = 'b'.repeat(257);
    for (const text of [long, long]) expect(finds(text)).toBe(false);
    expect(asked).toHaveLength(2);
    for (let n = 0; n < 100; n += 1) finds(`text ${n}`);
    for (let n = 0; n < 100; n += 1) finds(`text ${n}`);
    expect(asked).toHaveLength(2 + 100 + 36);
  });
});

describe('a judgement', () => {
  const fails = (error: Error) => () => {
    throw error;
  };

  test.each([
    ['takes too much work', new BudgetExceeded()],
    ['has conditions that nobody takes any more', new LedgerError('record.invalid', 'x')],
  ])('that %s is what is said instead', (_, error) => {
    expect(resultOr<unknown>(fails(error), () => 'otherwise')).toBe('otherwise');
  });

  test.each([new Error('a bug'), new LedgerError('api.request-timeout', 'x')])(
    'that fails otherwise fails: %s',
    (error) => {
      expect(() => resultOr<unknown>(fails(error), () => 'otherwise')).toThrow(error);
    },
  );

  test('that can be made is made', () => {
    expect(resultOr(() => 1, fails(new Error('unused')))).toBe(1);
  });
});

describe('a row', () => {
  test('costs something, and the more the longer it is', () => {
    const costOf = (row: unknown) => {
      const spent: number[] = [];
      payForRow({ pay: (units) => void spent.push(units) }, row);
      return spent;
    };
    expect(costOf('')).toEqual([20]);
    expect(costOf('x'.repeat(6_400))).toEqual([70]);
  });

  test('is never longer than its JSON, and not much shorter where it is long', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(lengthOf(value)).toBeLessThanOrEqual(JSON.stringify(value).length);
      }),
    );
    expect(lengthOf([{ essay: 'x'.repeat(1_000) }, 1n, null])).toBe(1_009);
  });
});
