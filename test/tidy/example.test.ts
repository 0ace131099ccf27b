/** Goal: the signed transfer of the specification is one that verifies: whoever writes a client compares with it. RFC 8032 7.1, test 1. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { hashOf } from '../../shared/crypto/digest.ts';
import { privateKeyOf, publicOf } from '../../shared/crypto/key.ts';
import { sign } from '../../shared/crypto/proof.ts';

const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');

test('the values of the signed transfer are those of its key', () => {
  const claims = [
    { action: 'transfer', source: 'alice', target: 'bob', symbol: 'usd', amount: 2550 },
  ];
  const hash = hashOf({ handle: 'transfer-1', claims });
  const key = { public: publicOf(seed), privateKey: privateKeyOf(seed) };
  const custom = { moment: '2026-11-21T00:21:11.916Z', status: 'created' };
  const { digest, result } = sign(hash, custom, key);
  const text = readFileSync('shared/SPEC.md', 'utf8');
  for (const value of [hash, digest, key.public, result]) expect(text).toContain(value);
});
