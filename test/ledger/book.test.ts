/** The entries of books follow from what the ledger said of an intent, and sum to zero. Decision 90. */
import { describe, expect, test } from 'vitest';
import {
  type BookEntry,
  bookEntriesOf,
  bookedOf,
  isMove,
  noTotals,
  totalsWith,
} from '../../shared/ledger/book.ts';
import type { Version } from '../../shared/ledger/record.ts';
import type { Claim } from '../../shared/shape/intent.ts';
import { courseOf, type Script, sidesOf } from '../fixture/booked.ts';

const money = { symbol: 'usd', amount: 25 };
const paying: Claim = { action: 'transfer', source: 'alice', target: 'bob', ...money };
const issuing: Claim = { action: 'issue', target: 'alice', ...money };
const destroying: Claim = { action: 'destroy', source: 'alice', ...money };
const limiting: Claim = { action: 'limit', wallet: 'alice', metric: 'maxBalance', ...money };

const done = ['prepared', 'committed', 'completed'];

/** The versions of an intent with these claims. */
const course = (commits: Script['commits'], ...claims: Claim[]): Version[] =>
  courseOf('i', { claims, sides: sidesOf(claims), commits });

const lineOf = ({ wallet = '(supply)', schema, amount }: BookEntry) =>
  `${wallet} ${schema} ${amount}`;
const linesOf = (version: Version | undefined) =>
  version ? bookEntriesOf(version.record).map(lineOf) : [];

describe('an intent that is settled in one commit', () => {
  test('moves what it transfers, and reserves nothing', () => {
    const [version] = course([done], paying) as [Version];
    const { luid, meta } = version.record;
    const about = { symbol: 'usd', amount: 25n, moment: meta.moment, inputs: [0] };
    const intent = { handle: 'i', luid };
    expect(bookEntriesOf(version.record)).toEqual([
      {
        ...{ ...about, wallet: 'alice', schema: 'debit', counterparty: 'bob' },
        ...{ intent, number: 2_000, handle: 'deb_i_0' },
      },
      {
        ...{ ...about, wallet: 'bob', schema: 'credit', counterparty: 'alice' },
        ...{ intent, number: 2_001, handle: 'cre_i_1' },
      },
    ]);
  });

  test('takes from the supply what it issues, and gives back what it destroys', () => {
    const [version] = course([done], issuing, limiting, destroying);
    expect(linesOf(version)).toEqual([
      'alice credit 25',
      'alice debit 25',
      '(supply) debit 25',
      '(supply) credit 25',
    ]);
    const entries = bookEntriesOf((version as Version).record);
    expect(entries.map(({ counterparty }) => counterparty)).toEqual([
      ...[undefined, undefined],
      ...['alice', 'alice'],
    ]);
  });

  test('moves nothing when it fails', () => {
    expect(linesOf(course([['failed', 'aborted', 'rejected']], paying)[0])).toEqual([]);
  });
});

describe('an intent that waits', () => {
  test('reserves, and moves once it is committed', () => {
    const [first, second] = course([['prepared'], ['committed', 'completed']], paying, issuing);
    expect(linesOf(first)).toEqual(['alice reserve 25']);
    const entries = bookEntriesOf((second as Version).record);
    expect(entries.map(lineOf)).toEqual([
      ...['alice reserve 25', 'alice release 25'],
      ...['alice debit 25', 'bob credit 25', 'alice credit 25', '(supply) debit 25'],
    ]);
    expect(entries.map(({ moment }) => moment)).toEqual([
      (first as Version).record.meta.moment,
      ...Array.from({ length: 5 }, () => (second as Version).steps[0]?.moment),
    ]);
  });

  test.each([
    ['aborted', ['aborted', 'rejected']],
    ['failed', ['failed', 'aborted', 'rejected']],
  ])('gives back when it is %s', (_, end) => {
    expect(linesOf(course([['processing'], end], paying)[1])).toEqual([
      'alice reserve 25',
      'alice release 25',
    ]);
  });

  test('holds from the moment on at which bridges are asked', () => {
    expect(linesOf(course([['processing'], done], paying)[1])).toEqual([
      ...['alice reserve 25', 'alice release 25', 'alice debit 25', 'bob credit 25'],
    ]);
  });

  test('reserves nothing before it is signed', () => {
    expect(linesOf(course([[]], paying)[0])).toEqual([]);
  });
});

test('what is captured in part moves in part, and the whole is released', () => {
  const version = course([['prepared'], ['committed', 'completed']], paying, issuing)[1] as Version;
  const { record } = version;
  const captured = [
    { claim: 0, amount: 10 },
    { claim: 1, amount: 7 },
  ];
  const proofs = record.meta.proofs.map((proof) =>
    proof.custom?.['status'] === 'committed'
      ? { ...proof, custom: { ...proof.custom, captured } }
      : proof,
  );
  const meta = { ...record.meta, proofs };
  expect(bookEntriesOf({ ...record, meta }).map(lineOf)).toEqual([
    ...['alice reserve 25', 'alice release 25'],
    ...['alice debit 10', 'bob credit 10', 'alice credit 7', '(supply) debit 7'],
  ]);
});

test('what a bridge failed to do is said of an entry, and ends no intent', () => {
  const [version] = course([['processing']], paying) as [Version];
  const { record } = version;
  const [first] = record.meta.proofs.slice(-1);
  const word = { ...first, custom: { ...first?.custom, status: 'failed', handle: 'deb_i_0' } };
  const proofs = [...record.meta.proofs, word as (typeof record.meta.proofs)[0]];
  expect(linesOf({ ...version, record: { ...record, meta: { ...record.meta, proofs } } })).toEqual([
    'alice reserve 25',
  ]);
});

test('an entry of several claims has a counterparty when they name the same', () => {
  const claims = [paying, paying, { ...paying, target: 'carol' }];
  const sides = [
    { wallet: 'alice', amount: -50, inputs: [0, 1] },
    { wallet: 'alice', amount: -50, inputs: [1, 2] },
    { wallet: 'alice', amount: -50, inputs: [7] },
  ];
  const [version] = courseOf('i', { claims, sides, commits: [done] }) as [Version];
  const entries = bookEntriesOf(version.record);
  expect(entries.map(({ counterparty }) => counterparty)).toEqual(['bob', undefined, undefined]);
});

test('what cannot be read as an entry is left out', () => {
  const sides = [
    { wallet: 'alice', amount: -0.5 },
    { wallet: 'alice', amount: -5, inputs: 'none' as unknown as number[] },
    { wallet: 'bob', amount: 5 },
  ];
  const [version] = courseOf('i', { claims: [paying], sides, commits: [done] }) as [Version];
  expect(linesOf(version)).toEqual(['bob credit 5']);
});

describe('a thread', () => {
  const together = ['first', 'second'];
  const onward: Claim = { action: 'transfer', source: 'bob', target: 'carol', ...money };
  const threadOf = (commits: Script['commits']) =>
    [paying, onward].map((claim, index) =>
      courseOf(together[index] as string, {
        ...{ claims: [claim], sides: sidesOf([claim]), commits, together },
      }).at(-1),
    ) as [Version, Version];

  test('reserves with its first intent, and moves with each', () => {
    const [first, second] = threadOf([['prepared'], ['committed', 'completed']]);
    expect(bookEntriesOf(first.record).map(lineOf)).toEqual([
      // What comes to bob on the way covers what he passes on.
      ...['alice reserve 25', 'alice release 25', 'alice debit 25', 'bob credit 25'],
    ]);
    expect(bookEntriesOf(second.record).map(lineOf)).toEqual([
      ...['bob debit 25', 'carol credit 25'],
    ]);
  });

  test('reserves nothing where it moves at once', () => {
    const [first] = threadOf([done]);
    expect(bookEntriesOf(first.record).map(lineOf)).toEqual(['alice debit 25', 'bob credit 25']);
  });
});

test('totals count what moved and what is held', () => {
  const [, version] = course([['prepared'], ['committed']], paying, issuing) as [Version, Version];
  const own = bookEntriesOf(version.record).filter(({ wallet }) => wallet === 'alice');
  const totals = own.reduce(totalsWith, noTotals);
  expect(totals).toEqual({ debits: 25n, credits: 25n, reserved: 0n, moves: 2, holds: 2 });
  expect(totalsWith(noTotals, own[0] as BookEntry)).toEqual({
    ...noTotals,
    reserved: 25n,
    holds: 1,
  });
  expect(bookedOf({ ...totals, credits: 40n })).toBe(15n);
  expect(own.map(isMove)).toEqual([false, false, true, true]);
});
