/** Goal: a record is proven only as it was signed, by a key that is trusted; everything else is named as a problem. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hashOf, type ProofCustom, prove } from '../../shared/client/digest.ts';
import { newKey } from '../../shared/client/key.ts';
import { parseExactly, verifyRecord } from '../../shared/client/verify.ts';

const [ledger, author] = [newKey(), newKey()];
const trust = ledger.public;

/** A record that its author has signed, and the ledger with these statements. */
async function signed(data: object, luid: string, ...statements: readonly ProofCustom[]) {
  const hash = hashOf(data);
  const proofs = [
    await prove(hash, { status: 'created' }, author),
    ...(await Promise.all(
      statements.map(async (custom) => ({
        ...(await prove(hash, custom, ledger)),
        signer: 'system',
      })),
    )),
  ];
  return { luid, hash, data, meta: { proofs, status: statements.at(-1)?.['status'] } };
}

const luid = '$int.-P75FaSMybn6Bslur';
const intent = await signed(
  { handle: 'rent', claims: [{ amount: 2550 }] },
  luid,
  { luid, status: 'pending' },
  { status: 'resolved', handle: 'deb_1' },
  { status: 'completed' },
  { status: 'reversed', by: 'refund' },
);
const completed = { ...intent, meta: { ...intent.meta, status: 'completed' } };

test('a record is proven as the ledger has signed it', () => {
  const verdict = verifyRecord(completed, { trust });
  expect(verdict).toMatchObject({ isProven: true, status: 'completed', problems: [] });
  expect(
    verdict.proofs.map(({ isValid, isTrusted, signer }) => [isValid, isTrusted, signer]),
  ).toEqual([[true, false, undefined], ...Array.from({ length: 4 }, () => [true, true, 'system'])]);
  expect(verifyRecord(completed, { trust: [author.public, trust] }).isProven).toBe(true);
});

const { proofs } = completed.meta;
describe('is not proven', () => {
  test.each([
    ['with other data', { data: { ...completed.data, handle: 'evil' } }, 'The hash is not'],
    ['with another hash', { hash: hashOf({}) }, 'The hash is not'],
    ['with another luid', { luid: '$int.other' }, 'The luid is not'],
    ['with an earlier status', { meta: { proofs, status: 'pending' } }, 'which is completed'],
    ['without a status', { meta: { proofs } }, 'which is completed'],
    [
      'without the proofs of the ledger',
      { meta: { proofs: proofs.slice(0, 1) } },
      'No trusted key',
    ],
    ['without proofs', { meta: { proofs: [] } }, 'No trusted key'],
    [
      'with a proof that is none',
      { meta: { proofs: [...proofs, null] } },
      'Proof 5 does not verify',
    ],
    [
      'with another statement',
      {
        meta: {
          proofs: proofs.map((one, index) =>
            index === 2 ? { ...one, custom: { status: 'aborted' } } : one,
          ),
        },
      },
      'Proof 2 does not verify',
    ],
  ])('a record %s', (_, change, why) => {
    const verdict = verifyRecord({ ...completed, ...change }, { trust });
    expect(verdict.isProven).toBe(false);
    expect(verdict.problems).toEqual(expect.arrayContaining([expect.stringContaining(why)]));
  });

  test('the status of a record with other data, whose proofs are of the data before', () => {
    const changed = { ...completed, data: {} };
    expect(verifyRecord(changed, { trust }).status).toBeUndefined();
    expect(verifyRecord(changed, { trust }).problems).toContain('No trusted key has signed it.');
  });

  test('anything without a trusted key, or that is no record', () => {
    expect(verifyRecord(completed)).toMatchObject({
      isProven: false,
      problems: ['No key is trusted.'],
    });
    expect(verifyRecord(completed, { trust: newKey().public }).isProven).toBe(false);
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(verifyRecord(value, { trust }).isProven).toBe(false);
        expect(verifyRecord({ ...completed, meta: { proofs: value } }, { trust }).isProven).toBe(
          false,
        );
      }),
    );
  });

  test('a list of which an element is not', async () => {
    const data = [completed, { ...completed, luid: '$int.other' }];
    const list = await signed(data, '', {});
    const { problems, elements } = verifyRecord({ ...list, luid: undefined }, { trust });
    expect(elements.map(({ isProven }) => isProven)).toEqual([true, false]);
    expect(problems).toEqual([expect.stringContaining('Element 1: The luid')]);
  });
});

test('an amount that JavaScript cannot hold is proven as it is written', async () => {
  const record = await signed({ amount: 27021597764222973n }, '$bal.x', { luid: '$bal.x' });
  const text = JSON.stringify(record, (_, value) => (typeof value === 'bigint' ? '#' : value));
  const exact = text.replace('"#"', '27021597764222973');
  expect(verifyRecord(parseExactly(exact), { trust }).isProven).toBe(true);
  expect(verifyRecord(JSON.parse(exact.replace('973', '972')), { trust }).isProven).toBe(false);
});
