import { describe, expect, test } from 'vitest';
import { hashOf } from '../../shared/crypto/digest.ts';
import { checkRequestHash, requestHashOf } from '../../shared/crypto/request-hash.ts';
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

test('of headers whose names differ in their case alone, the first counts', () => {
  const headers = { 'x-ledger': 'a', 'X-Ledger': 'b' };
  const first = requestHashOf({ ...request, headers: { 'x-ledger': 'a' } }, ['x-ledger']);
  expect(requestHashOf({ ...request, headers }, ['x-ledger'])).toBe(first);
});

describe('a hash that was received', () => {
  const request = {
    method: 'POST',
    urls: ['https://a.example/v2/wallets', 'http://localhost:3000/v2/wallets'],
    body: { handle: 'a' },
    headers: { 'X-Ledger': 'my-ledger', accept: '*/*' },
  };
  const [url = '', otherUrl = ''] = request.urls;
  const hsh = requestHashOf({ ...request, url }, ['x-ledger']);

  test('matches its request', () => expect(checkRequestHash(hsh, request)).toBe(true));

  test('matches under any of the base addresses', () => {
    const other = requestHashOf({ ...request, url: otherUrl }, []);
    expect(checkRequestHash(other, request)).toBe(true);
  });

  test.each(wire.requestHash)('matches the published $request.url', (row) => {
    const { url: ownUrl, ...rest } = row.request;
    expect(checkRequestHash(row.hsh, { ...rest, urls: [ownUrl] })).toBe(true);
  });

  test.each([
    ['another method', { ...request, method: 'PUT' }],
    ['another address', { ...request, urls: ['https://b.example/v2/wallets'] }],
    ['another query', { ...request, urls: request.urls.map((text) => `${text}?a=1`) }],
    ['no address', { ...request, urls: [] }],
    ['another body', { ...request, body: { handle: 'b' } }],
    ['no body', { ...request, body: null }],
    ['another protected header', { ...request, headers: { 'x-ledger': 'other' } }],
    ['no protected header', { ...request, headers: null }],
  ])('does not match %s', (_, changed) => {
    expect(checkRequestHash(hsh, changed)).toBe(false);
  });

  test.each([
    ['empty', ''],
    ['the names alone', ':x-ledger'],
    ['without its names', hsh.split(':')[0] ?? ''],
    ['with other names', `${hsh},accept`],
    ['with a second colon', `${hsh}:x-ledger`],
    ['with a name in upper case', hsh.replace('x-ledger', 'X-Ledger')],
  ])('that is %s does not match', (_, text) => {
    expect(checkRequestHash(text, request)).toBe(false);
  });

  // The public client hashes an empty body as null, and sends it as it is.
  test.each([[{}], [[]], [null]])('of null matches the body %j', (body) => {
    const ofNull = requestHashOf({ ...request, url, body: null }, []);
    expect(checkRequestHash(ofNull, { ...request, body })).toBe(true);
  });

  test('of an empty object matches an empty object', () => {
    const ofEmpty = requestHashOf({ ...request, url, body: {} }, []);
    expect(checkRequestHash(ofEmpty, { ...request, body: {} })).toBe(true);
  });
});
