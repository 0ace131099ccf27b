/** A leaf names one change, and changes with all that was signed. Decision 115. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { canonicalOf } from '../../shared/crypto/canonical.ts';
import type { Version } from '../../shared/ledger/record.ts';
import { entryOf, hashOfLeaf, leavesOf, logOf, proofsHashOf } from '../../shared/log/leaf.ts';
import { leafHashOf } from '../../shared/log/tree.ts';
import { created, dropped, proved, revised } from '../fixture/version.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test('a version has one leaf for each of its changes, with the proofs up to it', () => {
  const version = proved(created('wallet', 'alice'), 3);
  const { luid, hash, meta } = version.record;
  const leaves = leavesOf(version);
  expect(leaves.map(({ change }) => change)).toEqual([2, 3, 4]);
  expect(leaves.map(({ moment }) => moment)).toEqual(version.steps.map(({ moment }) => moment));
  for (const [index, leaf] of leaves.entries())
    expect(leaf).toMatchObject({
      ...{ luid, hash },
      proofs: sha256(canonicalOf(meta.proofs.slice(0, 3 + index))),
    });
});

test('an entry is the canonical JSON of its leaf, and its hash that of RFC 6962', () => {
  const [leaf] = leavesOf(created('symbol', 'usd'));
  if (!leaf) throw new Error('A version has a change.');
  const { change, hash, luid, moment, proofs } = leaf;
  const text = `{"change":${change},"hash":"${hash}","luid":"${luid}","moment":"${moment}","proofs":"${proofs}"}`;
  expect(Buffer.from(entryOf(leaf)).toString()).toBe(text);
  expect(Buffer.from(hashOfLeaf(leaf)).toString('hex')).toBe(sha256(`\0${text}`));
  expect(leafHashOf(entryOf(leaf))).toEqual(hashOfLeaf(leaf));
});

test('the leaf of a drop has the proofs of the drop', () => {
  const version = dropped(created('wallet', 'bob'));
  const proofs = version.drop?.meta.proofs ?? [];
  expect(proofs.length).toBeGreaterThan(0);
  const [leaf] = leavesOf(version);
  expect(leaf?.proofs).toBe(proofsHashOf([...version.record.meta.proofs, ...proofs]));
});

test("the changes of a ledger's own record are in its log, though the record lies with the server", () => {
  expect(logOf('', created('ledger', 'bank'))).toBe('bank');
  expect(logOf('bank', created('wallet', 'alice'))).toBe('bank');
});

test('no two versions of a record have the same leaf', () => {
  const alice = created('wallet', 'alice');
  const all: Version[] = [
    alice,
    revised(alice, { custom: { a: 1 } }),
    proved(alice),
    dropped(alice),
  ];
  const texts = all.flatMap(leavesOf).map((leaf) => Buffer.from(entryOf(leaf)).toString());
  expect(new Set(texts).size).toBe(all.length);
});
