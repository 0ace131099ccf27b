import { expect, test } from 'vitest';
import { lateMs, latePeriodOf, periodsOf } from '../../shared/ledger/late.ts';
import type { LedgerRecord } from '../../shared/ledger/record.ts';
import type { Proof } from '../../shared/shape/proof.ts';

const dayMs = 86_400_000;
/** A quarter of an hour before the end of a period. */
const startMs = 690 * 30 * dayMs - 900_000;
const momentAfter = (ms: number) => new Date(startMs + ms).toISOString();

/** An intent that became completed so long after it was made. */
function recordOf(ms: number, status = 'completed', end = 'completed'): LedgerRecord {
  const said = (word: string, moment: string, origin?: 'key-pair') =>
    ({ custom: { status: word, moment }, ...(origin && { origin }) }) as unknown as Proof;
  const proofs = [
    said('completed', momentAfter(9 * lateMs), 'key-pair'),
    said('pending', momentAfter(0)),
    said(end, momentAfter(ms)),
  ];
  return {
    luid: '$int.1',
    hash: '',
    data: { handle: 'rent' },
    meta: { status, moment: momentAfter(0), proofs, owners: [] },
  };
}

test('an intent is late in the period of its completion, once half an hour has passed', () => {
  expect(latePeriodOf(recordOf(lateMs))).toBeUndefined();
  expect(latePeriodOf(recordOf(lateMs + 1))).toBe(690);
  expect(latePeriodOf(recordOf(31 * dayMs))).toBe(691);
});

test('an intent that is not completed is not late, and neither is one that does not say when', () => {
  expect(latePeriodOf(recordOf(lateMs + 1, 'rejected'))).toBeUndefined();
  expect(latePeriodOf(recordOf(lateMs + 1, 'completed', 'committed'))).toBeUndefined();
});

test('an interval has the periods from that of its start to that of its last millisecond', () => {
  const first = { startMs: 690 * 30 * dayMs, endMs: 691 * 30 * dayMs };
  expect(periodsOf(first)).toEqual([690]);
  expect(periodsOf({ startMs: first.startMs - 1, endMs: first.endMs + 1 })).toEqual([
    689, 690, 691,
  ]);
});
