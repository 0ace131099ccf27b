/** Goal: the client, which runs in browsers too, hashes, signs and verifies exactly as the service does. Rulings 1 to 7. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseExactly } from '../../shared/client/answer.ts';
import { destroy, issue, money, transfer } from '../../shared/client/claims.ts';
import { digestOf, hashOf, isProofOf, isSigned, prove } from '../../shared/client/digest.ts';
import { keyFrom, newKey } from '../../shared/client/key.ts';
import { tokenFor } from '../../shared/client/token.ts';
import * as service from '../../shared/crypto/digest.ts';
import { publicOf } from '../../shared/crypto/key.ts';
import { verify } from '../../shared/crypto/proof.ts';
import { parseBearer, verifyBearer } from '../../shared/crypto/token.ts';
import type { Proof } from '../../shared/shape/proof.ts';
import wire from '../vectors/wire.json' with { type: 'json' };

const key = keyFrom(wire.keys.A.secret);

describe.each(wire.records)('record: $name', ({ hash, proof }) => {
  const published = proof as Proof;
  const owner = Object.values(wire.keys).find((one) => one.public === published.public);

  test('its proof verifies, and signing it gives the published proof', async () => {
    expect(isProofOf(hash, published)).toBe(true);
    const signer = keyFrom(owner?.secret ?? '');
    expect(await prove(hash, published.custom, signer)).toEqual(published);
  });

  test.each(['public', 'digest', 'result'] as const)('with another %s it does not', (member) => {
    const other = {
      public: newKey().public,
      digest: 'a'.repeat(64),
      result: `${'A'.repeat(86)}==`,
    };
    expect(isProofOf(hash, { ...published, [member]: other[member] })).toBe(false);
    expect(isProofOf(hash, { ...published, custom: { ...published.custom, more: 1 } })).toBe(false);
  });
});

test('hashes and digests are those of the service', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.option(fc.dictionary(fc.string(), fc.jsonValue())),
      (data, said) => {
        const hash = hashOf(data);
        expect(hash).toBe(service.hashOf(data));
        const custom = said ?? undefined;
        expect(digestOf(hash, custom)).toBe(service.digestOf(hash, custom));
      },
    ),
  );
});

test('what it signs, the service verifies', async () => {
  const own = newKey();
  const hash = hashOf({ handle: 'alice' });
  expect(verify(hash, await prove(hash, { moment: 'now' }, own))).toBe(true);
  expect(verify(hash, await prove(hash, undefined, own))).toBe(true);
});

test.each(wire.mustReject.smallOrderPublicKeys)(
  'the key %s of small order signs nothing',
  (weak) => {
    const result = Buffer.alloc(64);
    result[0] = 1;
    for (let trial = 0; trial < 32; trial += 1)
      expect(isSigned(Buffer.from([trial]), result.toString('base64'), weak)).toBe(false);
  },
);

test.each([
  '',
  ' ',
  'A',
  `${wire.keys.A.public} `,
  wire.keys.A.public.slice(0, -1),
  `${'A'.repeat(42)}B=`,
])('no lenient base64: %j is no key and no signature', (text) => {
  const signed = Buffer.from('x');
  expect(isSigned(signed, text, wire.keys.A.public)).toBe(false);
  expect(isSigned(signed, `${'A'.repeat(86)}==`, text)).toBe(false);
});

describe('a key', () => {
  test('is that of its secret, which printing does not show', () => {
    const own = newKey();
    const secret = own.exportSecret();
    expect(keyFrom(`${secret}\n`).public).toBe(own.public);
    expect(own.public).toBe(publicOf(Buffer.from(secret, 'base64')));
    expect(JSON.stringify(own)).toBe(JSON.stringify({ public: own.public }));
  });

  test.each(['', 'secret', wire.keys.A.secret.slice(1), `${wire.keys.A.secret}=`])(
    'is not made of %j, which the error does not repeat',
    (text) => {
      expect(() => keyFrom(text)).toThrow(new TypeError('A secret is the base64 of 32 bytes.'));
    },
  );
});

test('its token is one that the service believes', async () => {
  const server = 'http://127.0.0.1:3000/v2';
  const nowMs = Date.parse('2026-06-01T00:00:00.500Z');
  const bearer = parseBearer(`Bearer ${await tokenFor(server, key, nowMs)}`);
  expect(bearer.kid).toBe(key.public);
  const claims = await verifyBearer(bearer, key.public, nowMs / 1000);
  expect(claims).toMatchObject({ iss: key.public, aud: server });
  expect(claims.exp - claims.iat).toBe(60);
});

describe('amounts', () => {
  const usd = money('usd', 100);

  test.each([
    ['25.50', 2550],
    ['0.01', 1],
    ['1', 100],
    ['1.10', 110],
    ['90071992547409.91', Number.MAX_SAFE_INTEGER],
  ])('%s dollars are %d cents', (text, amount) => {
    expect(usd(text)).toEqual({ symbol: 'usd', amount });
  });

  test.each([
    '',
    '0',
    '-1',
    '+1',
    '1.',
    '.5',
    '1e3',
    '1,50',
    '1.005',
    ' 1',
    '90071992547409.92',
    'NaN',
  ])('%j is refused by name', (text) => {
    expect(() => usd(text)).toThrow(RangeError);
    expect(() => usd(text)).toThrow(`'${text}'`);
  });

  test('need a whole factor', () => {
    for (const factor of [0, -1, 0.5, Number.NaN])
      expect(() => money('usd', factor)).toThrow(RangeError);
  });

  test('make the claims of the contract', () => {
    const paid = { symbol: 'usd', amount: 100 };
    expect(transfer('alice', 'bob', usd('1'))).toEqual({
      action: 'transfer',
      source: 'alice',
      target: 'bob',
      ...paid,
    });
    expect(issue('alice', usd('1'))).toEqual({ action: 'issue', target: 'alice', ...paid });
    expect(destroy('alice', usd('1'))).toEqual({ action: 'destroy', source: 'alice', ...paid });
  });
});

test('numbers that JavaScript cannot hold are bigints, and all others numbers', () => {
  const text = '[12345678901234567890, -12345678901234567890, 9007199254740991, 1.5, -0, 1e3]';
  expect(parseExactly(text)).toEqual([
    12345678901234567890n,
    -12345678901234567890n,
    9007199254740991,
    1.5,
    -0,
    1000,
  ]);
  expect(hashOf(parseExactly('{"amount":12345678901234567890}'))).toBe(
    service.hashOf({ amount: 12345678901234567890n }),
  );
});

test('a number that no double holds is refused', () => {
  for (const text of ['[1e400]', '{"a":-1.5e309}'])
    expect(() => parseExactly(text)).toThrow(/^the number -?1(\.5)?e\d+ is too large\.$/);
});
