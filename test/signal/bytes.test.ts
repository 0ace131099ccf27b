import { describe, expect, test } from 'vitest';
import { rates } from '../../shared/delivery/bytes.ts';

const of = { kind: 'event', scope: 'main' } as const;
const other = { kind: 'event', scope: 'other' } as const;

describe('a ledger that may send 1,000 bytes a second', () => {
  test('sends a second of them at once, and whatever comes last before it is over', () => {
    const { take } = rates(1_000);
    expect([take(of, 400, 5_000), take(of, 500, 5_000), take(of, 3_000, 5_000)]).toEqual([0, 0, 0]);
    // 3,900 bytes since a second ago are even 2.9 seconds from now.
    expect(take(of, 1, 5_000)).toBe(7_900);
  });

  test('is told when its turn is, one after the other', () => {
    const { take } = rates(1_000);
    take(of, 2_000, 5_000);
    expect([take(of, 500, 5_000), take(of, 500, 5_000), take(of, 1, 5_000)]).toEqual([
      6_000, 6_500, 7_000,
    ]);
    expect(take(of, 500, 6_000)).toBe(0);
  });

  test('takes nothing from another one, nor do its events from its calls', () => {
    const { take } = rates(1_000);
    take(of, 9_000, 5_000);
    expect(take(of, 1, 5_000)).toBeGreaterThan(0);
    expect([take(other, 1, 5_000), take({ ...of, kind: 'call' }, 1, 5_000)]).toEqual([0, 0]);
  });

  test('sends no more than that over any time, however it asks', () => {
    const { take } = rates(1_000);
    let sent = 0;
    for (let nowMs = 0; nowMs < 60_000; nowMs += 7) if (take(of, 90, nowMs) === 0) sent += 90;
    expect(sent).toBeLessThanOrEqual(61_000 + 90);
    expect(sent).toBeGreaterThan(58_000);
  });

  test('waits for no clock that ran ahead and was set back, and owes what it owed', () => {
    const { take } = rates(1_000);
    expect([take(of, 400, 9_000_000), take(of, 90, 9_000_000 - 3_600_000)]).toEqual([0, 0]);
    take(of, 3_000, 9_000_000 - 3_600_000);
    expect(take(of, 500, 9_000_000 - 3_600_000)).toBe(5_402_490);
    expect([take(of, 500, 4_000_000), take(of, 500, 4_000_000)]).toEqual([4_002_990, 4_003_490]);
    expect(take(of, 500, 4_002_490)).toBe(0);
  });

  test('is forgotten when it is even, among very many', () => {
    const { take } = rates(1_000);
    for (let index = 0; index <= 10_001; index += 1)
      expect(take({ ...of, scope: `l${index}` }, 10, index * 100)).toBe(0);
    expect(take(of, 10, 2_000_000)).toBe(0);
  });
});
