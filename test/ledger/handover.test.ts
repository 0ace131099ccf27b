/** A handover of what a key owns: who may say it, to whom, and what is owned after it. Decision 157. */
import { describe, expect, test } from 'vitest';
import {
  assertFewPredecessors,
  assertNoHandover,
  handoverIn,
  isOwnedBy,
  namesSuccessor,
  predecessorCountMax,
  predecessorsAfter,
  statedHandover,
} from '../../shared/ledger/handover.ts';
import type { Kind } from '../../shared/ledger/kind.ts';
import { created, handedOver, proofBy, publicNamed, revised } from '../fixture/version.ts';

const [old, fresh, other] = ['old', 'fresh', 'other'].map(publicNamed) as [string, string, string];
const hash = '0'.repeat(64);
const dataOf = (key: string | undefined) => ({
  handle: 'ann',
  ...(key !== undefined && { public: key }),
});
const asked = (
  proofs: readonly (readonly [by: string, custom?: object])[],
  { kind = 'signer', from = old, to = fresh }: { kind?: Kind; from?: string; to?: string } = {},
) =>
  statedHandover('main', {
    kind,
    before: dataOf(from),
    after: dataOf(to),
    proofs: proofs.map(([by, custom]) => proofBy(by, hash, { ...custom })),
  });
const said = { ledger: 'main', successor: fresh };

describe('an update', () => {
  test.each(['signer', 'signer-factor'] as const)('of a %s hands over by its old key', (kind) => {
    expect(asked([['old', said]], { kind })).toEqual({ from: old, to: fresh });
    expect(asked([['other'], ['old', said]], { kind })).toEqual({ from: old, to: fresh });
  });

  test('hands nothing over without a successor, and of another kind', () => {
    expect(asked([['old', { ledger: 'main' }]])).toBeUndefined();
    expect(asked([['old']])).toBeUndefined();
    expect(asked([])).toBeUndefined();
    expect(asked([['old', said]], { kind: 'wallet' })).toBeUndefined();
  });

  test.each<[string, Parameters<typeof asked>, RegExp]>([
    [
      'by another key',
      [[['other', said]]],
      /^record.invalid: The successor in proof 0 is named by/,
    ],
    [
      'by another key as well',
      [
        [
          ['old', said],
          ['other', said],
        ],
      ],
      /in proof 1 is named by/,
    ],
    ['by the new key', [[['fresh', said]]], /in proof 0 is named by a key/],
    [
      'where the key stays',
      [[['old', said]], { to: old }],
      /by a key that this does not replace\.$/,
    ],
    ['to another key', [[['old', { ...said, successor: other }]]], /proof 0 is not the new key\.$/],
    ['to no key', [[['old', { ...said, successor: null }]]], /is not the new key/],
    ['in any ledger', [[['old', { successor: fresh }]]], /custom\.ledger = 'main'\.$/],
    ['in another ledger', [[['old', { ...said, ledger: 'second' }]]], /custom\.ledger = 'main'/],
  ])('hands nothing over %s: it is refused', (_, input, expected) => {
    expect(() => asked(...input)).toThrow(expected);
  });

  test('of a record without keys has no key to hand over', () => {
    const proofs = [proofBy('old', hash, { ...said })];
    const change = { kind: 'signer', before: dataOf(undefined), after: dataOf(fresh) } as const;
    expect(() => statedHandover('main', { ...change, proofs })).toThrow(/by a key that this/);
    const begun = { ...change, before: undefined, proofs: [] };
    expect(statedHandover('main', begun)).toBeUndefined();
  });
});

test('a change that replaces no key names no successor', () => {
  const proofs = [proofBy('old', hash, { ...said })];
  expect(() => assertNoHandover('signer', proofs)).toThrow(/by a key that this does not replace/);
  expect(() => assertNoHandover('signer', [proofBy('old', hash)])).not.toThrow();
  expect(() => assertNoHandover('wallet', proofs)).not.toThrow();
});

test('an update names a successor, or does not', () => {
  const proofs = [proofBy('old', hash), proofBy('old', hash, { ...said })];
  expect(namesSuccessor('signer', proofs)).toBe(true);
  expect(namesSuccessor('signer', proofs.slice(0, 1))).toBe(false);
  expect(namesSuccessor('wallet', proofs)).toBe(false);
});

test('a stored version tells its handover, in its own ledger', () => {
  const first = created('signer', 'ann', dataOf(old));
  const next = handedOver('main', first, fresh);
  expect(handoverIn('main', next, first)).toEqual({ from: old, to: fresh });
  expect(handoverIn('second', next, first)).toBeUndefined();
  expect(handoverIn('main', next, undefined)).toBeUndefined();
  expect(handoverIn('main', revised(first, { public: fresh }), first)).toBeUndefined();
});

test('the predecessors follow a handover, stay with their key, and go with it', () => {
  const handover = { from: old, to: fresh };
  const to = (key: string) => ({ before: dataOf(old), after: dataOf(key) });
  const meta = { predecessors: [other] };
  expect(predecessorsAfter(to(fresh), {}, handover)).toEqual([old]);
  expect(predecessorsAfter(to(fresh), meta, handover)).toEqual([old, other]);
  expect(predecessorsAfter(to(old), meta, undefined)).toEqual([other]);
  expect(predecessorsAfter(to(fresh), meta, undefined)).toBeUndefined();
  expect(predecessorsAfter({ before: undefined, after: dataOf(old) }, {}, undefined)).toBe(
    undefined,
  );
});

test('a key takes over from so many keys at most', () => {
  const predecessors = Array.from({ length: predecessorCountMax }, () => old);
  expect(() => assertFewPredecessors()).not.toThrow();
  expect(() => assertFewPredecessors(predecessors)).not.toThrow();
  expect(() => assertFewPredecessors([...predecessors, old])).toThrow(
    /^record.invalid: A key takes over from at most 200 keys/,
  );
});

describe('a key owns', () => {
  test('what it has made, and what its predecessors have', () => {
    expect(isOwnedBy([other, old], old)).toBe(true);
    expect(isOwnedBy([other], old)).toBe(false);
    expect(isOwnedBy([], old, { predecessors: [other] })).toBe(false);
    expect(isOwnedBy([other], old, { predecessors: [fresh, other] })).toBe(true);
    expect(isOwnedBy([old], old, { predecessors: [other] })).toBe(true);
  });

  test('nothing once it has handed over', () => {
    expect(isOwnedBy([old], old, { successor: fresh })).toBe(false);
    expect(isOwnedBy([other], old, { successor: fresh, predecessors: [other] })).toBe(false);
  });
});
