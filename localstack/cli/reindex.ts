/**
 * `npm run reindex [-- <ledger>]`: rebuilds the index entries, by which lists and searches find records, and the
 * books, from the records. It works on the table of a data folder, whether its ledger runs or not, or on that of `DYNAMODB_ENDPOINT`.
 * It may be stopped and run again at any time.
 */
import { tableSource } from '../../shared/audit/table.ts';
import { tableClient } from '../../shared/store/client.ts';
import { type Reindexed, reindex } from '../../shared/store/reindex.ts';
import { exitWith } from '../runtime/failing.ts';
import { variable } from '../runtime/variables.ts';
import { explained, placeOf } from './place.ts';
import '../runtime/quiet.ts';

/** The pause between two lines of progress, and the time of one step at most, in milliseconds. */
const shownEachMs = 1_000;
const stepMsMax = 60_000;

async function main(): Promise<void> {
  const [ledger, ...more] = process.argv.slice(2);
  if (more.length > 0 || ledger?.startsWith('--'))
    throw new Error('Usage: npm run reindex [-- <ledger>]');
  const tableName = variable('TABLE_NAME');
  const place = await placeOf(variable('LEDGER_DATA'));
  const client = tableClient({ endpoint: place.endpoint });
  const table = { client, tableName, deadlineMs: stepMsMax, onConsumed: undefined };
  const pages = tableSource(client, tableName).outlines(
    ledger === undefined ? undefined : [ledger],
  );
  const startMs = Date.now();
  let [last, shownMs] = ['', startMs];
  try {
    for await (const count of reindex(table, pages, Date.now)) {
      last = lineOf(count, Date.now() - startMs);
      if (Date.now() - shownMs < shownEachMs) continue;
      shownMs = Date.now();
      process.stderr.write(`${last}\n`);
    }
  } catch (error) {
    throw explained(error, tableName, place.endpoint);
  } finally {
    client.destroy();
    await place.close();
  }
  console.log(`The catalog is whole: ${last || 'there are no records'}.`);
}

function lineOf(count: Reindexed, ms: number): string {
  const { records, indexEntries, bookEntries, removed, unreadable } = count;
  const parts = [
    `${records} records`,
    `${indexEntries} index entries`,
    `${bookEntries} entries of books`,
    `${removed} stale ones removed`,
    ...(unreadable > 0 ? [`${unreadable} records unreadable`] : []),
    `${(ms / 1000).toFixed(1)} s`,
  ];
  return parts.join(', ');
}

main().then(() => process.exit(0), exitWith(2));
