import { expect, test } from 'vitest';
import { nearestOf } from '../../shared/ledger/nearest.ts';

const known = ['required', 'minLength', 'maxLength', 'items', 'if'];

test.each([
  ['requierd', 'required'],
  ['required', 'required'],
  ['Required', 'required'],
  ['require', 'required'],
  ['requiredd', 'required'],
  ['reqired', 'required'],
  ['fi', 'if'],
  ['i', 'if'],
  ['maxlenght', 'maxLength'],
  ['item', 'items'],
])('%s is the nearest to %s', (written, nearest) =>
  expect(nearestOf(written, known)).toBe(nearest),
);

test.each([
  ['what is like none', 'discriminator'],
  ['what shares too little', 'rules'],
  ['nothing', ''],
  ['what is too long to be a slip', `${'required'.repeat(9)}`],
])('%s is near to none', (_, written) => expect(nearestOf(written, known)).toBeUndefined());

test('of equals it is the first', () => {
  expect(nearestOf('mixLength', known)).toBe('minLength');
  expect(nearestOf('mixLength', [...known].reverse())).toBe('maxLength');
  expect(nearestOf('a', [])).toBeUndefined();
});
