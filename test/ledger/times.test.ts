/**
 * Goal: the times of an intent are within the bounds of its ledger, and written as the ledger writes moments. Rulings 88
 * and 89, Decisions 98 and 99.
 */
import { describe, expect, test } from 'vitest';
import type { RecordData } from '../../shared/ledger/record.ts';
import {
  assertNoExpiry,
  assertTimes,
  extensionOf,
  notBeforeMaxMs,
  timesOf,
} from '../../shared/ledger/times.ts';

const moment = '2026-06-01T12:00:00.000Z';
const hourMs = 3_600_000;
const at = (ms: number) => new Date(Date.parse(moment) + ms).toISOString();

function dataOf(config?: object): RecordData {
  return { handle: 'later', claims: [], ...(config && { config }) };
}

/** The detail and custom of a refusal. */
function refusalOf(check: () => unknown): unknown {
  try {
    return check();
  } catch (error) {
    const { reason, detail, custom } = error as { reason: string; detail: string; custom: object };
    return [reason, detail, custom];
  }
}

describe('the times of an intent', () => {
  test.each([
    ['2026-06-01T12:00:00Z', '2026-06-01T12:00:00.000Z'],
    ['2026-06-01T12:00:00.5Z', '2026-06-01T12:00:00.500Z'],
    ['2026-06-01T12:00:00.123456789Z', '2026-06-01T12:00:00.123Z'],
    ['2026-06-01T12:00Z', '2026-06-01T12:00:00.000Z'],
  ])('are written to the millisecond: %s', (text, written) => {
    expect(timesOf(dataOf({ expiry: text }))).toEqual({ expiry: written });
    expect(timesOf(dataOf({ notBefore: text }))).toEqual({ notBefore: written });
  });

  test('are none where the author gives none', () => {
    expect([timesOf(dataOf()), timesOf(dataOf({}))]).toEqual([{}, {}]);
    expect(assertTimes(dataOf(), moment, hourMs)).toBeUndefined();
  });

  test.each([
    { expiry: at(1) },
    { expiry: at(hourMs) },
    { notBefore: at(1) },
    { notBefore: at(notBeforeMaxMs) },
    { notBefore: at(5 * hourMs), expiry: at(6 * hourMs) },
  ])('are within bounds: %j', (config) => {
    expect(assertTimes(dataOf(config), moment, hourMs)).toBeUndefined();
  });

  test.each<[object, string, object]>([
    [{ expiry: at(0) }, `The expiry ${at(0)} has passed.`, { member: 'expiry', moment }],
    [
      { expiry: at(hourMs + 1) },
      `The expiry ${at(hourMs + 1)} is more than 60 minutes after ${moment}.`,
      { member: 'expiry', since: moment, maxMinutes: 60 },
    ],
    [{ notBefore: at(0) }, `The notBefore ${at(0)} has passed.`, { member: 'notBefore', moment }],
    [
      { notBefore: at(notBeforeMaxMs + 1) },
      `The notBefore ${at(notBeforeMaxMs + 1)} is more than 400 days ahead.`,
      { member: 'notBefore', moment },
    ],
    [
      { notBefore: at(5), expiry: at(5) },
      `The expiry ${at(5)} is not after its notBefore.`,
      { member: 'expiry', notBefore: at(5) },
    ],
    [
      { notBefore: at(5), expiry: at(hourMs + 6) },
      `The expiry ${at(hourMs + 6)} is more than 60 minutes after ${at(5)}.`,
      { member: 'expiry', since: at(5), maxMinutes: 60 },
    ],
  ])('are refused by name: %j', (config, detail, custom) => {
    const expected = ['record.invalid', detail, custom];
    expect(refusalOf(() => assertTimes(dataOf(config), moment, hourMs))).toEqual(expected);
  });
});

describe('an extension', () => {
  const bounds = { current: at(60_000), since: moment, maxMs: hourMs };

  test('is later than what was, and at most as late as the ledger allows', () => {
    expect(extensionOf(at(60_001), bounds)).toBe(at(60_001));
    expect(extensionOf(at(hourMs), bounds)).toBe(at(hourMs));
    expect(extensionOf('2026-06-01T12:30:00Z', bounds)).toBe('2026-06-01T12:30:00.000Z');
  });

  test.each<[string | undefined, string, object | undefined]>([
    [
      undefined,
      'A proof that extends an intent has an expiry, a moment in ISO 8601 and UTC.',
      undefined,
    ],
    [
      at(60_000),
      `The expiry ${at(60_000)} is not later than it was.`,
      { member: 'expiry', expiry: at(60_000) },
    ],
    [
      at(hourMs + 1),
      `The expiry ${at(hourMs + 1)} is more than 60 minutes after ${moment}.`,
      { member: 'expiry', since: moment, maxMinutes: 60 },
    ],
  ])('to %s is refused by name', (expiry, detail, custom) => {
    expect(refusalOf(() => extensionOf(expiry, bounds))).toEqual([
      'record.invalid',
      detail,
      custom,
    ]);
  });

  test('is what no other proof says', () => {
    expect(assertNoExpiry()).toBeUndefined();
    expect(assertNoExpiry({ status: 'created' })).toBeUndefined();
    expect(() => assertNoExpiry({ expiry: null })).toThrow('and to no other proof');
  });
});
