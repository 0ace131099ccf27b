/** Goal: a ledger sends so many bytes a second, and what was put off for that comes before what comes later. Decision 86. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rates } from '../../shared/delivery/bytes.ts';

const of = { kind: 'event', scope: 'main' } as const;
const other = { kind: 'event', scope: 'other' } as const;

describe('a ledger that may send 1,000 bytes a second', () => {
  let count = 0;
  const load = (bytes: number) => {
    count += 1;
    return { bytes, name: `$evd.${count}` };
  };

  test('sends a second of them at once, and whatever comes last before it is over', () => {
    const { take } = rates(1_000);
    const loads = [load(400), load(500), load(3_000)];
    expect(loads.map((one) => take(of, one, 5_000))).toEqual([0, 0, 0]);
    // 3,900 bytes since a second ago are even 2.9 seconds from now.
    expect(take(of, load(1), 5_000)).toBe(7_900);
  });

  test('is told when its turn is, one after the other', () => {
    const { take } = rates(1_000);
    take(of, load(2_000), 5_000);
    const loads = [load(500), load(500), load(1)];
    const ask = (nowMs: number) => loads.map((one) => take(of, one, nowMs));
    expect(ask(5_000)).toEqual([6_000, 6_500, 7_000]);
    // Whoever asks too early keeps its turn.
    expect(ask(5_500)).toEqual([6_000, 6_500, 7_000]);
    expect(ask(6_000)).toEqual([0, 6_500, 7_000]);
  });

  test('takes nothing from another one, nor do its events from its calls', () => {
    const { take } = rates(1_000);
    take(of, load(9_000), 5_000);
    expect(take(of, load(1), 5_000)).toBeGreaterThan(0);
    const others = [take(other, load(1), 5_000), take({ ...of, kind: 'call' }, load(1), 5_000)];
    expect(others).toEqual([0, 0]);
  });

  test('sends no more than that over any time, however it asks', () => {
    const { take } = rates(1_000);
    let sent = 0;
    // As one that always asks elsewhere again.
    for (let nowMs = 0; nowMs < 60_000; nowMs += 7)
      if (take(of, { bytes: 90 }, nowMs) === 0) sent += 90;
    expect(sent).toBeLessThanOrEqual(61_000 + 90);
    expect(sent).toBeGreaterThan(58_000);
  });

  test('waits for no clock that ran ahead and was set back, and owes what it owed', () => {
    const { take } = rates(1_000);
    expect([take(of, load(400), 9_000_000), take(of, load(90), 5_400_000)]).toEqual([0, 0]);
    take(of, load(3_000), 5_400_000);
    const loads = [load(500), load(500)];
    const ask = (nowMs: number) => loads.map((one) => take(of, one, nowMs));
    expect(ask(5_400_000)).toEqual([5_402_490, 5_402_990]);
    // What was put off before the clock was set back keeps its place, and no newcomer comes before it.
    expect(take(of, load(1), 4_000_000)).toBe(4_003_490);
    expect(ask(4_000_000)).toEqual([4_002_490, 4_002_990]);
    expect(take(of, load(1), 4_002_490)).toBeGreaterThan(4_002_490);
    expect(ask(4_002_490)).toEqual([0, 4_002_990]);
  });

  test('is forgotten when it is even, among very many', () => {
    const { take } = rates(1_000);
    for (let index = 0; index <= 10_001; index += 1)
      expect(take({ ...of, scope: `l${index}` }, load(10), index * 100)).toBe(0);
    expect(take(of, load(10), 2_000_000)).toBe(0);
  });
});

describe('what was put off', () => {
  const first = { bytes: 500, name: 'first' };
  const owing = () => {
    const { take } = rates(1_000);
    take(of, { bytes: 2_000, name: 'before' }, 5_000);
    expect(take(of, first, 5_000)).toBe(6_000);
    return take;
  };

  test('is not overtaken by what asks at the moment at which the account is even', () => {
    const take = owing();
    const newcomers = Array.from({ length: 20 }, (_, index) => ({ bytes: 500, name: `n${index}` }));
    for (const one of newcomers) expect(take(of, one, 6_000)).toBeGreaterThan(6_000);
    expect(take(of, first, 6_000)).toBe(0);
  });

  test('is waited for when it is late, and not for ever', () => {
    const take = owing();
    const late = { bytes: 1_500, name: 'late' };
    expect(take(of, late, 8_000)).toBe(8_700);
    expect(take(of, late, 8_001)).toBe(0);
    // When it asks after all it comes before what was put off after it.
    const later = { bytes: 500, name: 'later' };
    expect([take(of, later, 8_001), take(of, first, 8_001)]).toEqual([8_501, 8_501]);
    expect([take(of, later, 8_501), take(of, first, 8_501)]).toEqual([10_701, 0]);
  });

  test('elsewhere is waited for by nobody', () => {
    const { take } = rates(1_000);
    take(of, { bytes: 2_000 }, 5_000);
    expect(take(of, { bytes: 500 }, 5_000)).toBe(6_000);
    expect(take(of, first, 6_000)).toBe(0);
  });

  test('and may be taken on by other processes is not waited for by what was put off as well', () => {
    const take = owing();
    const [again, newcomer] = [
      { bytes: 500, name: 'again', isFree: true },
      { bytes: 500, name: 'newcomer', isFree: false },
    ];
    expect(take(of, again, 5_000)).toBe(6_500);
    expect(take(of, newcomer, 6_600)).toBeGreaterThan(6_600);
    expect(take(of, again, 6_600)).toBe(0);
  });

  test('is remembered in bounds, and forgotten when it does not come', () => {
    const { take } = rates(1_000);
    take(of, { bytes: 2_000, name: 'before' }, 5_000);
    for (let index = 0; index < 20_000; index += 1)
      take(of, { bytes: 0, name: `w${index}` }, 5_000);
    // There is no place for it, so it is one of those that come then.
    expect(take(of, first, 5_000)).toBe(6_000);
    expect(take(of, { bytes: 1, name: 'new' }, 126_001)).toBe(0);
    take(of, { bytes: 2_000, name: 'before' }, 126_001);
    expect(take(of, first, 126_002)).toBeGreaterThan(126_002);
    expect(take(of, { bytes: 1, name: 'newer' }, 129_000)).toBeGreaterThan(129_000);
    expect(take(of, first, 129_000)).toBe(0);
  });

  interface Ask {
    readonly atMs: number;
    readonly name: string;
    readonly bytes: number;
    readonly lateMs: number;
  }

  /** Sends all loads, each of which asks again when it was told to, or so much later; answers when each was sent. */
  const sentOf = (all: readonly Ask[], bytesPerSecond: number) => {
    const { take } = rates(bytesPerSecond);
    const asks = [...all];
    const sent: (Ask & { readonly askCount: number })[] = [];
    const counts = new Map<string, number>();
    for (let count = 0; asks.length > 0; count += 1) {
      expect(count).toBeLessThan(10_000);
      const next = asks.reduce((one, two) => (two.atMs < one.atMs ? two : one));
      asks.splice(asks.indexOf(next), 1);
      const askCount = (counts.get(next.name) ?? 0) + 1;
      counts.set(next.name, askCount);
      const untilMs = take(of, next, next.atMs);
      if (untilMs === 0) sent.push({ ...next, askCount });
      else expect(untilMs).toBeGreaterThan(next.atMs);
      if (untilMs > 0) asks.push({ ...next, atMs: untilMs + next.lateMs });
    }
    return sent;
  };

  const loadsOf = (lateMsMax: number) =>
    fc
      .array(
        fc.record({
          waitMs: fc.oneof(fc.constant(0), fc.nat(700)),
          bytes: fc.nat(3_000),
          lateMs: fc.nat(lateMsMax),
        }),
        { minLength: 1, maxLength: 60 },
      )
      .map((steps) => {
        let atMs = 1_000_000;
        return steps.map(({ waitMs, bytes, lateMs }, index): Ask => {
          atMs += waitMs;
          return { atMs, name: `d${index}`, bytes, lateMs };
        });
      });

  test('is sent in the order in which it came first, all of it, within the rate, and the same each time', () => {
    const holds = fc.property(loadsOf(2_000), fc.integer({ min: 500, max: 5_000 }), (all, rate) => {
      const sent = sentOf(all, rate);
      expect(sent.map(({ name }) => name)).toEqual(all.map(({ name }) => name));
      expect(sentOf(all, rate)).toEqual(sent);
      for (const [index, { atMs }] of sent.entries()) {
        const since = sent.slice(0, index).filter((one) => one.atMs >= atMs - 5_000);
        const bytes = since.reduce((sum, one) => sum + one.bytes, 0);
        // What is begun is sent whole, so the last one before it may be over.
        expect(bytes).toBeLessThanOrEqual(6 * rate + 3_000 + 1);
      }
    });
    fc.assert(holds, { numRuns: 200 });
  });

  test('asks a few times at most where everybody is punctual', () => {
    const holds = fc.property(loadsOf(0), fc.integer({ min: 500, max: 5_000 }), (all, rate) => {
      for (const { askCount } of sentOf(all, rate)) expect(askCount).toBeLessThanOrEqual(5);
    });
    fc.assert(holds, { numRuns: 200 });
  });
});
