import { expect, test } from 'vitest';
import { secretNamesIn, withSecrets } from '../../shared/ledger/placeholder.ts';

test('a text names its secrets, in order, also one twice', () => {
  expect(secretNamesIn('Bearer {{ secret.a }}.{{ secret.b-2_C }}.{{ secret.a }}')).toEqual([
    'a',
    'b-2_C',
    'a',
  ]);
});

test.each([
  '',
  'Bearer plain',
  '{{secret.a}}',
  '{{ secret. }}',
  '{{ secret.a b }}',
  `{{ secret.${'a'.repeat(65)} }}`,
  '{{ other.a }}',
])('%j names no secret', (text) => {
  expect(secretNamesIn(text)).toEqual([]);
});

test('a text is filled with its secrets as they are', () => {
  const secrets = { a: '$& {{ secret.b }}', b: 'x' };
  expect(withSecrets('{{ secret.a }}/{{ secret.b }}', secrets)).toBe('$& {{ secret.b }}/x');
  expect(withSecrets('nothing', {})).toBe('nothing');
});

test('a secret that is not there is our bug, also when its name is that of a method', () => {
  expect(() => withSecrets('{{ secret.a }}', {})).toThrow('is kept');
  expect(() => withSecrets('{{ secret.toString }}', {})).toThrow('is kept');
});
