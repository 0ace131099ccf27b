/** Goal: a proof that says its moment counts once in a ledger, any other once for each kind. Ruling 16, Decision 7. */
import { expect, test } from 'vitest';
import { freesHandles, isApart, type Kind, kinds } from '../../shared/ledger/kind.ts';
import { guardedProofs, guardKindOf, hasMoment } from '../../shared/ledger/replay-guard.ts';

const names = Object.keys(kinds) as Kind[];
const proofOf = (custom?: Readonly<Record<string, unknown>>) => ({
  public: 'key',
  digest: 'ab',
  ...(custom && { custom }),
});
const dated = proofOf({ moment: '2026-03-01T12:34:56.789Z' });
const undated = [proofOf(), proofOf({}), proofOf({ moment: 5 }), proofOf({ moment: null })];

test('a proof is dated by the text that it says as its moment', () => {
  expect([dated, proofOf({ moment: 'once' }), ...undated].map(hasMoment)).toEqual([
    true,
    true,
    ...undated.map(() => false),
  ]);
});

test.each(names)('of a %s, what could make a record twice is remembered', (kind) => {
  const all = [dated, ...undated];
  const remembered = guardedProofs(kind, all);
  if (freesHandles(kind)) expect(remembered).toEqual(all);
  else expect(remembered).toEqual(isApart(kind) ? [] : [dated]);
});

test('a dated proof counts once among all kinds, any other for its kind', () => {
  expect(names.map((kind) => guardKindOf(kind, dated))).toEqual(names.map(() => undefined));
  for (const proof of undated) expect(names.map((kind) => guardKindOf(kind, proof))).toEqual(names);
});
