/** Goal: the origins that an operator names are such as browsers send, or nothing starts. Ruling 80. */
import { expect, test } from 'vitest';
import { originsOf } from '../../shared/http/origins.ts';

test('origins are separated by commas', () => {
  const text = 'https://app.bank.example,http://localhost:5173';
  expect(originsOf(text)).toEqual(['https://app.bank.example', 'http://localhost:5173']);
});

test.each([
  '',
  '*',
  'null',
  'app.bank.example',
  'https://app.bank.example/',
  'https://app.bank.example/page',
  'https://App.bank.example',
  'https://app.bank.example:443',
  'https://app.bank.example,',
  'https://app.bank.example, https://b.example',
  'ftp://a.example',
  'https://',
])('%j is refused', (text) => {
  expect(() => originsOf(text)).toThrow(`ALLOWED_ORIGINS must be origins`);
});
