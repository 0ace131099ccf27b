/** The content of a delivery comes back word by word, whatever is in it, and that of a payment takes few bytes. Decision 147. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalOf } from '../../shared/crypto/canonical.ts';
import { hashOf } from '../../shared/crypto/digest.ts';
import { requestOf } from '../../shared/ledger/call-request.ts';
import type { Proof } from '../../shared/shape/proof.ts';
import { deflated } from '../../shared/store/deflated.ts';
import { packContent, unpackContent } from '../../shared/store/pack-content.ts';
import { isOfName, packText, textIn } from '../../shared/store/pack-delivery.ts';
import { nameOfText } from '../../shared/store/parted.ts';
import { anyJson } from '../fixture/arbitrary.ts';
import { bridged, entryOf } from '../fixture/bridged.ts';
import { proofBy, publicNamed } from '../fixture/version.ts';

const moment = '2026-11-26T18:11:08.531Z';

/** A payment between two banks, with so many reports of each. */
const payment = (reported: readonly string[]) =>
  bridged({
    handle: 'payment-0000020',
    entries: [
      { schema: 'debit', bridge: 'blue', reported },
      { schema: 'credit', bridge: 'green', reported },
    ],
  }).record;

/** Some data as it is brought: hashed and signed by the ledger. */
const signed = (data: object): string => {
  const hash = hashOf(data);
  return canonicalOf({ data, hash, meta: { proofs: [proofBy('system', hash, { moment })] } });
};

const callAbout = (intent: ReturnType<typeof payment>): string => {
  const entry = entryOf({ record: intent } as never, 1);
  const { data } = requestOf({ bridge: 'green', action: 'commit', entry }, intent);
  return signed(data);
};

const packedOf = (text: string): Uint8Array => {
  const content = packContent(text);
  if (!content) throw new Error(`It was not packed: ${text}`);
  return content;
};

test.each([
  ['a call', callAbout(payment(['prepared'])), 950],
  ['a record', canonicalOf(payment(['prepared', 'committed'])), 1_000],
  ['an event', signed({ handle: 'evt_-P7', signal: 'intent-created', intent: payment([]) }), 800],
])('%s takes about half of what it takes deflated', (_, text, bytesMax) => {
  const content = packedOf(text);
  expect(unpackContent(content)).toBe(text);
  const [bytes, before] = [content.length, deflated(text).length];
  expect([bytes, bytes < bytesMax]).toEqual([bytes, true]);
  expect([bytes, before, bytes < 0.65 * before]).toEqual([bytes, before, true]);
});

describe('whatever is in it,', () => {
  const object = anyJson.filter((one) => typeof one === 'object' && !Array.isArray(one));
  const said = fc.option(
    object.filter((one) => one !== null),
    { nil: undefined },
  );
  const name = fc.constantFrom('system', 'ann', 'bob');
  /** What is not as it was made: each takes a proof, and any value. */
  const oddities: readonly ((right: Proof, any: unknown) => unknown)[] = [
    ...Array.from({ length: 6 }, () => (right: Proof) => right),
    (right) => ({ ...right, digest: right.digest.toUpperCase() }),
    (right) => ({ ...right, result: right.result.slice(4) }),
    (right, more) => ({ ...right, more }),
    (right, custom) => ({ ...right, custom }),
    (right, signer) => ({ ...right, signer }),
    (_, any) => any,
  ];
  const proof = (hash: string) =>
    fc
      .tuple(name, said, fc.constantFrom(...oddities), anyJson)
      .map(([signer, custom, odd, any]) => odd(proofBy(signer, hash, custom as never), any));
  const owners = fc.oneof(fc.array(name.map(publicNamed), { maxLength: 3 }), anyJson);
  const luid = fc.constantFrom('$int.-P7O2Sln1k2L0kHO_', '', 5);
  const record = (inner: fc.Arbitrary<unknown>) =>
    fc.tuple(object, inner, fc.boolean()).chain(([data, within, isHashed]) => {
      const all = { ...(data as object), intent: within };
      const hash = isHashed ? hashOf(all) : hashOf('another');
      const meta = fc.record(
        {
          proofs: fc.array(proof(hash), { maxLength: 4 }),
          owners,
          moment: fc.constantFrom(moment, '', 7),
          signed: anyJson,
        },
        { requiredKeys: ['proofs'] },
      );
      const parts = { data: fc.constant(all), hash: fc.constant(hash), luid, meta };
      return fc.record(parts, { requiredKeys: ['data', 'meta'] });
    });
  const { content } = fc.letrec<{ content: unknown }>((tie) => ({
    content: fc.oneof({ maxDepth: 3 }, anyJson, record(tie('content'))),
  }));

  test('a content comes back', () => {
    let packedCount = 0;
    fc.assert(
      fc.property(content, (one) => {
        const text = canonicalOf(one);
        const item = { ...packText(text, true) };
        if (item.content) packedCount += 1;
        expect(textIn(item)).toBe(text);
        expect(isOfName(item, nameOfText(text))).toBe(true);
        expect(isOfName(item, nameOfText(`${text} `))).toBe(false);
      }),
    );
    expect(packedCount).toBeGreaterThan(20);
  });
});

test('what looks as if it were packed comes back as it was', () => {
  for (const meta of [{ signed: [] }, { signed: [[], [[0]]] }, { owners: 1, signed: [[], []] }]) {
    const text = signed({ note: { data: {}, meta } });
    expect(packContent(text)).toBeUndefined();
    expect(textIn({ ...packText(text, true) })).toBe(text);
  }
});

test('keys and signatures that are more than can be counted are left as they are', () => {
  const hash = hashOf({});
  const proofs = Array.from({ length: 300 }, (_, index) => proofBy(`signer-${index}`, hash, {}));
  const text = canonicalOf({ data: {}, hash, meta: { proofs } });
  expect(packContent(text)).toBeUndefined();
  expect(textIn({ ...packText(text, true) })).toBe(text);
});

test('what was packed once can be read for ever: no dictionary is changed', () => {
  const kept =
    'AAEAAXSEEYCZMObmDeQ6Ajswap9Sigzq/rHZ1DuFR90RcXzaxI4usVUptt8P2tEVuydoOuaT/72x5jaPjibA1FMppY3qGGEAp0PAg17LDN1daysYjfNUMZ598uwLTBU0IYkh3SMli/obBecUOOqmOPmX51RFKWF3iQFBlxjqGpmFGFpYGRpaGVjomRobwtwCAA==';
  expect(unpackContent(Buffer.from(kept, 'base64'))).toBe(
    '{"data":{"action":"commit","handle":"deb_-P7O2SlpA-dBOwlzZ"},"hash":"1ca6d32a54e282381f55bf56aaa3b5fa52de2fa17bafc1f59b7f72f85e5a14d0","meta":{"proofs":[{"custom":{"moment":"2026-11-26T18:11:08.531Z"},"digest":"1e6754098c2bb338790711e8822dd4fc3d073f510a4637f6efdad1f173ecf929","method":"ed25519-v2","public":"dIQRgJkw5uYN5DoCOzBqn1KKDOr+sdnUO4VH3RFxfNo=","result":"xI4usVUptt8P2tEVuydoOuaT/72x5jaPjibA1FMppY3qGGEAp0PAg17LDN1daysYjfNUMZ598uwLTBU0IYkh3Q==","signer":"system"}]}}',
  );
});

test('what is damaged is told', () => {
  const content = packedOf(callAbout(payment(['prepared'])));
  const item = { content, pk: 'main#event#evt_-P7', sk: 'name' };
  const damaged = Buffer.from(content);
  for (const [place, byte] of [
    [0, 255],
    [1, content[1] === 4 ? 5 : 4],
    [content.length - 9, 255],
  ] as const) {
    const broken = Buffer.from(damaged);
    broken[place] = byte;
    expect(isOfName({ ...item, content: broken }, nameOfText(unpackContent(content)))).toBe(false);
  }
  expect(() => unpackContent(Uint8Array.of(255, 0, 0, 0))).toThrow('a known dictionary');
  expect(() => unpackContent(Uint8Array.of(0))).toThrow();
});
