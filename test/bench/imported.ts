/**
 * A ledger of any size, made by the import of an archive: intents that nobody signed, and a wallet with as many changes.
 * The import derives everything else, as it does for every ledger.
 */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { wideTable } from '../../localstack/cli/wide-table.ts';
import type { ArchiveLine } from '../../shared/archive/form.ts';
import { orderedOf } from '../../shared/archive/line.ts';
import { type Loaded, load } from '../../shared/archive/load.ts';
import { openArchive } from '../../shared/archive/open.ts';
import { headerOf, readArchive } from '../../shared/archive/read.ts';
import { save } from '../../shared/archive/save.ts';
import { writeArchive } from '../../shared/archive/write.ts';
import type { Version } from '../../shared/ledger/record.ts';
import { created, revised, transferred } from '../fixture/version.ts';

/** Few enough that a page is full from the first thousand intents on. */
const walletCount = 10;
const shopCount = 10;

/** A ledger in a table, and a folder for files. */
interface BenchPlace {
  readonly client: DynamoDBDocumentClient;
  readonly endpoint: string;
  readonly tableName: string;
  readonly ledger: string;
  readonly folder: string;
}

/** What was imported: the bytes of the archive, and the items. */
interface Imported extends Loaded {
  readonly bytes: number;
}

/** Writes an archive with the ledger of `base` and so many intents, and imports it into another table. */
export async function importLedger(
  base: BenchPlace,
  tableName: string,
  size: number,
): Promise<Imported> {
  const { client, ledger, folder, endpoint } = base;
  const [small, path] = [join(folder, `${tableName}-base`), join(folder, tableName)];
  await save({
    place: base,
    ...{ ledger, path: small, isAtRest: true, isResumed: false, nowMs: Date.now },
  });
  const header = await headerOf(small);
  await writeArchive(path, header, linesOf(small, size));
  const bytes = statSync(path).size;
  const table = wideTable(client, tableName, endpoint);
  const { sorted, sha256, fault } = await openArchive(path, { folder: `${path}-items` });
  if (fault) throw fault;
  const options = { table, ledger, sorted, sha256, isResumed: false, nowMs: Date.now };
  const loaded = await load(options);
  await sorted.close();
  for (const one of [small, path, `${path}-items`]) rmSync(one, { recursive: true, force: true });
  return { ...loaded, bytes };
}

/** The lines of a small archive, and the records among them, which are older than its own. */
async function* linesOf(path: string, size: number): AsyncGenerator<string> {
  let isBefore = true;
  for await (const { line } of readArchive(path)) {
    if (isBefore && !isOfServer(line)) {
      isBefore = false;
      yield* recordLines(size);
    }
    yield orderedOf(line).text;
  }
}

/** The versions of the record of a ledger come first. */
function isOfServer(line: ArchiveLine): boolean {
  return line.what === 'version' && line['kind'] === 'ledger';
}

function* recordLines(size: number): Generator<string> {
  const lineOf = (version: Version) => orderedOf({ what: 'version', ...version }).text;
  let wallet = created('wallet', 'old');
  yield lineOf(wallet);
  for (let n = 0; n < size; n += 1) {
    wallet = revised(wallet, { custom: { n } });
    yield lineOf(wallet);
  }
  for (let n = 0; n < size; n += 1) yield lineOf(intentOf(n));
}

function intentOf(number: number): Version {
  const [source, target] = [number % walletCount, (number * 7 + 1) % walletCount];
  const custom = { shop: `shop-${number % shopCount}` };
  return transferred(`intent-${number}`, `wallet-${source}`, `wallet-${target}`, { custom });
}
