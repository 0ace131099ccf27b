/**
 * The contract of books, as tests that any implementation passes beside its store. The expected sums are those of a
 * plain list, which knows what a test has moved and reserved.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { noTotals } from '../../shared/ledger/book.ts';
import type { Version } from '../../shared/ledger/record.ts';
import type { BookName, BookPage, Books } from '../../shared/port/books.ts';
import type { EntryVersion } from '../../shared/port/catalog.ts';
import type { Outbox } from '../../shared/port/outbox.ts';
import type { Store } from '../../shared/port/ports.ts';
import type { Claim } from '../../shared/shape/intent.ts';
import { courseOf, nextMoment, type Side, sidesOf } from '../fixture/booked.ts';
import { toldBy } from '../fixture/told.ts';
import { bytesNamed, commitOf, created, publicNamed, writeOf } from '../fixture/version.ts';
import { waiting } from './outbox.ts';
import { newScope } from './store.ts';

/** A store, its outbox and its books. */
export interface BookPorts {
  readonly store: Store;
  readonly outbox: Outbox;
  readonly books: Books;
}

const done = ['prepared', 'committed', 'completed'];
const usd = { symbol: 'usd' };
const always = { sinceMs: 0, limit: 100 };
const later = Date.parse('2026-12-31T00:00:00.000Z');

/** A ledger that has books from the beginning. */
export async function bookedScope(store: Store): Promise<string> {
  const scope = newScope();
  const secret = {
    scope,
    public: publicNamed(scope),
    wrapped: Buffer.from(bytesNamed(scope, 32), 'base64'),
  };
  const commit = { ...commitOf(writeOf('', created('ledger', scope))), secrets: [secret] };
  expect(await store.commit(commit)).toEqual([]);
  return scope;
}

/** The waiting entries of the outbox, with their versions. */
export async function toldOf({ outbox }: BookPorts, scope: string): Promise<EntryVersion[]> {
  return toldBy(outbox, await waiting(outbox, scope));
}

/** Books what waits, as the relay does, and publishes it. */
export async function published(ports: BookPorts, scope: string, nowMs = later): Promise<void> {
  const told = await toldOf(ports, scope);
  expect(await ports.books.keep(told, nowMs)).toEqual([]);
  await ports.outbox.markPublished(told.map(({ entry }) => entry));
}

/** The same books, told of entries as of those of a batch: they share items. */
export function sharing(books: Books): Books {
  const block = { place: '', count: 1 };
  return {
    ...books,
    keep: (told, nowMs) =>
      books.keep(
        told.map(({ entry, version }) => ({ entry: { ...entry, block }, version })),
        nowMs,
      ),
  };
}

/** The last version of each step is stored after the one before. */
async function storeCourse({ store }: BookPorts, scope: string, course: readonly Version[]) {
  for (const [index, next] of course.entries())
    expect(await store.commit(commitOf(writeOf(scope, next, course[index - 1])))).toEqual([]);
}

const settled = (handle: string, ...claims: Claim[]) =>
  courseOf(handle, { claims, sides: sidesOf(claims), commits: [done] });
const paying = (amount: number): Claim => ({
  ...{ action: 'transfer', source: 'alice', target: 'bob', amount },
  ...usd,
});
const msOf = (version: Version | undefined) => Date.parse(version?.steps.at(-1)?.moment ?? '');

const rowsOf = ({ rows }: BookPage) =>
  rows.map(({ entry: { schema, amount, intent }, totals: { credits, debits, reserved } }) =>
    [intent.handle, schema, amount, credits - debits, reserved].join(' '),
  );

/** Runs the contract against the ports that are there once the tests run. */
export function describeBooks(name: string, portsNow: () => BookPorts, runCount = 200): void {
  describe(`books in ${name}`, () => {
    test('tell each entry with the totals after it, before and after it is published', async () => {
      const ports = portsNow();
      const scope = await bookedScope(ports.store);
      const alice = { scope, wallet: 'alice', ...usd };
      const [first] = settled('a', { action: 'issue', target: 'alice', amount: 100, ...usd });
      const [held, moved] = courseOf('b', {
        ...{ claims: [paying(30)], sides: sidesOf([paying(30)]), commits: [['prepared'], done] },
      }) as [Version, Version];
      await storeCourse(ports, scope, [first as Version]);
      await storeCourse(ports, scope, [held, moved]);
      const expected = {
        opening: noTotals,
        closing: { debits: 30n, credits: 100n, reserved: 0n, moves: 2, holds: 2 },
      };
      const lines = ['a credit 100 100 0', 'b reserve 30 100 30', 'b release 30 100 0'];
      for (const round of ['waiting', 'published', 'again']) {
        const page = await ports.books.page(alice, { ...always, untilMs: later });
        expect([round, rowsOf(page)]).toEqual([round, [...lines, 'b debit 30 70 0']]);
        expect(page).toMatchObject(expected);
        const until = { ...always, untilMs: msOf(moved) - 1, sinceMs: msOf(held) };
        const part = await ports.books.page(alice, until);
        expect(rowsOf(part)).toEqual(['b reserve 30 100 30']);
        expect([part.opening.credits, part.closing.reserved]).toEqual([100n, 30n]);
        const moves = { ...always, untilMs: later, isMovesOnly: true };
        expect(rowsOf(await ports.books.page(alice, moves))).toEqual([
          ...['a credit 100 100 0', 'b debit 30 70 0'],
        ]);
        await published(ports, scope);
      }
      const supply = { scope, ...usd };
      const names = [supply, alice, { scope, wallet: 'bob', ...usd }, { ...alice, symbol: 'eur' }];
      const totals = await ports.books.totals(scope, names, msOf(held));
      expect(totals.map(({ credits, debits, reserved }) => [credits - debits, reserved])).toEqual([
        ...[
          [-100n, 0n],
          [100n, 30n],
          [0n, 0n],
          [0n, 0n],
        ],
      ]);
      expect(await ports.books.listed(scope, 'usd', 100)).toEqual(names.slice(0, 3));
      expect(await ports.books.listed(scope, 'usd', 1, supply)).toEqual([alice]);
      expect(await ports.books.listed(scope, 'eur', 9)).toEqual([]);
    });

    test('of a thread reserve together, and move intent by intent', async () => {
      const ports = portsNow();
      const scope = await bookedScope(ports.store);
      const together = ['first', 'second'];
      const moments = [nextMoment(), nextMoment()];
      const claims = [paying(5), { ...paying(5), source: 'bob', target: 'carol' } as Claim];
      const [one, other] = claims.map((claim, index) =>
        courseOf(
          together[index] as string,
          { claims: [claim], sides: sidesOf([claim]), commits: [['prepared'], done], together },
          moments,
        ),
      ) as [Version[], Version[]];
      for (const [index, next] of one.entries()) {
        const twin = other[index] as Version;
        const commit = commitOf(
          writeOf(scope, next, one[index - 1]),
          writeOf(scope, twin, other[index - 1]),
        );
        expect(await ports.store.commit(commit)).toEqual([]);
      }
      const pageOf = async (wallet: string) =>
        rowsOf(await ports.books.page({ scope, wallet, ...usd }, { ...always, untilMs: later }));
      for (const wait of [true, false]) {
        expect([wait, await pageOf('alice')]).toEqual([
          wait,
          ['first reserve 5 0 5', 'first release 5 0 0', 'first debit 5 -5 0'],
        ]);
        expect(await pageOf('bob')).toEqual(['first credit 5 5 0', 'second debit 5 0 0']);
        await published(ports, scope);
      }
    });

    test('continue page by page, with the same totals', async () => {
      const ports = portsNow();
      const scope = await bookedScope(ports.store);
      const alice = { scope, wallet: 'alice', ...usd };
      for (let index = 0; index < 7; index += 1) {
        await storeCourse(ports, scope, settled(`i${index}`, paying(index + 1)));
        if (index === 3) await published(ports, scope);
      }
      const whole = await ports.books.page(alice, { ...always, untilMs: later });
      const restFrom = async (after?: string): Promise<string[]> => {
        const stretch = { sinceMs: 0, untilMs: later, limit: 2, ...(after && { after }) };
        const page = await ports.books.page(alice, stretch);
        expect([page.opening, page.closing]).toEqual([whole.opening, whole.closing]);
        return [...rowsOf(page), ...(page.next ? await restFrom(page.next) : [])];
      };
      const rows = await restFrom();
      expect(rows).toEqual(rowsOf(whole));
      expect(rows.at(-1)).toBe('i6 debit 7 -28 0');
    });

    test('agree with a plain list, whatever moves, waits, comes late and is published twice', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(deed, { minLength: 1, maxLength: 30 }), (deeds) =>
          agree(portsNow(), deeds),
        ),
        { numRuns: runCount },
      );
    });
  });
}

const wallets = ['alice', 'bob', 'carol'];
const wallet = fc.constantFrom(...wallets);
const amount = fc.integer({ min: 1, max: 99 });
const deed = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constantFrom('transfer', 'issue', 'destroy'),
      source: wallet,
      target: wallet,
      amount,
      end: fc.constantFrom('at once', 'committed', 'aborted', 'failed', 'waits'),
      /** How long before the other moments it took place: a machine whose clock is slow. */
      lateMs: fc.constantFrom(0, 0, 0, 3, 20),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('publish' as const), twice: fc.boolean() }),
  },
);
type Deed = typeof deed extends fc.Arbitrary<infer One> ? One : never;

const commitsOf = {
  'at once': [done],
  committed: [['prepared'], ['committed', 'completed']],
  aborted: [['prepared'], ['aborted', 'rejected']],
  failed: [['processing'], ['failed', 'aborted', 'rejected']],
  waits: [['processing']],
} as const;

/** What happened to a balance, as a plain list has it. */
interface PlainLine {
  readonly ms: number;
  readonly wallet: string;
  readonly moved: number;
  readonly held: number;
}

async function agree(ports: BookPorts, deeds: readonly Deed[]): Promise<void> {
  const scope = await bookedScope(ports.store);
  const lines: PlainLine[] = [];
  for (const [index, deed] of deeds.entries()) {
    if (deed.does === 'publish') {
      const told = await toldOf(ports, scope);
      const nowMs = Date.parse(nextMoment()) + 12_000;
      await ports.books.keep(told.toReversed(), nowMs);
      if (deed.twice) await ports.books.keep(told, nowMs);
      await ports.outbox.markPublished(told.map(({ entry }) => entry));
    } else {
      const { claim, sides } = claimOf(deed);
      const commits = commitsOf[deed.end];
      const lastMs = Date.parse(nextMoment()) - deed.lateMs;
      const moments = commits.map((_, place) => new Date(lastMs + place).toISOString());
      const course = courseOf(`i${index}`, { claims: [claim], sides, commits }, moments);
      await storeCourse(ports, scope, course);
      lines.push(...linesOf(deed, sides, moments.map(Date.parse)));
    }
  }
  const names = [{ scope, ...usd }, ...wallets.map((one) => ({ scope, wallet: one, ...usd }))];
  const moments = [...new Set(lines.flatMap(({ ms }) => [ms - 1, ms]))];
  for (const ms of [...moments, later]) {
    const found = await ports.books.totals(scope, names, ms);
    expect(
      found.map(({ credits, debits, reserved }) => [Number(credits - debits), Number(reserved)]),
    ).toEqual(names.map((name) => plainSum(lines, name, ms)));
  }
  for (const name of names) await agreeInRows(ports, lines, name);
}

/** Compares each running balance with the plain list. */
async function agreeInRows({ books }: BookPorts, lines: readonly PlainLine[], name: BookName) {
  const { rows } = await books.page(name, { ...always, untilMs: later });
  let [moved, held] = [0, 0];
  for (const { entry, totals } of rows) {
    const size = Number(entry.amount);
    moved += { debit: -size, credit: size, reserve: 0, release: 0 }[entry.schema];
    held += { debit: 0, credit: 0, reserve: size, release: -size }[entry.schema];
    expect([Number(totals.credits - totals.debits), Number(totals.reserved)]).toEqual([
      moved,
      held,
    ]);
  }
  expect([moved, held]).toEqual(plainSum(lines, name, later));
}

function plainSum(lines: readonly PlainLine[], { wallet: holder = '' }: BookName, untilMs: number) {
  const own = lines.filter((one) => one.wallet === holder && one.ms <= untilMs);
  return own.reduce(
    (sum, { moved, held }) => [(sum[0] ?? 0) + moved, (sum[1] ?? 0) + held],
    [0, 0],
  );
}

function claimOf({ does, source, target, amount: size }: Exclude<Deed, { does: 'publish' }>) {
  const about = { amount: size, ...usd };
  const claim = {
    transfer: { action: 'transfer', source, target, ...about },
    issue: { action: 'issue', target, ...about },
    destroy: { action: 'destroy', source, ...about },
  }[does] as Claim;
  return { claim, sides: sidesOf([claim]) };
}

function linesOf(
  { end, does, amount: size }: Exclude<Deed, { does: 'publish' }>,
  sides: readonly Side[],
  [first = 0, second = first]: readonly number[],
): PlainLine[] {
  const debits = sides.filter((side) => side.amount < 0);
  const held = (ms: number, sign: 1 | -1) =>
    debits.map((side) => ({ ms, wallet: side.wallet, moved: 0, held: -sign * side.amount }));
  const supply = { transfer: 0, issue: -size, destroy: size }[does];
  const moved = (ms: number) => [
    ...sides.map((side) => ({ ms, wallet: side.wallet, moved: side.amount, held: 0 })),
    ...(supply === 0 ? [] : [{ ms, wallet: '', moved: supply, held: 0 }]),
  ];
  if (end === 'at once') return moved(first);
  if (end === 'waits') return held(first, 1);
  return [...held(first, 1), ...held(second, -1), ...(end === 'committed' ? moved(second) : [])];
}
