/**
 * Goal: where requests meet, or one does much at a time, other threads sign and verify, with the same outcome for the same
 * proof. Decisions 150 and 160.
 */
import { createHook } from 'node:async_hooks';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashOf } from '../../shared/crypto/digest.ts';
import { createSeed, privateKeyOf, publicOf } from '../../shared/crypto/key.ts';
import { runBesideOthers, runForMany, signsInPool } from '../../shared/crypto/pool.ts';
import { assertProofs, assertSigned, sign, signAsync } from '../../shared/crypto/proof.ts';

const newKey = () => {
  const seed = createSeed();
  return { public: publicOf(seed), privateKey: privateKeyOf(seed) };
};
const key = newKey();
const hash = hashOf({ handle: 'alice' });

/** Runs this beside a request that lasts until it is done. */
function amongOthers<Result>(run: () => Promise<Result>): Promise<Result> {
  return runBesideOthers(() =>
    runBesideOthers(() => {
      expect(signsInPool()).toBe(true);
      return run();
    }),
  );
}

/** The jobs to sign or verify that the pool gets while this runs. */
async function jobsOf(run: () => Promise<unknown>): Promise<number> {
  const made = new Set<number>();
  let count = 0;
  const hook = createHook({
    init: (id, type) => {
      if (type === 'SIGNREQUEST') made.add(id);
    },
    // One of this thread has ended by then, and calls nobody.
    before: (id) => {
      if (made.has(id)) count += 1;
    },
  });
  hook.enable();
  await run().finally(() => hook.disable());
  return count;
}

test('the pool has the jobs of requests that meet, and none of one that is alone', async () => {
  const proof = sign(hash, { status: 'created' }, key);
  const run = () => Promise.all([signAsync(hash, {}, key), assertProofs(hash, [proof])]);
  expect(await jobsOf(() => amongOthers(run))).toBe(2);
  expect(await jobsOf(() => amongOthers(() => assertSigned(proof)))).toBe(1);
  expect(await jobsOf(() => runBesideOthers(() => runForMany(run)))).toBe(2);
  expect(await jobsOf(() => runForMany(run))).toBe(0);
  expect(await jobsOf(() => runBesideOthers(run))).toBe(0);
  expect(await jobsOf(run)).toBe(0);
});

test('one request signs in its own thread', () =>
  runBesideOthers(async () => expect(signsInPool()).toBe(false)));

test('what a request does for many at a time counts as others, until it has ended', () =>
  runBesideOthers(async () => {
    await runForMany(async () => expect(signsInPool()).toBe(true));
    await expect(runForMany(() => Promise.reject(new Error('it fails')))).rejects.toThrow();
    expect(signsInPool()).toBe(false);
  }));

test('a request that fails is no longer counted', async () => {
  const failing = () => Promise.reject(new Error('it fails'));
  for (let round = 0; round < 3; round += 1)
    await expect(runBesideOthers(failing)).rejects.toThrow('it fails');
  await runBesideOthers(async () => expect(signsInPool()).toBe(false));
});

test('the proof is the same, bit for bit', async () => {
  const customs = fc.option(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }), {
    nil: undefined,
  });
  const property = fc.asyncProperty(fc.jsonValue(), customs, async (data, custom) => {
    const proof = sign(hashOf(data), custom, key);
    expect(await signAsync(hashOf(data), custom, key)).toEqual(proof);
    expect(await amongOthers(() => signAsync(hashOf(data), custom, key))).toEqual(proof);
  });
  await fc.assert(property);
});

test('good proofs are accepted', () =>
  amongOthers(async () => {
    const proofs = [key, newKey()].map((one) => sign(hash, { status: 'created' }, one));
    await assertProofs(hash, proofs);
    for (const proof of proofs) await assertSigned(proof);
  }));

test.each([
  ['of another hash', { digest: hashOf({ handle: 'bob' }) }, 'digest', 'signature'],
  ['with another key', { public: newKey().public }, 'signature', 'signature'],
  ['with a key that is none', { public: 'alice' }, 'public', 'public'],
  ['with no signature', { result: '' }, 'result', 'result'],
  ['with another signature', { result: sign(hash, {}, key).result }, 'signature', 'signature'],
] as const)('a proof %s is refused', async (_, change, fault, faultOfDigest) => {
  const proof = sign(hash, { status: 'created' }, key);
  const bad = { ...proof, ...change };
  await amongOthers(async () => {
    await expect(assertProofs(hash, [proof, bad])).rejects.toMatchObject({
      reason: 'crypto.signature-invalid',
      detail: `Invalid signature for key: ${bad.public}`,
      custom: { index: 1, fault },
    });
    await expect(assertSigned(bad)).rejects.toMatchObject({
      reason: 'crypto.signature-invalid',
      custom: { index: 0, fault: faultOfDigest },
    });
  });
});
