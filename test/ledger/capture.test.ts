/**
 * Goal: a decision takes what its capture names and not more, and what it took follows from the record alone. Ruling 87,
 * Decision 97.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  assertNoCapture,
  type Capture,
  capturedEntries,
  capturedIn,
  capturedMoves,
  captureStatementOf,
  capturesOf,
  movedClaimsOf,
  movedEntriesOf,
} from '../../shared/ledger/capture.ts';
import { entriesOfResolved, type ResolvedEntry } from '../../shared/ledger/intent.ts';
import { movesOfIntents } from '../../shared/ledger/net-move.ts';
import type { Version } from '../../shared/ledger/record.ts';
import type { Claim } from '../../shared/shape/intent.ts';
import { claimOf } from '../fixture/client.ts';
import { created, proofBy } from '../fixture/version.ts';

const claims = [
  'transfer a b 50 usd',
  'issue b 20 usd',
  'limit a maxBalance 9 usd',
  'destroy b 5 usd',
];

/** The entries of claims as the ledger resolves them, some at a bridge. */
function resolvedOf(lines: readonly string[], bridged: readonly number[] = []): ResolvedEntry[] {
  return (lines.map(claimOf) as unknown as Claim[]).flatMap((claim, input) => {
    if (claim.action === 'limit') return [];
    const side = (schema: 'debit' | 'credit', wallet: unknown) => ({
      ...{ handle: `${schema}-${input}`, schema, wallet: String(wallet), symbol: 'usd' },
      ...{ amount: claim.amount, inputs: [input] },
      ...(bridged.includes(input) && { bridge: 'bank' }),
    });
    return [
      ...('source' in claim ? [side('debit', claim.source)] : []),
      ...('target' in claim ? [side('credit', claim.target)] : []),
    ];
  });
}

/** A prepared intent of these claims, with what the ledger stated afterwards. */
function held(
  lines = claims,
  bridged: readonly number[] = [],
  words: readonly object[] = [],
): Version {
  const version = created('intent', 'hold', { claims: lines.map(claimOf) });
  const { record } = version;
  const said = [
    ...resolvedOf(lines, bridged).map((one) => ({ ...one, status: 'resolved' })),
    ...words,
  ];
  const proofs = [
    ...record.meta.proofs,
    ...said.map((custom) => proofBy('system', record.hash, custom as never)),
  ];
  return { ...version, record: { ...record, meta: { ...record.meta, proofs } } };
}

/** The reason, detail and details with which a capture is refused. */
function refusalOf(capture: unknown, version = held()): unknown {
  try {
    return capturesOf(capture, version);
  } catch (error) {
    const { reason, detail, custom } = error as { reason: string; detail: string; custom: object };
    return [reason, detail, custom];
  }
}

describe('a capture', () => {
  test('is taken in the order of the claims, and a claim that it names whole is left out', () => {
    const capture = [
      { claim: 3, amount: 4 },
      { claim: 1, amount: 20 },
      { claim: 0, amount: 1 },
    ];
    expect(capturesOf(capture, held())).toEqual([
      { claim: 0, amount: 1 },
      { claim: 3, amount: 4 },
    ]);
  });

  const list = 'a list of {claim, amount}, one for each claim that is taken in part';
  test.each([undefined, null, 7, 'all', {}, [], { claim: 0, amount: 1 }])(
    'of %j is none',
    (odd) => {
      expect(refusalOf(odd)).toEqual([
        'record.invalid',
        `The capture of a decision is ${list}.`,
        undefined,
      ]);
    },
  );

  test.each<[unknown, string, object]>([
    [null, `is none: a capture is ${list}.`, {}],
    [[0, 5], `is none: a capture is ${list}.`, {}],
    [7, `is none: a capture is ${list}.`, {}],
    [{ claim: 0, amuont: 5 }, "has the unknown member 'amuont'.", {}],
    [{ claim: 4, amount: 5 }, 'names no claim: the intent has the claims 0 to 3.', { claim: 4 }],
    [{ claim: -1, amount: 5 }, 'names no claim: the intent has the claims 0 to 3.', { claim: -1 }],
    [
      { claim: 0.5, amount: 5 },
      'names no claim: the intent has the claims 0 to 3.',
      { claim: 0.5 },
    ],
    [
      { claim: '0', amount: 5 },
      'names no claim: the intent has the claims 0 to 3.',
      { claim: '0' },
    ],
    [{ amount: 5 }, 'names no claim: the intent has the claims 0 to 3.', { claim: undefined }],
    [{ claim: 2, amount: 5 }, 'names claim 2, which sets a limit and holds nothing.', { claim: 2 }],
    ...[0, -1, 1.5, '5', undefined, 2 ** 53, null].map((amount): [unknown, string, object] => [
      { claim: 0, amount },
      'takes no amount of claim 0: an amount is a whole number from 1.',
      { claim: 0 },
    ]),
    [{ claim: 0, amount: 51 }, 'takes 51 of claim 0, which holds 50.', { claim: 0, held: 50 }],
  ])('of %j is refused by name', (one, fault, custom) => {
    const good = { claim: 1, amount: 1 };
    const expected = ['record.invalid', `Capture 1 ${fault}`, { capture: 1, ...custom }];
    expect(refusalOf([good, one])).toEqual(expected);
  });

  test('that names a claim twice is refused', () => {
    const capture = [0, 1, 0].map((claim) => ({ claim, amount: 1 }));
    expect(refusalOf(capture)).toEqual([
      'record.invalid',
      'Capture 2 names claim 0, which another one names already.',
      { capture: 2, claim: 0 },
    ]);
  });

  test('takes no part of what a bridge prepared, but the whole of it, and parts beside it', () => {
    const version = held(claims, [0]);
    expect(refusalOf([{ claim: 0, amount: 49 }], version)).toEqual([
      'record.invalid',
      'Capture 0 takes a part of claim 0, which bridge bank has prepared as a whole.',
      { capture: 0, claim: 0, entry: 'debit-0' },
    ]);
    const capture = [
      { claim: 0, amount: 50 },
      { claim: 1, amount: 1 },
    ];
    expect(capturesOf(capture, version)).toEqual([{ claim: 1, amount: 1 }]);
  });

  test('takes no part of what routes forward', () => {
    const version = { ...held(), together: ['hold', 'fwd_1'] };
    expect(refusalOf([{ claim: 1, amount: 1 }], version)).toEqual([
      'record.invalid',
      'Capture 0 takes a part of claim 1, and routes forward what the intent moves as a whole.',
      { capture: 0, claim: 1 },
    ]);
    expect(capturesOf([{ claim: 1, amount: 20 }], version)).toEqual([]);
  });

  test('belongs to no other proof', () => {
    expect(() => assertNoCapture()).not.toThrow();
    expect(() => assertNoCapture({ moment: 'now' })).not.toThrow();
    expect(() => assertNoCapture({ capture: null })).toThrow('and to no other proof');
  });
});

describe('what an intent moves', () => {
  const captured = [{ claim: 0, amount: 30 }];
  const decided = { status: 'committed', ...captureStatementOf(captured) };

  test('is everything when nothing is said of a part', () => {
    const [undecided, whole] = [held(), held(claims, [], [{ status: 'committed' }])];
    for (const { record } of [undecided, whole]) {
      expect(capturedIn(record)).toEqual([]);
      expect(movedEntriesOf(record).map(({ amount }) => amount)).toEqual([50, 50, 20, 5]);
      expect(movedClaimsOf(record)).toEqual(claims.map(claimOf));
    }
    expect(captureStatementOf([])).toEqual({});
  });

  test('is the part that the ledger states, whatever others say', () => {
    const { record } = held(claims, [], [decided]);
    expect(capturedIn(record)).toEqual(captured);
    expect(movedEntriesOf(record).map(({ handle, amount }) => [handle, amount])).toEqual([
      ['debit-0', 30],
      ['credit-0', 30],
      ['credit-1', 20],
      ['debit-3', 5],
    ]);
    expect(movedClaimsOf(record).map(({ amount }) => amount)).toEqual([30, 20, 9, 5]);
    const odd = { status: 'committed', captured: [{ claim: 'x' }, null, ...captured] };
    expect(capturedIn(held(claims, [], [odd]).record)).toEqual(captured);
  });
});

const amount = fc.integer({ min: 1, max: 50 });
const wallet = fc.constantFrom('a', 'b', 'c');
const transfers = fc.array(fc.tuple(wallet, wallet, amount, amount), {
  minLength: 1,
  maxLength: 6,
});

test('a decision releases all that was reserved and moves what it captures, and sums stay zero', () => {
  fc.assert(
    fc.property(transfers, (rows) => {
      const lines = rows.map(([from, to, size]) => `transfer ${from} ${to} ${size} usd`);
      const entries = resolvedOf(lines);
      const parts: Capture[] = rows.flatMap(([, , size, part], claim) =>
        part < size ? { claim, amount: part } : [],
      );
      const intents = (some: readonly ResolvedEntry[]) =>
        movesOfIntents([{ claims: lines.map(claimOf) as never, entries: entriesOfResolved(some) }]);
      const whole = intents(entries);
      const moves = capturedMoves(whole, intents(capturedEntries(entries, parts)));
      expect(moves.map(({ needs }) => needs)).toEqual(whole.map(({ needs }) => needs));
      expect(moves.reduce((sum, move) => sum + move.amount, 0n)).toBe(0n);
      const taken = rows.map(([, , size, part]) => Math.min(size, part));
      for (const { wallet: name, amount: gain, transfers: counted, uncaptured } of moves) {
        const of = (side: 0 | 1) =>
          rows.reduce((sum, row, index) => sum + (row[side] === name ? (taken[index] ?? 0) : 0), 0);
        expect(gain).toBe(BigInt(of(1) - of(0)));
        const before = whole.find((one) => one.wallet === name)?.transfers.amount ?? 0n;
        expect(uncaptured?.count ?? 0).toBe(0);
        expect(counted.amount + (uncaptured?.amount ?? 0n)).toBe(before);
      }
    }),
  );
});
