/**
 * The entries of books that may not be written yet: those of the intents in the outbox. They are read before the books,
 * since an entry is written before it leaves the outbox. Decision 90.
 */
import { type BookEntry, bookEntriesOf } from '../ledger/book.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { Version } from '../ledger/record.ts';
import type { Scope } from '../port/ports.ts';
import { headKeyOf, outboxPartitionOf, outboxPlaceOf, timeRangeOf } from './keys.ts';
import { shardsIn } from './layout.ts';
import { entriesOf } from './outbox.ts';
import { itemsAt, itemsIn, versionIn } from './read.ts';
import type { Table } from './request.ts';
import type { Deadline } from './retry.ts';

/** The changes in each shard of an outbox that a request can add to a book. */
const tailLengthMax = 500;

/** The entries in all books of the intents in the outbox, until the end of a millisecond. */
export async function bookTail(
  table: Table,
  scope: Scope,
  untilMs: number,
  deadline: Deadline,
): Promise<BookEntry[]> {
  return (await intentsWaiting(table, scope, untilMs, deadline))
    .flatMap(({ record }) => bookEntriesOf(record))
    .filter(({ moment }) => Date.parse(moment) <= untilMs);
}

/** The intents with changes in the outbox, until the end of a millisecond. Too many are refused. */
export async function intentsWaiting(
  table: Table,
  scope: Scope,
  untilMs: number,
  deadline: Deadline,
): Promise<Version[]> {
  const shards = (await shardsIn(table, scope, deadline)).map(async (shard) => {
    const range = timeRangeOf(outboxPartitionOf(scope, shard), 0, untilMs);
    const items = await itemsIn(table, range, deadline, { countMax: tailLengthMax + 1 });
    const entries = items.flatMap((item) => entriesOf(scope, shard, item));
    if (entries.length > tailLengthMax) throw farBehind();
    return entries;
  });
  const waiting = (await Promise.all(shards)).flat().filter(({ kind }) => kind === 'intent');
  const handles = [...new Set(waiting.map(({ handle }) => handle))];
  if (handles.length === 0) return [];
  const heads = await itemsAt(
    table,
    handles.map((handle) => headKeyOf(scope, 'intent', handle)),
    deadline,
  );
  return [...heads.values()].flatMap((head) => versionIn(head) ?? []);
}

/** The time of the oldest change that waits in an outbox, milliseconds since 1970; infinite where none does. */
export async function oldestInOutbox(
  table: Table,
  scope: Scope,
  deadline: Deadline,
): Promise<number> {
  const shards = (await shardsIn(table, scope, deadline)).map(async (shard) => {
    const pk = outboxPartitionOf(scope, shard);
    const [oldest] = await itemsIn(table, { pk }, deadline, { countMax: 1 });
    return oldest ? outboxPlaceOf(oldest['sk'] as string).momentMs : Number.POSITIVE_INFINITY;
  });
  return Math.min(...(await Promise.all(shards)));
}

function farBehind(): LedgerError {
  return new LedgerError(
    'api.request-timeout',
    'The books trail behind, since many changes wait to be published. An earlier moment can be asked for.',
  );
}
