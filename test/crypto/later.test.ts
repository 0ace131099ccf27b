/** Goal: what is signed later has the proofs that it would have had at once, and nothing unsigned gets out. Decision 160. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashOf } from '../../shared/crypto/digest.ts';
import { createSeed, privateKeyOf, publicOf } from '../../shared/crypto/key.ts';
import { laterSignatures } from '../../shared/crypto/later.ts';
import { runBesideOthers } from '../../shared/crypto/pool.ts';
import { assertProofs, sign, signAsync, verify } from '../../shared/crypto/proof.ts';

const seed = createSeed();
const key = { public: publicOf(seed), privateKey: privateKeyOf(seed) };
const hash = hashOf({ handle: 'alice' });

test.each([
  ['alone', (run: () => Promise<void>) => run()],
  ['where others are served', (run: () => Promise<void>) => runBesideOthers(run)],
])('the proofs are the same, bit for bit, %s', async (_, within) => {
  const customs = fc.array(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }), {
    maxLength: 300,
  });
  const property = fc.asyncProperty(customs, (all) =>
    within(async () => {
      const later = laterSignatures(key);
      const proofs = await Promise.all(
        all.map((custom, index) =>
          index % 2 === 0 ? sign(hash, custom, later.key) : signAsync(hash, custom, later.key),
        ),
      );
      const signature = await later.made();
      expect(proofs.map(signature)).toEqual(all.map((custom) => sign(hash, custom, key)));
    }),
  );
  await fc.assert(property, { numRuns: 20 });
});

test('a proof that waits for its signature has the size of a signed one, and nobody takes it', async () => {
  const proof = sign(hash, {}, laterSignatures(key).key);
  expect(JSON.stringify(proof)).toHaveLength(JSON.stringify(sign(hash, {}, key)).length);
  expect(verify(hash, proof)).toBe(false);
  await expect(assertProofs(hash, [proof])).rejects.toMatchObject({ custom: { fault: 'result' } });
});

test('a proof that is signed stays as it is', async () => {
  const later = laterSignatures(key);
  sign(hash, { status: 'created' }, later.key);
  const signature = await later.made();
  const proof = sign(hash, {}, key);
  expect(signature(proof)).toBe(proof);
});

test('a proof that waits for a signature of others is an error', async () => {
  const [one, other] = [laterSignatures(key), laterSignatures(key)];
  const proof = sign(hash, {}, one.key);
  const signature = await other.made();
  expect(() => signature(proof)).toThrow('what is stored or answered is signed');
});
