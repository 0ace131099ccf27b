/** Goal: whatever is thrown, a line can be said of it. */
import { expect, test } from 'vitest';
import { messageOf, stackOf } from '../../shared/ledger/thrown.ts';

test('an error is said by its message, and with all else by its stack', () => {
  const error = new RangeError('too large');
  expect(messageOf(error)).toBe('too large');
  expect(stackOf(error)).toMatch(/^RangeError: too large\n +at /);
});

test('an error without a stack is said by its message', () => {
  const error = Object.assign(new Error('too large'), { stack: undefined });
  expect(stackOf(error)).toBe('too large');
});

test.each([
  ['a text', 'a text'],
  [undefined, 'undefined'],
  [null, 'null'],
  [7, '7'],
])('anything else is said as a text: %s', (thrown, text) => {
  expect(messageOf(thrown)).toBe(text);
  expect(stackOf(thrown)).toBe(text);
});
