import fc from 'fast-check';
import { expect, test } from 'vitest';
import { handleOf, isHandleText, isLuidText, kindOfLuid } from '../../shared/ledger/address.ts';
import { type Kind, kinds } from '../../shared/ledger/kind.ts';
import { AddressHandle, NameHandle } from '../../shared/shape/record.ts';

test('a party is the same by its handle alone or with notes', () => {
  expect(handleOf('alice')).toBe('alice');
  expect(handleOf({ handle: 'alice' })).toBe('alice');
  expect(handleOf({ handle: 'alice', custom: { note: 'rent' } })).toBe('alice');
});

test.each(['$wlt.', '$wlt.0FZ-_abc', '$int.x'])('%s is a luid', (text) => {
  expect(isLuidText(text)).toBe(true);
});

test.each(['', 'wlt.x', '$wl.x', '$WLT.x', '$wlts.x', '$wltx', 'a$wlt.x', '$12a.x'])(
  '%s is no luid',
  (text) => expect(isLuidText(text)).toBe(false),
);

test('a luid of ours tells the kind of its record', () => {
  const names = Object.keys(kinds) as Kind[];
  expect(names.map((kind) => kindOfLuid(`$${kinds[kind].prefix}.x`))).toEqual(names);
  for (const other of ['$bal.x', 'wlt.x', '$wlt', '']) expect(kindOfLuid(other)).toBeUndefined();
});

const texts = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'$abz.0-_:@=/+ ') }),
  fc.stringMatching(/^\$[a-z]{2,4}[.:][a-z]{0,3}$/),
);
const isHandle = (text: string) =>
  NameHandle.safeParse(text).success || AddressHandle.safeParse(text).success;

test('what may be a handle is never a luid', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(isHandle(text) && isLuidText(text)).toBe(false);
    }),
  );
});

test('every handle is the text of a handle', () => {
  fc.assert(
    fc.property(texts, (text) => {
      if (isHandle(text)) expect(isHandleText(text)).toBe(true);
    }),
  );
});

test('the text of a handle has 1 to 256 characters of the alphabet', () => {
  expect(isHandleText('x')).toBe(true);
  expect(isHandleText('x'.repeat(256))).toBe(true);
  for (const text of ['', 'x'.repeat(257), 'a b', 'a\n', 'a#b', 'é', 'a\u0000'])
    expect(isHandleText(text)).toBe(false);
});
