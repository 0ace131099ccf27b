import { expect, test } from 'vitest';
import { cut } from '../../shared/ledger/cut.ts';

test.each([
  ['', ''],
  ['a', 'a'],
  ['a'.repeat(256), 'a'.repeat(256)],
  ['a'.repeat(257), `${'a'.repeat(256)}…`],
  [`${'a'.repeat(255)}😀b`, `${'a'.repeat(255)}…`],
  [`${'a'.repeat(254)}😀b`, `${'a'.repeat(254)}😀…`],
])('a text has at most 256 characters, and ends between two', (text, short) =>
  expect(cut(text)).toBe(short),
);
