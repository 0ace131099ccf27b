import { describe, expect, test } from 'vitest';
import { createBody } from '../../shared/shape/body.ts';
import { SentProof } from '../../shared/shape/proof.ts';
import { bodyOf, brokenBy, hash, hexPattern, proof } from './broken.ts';

const wallet = createBody('wallet');
const withProofs = (proofs: unknown, more: object = {}) =>
  brokenBy(wallet, bodyOf({ handle: 'alice' }, { meta: { proofs, ...more } }));

describe('a proof', () => {
  test('has a method, a key, a digest and a result', () => {
    expect(brokenBy(SentProof, proof)).toEqual([]);
    expect(brokenBy(SentProof, {})).toEqual(
      ['method', 'public', 'digest', 'result'].map((name) => [
        '',
        'required',
        { missingProperty: name },
      ]),
    );
  });

  test('may have a custom part, which is an object', () => {
    expect(brokenBy(SentProof, { ...proof, custom: {} })).toEqual([]);
    expect(brokenBy(SentProof, { ...proof, custom: { moment: 'x', any: [1] } })).toEqual([]);
    for (const custom of [null, [], 'x', 5])
      expect(brokenBy(SentProof, { ...proof, custom })).toEqual([
        ['/custom', 'type', { type: 'object' }],
      ]);
  });

  // Ruling 12: a client sends back what it was once answered.
  test('may echo what the service added', () => {
    const echoed = { ...proof, signer: 'ann', origin: 'key-pair', other: 1 };
    expect(brokenBy(SentProof, echoed)).toEqual([]);
  });

  test('is of one method only', () => {
    expect(brokenBy(SentProof, { ...proof, method: 'rsa' })).toEqual([
      ['/method', 'const', { allowedValue: 'ed25519-v2' }],
    ]);
  });

  test('has a digest of 64 hexadecimal characters in either case', () => {
    const withDigest = (digest: string) => brokenBy(SentProof, { ...proof, digest });
    expect(withDigest(hash.toUpperCase())).toEqual([]);
    for (const digest of ['', hash.slice(1), `${hash}0`, hash.replace('0', 'g'), `${hash}\n`])
      expect(withDigest(digest)).toEqual([['/digest', 'pattern', hexPattern]]);
  });

  test('has texts that are neither empty nor endless', () => {
    expect(brokenBy(SentProof, { ...proof, public: '', result: '' })).toEqual([
      ['/public', 'minLength', { limit: 1 }],
      ['/result', 'minLength', { limit: 1 }],
    ]);
    const long = { public: 'x'.repeat(64), result: 'x'.repeat(128) };
    expect(brokenBy(SentProof, { ...proof, ...long })).toEqual([]);
    const longer = { public: 'x'.repeat(65), result: 'x'.repeat(129) };
    expect(brokenBy(SentProof, { ...proof, ...longer })).toEqual([
      ['/public', 'maxLength', { limit: 64 }],
      ['/result', 'maxLength', { limit: 128 }],
    ]);
  });
});

describe('the proofs of a body', () => {
  test('are at most 50; that there is one is not a matter of shape', () => {
    expect(withProofs([])).toEqual([]);
    expect(withProofs(Array(50).fill(proof))).toEqual([]);
    expect(withProofs(Array(51).fill(proof))).toEqual([
      ['/meta/proofs', 'maxItems', { limit: 50 }],
    ]);
  });

  test('are each told by their place', () => {
    expect(withProofs([proof, 5, { ...proof, public: 5 }])).toEqual([
      ['/meta/proofs/1', 'type', { type: 'object' }],
      ['/meta/proofs/2/public', 'type', { type: 'string' }],
    ]);
    expect(withProofs({})).toEqual([['/meta/proofs', 'type', { type: 'array' }]]);
  });

  // Ruling 12: members of `meta` that a client echoes are ignored.
  test('may stand beside an echo of the rest of meta', () => {
    const echo = { status: 5, moment: null, owners: 'x', labels: {}, domain: [], other: 1 };
    expect(withProofs([proof], echo)).toEqual([]);
  });
});
