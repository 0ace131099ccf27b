import { expect, test } from 'vitest';
import { domainOf } from '../../shared/ledger/domain.ts';

const saying = (domain: unknown) => [{}, { custom: { domain } }];

test.each([
  ['a proof', { handle: 'x@late', domain: 'data' }, saying('proof'), 'proof'],
  ['the data', { handle: 'x@late', domain: 'data' }, [], 'data'],
  ['the handle', { handle: 'x@late' }, [{ custom: {} }], 'late'],
  ['a handle with its schema', { handle: 'tel:x@late.example' }, [], 'late.example'],
  ['nobody', { handle: 'x' }, [], undefined],
  ['a handle of two domains', { handle: 'x@one@two' }, [], undefined],
  ['a record without a handle', { circle: 'staff', signer: 'ann' }, [], undefined],
  ['a proof that says no text', { handle: 'x' }, saying(5), undefined],
])('%s names the domain', (_who, data, proofs, domain) => {
  expect(domainOf(data, proofs)).toBe(domain);
});
