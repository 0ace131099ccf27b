import { ed25519 } from '@noble/curves/ed25519.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { digestOf, hashOf } from '../../shared/crypto/digest.ts';
import { privateKeyOf, publicOf } from '../../shared/crypto/key.ts';
import {
  assertDigest,
  assertProofs,
  assertSigned,
  isSignedBytes,
  sign,
  signBytes,
  verify,
} from '../../shared/crypto/proof.ts';
import { LedgerError } from '../../shared/ledger/errors.ts';
import type { Proof } from '../../shared/shape/proof.ts';
import wire from '../vectors/wire.json' with { type: 'json' };

const seeds = new Map(
  Object.values(wire.keys).map((key) => [key.public, Buffer.from(key.secret, 'base64')]),
);
const keyFor = (publicText: string) => {
  const seed = seeds.get(publicText) ?? Buffer.alloc(32);
  return { public: publicOf(seed), privateKey: privateKeyOf(seed) };
};
const key = keyFor(wire.keys.A.public);
const hash = hashOf({ handle: 'alice' });
const proof = sign(hash, { status: 'created' }, key);

async function refusalOf(call: () => Promise<void>): Promise<LedgerError> {
  try {
    await call();
  } catch (error) {
    if (error instanceof LedgerError) return error;
  }
  throw new Error('not refused');
}

describe.each(wire.records)('record: $name', (record) => {
  const published = record.proof as Proof;

  test('its proof verifies', () => expect(verify(record.hash, published)).toBe(true));

  test('signing it gives the published proof', () => {
    expect(sign(record.hash, published.custom, keyFor(published.public))).toEqual(published);
  });
});

describe.each(wire.published)('published: $hash', (record) => {
  test.each(record.proofs)('the proof of $public verifies', (published) => {
    expect(verify(record.hash, published as Proof)).toBe(true);
  });
});

test('the proofs of a list element verify', async () => {
  for (const item of wire.list.data) await assertProofs(item.hash, item.meta.proofs as Proof[]);
});

// Goal: R = identity and S = 0 satisfies [S]B = R + [k]A whenever [k]A is the identity, which under
// a key of small order is so for one message in one, two, four or eight. No secret is involved.
describe.each(wire.mustReject.smallOrderPublicKeys)(
  'under the small-order key %s',
  (publicText) => {
    const result = Buffer.alloc(64);
    result.writeUInt8(1, 0);
    const forgeries = Array.from({ length: 64 }, (_, nonce): Proof => {
      const digest = digestOf(hash, { nonce });
      const text = result.toString('base64');
      return { method: 'ed25519-v2', public: publicText, digest, result: text, custom: { nonce } };
    });
    // OpenSSL accepts them as well, but for that in Node 24 and later.
    const isLenientlyAccepted = ({ digest }: Proof) =>
      ed25519.verify(result, Buffer.from(digest, 'hex'), Buffer.from(publicText, 'base64'), {
        zip215: true,
      });

    test('a verifier by ZIP 215 accepts a forged signature', () => {
      expect(forgeries.some(isLenientlyAccepted)).toBe(true);
    });

    test('we refuse every one', async () => {
      for (const forgery of forgeries) {
        expect(verify(hash, forgery)).toBe(false);
        const { custom } = await refusalOf(() => assertProofs(hash, [forgery]));
        expect(custom).toEqual({ index: 0, fault: 'public' });
      }
    });
  },
);

describe.each(wire.mustReject.nonCanonicalPublicKeys)('under the key %s', (publicText) => {
  test('nothing verifies, for it is not canonical', async () => {
    const { custom } = await refusalOf(() =>
      assertProofs(hash, [{ ...proof, public: publicText }]),
    );
    expect(custom).toEqual({ index: 0, fault: 'public' });
  });
});

describe('a proof', () => {
  test('without custom verifies', () => {
    const bare = sign(hash, undefined, key);
    expect(bare).not.toHaveProperty('custom');
    expect(verify(hash, bare)).toBe(true);
  });

  test('verifies with any signer and origin, which are not signed', () => {
    const named: Proof = { ...proof, signer: 'alice', origin: 'key-pair' };
    expect(verify(hash, named)).toBe(true);
  });

  test('verifies with its digest and its hash in upper case', () => {
    const loud = { ...proof, digest: proof.digest.toUpperCase() };
    expect(verify(hash.toUpperCase(), loud)).toBe(true);
  });

  const flipped = (text: string) => {
    const bytes = Buffer.from(text, 'base64');
    bytes.writeUInt8(bytes.readUInt8(40) ^ 1, 40);
    return bytes.toString('base64');
  };

  test.each([
    ['of another hash', hashOf({ handle: 'bob' }), proof, 'digest'],
    ['with another custom', hash, { ...proof, custom: { status: 'dropped' } }, 'digest'],
    ['that lost its custom', hash, { ...proof, custom: undefined }, 'digest'],
    ['whose digest is not hex', hash, { ...proof, digest: 'digest' }, 'digest'],
    ['whose key is no text of a key', hash, { ...proof, public: 'alice' }, 'public'],
    ['whose key has another text', hash, { ...proof, public: ` ${key.public}` }, 'public'],
    [
      'whose result has no padding',
      hash,
      { ...proof, result: proof.result.slice(0, -2) },
      'result',
    ],
    ['with an empty result', hash, { ...proof, result: '' }, 'result'],
    ['with another key', hash, { ...proof, public: wire.keys.B.public }, 'signature'],
    ['with a bit flipped', hash, { ...proof, result: flipped(proof.result) }, 'signature'],
  ] as const)('%s is refused', async (_, ownHash, bad, fault) => {
    expect(verify(ownHash, bad)).toBe(false);
    const refusal = await refusalOf(() => assertProofs(ownHash, [bad]));
    expect(refusal.reason).toBe('crypto.signature-invalid');
    expect(refusal.detail).toBe(`Invalid signature for key: ${bad.public}`);
    expect(refusal.custom).toEqual({ index: 0, fault });
  });
});

test('whether a key has signed is known before it is known what of', async () => {
  await assertSigned({ ...proof, custom: { of: 'something else' } });
  await assertSigned({ ...proof, digest: proof.digest.toUpperCase() });
  const forged = { ...proof, public: wire.keys.B.public };
  const refusal = await refusalOf(() => assertSigned(forged));
  expect(refusal.detail).toBe(`Invalid signature for key: ${forged.public}`);
  expect(refusal.custom).toEqual({ index: 0, fault: 'signature' });
});

test.each([
  ['of other data', hashOf({ handle: 'other' }), proof],
  ['of another custom', hash, { ...proof, custom: { of: 'something else' } }],
])('a signed digest %s is refused', async (_, ownHash, other) => {
  await assertSigned(other);
  assertDigest(hash, { ...proof, digest: proof.digest.toUpperCase() });
  const refusal = await refusalOf(async () => assertDigest(ownHash, other));
  expect(refusal.reason).toBe('crypto.signature-invalid');
  expect(refusal.custom).toEqual({ index: 0, fault: 'digest' });
});

describe('proofs', () => {
  test('that are all good are accepted', async () => {
    const other = sign(hash, undefined, keyFor(wire.keys.B.public));
    await assertProofs(hash, [proof, other]);
  });

  test('that are missing are refused', async () => {
    const refusal = await refusalOf(() => assertProofs(hash, []));
    expect(refusal.reason).toBe('crypto.signature-missing');
    expect(refusal.detail).toBe('Ledger mutations must be signed.');
  });

  test('of which one is bad are refused, and it is named', async () => {
    const bad = { ...proof, public: wire.keys.B.public };
    const refusal = await refusalOf(() => assertProofs(hash, [proof, bad, proof]));
    expect(refusal.detail).toBe(`Invalid signature for key: ${wire.keys.B.public}`);
    expect(refusal.custom).toEqual({ index: 1, fault: 'signature' });
  });
});

test('what is signed verifies, and any flipped bit of the signature breaks it', () => {
  const customs = fc.option(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }), {
    nil: undefined,
  });
  const bits = fc.nat({ max: 511 });
  fc.assert(
    fc.property(fc.jsonValue(), customs, bits, (data, custom, bit) => {
      const good = sign(hashOf(data), custom, key);
      expect(verify(hashOf(data), good)).toBe(true);
      const bytes = Buffer.from(good.result, 'base64');
      bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(verify(hashOf(data), { ...good, result: bytes.toString('base64') })).toBe(false);
    }),
  );
});

test('bytes are signed by the holder of a key, and no others', () => {
  const bytes = Buffer.from('a checkpoint');
  const result = Buffer.from(signBytes(bytes, key), 'base64');
  expect(isSignedBytes(bytes, result, key.public)).toBe(true);
  expect(isSignedBytes(Buffer.from('another'), result, key.public)).toBe(false);
  expect(isSignedBytes(bytes, result, wire.keys.B.public)).toBe(false);
});
