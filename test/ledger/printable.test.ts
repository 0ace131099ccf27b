/** Goal: whoever wrote a text, people see all of it, and nothing in it acts on what shows it. Decision 120. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printable } from '../../shared/ledger/printable.ts';

/** Code points of texts that look like others, hide a part, or steer a terminal. */
const unseen = [
  ...[0x00, 0x07, 0x09, 0x0a, 0x0d, 0x1b, 0x7f, 0x85, 0x9b, 0x9d, 0xad, 0x034f, 0x061c, 0x115f],
  ...[0x1160, 0x17b4, 0x180b, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x2028, 0x2029, 0x202e],
  ...[0x2060, 0x2064, 0x2066, 0x206a, 0x2800, 0x3164, 0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xfff9],
  ...[0xfffc, 0x110bd, 0x1d173, 0xe0041, 0xe007f, 0xe0100],
];

test.each(unseen.map((point) => [`U+${point.toString(16)}`, String.fromCodePoint(point)]))(
  'what is not seen is shown as it is escaped: %s',
  (_, mark) => {
    const shown = printable(`a${mark}b`);
    expect(shown).toMatch(/^a(\\u[\da-f]{4}){1,2}b$/);
    expect(JSON.parse(`"${shown}"`)).toBe(`a${mark}b`);
  },
);

test.each(['', 'Zürich 1 000 €', 'محمد', '日本語', 'e\u0301', '✓ │ ─ ·', '🎉', '\\u001b'])(
  'what is seen stays: %s',
  (text) => {
    expect(printable(text)).toBe(text);
  },
);

test('an emoji of several parts is seen in its parts', () => {
  expect(printable('👩\u200d💻 ❤\ufe0f')).toBe('👩\\u200d💻 ❤\\ufe0f');
});

test('JSON means the same when it is printable', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(JSON.parse(printable(JSON.stringify(text)))).toBe(text);
    }),
  );
});
