import { expect, test } from 'vitest';
import { hashOf } from '../../shared/crypto/digest.ts';
import { requestHashOf } from '../../shared/crypto/request-hash.ts';
import wire from '../vectors/wire.json' with { type: 'json' };

const namesOf = (hsh: string) => hsh.split(':')[1]?.split(',') ?? [];
const request = { method: 'PUT', url: 'https://a.example/v2/wallets/a', body: { a: 1 } };

test.each(wire.requestHash)('$request.method $request.url has its published hsh', (row) => {
  expect(requestHashOf(row.request, namesOf(row.hsh))).toBe(row.hsh);
});

test('the hash covers method, url, body and the protected headers, and nothing else', () => {
  const headers = { 'X-Ledger': 'a', 'content-type': 'application/json' };
  const hash = hashOf({ ...request, headers: { 'x-ledger': 'a' } });
  expect(requestHashOf({ ...request, headers }, ['X-Ledger'])).toBe(`${hash}:x-ledger`);
});

test('several names are listed in the order given', () => {
  const headers = { b: '2', a: '1' };
  const hash = hashOf({ ...request, headers });
  expect(requestHashOf({ ...request, headers }, ['b', 'a'])).toBe(`${hash}:b,a`);
});

test('without protected headers, headers are null', () => {
  const hash = hashOf({ ...request, headers: null });
  expect(requestHashOf({ ...request, headers: { 'x-ledger': 'a' } }, [])).toBe(hash);
});

test('an absent body is null', () => {
  const bare = { ...request, body: undefined, headers: null };
  expect(requestHashOf(bare, [])).toBe(hashOf({ ...request, body: null, headers: null }));
});

test('a header may be protected in its absence', () => {
  const absent = requestHashOf({ ...request, headers: null }, ['x-ledger']);
  const present = requestHashOf({ ...request, headers: { 'x-ledger': 'a' } }, ['x-ledger']);
  expect(absent).toBe(`${hashOf({ ...request, headers: {} })}:x-ledger`);
  expect(absent).not.toBe(present);
});
