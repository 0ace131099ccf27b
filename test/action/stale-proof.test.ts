/** Goal: what was signed in another life is told from what was signed in this one, to the millisecond. Decision 44. */
import { describe, expect, test } from 'vitest';
import { LedgerError } from '../../shared/ledger/errors.ts';
import type { Kind } from '../../shared/ledger/kind.ts';
import type { Version } from '../../shared/ledger/record.ts';
import { assertNotStale } from '../../shared/record/stale-proof.ts';
import type { Proof } from '../../shared/shape/proof.ts';
import { created, proofBy, publicNamed } from '../fixture/version.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const madeMs = Date.parse('2026-06-01T12:00:00.000Z');
const at = (ms: number) => new Date(madeMs + ms).toISOString();
const by = (name: string, moment: unknown): Proof => proofBy(name, 'hash', { moment });
const authored = (name: string, moment: unknown): Proof => ({
  ...by(name, moment),
  origin: 'key-pair',
});

/** A version that was stored at twelve, after proofs of these authors, and proved by others since. */
function made(authors: readonly Proof[], since: readonly Proof[] = [], kind: Kind = 'wallet') {
  const { record, ...version } = created(kind, 'x');
  const proofs = [...authors, by('system', at(0)), ...since];
  return { ...version, record: { ...record, meta: { ...record.meta, moment: at(0), proofs } } };
}

/** Since when a proof would have to be, if it is refused. */
function sinceOf(version: Version, ...proofs: readonly Proof[]): unknown {
  return sinceAt(madeMs + dayMs, version, ...proofs);
}

function sinceAt(nowMs: number, version: Version, ...proofs: readonly Proof[]): unknown {
  try {
    assertNotStale(version, proofs, nowMs);
    return undefined;
  } catch (error) {
    return error instanceof LedgerError ? error.custom?.['since'] : error;
  }
}

describe('a proof is of this life', () => {
  const version = made([authored('ann', at(-2000))], [authored('ann', at(5000))]);

  test.each<[name: string, moment: unknown, since: string | undefined]>([
    // Who signed the data has signed nothing of it before.
    ['ann', at(-2001), at(-2000)],
    ['ann', at(-2000), undefined],
    ['ann', at(-1), undefined],
    // The clocks of others may be behind.
    ['bob', at(-10 * minuteMs - 1), at(-10 * minuteMs)],
    ['bob', at(-10 * minuteMs), undefined],
    ['bob', at(60 * minuteMs), undefined],
    ['bob', '2026-06-01T13:45:00.000+02:00', at(-10 * minuteMs)],
    // What cannot be told is taken. Ruling 4.
    ['ann', undefined, undefined],
    ['ann', 'yesterday', undefined],
    ['ann', 0, undefined],
    ['ann', null, undefined],
  ])('by %s of %j, or from then on: %s', (name, moment, since) => {
    expect(sinceOf(version, by(name, moment))).toBe(since);
  });

  test('and each of several has to be', () => {
    expect(sinceOf(version, by('bob', at(0)), by('ann', at(-3000)))).toBe(at(-2000));
  });

  test('whatever its author once said with a clock that was wrong', () => {
    const ahead = made([authored('ann', at(365 * 24 * 60 * minuteMs))]);
    expect(sinceOf(ahead, by('ann', at(9 * minuteMs)))).toBe(at(10 * minuteMs));
    expect(sinceOf(ahead, by('ann', at(10 * minuteMs)))).toBeUndefined();
    const behind = made([authored('ann', at(-60 * minuteMs))]);
    expect(sinceOf(behind, by('ann', at(-11 * minuteMs)))).toBe(at(-10 * minuteMs));
  });

  test('when its author said no moment then', () => {
    const undated = made([authored('ann', undefined)]);
    expect(sinceOf(undated, by('ann', at(-5 * minuteMs)))).toBeUndefined();
  });

  test.each<Kind>(['intent', 'ledger', 'domain', 'schema'])(
    'whenever it was signed, when a %s has one life only',
    (kind) => {
      const once = made([authored('ann', at(0))], [], kind);
      expect(sinceOf(once, by('ann', at(-99 * minuteMs)))).toBeUndefined();
    },
  );
});

test('whose key it is decides, not who is said to have signed', () => {
  const version = made([{ ...authored('ann', at(0)), signer: 'bob' }]);
  expect(sinceOf(version, { ...by('ann', at(-1)), public: publicNamed('bob') })).toBeUndefined();
});

describe('a proof about data that a clock has dated three days ahead is taken', () => {
  // It is now three days before the data was made, as it says; its author knew that, or had the same clock.
  const nowMs = madeMs - 3 * dayMs;
  const now = (ms: number) => new Date(nowMs + ms).toISOString();
  const right = made([authored('ann', now(-5000))]);
  const wrong = made([authored('ann', at(-5000))]);

  test.each([right, wrong])('when it is signed now', (version) => {
    for (const name of ['ann', 'bob'])
      expect(sinceAt(nowMs, version, by(name, now(0)))).toBeUndefined();
  });

  test('but not when it was signed before the data, or ten minutes ago', () => {
    expect(sinceAt(nowMs, right, by('ann', now(-5001)))).toBe(now(-5000));
    for (const version of [right, wrong])
      expect(sinceAt(nowMs, version, by('bob', now(-10 * minuteMs - 1)))).toBe(now(-10 * minuteMs));
    expect(sinceAt(nowMs, wrong, by('ann', now(-10 * minuteMs - 1)))).toBe(now(-10 * minuteMs));
  });
});
