/**
 * Books against intents: an entry for each effect that the ledger stated, with its content, and no others; running
 * totals behind every 64th entry, which are the sums of what is before. Decision 90.
 */
import { canonicalOf } from '../crypto/canonical.ts';
import type { BookName } from '../port/books.ts';
import type { Scope } from '../port/ports.ts';
import { newWalk, walkedOn, walkedOut } from '../store/book-walk.ts';
import {
  bookPartitionOf,
  bookRangeOf,
  keyOfItem,
  listedBookKeysOf,
  rulebookKeyOf,
  textOf,
  wholeBooksKeyOf,
} from '../store/keys.ts';
import { layoutIn } from '../store/known-layouts.ts';
import { unpackEntry } from '../store/pack-book.ts';
import type { Item } from '../store/request.ts';
import type { ItemHistory } from './history.ts';
import { subjectOf } from './place.ts';
import { type AuditRun, roundCountMax, waitFor } from './run.ts';
import type { AuditSource, NamedItem } from './source.ts';
import { type AuditViolation, type Finding, violationOf } from './violation.ts';

const mends = '"countersign reindex" mends it';

/** Checks the entries of an intent. They may be missing while one of its changes waits in the outbox. */
export function* checkBooks(history: ItemHistory): Finding {
  const { scope, items, booked, projected } = history;
  if (!items.has(textOf(wholeBooksKeyOf(scope)))) return;
  const isWaiting = projected.some(({ item, key }) => item === 'outbox' && items.has(textOf(key)));
  for (const { key, name, entry } of booked) {
    const item = items.get(textOf(key));
    const subject = subjectOf(history);
    if (!item && !isWaiting)
      yield violationOf(3, subject, `An entry of a book is missing at '${textOf(key)}'; ${mends}.`);
    if (item && saidIn(name, item) !== canonicalOf(entry))
      yield violationOf(
        3,
        subject,
        `An entry of a book is another one at '${textOf(key)}'; ${mends}.`,
        {
          expected: canonicalOf(entry),
          found: saidIn(name, item),
        },
      );
  }
}

function saidIn(name: BookName, item: Item): string {
  try {
    return canonicalOf(unpackEntry(name, item));
  } catch (error) {
    return String(error);
  }
}

/** Notes the books among items, of which those of a book follow each other. */
export function noteBooks(run: AuditRun, named: readonly NamedItem[]): void {
  for (const { name, item } of named) {
    if (name.item === 'outbox') run.books.waiting.add(name.scope);
    if (name.item === 'listed-book') run.books.listed.add(textOf(keyOfItem(item)));
    if (name.item !== 'entry' && name.item !== 'entries' && name.item !== 'totals') continue;
    const { pk } = keyOfItem(item);
    if (run.books.walk?.pk !== pk) endWalk(run);
    const { walk = newWalk() } = run.books;
    run.books.walk = { ...walkedOn(walk, name, item), pk };
    run.books.all.set(pk, name);
  }
}

/** Notes whether the book that was read is odd. */
function endWalk({ books }: AuditRun): void {
  const { walk } = books;
  delete books.walk;
  const name = walk && books.all.get(walk.pk);
  if (name && walkedOut(walk, name).oddAt !== undefined) books.odd.set(walk.pk, name);
}

/** Checks that books are whole, listed, and summed. An archive has none. */
export async function* auditBooks(run: AuditRun): AsyncGenerator<AuditViolation, void, undefined> {
  const { source, books } = run;
  if (source.hasNoBooks) return;
  endWalk(run);
  const scopes = [...run.ledgers];
  const marks = await source.at(scopes.map(wholeBooksKeyOf));
  const isWhole = (scope: Scope) => marks.has(textOf(wholeBooksKeyOf(scope)));
  for (const scope of scopes.filter((one) => !isWhole(one)))
    yield violationOf(
      3,
      { scope },
      'The books of the ledger are not made yet; "countersign reindex" makes them.',
    );
  const rulebooks = await source.at(scopes.map(rulebookKeyOf));
  const placesOf = (name: BookName) =>
    listedBookKeysOf(name, layoutIn(rulebooks.get(textOf(rulebookKeyOf(name.scope)))).count);
  const isIn = (lists: { has(text: string): boolean }, name: BookName) =>
    placesOf(name).some((key) => lists.has(textOf(key)));
  const unlisted = [...books.all.values()].filter(
    (name) => isWhole(name.scope) && !books.waiting.has(name.scope) && !isIn(books.listed, name),
  );
  const listed = await source.at(unlisted.flatMap(placesOf));
  for (const name of unlisted)
    if (!isIn(listed, name))
      yield violationOf(
        3,
        subjectOfBook(name),
        `The book is not in the list of its symbol; ${mends}.`,
      );
  for (const name of books.odd.values())
    if (await isOddStill(run, name))
      yield violationOf(
        1,
        subjectOfBook(name),
        `The running totals in '${bookPartitionOf(name)}' are not the sums of the entries; ${mends}.`,
      );
}

/** Reads an odd book again, in a running ledger until its sums are right. */
async function isOddStill({ source, options }: AuditRun, name: BookName): Promise<boolean> {
  for (let round = 0; round < (options.isLive ? roundCountMax : 1); round += 1) {
    await waitFor(round);
    if (!(await isOdd(source, name))) return false;
  }
  return true;
}

async function isOdd(source: AuditSource, name: BookName): Promise<boolean> {
  let walk = newWalk();
  for await (const items of source.pages(bookRangeOf(name)))
    for (const item of items) walk = walkedOn(walk, name, item);
  return walkedOut(walk, name).oddAt !== undefined;
}

function subjectOfBook({ scope, wallet, symbol }: BookName) {
  return wallet === undefined
    ? ({ scope, kind: 'symbol', handle: symbol } as const)
    : ({ scope, kind: 'wallet', handle: wallet } as const);
}
