import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  chanceIn,
  decodeTime,
  encodeTime,
  isLuid,
  luidMaker,
  namedLuid,
  setBackMsMax,
  timeOfLuid,
} from '../../shared/crypto/luid.ts';

const alphabet = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';
const now = Date.UTC(2026, 0, 1);
const timeMax = 2 ** 48 - 1;
const times = fc.nat({ max: timeMax });
const filledWith = (byte: number) => (size: number) => new Uint8Array(size).fill(byte);

const bytesOf = (number: number) => [24, 16, 8, 0].map((bits) => (number >>> bits) & 255);

const isIncreasing = (texts: readonly string[]) =>
  texts.every((text, index) => index === 0 || (texts[index - 1] ?? '') < text);

describe('a luid', () => {
  test('has a prefix and seventeen characters', () => {
    expect(luidMaker()('wlt', now)).toMatch(/^\$wlt\.[-0-9A-Z_a-z]{17}$/);
  });

  test('is its time and its chance', () => {
    expect(luidMaker(filledWith(0))('wlt', 0)).toBe(`$wlt.${'-'.repeat(17)}`);
    expect(luidMaker(filledWith(255))('wlt', timeMax)).toBe(`$wlt.${'z'.repeat(17)}`);
    expect(luidMaker(filledWith(0))('snr', 1)).toBe(`$snr.${'-'.repeat(7)}0${'-'.repeat(9)}`);
  });

  test('tells its time', () => {
    fc.assert(
      fc.property(times, (ms) => {
        expect(timeOfLuid(luidMaker()('wlt', ms))).toBe(ms);
      }),
    );
  });

  test('is greater than the one before, unless the clock is set back by more than a minute', () => {
    const clocks = fc.array(fc.oneof(fc.nat(setBackMsMax), fc.nat(3)));
    fc.assert(
      fc.property(clocks, (readings) => {
        const luidOf = luidMaker();
        expect(isIncreasing(readings.map((ms) => luidOf('wlt', now + ms)))).toBe(true);
      }),
    );
  });

  test('says the time again when a clock that ran ahead is set back', () => {
    fc.assert(
      fc.property(fc.integer({ min: setBackMsMax + 1, max: timeMax - now }), (ms) => {
        const luidOf = luidMaker();
        luidOf('wlt', now + ms);
        const luids = [luidOf('wlt', now), luidOf('wlt', now), luidOf('wlt', now + 1)];
        expect(isIncreasing(luids)).toBe(true);
        expect(luids.map(timeOfLuid)).toEqual([now, now, now + 1]);
      }),
    );
  });

  test('counts on when chance is used up, into the next millisecond', () => {
    const luidOf = luidMaker(filledWith(255));
    const luids = [
      luidOf('wlt', now),
      luidOf('wlt', now),
      luidOf('wlt', now),
      luidOf('wlt', now + 1),
    ];
    expect(isIncreasing(luids)).toBe(true);
    expect(luids.map(timeOfLuid)).toEqual([now, now + 1, now + 1, now + 1]);
  });

  test('of one maker is never that of another', () => {
    expect(luidMaker()('wlt', now)).not.toBe(luidMaker()('wlt', now));
  });

  test('has a chance that is as often one number as another, whenever it is made', () => {
    const numbers = Array.from({ length: 4_096 }, (_, index) => (index * 2_654_435_761) % 2 ** 32);
    fc.assert(
      fc.property(times, (ms) => {
        const found = numbers.filter((number) => {
          const bytes = () => Uint8Array.from([0, 0, 0, ...bytesOf(number)]);
          return chanceIn(luidMaker(bytes)('int', ms)) % 16 === 0;
        });
        // 256 of them, within five standard deviations.
        expect(Math.abs(found.length - 256)).toBeLessThan(78);
      }),
      { numRuns: 20 },
    );
  });

  test('has a chance that goes on by little where luids of one share follow each other', () => {
    const luidOf = luidMaker();
    const chances = Array.from({ length: 100 }, () => chanceIn(luidOf('int', now, 5)));
    for (const [index, chance] of chances.slice(1).entries())
      expect((chance - (chances[index] ?? 0) + 4_096) % 4_096).toBeLessThan(8);
    expect(new Set(chances).size).toBeGreaterThan(50);
  });

  test.each(['', 'wl', 'wallet', 'WLT', '$wl'])('has no prefix %j', (prefix) => {
    expect(() => luidMaker()(prefix, now)).toThrow('Broken assertion');
  });

  test.each([-1, 0.5, Number.NaN, timeMax + 1])('is not made at %d', (ms) => {
    expect(() => luidMaker()('wlt', ms)).toThrow('Broken assertion');
  });
});

describe('an encoded time', () => {
  test('is eight characters', () => {
    expect(encodeTime(0)).toBe('--------');
    expect(encodeTime(63)).toBe('-------z');
    expect(encodeTime(64)).toBe('------0-');
    expect(encodeTime(timeMax)).toBe('zzzzzzzz');
  });

  test('sorts as the time does', () => {
    fc.assert(
      fc.property(times, times, (a, b) => {
        expect(encodeTime(a) < encodeTime(b)).toBe(a < b);
      }),
    );
  });

  test('is decoded again', () => {
    fc.assert(
      fc.property(times, (ms) => {
        expect(decodeTime(encodeTime(ms))).toBe(ms);
      }),
    );
  });

  test('is of 48 bits', () => {
    expect(() => encodeTime(timeMax + 1)).toThrow('Broken assertion');
  });
});

test('the alphabet is in ASCII order', () => {
  expect([...alphabet].sort().join('')).toBe(alphabet);
  expect(new Set(alphabet).size).toBe(64);
});

test.each([
  ['$wlt.-01xK3tUvW4fU6yZ5', undefined, true],
  ['$wlt.-01xK3tUvW4fU6yZ5', 'wlt', true],
  ['$wlt.-01xK3tUvW4fU6yZ5', 'snr', false],
  ['$wlt.-01xK3tUvW4fU6yZ', undefined, false],
  ['$wlt.-01xK3tUvW4fU6yZ5Z', undefined, false],
  ['$wlt.-01xK3tUvW4fU6yZ+', undefined, false],
  ['$WLT.-01xK3tUvW4fU6yZ5', undefined, false],
  ['wlt.-01xK3tUvW4fU6yZ5', undefined, false],
  ['$wlt.-01xK3tUvW4fU6yZ5\n', undefined, false],
  ['alice', undefined, false],
])('%j with prefix %j is a luid: %j', (text, prefix, expected) => {
  expect(isLuid(text, prefix)).toBe(expected);
});

test('only a luid tells its time', () => {
  expect(() => timeOfLuid('alice')).toThrow('Broken assertion');
});

test('a luid that follows from a time and a name is the same when it is made again', () => {
  const ms = Date.parse('2026-01-01T00:00:00.000Z');
  const luid = namedLuid('evd', ms, 'one name');
  expect(namedLuid('evd', ms, 'one name')).toBe(luid);
  expect(isLuid(luid, 'evd')).toBe(true);
  expect(timeOfLuid(luid)).toBe(ms);
  const others = [
    namedLuid('evd', ms, 'another name'),
    namedLuid('evd', ms + 1, 'one name'),
    namedLuid('evt', ms, 'one name'),
  ];
  expect(new Set([luid, ...others]).size).toBe(4);
});
