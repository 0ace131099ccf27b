import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOpenAddress, isPublicAddress } from '../../shared/outgoing/address.ts';
import { parseEndpoint } from '../../shared/outgoing/endpoint.ts';
import corpus from '../vectors/outgoing.json' with { type: 'json' };

const outside = { inside: false };
const inside = { inside: true };

describe('an address', () => {
  test.each(corpus.addresses.public)('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
    expect(isOpenAddress(address, outside)).toBe(true);
  });

  test.each(corpus.addresses.loopback)('%s is open inside alone', (address) => {
    expect(isPublicAddress(address)).toBe(false);
    expect(isOpenAddress(address, outside)).toBe(false);
    expect(isOpenAddress(address, inside)).toBe(true);
  });

  test.each([...corpus.addresses.special, ...corpus.addresses.none])('%j is never open', (text) => {
    expect(isPublicAddress(text)).toBe(false);
    expect(isOpenAddress(text, inside)).toBe(false);
  });
});

// Goal: an oracle that shares nothing with the module. Networks are numbers here.
const numberOf4 = (text: string) =>
  text.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0);
const textOf4 = (value: number) =>
  [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');

const private4 = fc
  .constantFrom<[string, number]>(
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
  )
  .chain(([network, bits]) =>
    fc.integer({ min: 0, max: 2 ** (32 - bits) - 1 }).map((host) => numberOf4(network) + host),
  );

/** A part of an address, in a base, with zeros before it. */
const written = (value: number, [base, zeros]: readonly [number, number]) =>
  ({ 8: `0${'0'.repeat(zeros)}`, 10: '', 16: `0x${'0'.repeat(zeros)}` })[base] +
  value.toString(base);

const notation = fc.record({
  parts: fc.integer({ min: 1, max: 4 }),
  bases: fc.array(fc.tuple(fc.constantFrom(8, 10, 16), fc.integer({ min: 0, max: 3 })), {
    minLength: 4,
    maxLength: 4,
  }),
  ending: fc.constantFrom('', '.'),
});

test('a private IPv4 address is refused in every notation', () => {
  fc.assert(
    fc.property(private4, notation, (address, { parts, bases, ending }) => {
      const bytes = textOf4(address).split('.').map(Number);
      const last = address % 256 ** (5 - parts);
      const numbers = [...bytes.slice(0, parts - 1), last];
      const host = numbers.map((value, at) => written(value, bases[at] ?? [10, 0])).join('.');
      expect(isPublicAddress(textOf4(address))).toBe(false);
      expect(() => parseEndpoint(`https://${host}${ending}/`, outside)).toThrow(
        `The endpoint must not call ${textOf4(address)}, which is not a public address.`,
      );
    }),
    { numRuns: 2000 },
  );
});

const numberOf6 = (text: string) => {
  const [before = '', after = ''] = text.split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const [first, last] = [groups(before), groups(after)];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  return BigInt(`0x${[...first, ...zeros, ...last].map((g) => g.padStart(4, '0')).join('')}`);
};
const textOf6 = (value: bigint) =>
  (value.toString(16).padStart(32, '0').match(/.{4}/g) ?? [])
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
/** The last 32 bits as an IPv4 address. RFC 4291 2.2.3. */
const mixedOf6 = (value: bigint) =>
  `${textOf6(value).split(':').slice(0, 6).join(':')}:${textOf4(Number(value & 0xffffffffn))}`;

const special6 = fc
  .constantFrom(...corpus.prefixes6)
  .chain(([network, bits]) =>
    fc
      .bigInt({ min: 0n, max: 2n ** BigInt(128 - Number(bits)) - 1n })
      .map((host) => numberOf6(String(network)) + host),
  );

test('an IPv6 address with a special prefix is refused in every notation', () => {
  fc.assert(
    fc.property(
      special6,
      fc.constantFrom(textOf6, mixedOf6),
      fc.boolean(),
      (value, print, isUpper) => {
        const text = isUpper ? print(value).toUpperCase() : print(value);
        expect(isPublicAddress(text)).toBe(false);
        expect(() => parseEndpoint(`https://[${text}]/`, outside)).toThrow('not a public address');
      },
    ),
    { numRuns: 2000 },
  );
});

test('an IPv6 address is public exactly when IANA gave it out and no special prefix holds it', () => {
  const isWithin = (value: bigint, network: string, bits: number) =>
    value >> BigInt(128 - bits) === numberOf6(network) >> BigInt(128 - bits);
  const anyAddress = fc.oneof(
    fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }),
    fc.bigInt({ min: 2n ** 125n, max: 2n ** 126n - 1n }),
    special6,
  );
  fc.assert(
    fc.property(anyAddress, (value) => {
      const isSpecial = corpus.prefixes6.some(([network, bits]) =>
        isWithin(value, String(network), Number(bits)),
      );
      expect(isPublicAddress(textOf6(value))).toBe(isWithin(value, '2000::', 3) && !isSpecial);
    }),
    { numRuns: 2000 },
  );
});

test('every IPv4 address in an IPv6 form is refused', () => {
  fc.assert(
    fc.property(
      fc.ipV4(),
      fc.constantFrom('::ffff:', '::', '64:ff9b::', '::ffff:0:'),
      (v4, form) => {
        expect(isPublicAddress(`${form}${v4}`)).toBe(false);
        expect(isOpenAddress(`${form}${v4}`, outside)).toBe(false);
      },
    ),
  );
});
