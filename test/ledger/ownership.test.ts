/** Goal: keys own for their signer while they are its own, and nobody owns by a key that is not theirs. Decision 157. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  authorsIn,
  givenUp,
  isMadeBy,
  isProvenBy,
  type KeyHolder,
  mayHold,
  ownsBySigner,
  ownsItself,
} from '../../shared/ledger/ownership.ts';
import type { Proof } from '../../shared/shape/proof.ts';

const ann = { handle: 'ann', luid: '$snr.ann' };
const eve = { handle: 'eve', luid: '$snr.eve' };
const mark = { former: ann.luid, luid: '$snf.phone' };

test.each<[string, KeyHolder | undefined, itself: boolean, byAnn: boolean, byEve: boolean]>([
  ['of no signer', undefined, true, false, false],
  ['that ann has, as it says itself', { signer: 'ann', isProven: true }, true, true, false],
  ['that ann has named', { signer: 'ann' }, true, false, false],
  ['that ann had', mark, false, true, false],
  ['that ann has again', { signer: 'ann', ...mark }, true, true, false],
])('a key %s', (_, holder, itself, byAnn, byEve) => {
  expect(ownsItself(holder)).toBe(itself);
  expect(ownsBySigner(ann, holder)).toBe(byAnn);
  expect(ownsBySigner(eve, holder)).toBe(byEve);
  // A signer that is about to be made owns nothing by what others had.
  expect(ownsBySigner({ handle: 'new' }, holder)).toBe(false);
});

test.each<[string, KeyHolder | undefined, byAnn: boolean, byEve: boolean]>([
  ['nobody has', undefined, true, true],
  ['ann has', { signer: 'ann' }, true, false],
  ['ann had', mark, true, false],
])('a key that %s is free for', (_, holder, byAnn, byEve) => {
  expect([mayHold(ann, holder), mayHold(eve, holder)]).toEqual([byAnn, byEve]);
});

describe('it is certain whose a key is', () => {
  const of = (key: string, custom = {}) => ({ public: key, custom });
  const root = (key: string) => key === 'root';
  const far = { ledger: 'far' };
  const main = { ledger: 'main' };
  test.each([
    ['it signs alone', [of('k')], true, false],
    ['it signs alone for this ledger', [of('k', main)], true, true],
    ['it signs alone for another ledger', [of('k', far)], true, false],
    ['an owner of the ledger signs', [of('root')], true, true],
    ['both sign', [of('k'), of('root')], true, false],
    ['both sign for this ledger', [of('k', main), of('root', main)], true, true],
    ['somebody else signs', [of('e')], false, false],
    ['nobody signs', [], false, false],
    ['it signs beside others', [of('k'), of('e')], false, false],
    ['it signs beside others for this ledger', [of('k', main), of('e')], true, true],
    ['it signs beside others for another ledger', [of('k', far), of('e')], false, false],
    ['others sign for this ledger', [of('k'), of('e', main)], false, false],
  ])('when %s: %#', (_, authors, own, named) => {
    const ledger = { handle: 'main', isOwner: root };
    expect(isProvenBy(authors, 'k', { ...ledger, mustName: false })).toBe(own);
    expect(isProvenBy(authors, 'k', { ...ledger, mustName: true })).toBe(named);
  });
});

test('a signer is made by a key alone where all of its owners are that key', () => {
  expect(isMadeBy('k', ['k'])).toBe(true);
  for (const others of [['e'], ['k', 'e']]) expect(isMadeBy('k', others)).toBe(false);
});

test('the authors come before the proofs of the ledger, and added proofs after them', () => {
  const proof = (by: string, origin?: 'key-pair') =>
    ({ public: by, ...(origin && { origin }) }) as Proof;
  const [k, system, added] = [proof('k', 'key-pair'), proof('system'), proof('e', 'key-pair')];
  expect(authorsIn([k, system, added])).toEqual([k]);
  expect(authorsIn([k])).toEqual([k]);
  expect(authorsIn([system])).toEqual([]);
});

test('a key that is given up is marked when it is certain whose it was, or was marked before', () => {
  const own = { former: ann.luid, luid: ann.luid };
  expect(givenUp({ signer: 'ann', isProven: true }, ann.luid, ann.luid)).toEqual(own);
  expect(givenUp({ signer: 'ann' }, ann.luid, ann.luid)).toBeUndefined();
  expect(givenUp({ signer: 'ann', ...mark }, ann.luid, ann.luid)).toEqual(mark);
  expect(givenUp({ signer: 'ann', isProven: true, ...mark }, ann.luid, ann.luid)).toEqual(own);
});

const signers = [ann, eve, { handle: 'bob', luid: '$snr.bob' }] as const;
type Signer = (typeof signers)[number];
const keys = [0, 1, 2, 3, 4];
const step = fc.record({
  signer: fc.constantFrom(...signers),
  key: fc.constantFrom(...keys),
  does: fc.constantFrom('takes', 'proves', 'gives up'),
});

/** The keys as the ledger notes them, beside who has each and who has proved it. */
function newKeys() {
  const holders = new Map<number, KeyHolder>();
  const proved = new Map<number, Signer>();
  const had = new Map<number, Signer>();
  const give = (signer: Signer, key: number): void => {
    const holder = holders.get(key);
    if (!holder || had.get(key) !== signer) return;
    had.delete(key);
    holders.delete(key);
    const kept = givenUp(holder, signer.luid, signer.luid);
    if (kept) holders.set(key, kept);
  };
  const take = (signer: Signer, key: number, isProven: boolean): void => {
    const holder = holders.get(key);
    const isFree = !had.has(key) && [undefined, signer].includes(proved.get(key));
    expect(mayHold(signer, holder)).toBe(isFree || had.get(key) === signer);
    if (!mayHold(signer, holder)) return;
    had.set(key, signer);
    if (isProven) proved.set(key, signer);
    holders.set(key, { ...holder, signer: signer.handle, ...(isProven && { isProven }) });
  };
  return { holders, proved, had, give, take };
}

test('after any takings and givings each key owns for the one signer that has proved it, and for no other', () => {
  const run = fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
    const { holders, proved, had, give, take } = newKeys();
    for (const { signer, key, does } of steps)
      if (does === 'gives up') give(signer, key);
      else take(signer, key, does === 'proves');
    for (const key of keys) {
      const owners = signers.filter((one) => ownsBySigner(one, holders.get(key)));
      expect(owners).toEqual(proved.has(key) ? [proved.get(key)] : []);
      expect(ownsItself(holders.get(key))).toBe(had.has(key) || !proved.has(key));
    }
  });
  fc.assert(run, { numRuns: 500 });
});
