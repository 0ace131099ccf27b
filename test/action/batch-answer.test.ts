/** Goal: the answer to a batch is never larger than what can be carried. Ruling 90. */
import { expect, test } from 'vitest';
import { carried } from '../../shared/action/batch-answer.ts';
import { canonicalOf } from '../../shared/crypto/canonical.ts';
import type { Proof } from '../../shared/shape/proof.ts';
import { bridged } from '../fixture/bridged.ts';

const { record } = bridged({ status: 'completed', words: [{ status: 'completed' }] });
const error = { status: 409, hash: '', data: { reason: 'x' }, meta: { proofs: [] } };
const items = [{ status: 201, ...record }, error];

test('lines that fit are whole', () => {
  expect(carried(items)).toEqual({ lines: items, text: canonicalOf(items) });
});

test('records that do not fit have the last proof of the ledger, and say so', () => {
  const { lines, text } = carried(items, 10_000);
  const [first, second] = lines;
  expect(text).toBe(canonicalOf(lines));
  const last = record.meta.proofs.at(-1);
  expect(first).toEqual({
    ...items[0],
    meta: { ...record.meta, proofs: [last], isShortened: true },
  });
  expect(second).toEqual(error);
});

test('records that do not fit have the last proof of each key that has signed them', () => {
  const newest = record.meta.proofs.at(-1) as Proof;
  const byFormer = (status: string): Proof => ({ ...newest, public: 'former', custom: { status } });
  const proofs = [byFormer('pending'), ...record.meta.proofs, byFormer('completed')];
  const { lines } = carried([{ status: 201, ...record, meta: { ...record.meta, proofs } }], 0);
  const shown = { proofs: [byFormer('completed'), newest], isShortened: true };
  expect(lines).toMatchObject([{ meta: shown }]);
});
