import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  assertOneDomain,
  domainOf,
  domainOfHandle,
  otherDomain,
  reaches,
} from '../../shared/ledger/domain.ts';

const saying = (...domains: unknown[]) => [
  {},
  ...domains.map((domain) => ({ custom: { domain } })),
];

test.each([
  ['the handle', { handle: 'x@late', domain: 'data' }, saying('proof'), 'late'],
  ['a proof', { handle: 'x', domain: 'data' }, saying('proof'), 'proof'],
  ['the data', { handle: 'x', domain: 'data' }, [], 'data'],
  ['a handle, where nobody says more', { handle: 'x@late' }, [{ custom: {} }], 'late'],
  ['a handle with its schema', { handle: 'tel:x@late.example' }, [], 'late.example'],
  ['nobody', { handle: 'x' }, [], undefined],
  ['a handle of two domains', { handle: 'x@one@two' }, [], undefined],
  ['a record without a handle', { circle: 'staff', signer: 'ann' }, [], undefined],
  ['a proof that says no text', { handle: 'x' }, saying(5), undefined],
])('%s names the domain', (_who, data, proofs, domain) => {
  expect(domainOf(data, proofs)).toBe(domain);
});

describe('a body', () => {
  test.each([
    ['of a handle and a proof', 'wallet', { handle: 'x@b' }, saying('a')],
    ['of a handle and the data', 'wallet', { handle: 'x@b', domain: 'a' }, []],
    ['of two authors', 'wallet', { handle: 'x' }, saying('a', 'b')],
    ['of the data of a domain', 'domain', { handle: 'x', domain: 'a' }, saying('b')],
  ] as const)('says one domain: not another one %s', (_what, kind, data, proofs) => {
    expect(() => assertOneDomain(kind, data, proofs)).toThrow(
      expect.objectContaining({ reason: 'record.invalid' }),
    );
  });

  test.each([5, {}, { handle: 'a' }, ['a']])('says its domain as a text: not as %j', (said) => {
    for (const kind of ['wallet', 'intent', 'domain'] as const)
      expect(() => assertOneDomain(kind, { handle: 'x' }, saying(undefined, said))).toThrow(
        expect.objectContaining({ reason: 'record.invalid', custom: { index: 2 } }),
      );
  });

  test('may say null for none', () => {
    expect(() => assertOneDomain('wallet', { handle: 'x' }, saying(null))).not.toThrow();
  });

  test.each([
    ['what it says again', 'wallet', { handle: 'x@a', domain: 'a' }, saying('a', 'a')],
    ['what its author says', 'wallet', { handle: 'x', domain: 'a' }, saying('b')],
    ['nothing', 'domain', { handle: 'x' }, []],
    ['where a domain lies', 'domain', { handle: 'x', domain: 'a' }, saying('a')],
  ] as const)('may say %s', (_what, kind, data, proofs) => {
    expect(() => assertOneDomain(kind, data, proofs)).not.toThrow();
  });
});

test.each([
  ['b', 'Wallet x@b is in the domain b, not in a.', { domain: 'b', said: 'a' }],
  [undefined, 'Wallet x@b is in no domain, not in a.', { said: 'a' }],
])('the refusal of another domain than %s says both', (domain, detail, custom) => {
  expect(otherDomain('wallet', { handle: 'x@b' }, domain, 'a')).toMatchObject({ detail, custom });
});

test('the refusal names what has no handle by its kind', () => {
  expect(otherDomain('circle-signer', {}, 'a', 'b').detail).toBe(
    'Circle signer is in the domain a, not in b.',
  );
});

describe('what is made in a domain', () => {
  const names = fc.constantFrom('a', 'b', 'c');
  const lines = fc.uniqueArray(names);

  test('reaches it and what is in it, and what is made in none reaches all', () => {
    fc.assert(
      fc.property(fc.option(names, { nil: undefined }), lines, (made, lies) => {
        expect(reaches(made, lies)).toBe(made === undefined || lies.includes(made));
      }),
    );
  });

  test('reaches what lies in no domain only when it was made in none', () => {
    expect([reaches('a', []), reaches(undefined, [])]).toEqual([false, true]);
  });
});

test('no handle but a text says a domain', () => {
  expect([undefined, 5, null].map(domainOfHandle)).toEqual([undefined, undefined, undefined]);
});
