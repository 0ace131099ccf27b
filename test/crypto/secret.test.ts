import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  contextOfSecret,
  createClientId,
  createSecret,
  isSecretOf,
  saltedHashOf,
} from '../../shared/crypto/secret.ts';

const many = Array.from({ length: 200 }, () => 0);

test('a secret is 256 bits and a name 128 bits of chance, as text that needs no escape', () => {
  for (const make of [createSecret, createClientId]) {
    const texts = many.map(make);
    expect(new Set(texts).size).toBe(texts.length);
  }
  expect(createSecret()).toMatch(/^[-\w]{43}$/);
  expect(createClientId()).toMatch(/^[-\w]{22}$/);
});

test('a secret is recognized by its salted hash, and nothing else is', () => {
  const secret = createSecret();
  const kept = saltedHashOf(secret);
  expect(isSecretOf(secret, kept)).toBe(true);
  for (const other of ['', secret.slice(1), `${secret} `, createSecret()])
    expect(isSecretOf(other, kept)).toBe(false);
});

test('what is kept says nothing about equal secrets, and is sha256 of salt and secret', () => {
  const [one, other] = [saltedHashOf('same'), saltedHashOf('same')];
  expect(one.salt).toHaveLength(16);
  expect(one.salt).not.toEqual(other.salt);
  expect(one.hash).not.toEqual(other.hash);
  const expected = createHash('sha256').update(Buffer.concat([one.salt, Buffer.from('same')]));
  expect(Buffer.from(one.hash)).toEqual(expected.digest());
});

test('a hash of another length is no hash of a secret', () => {
  const { salt, hash } = saltedHashOf('same');
  expect(isSecretOf('same', { salt, hash: hash.subarray(1) })).toBe(false);
});

test('a secret is bound to its ledger, its record and its name', () => {
  expect(contextOfSecret('main', '$brg.1', 'token')).toBe('main $brg.1 token');
});
