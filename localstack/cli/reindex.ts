/** The search index and the books, rebuilt from the records, and logs for ledgers that are older than logs. */
import { tableSource } from '../../shared/audit/table.ts';
import { luidMaker } from '../../shared/crypto/luid.ts';
import type { Keyring } from '../../shared/port/ports.ts';
import { identities } from '../../shared/record/identity.ts';
import { provideLog } from '../../shared/record/log-signer.ts';
import { scopesOf } from '../../shared/signal/shards.ts';
import { tableClient } from '../../shared/store/client.ts';
import { type Reindexed, reindex } from '../../shared/store/reindex.ts';
import { dynamoLogs, dynamoOutbox, dynamoStore } from '../../shared/store/store.ts';
import { misused } from '../runtime/failing.ts';
import { variable } from '../runtime/variables.ts';
import { keyringOf } from './keyrings.ts';
import { print, printJson, secondsText } from './output.ts';
import { explained, placeOf } from './place.ts';
import { wideTable } from './wide-table.ts';

/** The pause between two lines of progress, in milliseconds. */
const shownEachMs = 1_000;

const nothing: Reindexed = {
  records: 0,
  indexEntries: 0,
  removed: 0,
  bookEntries: 0,
  leaves: 0,
  unreadable: 0,
  returned: 0,
};

export interface ReindexRequest {
  /** The ledger; without it, all of the table. */
  readonly ledger?: string | undefined;
  readonly isJson: boolean;
}

/**
 * `countersign reindex`: rebuilds the index entries, by which lists and searches find records, and the books, from the
 * records, and takes records into the logs of ledgers that are older than logs. Signals that were set aside get another try. It works on the table of a data folder, whether its ledger runs or not, or on that of `DYNAMODB_ENDPOINT`.
 * It may be stopped and run again at any time.
 */
export async function runReindex({ ledger, isJson }: ReindexRequest): Promise<void> {
  const tableName = variable('TABLE_NAME');
  const place = await placeOf(variable('LEDGER_DATA'));
  const client = tableClient({ endpoint: place.endpoint });
  const table = wideTable(client, tableName, place.endpoint);
  const pages = tableSource(client, tableName).outlines(
    ledger === undefined ? undefined : [ledger],
  );
  const startMs = Date.now();
  let last: Reindexed | undefined;
  let shownMs = startMs;
  try {
    await provideLogs(client, tableName, ledger);
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

/** Begins the logs that are missing. Without the keyring of the server they have no signer until this is run with it. */
async function provideLogs(
  client: ReturnType<typeof tableClient>,
  tableName: string,
  ledger: string | undefined,
): Promise<void> {
  const at = { client, tableName };
  const [store, outbox, logs] = [dynamoStore(at), dynamoOutbox(at), dynamoLogs(at)];
  const keyring = keyringHere();
  for await (const scope of scopesOf(outbox)) {
    if (scope === '' || (ledger !== undefined && scope !== ledger)) continue;
    if (!keyring) {
      await logs.begin(scope, false);
      continue;
    }
    const identity = await identities(store, keyring)(scope);
    const ports = { store, logs, keyring, clock: Date.now, luids: luidMaker() };
    if (identity) await provideLog(ports, identity);
  }
}

/** The keyring of the server; undefined, and said, where there is none. */
function keyringHere(): Keyring | undefined {
  try {
    return keyringOf(variable('LEDGER_DATA'));
  } catch (error) {
    process.stderr.write(`New logs get no signer: ${(error as Error).message}\n`);
    return undefined;
  }
}

function lineOf(count: Reindexed, ms: number): string {
  const { records, indexEntries, bookEntries, leaves, removed, unreadable, returned } = count;
  const parts = [
    `${records} records`,
    `${indexEntries} index entries`,
    `${bookEntries} entries of books`,
    `${leaves} leaves of logs`,
    `${removed} stale ones removed`,
    ...(returned > 0 ? [`${returned} signals back in the outbox`] : []),
    ...(unreadable > 0 ? [`${unreadable} records unreadable`] : []),
    secondsText(ms),
  ];
  return parts.join(', ');
}
