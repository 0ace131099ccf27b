/** Goal: data that is printed once, for its hash, has the text in the answer that it would have had by itself. RFC 8785. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalOf } from '../../shared/crypto/canonical.ts';
import { hashOf } from '../../shared/crypto/digest.ts';
import { privateKeyOf, publicOf } from '../../shared/crypto/key.ts';
import { verify } from '../../shared/crypto/proof.ts';
import { printed, printedList, signed, withOwnProofs } from '../../shared/record/sign.ts';

const keyOf = (byte: number) => {
  const seed = Buffer.alloc(32, byte);
  return { public: publicOf(seed), privateKey: privateKeyOf(seed) };
};
const identity = { handle: 'main', key: keyOf(1), former: keyOf(2) };
const nowMs = Date.parse('2026-11-27T00:00:00.000Z');
const members = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 });
const rowLists = fc.array(members, { maxLength: 4 });

test('a signed answer has the text of its value, whatever stands beside its data', () => {
  fc.assert(
    fc.property(fc.oneof(members, rowLists), members, (data, beside) => {
      const { hash, meta } = signed(identity, data, nowMs);
      expect(hash).toBe(hashOf(data));
      expect(meta.proofs.every((proof) => verify(hash, proof))).toBe(true);
      const body = withOwnProofs(identity, { ...beside, hash, data, meta }, nowMs);
      expect(printed(body)).toBe(canonicalOf(body));
    }),
  );
});

test('the text of a list is that of its rows', () => {
  fc.assert(
    fc.property(rowLists, (rows) => {
      const text = printedList(rows.map((row) => printed(row)));
      expect(text).toBe(canonicalOf(rows));
      const body = signed(identity, rows, nowMs, text);
      expect(body).toEqual(signed(identity, [...rows], nowMs));
      expect(printed(body)).toBe(canonicalOf(body));
    }),
  );
});

test('a body that was not signed has its text, whatever its data is', () => {
  const bodies = fc.tuple(members, fc.jsonValue()).map(([beside, data]) => ({ ...beside, data }));
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), bodies), (body) => {
      expect(printed(body)).toBe(canonicalOf(body));
    }),
  );
  for (const data of ['', 0, false, null])
    expect(printed({ data, total: 1 })).toBe(canonicalOf({ data, total: 1 }));
});

test('a member without a value is left out, and amounts stay exact', () => {
  const data = { amount: 10n ** 30n, none: undefined };
  const body = { ...signed(identity, data, nowMs), page: undefined, limit: 15n };
  expect(printed(body)).toBe(canonicalOf(body));
  expect(printed(body)).toContain('"amount":1000000000000000000000000000000}');
});
