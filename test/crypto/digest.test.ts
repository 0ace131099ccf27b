import { describe, expect, test } from 'vitest';
import { digestOf, hashOf } from '../../shared/crypto/digest.ts';
import wire from '../vectors/wire.json' with { type: 'json' };

describe.each(wire.records)('record: $name', ({ data, hash, proof }) => {
  test('its data has the published hash', () => expect(hashOf(data)).toBe(hash));

  test('its proof has the published digest', () => {
    expect(digestOf(hash, proof.custom)).toBe(proof.digest);
  });
});

describe.each(wire.published)('published: $hash', ({ data, hash, proofs }) => {
  test('its data has the published hash', () => expect(hashOf(data)).toBe(hash));

  test.each(proofs)('the proof of $public has the published digest', ({ custom, digest }) => {
    expect(digestOf(hash, custom)).toBe(digest);
  });
});

test('a list has the hash of its whole data', () => {
  expect(hashOf(wire.list.data)).toBe(wire.list.hash);
});

test('an absent custom is not an empty one', () => {
  const hash = hashOf({ handle: 'bob' });
  expect(digestOf(hash)).not.toBe(digestOf(hash, {}));
});

test('a hash in upper case has the same digest', () => {
  const hash = hashOf({ handle: 'bob' });
  expect(digestOf(hash.toUpperCase(), { a: 1 })).toBe(digestOf(hash, { a: 1 }));
});

test('a balance beyond a double is hashed by its digits', () => {
  expect(hashOf({ amount: 9007199254740993n })).not.toBe(hashOf({ amount: 9007199254740992n }));
});
