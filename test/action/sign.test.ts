/** Goal: each key that answers for a ledger states what an answer has to, and nothing is signed twice. Ruling 99, Decision 116. */
import { expect, test } from 'vitest';
import { hashOf } from '../../shared/crypto/digest.ts';
import { privateKeyOf, publicOf } from '../../shared/crypto/key.ts';
import { verify } from '../../shared/crypto/proof.ts';
import { countersign, momentOf, withOwnProofs } from '../../shared/record/sign.ts';

const identityOf = (byte: number) => {
  const seed = Buffer.alloc(32, byte);
  return { handle: 'main', key: { public: publicOf(seed), privateKey: privateKeyOf(seed) } };
};
const [first, second] = [identityOf(1), identityOf(2)];
const both = { ...second, former: first.key };
const nowMs = Date.parse('2026-11-27T00:00:00.000Z');
const moment = momentOf(nowMs);
const data = { handle: 'pay' };
const hash = hashOf(data);
const luid = '$int.pay';

type Said = readonly [identity: typeof first, statement: Readonly<Record<string, unknown>>];

/** What the keys state in an answer beyond what they have said. */
const addedTo = (said: readonly Said[], own: typeof both | typeof first = second, id = luid) => {
  const proofs = said.map(([identity, statement]) => countersign(identity, hash, statement));
  const record = { luid: id, hash, data, meta: { proofs, status: 'completed' } };
  const after = withOwnProofs(own, record, nowMs).meta.proofs;
  expect(after.slice(0, proofs.length)).toEqual(proofs);
  expect(after.every((proof) => verify(hash, proof))).toBe(true);
  return after.slice(proofs.length).map(({ public: by, custom }) => [by, custom]);
};
const begun = { luid, status: 'pending', moment };
const ended = { status: 'completed', moment };
const whole = { luid, moment, status: 'completed' };

test('a key that has stated the luid and the last status of an intent signs no more', () => {
  const said: Said[] = [
    [second, begun],
    [second, ended],
  ];
  expect(addedTo(said)).toEqual([]);
  expect(addedTo([...said, [second, { status: 'reversed', moment, by: 'undo' }]])).toEqual([]);
});

test.each([
  ['nothing', []],
  ['its reversal', [{ status: 'reversed', moment, by: 'undo' }]],
  ['a later expiry', [{ status: 'extended', moment, expiry: moment }]],
  ['an entry', [{ luid, ...ended, handle: 'deb_1' }]],
  ['its end alone', [ended]],
])('a newest key that has stated %s of an intent states the rest', (_, statements) => {
  const said: Said[] = [
    [first, begun],
    [first, ended],
    ...statements.map((statement): Said => [second, statement]),
  ];
  const expected = [[second.key.public, whole]];
  expect(addedTo(said)).toEqual(expected);
  expect(addedTo(said, both)).toEqual(expected);
});

test('a former key states the end that it has not signed, until it answers no more', () => {
  const said: Said[] = [
    [first, begun],
    [second, whole],
  ];
  expect(addedTo(said, both)).toEqual([[first.key.public, whole]]);
  expect(addedTo(said)).toEqual([]);
});

test('of another record any proof by the key is enough', () => {
  const wallet = '$wlt.alice';
  expect(addedTo([[second, { moment }]], second, wallet)).toEqual([]);
  expect(addedTo([[first, whole]], second, wallet)).toEqual([
    [second.key.public, { luid: wallet, moment }],
  ]);
});
