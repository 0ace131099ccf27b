/**
 * The entries of books that may not be written yet: those of the intents in the outbox. They are read before the books,
 * since an entry is written before it leaves the outbox. Decision 90.
 */
import { type BookEntry, bookEntriesOf, isBookedTogether } from '../ledger/book.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import type { Scope } from '../port/ports.ts';
import {
  headKeyOf,
  type Key,
  outboxPartitionOf,
  outboxShardCount,
  textOf,
  timeRangeOf,
} from './keys.ts';
import { entryOf } from './outbox.ts';
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
  const shards = Array.from({ length: outboxShardCount }, async (_, shard) => {
    const range = timeRangeOf(outboxPartitionOf(scope, shard), 0, untilMs);
    const items = await itemsIn(table, range, deadline, { countMax: tailLengthMax + 1 });
    if (items.length > tailLengthMax) throw farBehind();
    return items.map((item) => entryOf(scope, shard, item));
  });
  const waiting = (await Promise.all(shards)).flat().filter(({ kind }) => kind === 'intent');
  const handles = [...new Set(waiting.map(({ handle }) => handle))];
  if (handles.length === 0) return [];
  const found = await intentsAt(
    table,
    handles.map((handle) => ({ scope, handle })),
    deadline,
  );
  const intents = [...found.values()].map((version) => ({ scope, version }));
  const threads = await threadsOf(table, intents, deadline);
  return intents
    .flatMap(({ version }, index) => bookEntriesOf(version.record, threads[index]))
    .filter(({ moment }) => Date.parse(moment) <= untilMs);
}

/** An intent of a ledger. */
interface ScopedIntent {
  readonly scope: Scope;
  readonly version: Version;
}

/** The intents on which the entries of each one depend, in the order of their thread. */
export async function threadsOf(
  table: Table,
  intents: readonly ScopedIntent[],
  deadline: Deadline,
): Promise<LedgerRecord[][]> {
  const keys = intents.flatMap(({ scope, version: { record, together = [] } }) =>
    isBookedTogether(record) ? together.map((handle) => ({ scope, handle })) : [],
  );
  const others = await intentsAt(table, keys, deadline);
  return intents.map(({ scope, version: { record, together = [] } }) => {
    if (!isBookedTogether(record)) return [record];
    return together.flatMap((handle) =>
      handle === record.data.handle
        ? record
        : (others.get(nameOf({ scope, handle }))?.record ?? []),
    );
  });
}

/** The current versions of intents, by name. */
async function intentsAt(
  table: Table,
  intents: readonly NamedIntent[],
  deadline: Deadline,
): Promise<ReadonlyMap<string, Version>> {
  if (intents.length === 0) return new Map();
  const items = await itemsAt(table, intents.map(keyOf), deadline);
  return new Map(
    intents.flatMap((intent) => {
      const version = versionIn(items.get(textOf(keyOf(intent))));
      return version ? [[nameOf(intent), version] as const] : [];
    }),
  );
}

interface NamedIntent {
  readonly scope: Scope;
  readonly handle: string;
}

function keyOf({ scope, handle }: NamedIntent): Key {
  return headKeyOf(scope, 'intent', handle);
}

function nameOf(intent: NamedIntent): string {
  return textOf(keyOf(intent));
}

function farBehind(): LedgerError {
  return new LedgerError(
    'api.request-timeout',
    'The books trail behind, since many changes wait to be published. An earlier moment can be asked for.',
  );
}
