import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  candidatesOf,
  canResolveTo,
  handleOf,
  isHandleText,
  isLuidText,
  kindOfLuid,
} from '../../shared/ledger/address.ts';
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

test.each([
  ['s:x@d', ['s:x@d', 's@d', 'd', 's']],
  ['x@d', ['x@d', 'd']],
  ['s:x', ['s:x', 's']],
  ['x', ['x']],
  ['d@d', ['d@d', 'd']],
  ['s:s@s', ['s:s@s', 's@s', 's']],
  ['no:address:this', ['no:address:this']],
])('%s may mean the wallets %j', (address, candidates) => {
  expect(candidatesOf(address)).toEqual(candidates);
});

const part = fc.stringMatching(/^[a-zA-Z0-9_\-+.]{1,4}$/).filter((text) => !/^\.\.?$/.test(text));
const addresses = fc
  .tuple(fc.option(part), part, fc.option(part))
  .map(([schema, own, domain]) =>
    [schema === null ? '' : `${schema}:`, own, domain === null ? '' : `@${domain}`].join(''),
  );

test('an address means itself first, then wallets with fewer parts, each once and each an address', () => {
  fc.assert(
    fc.property(addresses, (address) => {
      const candidates = candidatesOf(address);
      expect(candidates[0]).toBe(address);
      expect(new Set(candidates).size).toBe(candidates.length);
      const lengths = candidates.map((one) => one.split(/[:@]/).length);
      expect(lengths).toEqual([...lengths].sort((one, other) => other - one));
      for (const one of candidates) expect(AddressHandle.safeParse(one).success).toBe(true);
    }),
  );
});

test.each([
  // Without domains a wallet is what it is called.
  ['s:x@b', 's:x@b', undefined, 'credit', true],
  ['s:x@b', 's', undefined, 'credit', true],
  // Its handle says where it lies, and it does.
  ['s:x@b', 's:x@b', { domain: 'b' }, 'credit', true],
  ['s:x@b', 's@b', { domain: 'b' }, 'credit', true],
  ['s:x@b', 's:x@b', { domain: 'a' }, 'credit', false],
  ['s:x@b', 's@b', { domain: 'a' }, 'credit', false],
  ['s:x@b', 's:x@b', {}, 'credit', false],
  // Who owns it may empty it all the same.
  ['s:x@b', 's:x@b', { domain: 'a' }, 'debit', true],
  ['s:x@b', 's@b', { domain: 'a' }, 'debit', false],
  // A handle that says none is its own name, and more only in its domain or as that of all.
  ['x', 'x', { domain: 'a' }, 'credit', true],
  ['s:x', 's', { domain: 'a' }, 'credit', false],
  ['s:x', 's', {}, 'credit', true],
  ['s:x@b', 's', { domain: 'a' }, 'credit', false],
  ['s:x@b', 's', { domain: 'b' }, 'credit', true],
  ['s:x@b', 'b', {}, 'credit', true],
  ['s:x@b', 'b', { domain: 'a' }, 'credit', false],
] as const)('%s means the wallet %s in %j, to %s: %s', (address, handle, lies, side, meant) => {
  expect(canResolveTo(address, { handle, ...(lies && { lies }) }, side)).toBe(meant);
});
