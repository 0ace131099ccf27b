import { createHash, sign as nativeSign, verify as nativeVerify } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSigned } from '../../shared/client/digest.ts';
import { digestOf } from '../../shared/crypto/digest.ts';
import { isValidPublic, keyOf, privateKeyOf, publicOf } from '../../shared/crypto/key.ts';
import { assertProofs, isSignedBytes, sign, verify } from '../../shared/crypto/proof.ts';
import { parseBearer, verifyBearer } from '../../shared/crypto/token.ts';
import { verifySecondOpinion } from '../fixture/second-opinion.ts';
import rfc8032 from '../vectors/rfc8032.json' with { type: 'json' };
import wire from '../vectors/wire.json' with { type: 'json' };

const { Point } = ed25519;
const groupOrder = Point.Fn.ORDER;

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64'));

const numberOf = (littleEndian: Uint8Array) =>
  BigInt(`0x${Buffer.from(littleEndian).reverse().toString('hex')}`);
const littleEndianOf = (value: bigint) =>
  Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();

// Our own proofs sign 32 bytes only, so the published vectors are put to both primitives.
describe.each(rfc8032.vectors)('RFC 8032 $name', (vector) => {
  const [secret, publicKey, message, signature] = [
    vector.secret,
    vector.public,
    vector.message,
    vector.signature,
  ].map((hex) => new Uint8Array(Buffer.from(hex, 'hex'))) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];

  test('the secret has the public key', () => expect(publicOf(secret)).toBe(textOf(publicKey)));

  test('both sign as published', () => {
    expect(nativeSign(null, message, privateKeyOf(secret)).toString('hex')).toBe(vector.signature);
    expect(Buffer.from(ed25519.sign(message, secret)).toString('hex')).toBe(vector.signature);
  });

  test('both verify it', () => {
    expect(nativeVerify(null, message, keyOf(textOf(publicKey)), signature)).toBe(true);
    expect(verifySecondOpinion(message, publicKey, signature)).toBe(true);
  });

  test('both refuse it for another message', () => {
    const other = Buffer.concat([message, Buffer.of(0)]);
    expect(nativeVerify(null, other, keyOf(textOf(publicKey)), signature)).toBe(false);
    expect(verifySecondOpinion(other, publicKey, signature)).toBe(false);
  });
});

/** A key and a signature that somebody bent; the digest stays. */
type Bent = { readonly publicKey: Uint8Array; readonly signature: Uint8Array };

const flip = (bytes: Uint8Array, bit: number) => {
  const index = (bit >> 3) % bytes.length;
  return bytes.map((byte, at) => (at === index ? byte ^ (1 << (bit & 7)) : byte));
};
const withR = (signature: Uint8Array, r: Uint8Array) => Uint8Array.of(...r, ...signature.slice(32));
const withS = (signature: Uint8Array, s: Uint8Array) =>
  Uint8Array.of(...signature.slice(0, 32), ...s);

const oddPoints = [
  ...wire.mustReject.smallOrderPublicKeys,
  ...wire.mustReject.nonCanonicalPublicKeys,
];
const oddPoint = fc.constantFrom(...oddPoints.map(bytesOf));
const seed = fc.uint8Array({ minLength: 32, maxLength: 32 });
const bit = fc.nat({ max: 511 });

const bend: fc.Arbitrary<(good: Bent) => Bent> = fc.oneof(
  fc.constant((good: Bent) => good),
  bit.map((at) => (good: Bent) => ({ ...good, publicKey: flip(good.publicKey, at) })),
  bit.map((at) => (good: Bent) => ({ ...good, signature: flip(good.signature, at) })),
  seed.map((publicKey) => (good: Bent) => ({ ...good, publicKey })),
  seed.map((r) => (good: Bent) => ({ ...good, signature: withR(good.signature, r) })),
  seed.map((s) => (good: Bent) => ({ ...good, signature: withS(good.signature, s) })),
  oddPoint.map((publicKey) => (good: Bent) => ({ ...good, publicKey })),
  oddPoint.map((r) => (good: Bent) => ({ ...good, signature: withR(good.signature, r) })),
  fc.tuple(oddPoint, oddPoint).map(([publicKey, r]) => () => ({
    publicKey,
    signature: withR(new Uint8Array(64), r),
  })),
  fc.integer({ min: 1, max: 14 }).map((times) => (good: Bent) => {
    const s = numberOf(good.signature.slice(32)) + BigInt(times) * groupOrder;
    return { ...good, signature: withS(good.signature, littleEndianOf(s)) };
  }),
  fc.nat({ max: 70 }).map((length) => (good: Bent) => ({
    ...good,
    signature: Uint8Array.from({ length }, (_, at) => good.signature[at] ?? 0),
  })),
  fc.nat({ max: 40 }).map((length) => (good: Bent) => ({
    ...good,
    publicKey: Uint8Array.from({ length }, (_, at) => good.publicKey[at] ?? 0),
  })),
);

test('we and the second opinion agree on every bent key and signature', () => {
  const verdicts = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(seed, fc.nat(), bend, (secret, nonce, bent) => {
      const hash = digestOf('', { nonce });
      const key = { public: publicOf(secret), privateKey: privateKeyOf(secret) };
      const proof = sign(hash, undefined, key);
      const { publicKey, signature } = bent({
        publicKey: bytesOf(key.public),
        signature: bytesOf(proof.result),
      });
      const digest = Buffer.from(proof.digest, 'hex');
      const isAccepted = verify(hash, {
        ...proof,
        public: textOf(publicKey),
        result: textOf(signature),
      });
      expect(isAccepted).toBe(verifySecondOpinion(digest, publicKey, signature));
      verdicts[isAccepted ? 'accepted' : 'refused'] += 1;
    }),
    { numRuns: 400, seed: 8032 },
  );
  expect(verdicts.accepted).toBeGreaterThan(10);
  expect(verdicts.refused).toBeGreaterThan(100);
});

test('a signature whose S is S + L is refused', () => {
  const key = { public: wire.keys.A.public, privateKey: privateKeyOf(new Uint8Array(32).fill(1)) };
  const hash = digestOf('', {});
  const proof = sign(hash, undefined, key);
  const good = bytesOf(proof.result);
  const bent = withS(good, littleEndianOf(numberOf(good.slice(32)) + groupOrder));
  expect(verify(hash, { ...proof, result: textOf(bent) })).toBe(false);
  expect(verifySecondOpinion(Buffer.from(proof.digest, 'hex'), bytesOf(key.public), bent)).toBe(
    false,
  );
});

// Goal: RFC 8032 5.1.7 lets a verifier multiply by the cofactor or not. The two differ only when a
// signer adds a point of small order to their own key or R on purpose. OpenSSL does not multiply, so
// we are the stricter: whatever we accept, every conforming verifier accepts.
describe('a signer who adds a point of small order', () => {
  const torsion = Point.fromBytes(bytesOf(wire.mustReject.smallOrderPublicKeys[4] ?? ''));
  const secret = 123_456_789n;
  const nonce = 987_654_321n;

  const signedWith = (own: bigint, message: Uint8Array, publicKey: Uint8Array, r: Uint8Array) => {
    const challenge = createHash('sha512').update(r).update(publicKey).update(message).digest();
    const s = (own + (numberOf(challenge) % groupOrder) * secret) % groupOrder;
    return Uint8Array.of(...r, ...littleEndianOf(s));
  };

  const verdictsOf = (publicKey: Uint8Array, r: Uint8Array) =>
    Array.from({ length: 40 }, (_, index) => {
      const message = Buffer.from(digestOf('', { index }), 'hex');
      const signature = signedWith(nonce, message, publicKey, r);
      return {
        ours: nativeVerify(null, message, keyOf(textOf(publicKey)), signature),
        second: verifySecondOpinion(message, publicKey, signature),
      };
    });

  const point = Point.BASE.multiply(secret);
  const noncePoint = Point.BASE.multiply(nonce);

  test('to nothing is accepted by both', () => {
    const verdicts = verdictsOf(point.toBytes(), noncePoint.toBytes());
    expect(verdicts.every(({ ours, second }) => ours && second)).toBe(true);
  });

  test('to the key is accepted by us only where the second opinion does', () => {
    const publicKey = point.add(torsion).toBytes();
    expect(isValidPublic(textOf(publicKey))).toBe(true);
    const verdicts = verdictsOf(publicKey, noncePoint.toBytes());
    expect(verdicts.every(({ ours, second }) => second || !ours)).toBe(true);
    expect(verdicts.some(({ ours }) => !ours)).toBe(true);
  });

  test('to R is refused by us', () => {
    const verdicts = verdictsOf(point.toBytes(), noncePoint.add(torsion).toBytes());
    expect(verdicts.some(({ ours }) => ours)).toBe(false);
  });

  // With a key of mixed order, OpenSSL takes any R of small order in one try of eight; Node 24 and later refuse them.
  describe.each(wire.mustReject.smallOrderPublicKeys)('whose R is %s', (text) => {
    const r = bytesOf(text);
    const keys = {
      'of the group': point.toBytes(),
      'of mixed order': point.add(torsion).toBytes(),
    };

    test.each(['of the group', 'of mixed order'] as const)(
      'signs nothing by a key %s',
      async (name) => {
        const publicText = textOf(keys[name]);
        expect(isValidPublic(publicText)).toBe(true);
        for (let index = 0; index < 24; index += 1) {
          const digest = digestOf('', { index });
          const message = Buffer.from(digest, 'hex');
          const result = textOf(signedWith(0n, message, keys[name], r));
          const proof = { public: publicText, digest, result, custom: { index } };
          expect(verify('', proof)).toBe(false);
          await expect(assertProofs('', [proof])).rejects.toThrow('Invalid signature');
          expect(isSignedBytes(message, bytesOf(result), publicText)).toBe(false);
          expect(isSigned(message, result, publicText)).toBe(false);
        }
      },
    );
  });

  test.each(wire.mustReject.smallOrderPublicKeys)('whose R is %s signs no token', async (text) => {
    const seconds = Date.UTC(2026, 0, 1) / 1000;
    const header = { alg: 'EdDSA', kid: 'alice' };
    for (let trial = 0; trial < 8; trial += 1) {
      const claims = { iss: 'alice', aud: `ledger-${trial}`, iat: seconds, exp: seconds + 60 };
      const parts = [header, claims].map((one) => Buffer.from(JSON.stringify(one)));
      const written = parts.map((one) => one.toString('base64url')).join('.');
      for (const publicKey of [point, point.add(torsion)].map((one) => one.toBytes())) {
        const signature = signedWith(0n, Buffer.from(written), publicKey, bytesOf(text));
        const token = `Bearer ${written}.${Buffer.from(signature).toString('base64url')}`;
        const verdict = verifyBearer(parseBearer(token), textOf(publicKey), seconds);
        await expect(verdict).rejects.toMatchObject({ custom: { fault: 'signature' } });
      }
    }
  });

  test('by a key of mixed order and an R of small order is taken by a verifier by ZIP 215', () => {
    const publicKey = point.add(torsion).toBytes();
    const r = bytesOf(wire.mustReject.smallOrderPublicKeys[0] ?? '');
    const message = Buffer.from(digestOf('', {}), 'hex');
    const signature = signedWith(0n, message, publicKey, r);
    expect(ed25519.verify(signature, message, publicKey, { zip215: true })).toBe(true);
  });
});
