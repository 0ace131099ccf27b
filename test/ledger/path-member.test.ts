/** The paths of conditions that lead to no member of their subject. Decisions 107 and 158. */
import { describe, expect, test } from 'vitest';
import { LedgerError } from '../../shared/ledger/errors.ts';
import {
  anythingIn,
  assertMembers,
  memberOf,
  membersOfRecord,
} from '../../shared/ledger/path-member.ts';

const known = { ...anythingIn(['amount', 'custom']), wallet: membersOfRecord };

function detailOf(path: string): string | undefined {
  try {
    assertMembers({ amount: 1, [path]: 2 }, known, 'an event');
    return undefined;
  } catch (error) {
    if (error instanceof LedgerError) return error.detail;
    throw error;
  }
}

describe('a path', () => {
  test.each(['amount', 'custom', 'custom.a.b', 'wallet', 'wallet.data', 'wallet.meta.x.0'])(
    'may be %s',
    (path) => {
      expect(detailOf(path)).toBeUndefined();
    },
  );

  test.each([
    ['amounts', "Filter 'amounts' begins with no member of an event; the nearest is 'amount'."],
    [
      'data.amount',
      "Filter 'data.amount' begins with no member of an event; the nearest is 'amount'.",
    ],
    ['x.y', "Filter 'x.y' begins with no member of an event, only amount, custom, wallet."],
    [
      'toString',
      "Filter 'toString' begins with no member of an event, only amount, custom, wallet.",
    ],
    [
      'wallet.handle',
      "Filter 'wallet.handle' leads to no member of wallet in an event, only luid, hash, data, meta.",
    ],
    [
      'wallet.metta.x',
      "Filter 'wallet.metta.x' leads to no member of wallet in an event; the nearest is 'meta'.",
    ],
  ])('is not %s', (path, detail) => {
    expect(detailOf(path)).toBe(detail);
  });

  test('begins with a member', () => {
    expect([memberOf('a.b'), memberOf('a'), memberOf('')]).toEqual(['a', 'a', '']);
  });
});

test('no conditions lead anywhere', () => {
  expect(() => assertMembers(undefined, known, 'an event')).not.toThrow();
});
