/** The search index and the books, rebuilt from the records. */
import { tableSource } from '../../shared/audit/table.ts';
import { tableClient } from '../../shared/store/client.ts';
import { type Reindexed, reindex } from '../../shared/store/reindex.ts';
import { misused } from '../runtime/failing.ts';
import { variable } from '../runtime/variables.ts';
import { print, printJson, secondsText } from './output.ts';
import { explained, placeOf } from './place.ts';

/** The pause between two lines of progress, and the time of one step at most, in milliseconds. */
const shownEachMs = 1_000;
const stepMsMax = 60_000;

const nothing: Reindexed = {
  records: 0,
  indexEntries: 0,
  removed: 0,
  bookEntries: 0,
  unreadable: 0,
};

export interface ReindexRequest {
  /** The ledger; without it, all of the table. */
  readonly ledger?: string | undefined;
  readonly isJson: boolean;
}

/**
 * `countersign reindex`: rebuilds the index entries, by which lists and searches find records, and the books, from the
 * records. It works on the table of a data folder, whether its ledger runs or not, or on that of `DYNAMODB_ENDPOINT`.
 * It may be stopped and run again at any time.
 */
export async function runReindex({ ledger, isJson }: ReindexRequest): Promise<void> {
  const tableName = variable('TABLE_NAME');
  const place = await placeOf(variable('LEDGER_DATA'));
  const client = tableClient({ endpoint: place.endpoint });
  const table = { client, tableName, deadlineMs: stepMsMax, onConsumed: undefined };
  const pages = tableSource(client, tableName).outlines(
    ledger === undefined ? undefined : [ledger],
  );
  const startMs = Date.now();
  let last: Reindexed | undefined;
  let shownMs = startMs;
  try {
    for await (const count of reindex(table, pages, Date.now)) {
      last = { ...count };
      if (Date.now() - shownMs < shownEachMs) continue;
      shownMs = Date.now();
      process.stderr.write(`${lineOf(last, shownMs - startMs)}\n`);
    }
  } catch (error) {
    throw explained(error, tableName, place.endpoint);
  } finally {
    client.destroy();
    await place.close();
  }
  const ms = Date.now() - startMs;
  if (ledger !== undefined && !last) throw misused(`There is no ledger '${ledger}' in this table.`);
  if (isJson) return printJson({ ...(last ?? nothing), seconds: ms / 1000 });
  const whole = last ? lineOf(last, ms) : 'there are no records';
  print(`The catalog is whole: ${whole}.`);
}

function lineOf(count: Reindexed, ms: number): string {
  const { records, indexEntries, bookEntries, removed, unreadable } = count;
  const parts = [
    `${records} records`,
    `${indexEntries} index entries`,
    `${bookEntries} entries of books`,
    `${removed} stale ones removed`,
    ...(unreadable > 0 ? [`${unreadable} records unreadable`] : []),
    secondsText(ms),
  ];
  return parts.join(', ');
}
