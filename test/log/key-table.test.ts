/** The table of a signer's keys: which key it had for a signature, and what follows from a key that is trusted. */
import { describe, expect, test } from 'vitest';
import { hashOf } from '../../shared/crypto/digest.ts';
import { createSeed, privateKeyOf, publicOf } from '../../shared/crypto/key.ts';
import { type SigningKey, sign, verify } from '../../shared/crypto/proof.ts';
import {
  clockToleranceMs,
  followed,
  type KeyEntry,
  keyFor,
  keysOf,
  linkFaults,
  linkHashOf,
} from '../../shared/log/key-table.ts';

const newKey = (): SigningKey => {
  const seed = createSeed();
  return { public: publicOf(seed), privateKey: privateKeyOf(seed) };
};
const luid = '$snr.-P732Lsx4hGd8yEQk';
const [first, second, third] = [newKey(), newKey(), newKey()];
const momentOf = (day: number, ms = 0) => new Date(Date.UTC(2026, 10, day) + ms).toISOString();

const linked = (before: SigningKey, key: SigningKey, from: string): KeyEntry => {
  const hash = linkHashOf(luid, before.public, { public: key.public, from });
  const proofs = [before, key].map((one) => sign(hash, { luid, moment: from }, one));
  return { public: key.public, from, proofs };
};
const keys: readonly KeyEntry[] = [
  { public: first.public, from: momentOf(1), until: momentOf(11) },
  { ...linked(first, second, momentOf(10)), until: momentOf(21) },
  linked(second, third, momentOf(20)),
];
const signerWith = (table: readonly KeyEntry[], newest = table.at(-1)?.public) => ({
  luid,
  data: { handle: 'system', public: newest, keys: table },
  meta: { moment: momentOf(20) },
});
const signer = signerWith(keys);
const publicsOf = (table: readonly KeyEntry[]) => table.map((key) => key.public);

test('a signer that was never rotated has one key, since its creation; one without a key none', () => {
  const meta = { moment: momentOf(1) };
  const single = { luid, data: { handle: 'system', public: first.public }, meta };
  expect(keysOf(single)).toEqual([{ public: first.public, from: momentOf(1) }]);
  expect(keysOf({ luid, data: { handle: 'oauth-provider' }, meta })).toEqual([]);
  expect(linkFaults(single, verify)).toEqual([]);
  expect(keysOf(signer)).toEqual(keys);
});

describe('the key for a signature', () => {
  const keyAt = ({ public: by }: SigningKey, moment?: string) =>
    keyFor(keys, { public: by, ...(moment !== undefined && { custom: { moment } }) });
  test.each([
    ['the first key before the signer was made', first, momentOf(0), 0],
    ['the first key in its time', first, momentOf(5), 0],
    ['the first key in the overlap', first, momentOf(11), 0],
    ['the first key after it', first, momentOf(11, 1), undefined],
    ['the second key, by a clock that is behind', second, momentOf(10, -clockToleranceMs), 1],
    ['the second key before its time', second, momentOf(10, -clockToleranceMs - 1), undefined],
    ['the newest key at any later time', third, momentOf(28), 2],
    ['a key that was never its own', newKey(), momentOf(5), undefined],
  ])('%s', (_, key, moment, index) => {
    expect(keyAt(key, moment)).toBe(index === undefined ? undefined : keys[index]);
  });

  test('of a checkpoint, which states no moment, is judged by the key alone', () => {
    expect([first, second, third].map((key) => keyAt(key))).toEqual(keys);
  });

  test('is its own for a leaf that the log had before the next key came, whatever moment it states', () => {
    const [one, ...rest] = keys as [KeyEntry, ...KeyEntry[]];
    const sized = { ...one, size: 100 };
    const late = { public: first.public, custom: { moment: momentOf(28) } };
    expect(keyFor([sized, ...rest], late, 99)).toBe(sized);
    expect(keyFor([sized, ...rest], late, 100)).toBeUndefined();
    expect(keyFor([sized, ...rest], late)).toBeUndefined();
    expect(keyFor([one, ...rest], late, 99)).toBeUndefined();
  });

  test('is none for a moment that cannot be read', () => {
    expect(keyAt(second, 'soon')).toBeUndefined();
  });
});

describe('from a key that is trusted', () => {
  test.each([
    ['the first', first],
    ['one in the middle', second],
    ['the newest', third],
  ])('%s, all keys follow', (_, key) => {
    expect(followed(signer, key.public, verify)).toEqual({ keys, faults: [] });
  });

  test('of somebody else, none follows', () => {
    const { keys: found, faults } = followed(signer, newKey().public, verify);
    expect(found).toEqual([]);
    expect(faults.join()).toMatch(/no link leads there/);
  });

  test('that was reported as compromised, or one before that, none follows; from one behind it all do', () => {
    const table = keys.map((key, index) =>
      index === 1 ? { ...key, compromised: momentOf(20) } : key,
    );
    for (const { public: key } of [first, second]) {
      const { keys: found, faults } = followed(signerWith(table), key, verify);
      expect(found).toEqual([]);
      expect(faults).toEqual([
        `The key ${second.public} was reported as compromised at ${momentOf(20)}: get the newest key, which this ledger says is ${third.public}, from its operator.`,
      ]);
    }
    expect(publicsOf(followed(signerWith(table), third.public, verify).keys)).toEqual(
      publicsOf(table),
    );
  });
});

describe('a table is refused', () => {
  const [one, two, three] = keys as [KeyEntry, KeyEntry, KeyEntry];
  const stranger = newKey();
  const proofsBy = (...signers: SigningKey[]) =>
    signers.map((key) => sign(linkHashOf(luid, second.public, three), {}, key));
  test.each<[string, readonly KeyEntry[]]>([
    [
      'with a key that the one before did not accept',
      [one, two, { ...three, proofs: proofsBy(third) }],
    ],
    ['with a key that nobody holds', [one, two, { ...three, proofs: proofsBy(second) }]],
    ['with a key of another time', [one, two, { ...three, from: momentOf(19) }]],
    ['with a key left out', [one, three]],
    ['with its keys in another order', [two, one, three]],
    [
      'with a stranger in front',
      [{ public: stranger.public, from: momentOf(1), until: momentOf(2) }, ...keys],
    ],
    ['with a link in front of the first key', [two, three]],
    [
      'with a key that never ended before the next',
      [one, { ...linked(first, second, momentOf(10)) }, three],
    ],
    [
      'with a link that is signed over something else',
      [one, two, { ...three, proofs: [second, third].map((key) => sign(hashOf({}), {}, key)) }],
    ],
  ])('%s', (_, table) => {
    expect(linkFaults(signerWith(table), verify)).not.toEqual([]);
    expect(followed(signerWith(table), table.at(-1)?.public ?? '', verify).keys).toEqual([]);
  });

  test('when its last key is not the one that the signer shows', () => {
    expect(linkFaults(signerWith(keys, second.public), verify)).toHaveLength(1);
  });

  test('of another signer', () => {
    expect(linkFaults({ ...signer, luid: '$snr.-P732Lsx4hGd8yEQl' }, verify)).toHaveLength(2);
  });
});
