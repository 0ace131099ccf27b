/**
 * `npm run bench:queries`: the cost of a page of a list, a history, a filter and a search as a ledger grows: read units,
 * items that the database examined, requests, and CPU of this process, which has the database in it. `BENCH_RECORDS` are
 * the numbers of intents, and of changes of one wallet (`1000,10000`). Each ledger is made by the import of an archive,
 * which derives its lists, index entries, books and counts; the queries are the real ones. Times are printed, never
 * asserted. `BENCH_ENTRIES` is the number of entries of one wallet (`1000000`), and what a statement and a balance in the
 * past cost there.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { stackOf } from '../../shared/ledger/thrown.ts';
import '../../localstack/runtime/quiet.ts';
import { openDatabase } from '../../localstack/runtime/database.ts';
import { makeTable } from '../../localstack/runtime/table.ts';
import { foundDefaultLedger } from '../../shared/action/found-ledger.ts';
import { history } from '../../shared/action/history.ts';
import { list } from '../../shared/action/list.ts';
import { spanMs } from '../../shared/crypto/luid.ts';
import { makeMasterKey } from '../../shared/keyring/local.ts';
import type { Query } from '../../shared/ledger/query.ts';
import type { Version } from '../../shared/ledger/record.ts';
import type { Action, Call, Services } from '../../shared/port/action.ts';
import { newWork } from '../../shared/port/request-budget.ts';
import { tableClient } from '../../shared/store/client.ts';
import { planOf } from '../../shared/store/plan.ts';
import type { Consumed, Table } from '../../shared/store/request.ts';
import { dynamoBooks, dynamoCatalog, dynamoStore } from '../../shared/store/store.ts';
import { writeAll } from '../../shared/store/write-all.ts';
import { newWorld } from '../fixture/audited.ts';
import { between } from '../fixture/trouble.ts';
import { commitOf, created, writeOf } from '../fixture/version.ts';
import { importLedger } from './imported.ts';
import { longBookText, writeLongBook } from './long-book.ts';
import { fixed, tableOf } from './print.ts';

const scope = 'main';
const sizes = (process.env['BENCH_RECORDS'] || '1000,10000').split(',').map(Number);
const entryCount = Number(process.env['BENCH_ENTRIES'] || 1_000_000);
/** The entries that a relay of a dense ledger writes together. */
const togetherCount = 25;
/** The blocks of `stat`. A file of LMDB is sparse: its size says more than is stored. */
const blockBytes = 512;
/** Queries before those that count, and those that do. */
const [warmCount, askCount] = [3, 5];

interface Cost {
  found: number;
  readUnits: number;
  examined: number;
  requests: number;
  /** Those of the requests that write, and their units. */
  writes: number;
  writeUnits: number;
  /** Of CPU: of this process, with the database. */
  ms: number;
}

function nothing(): Omit<Cost, 'ms'> {
  return { found: 0, readUnits: 0, examined: 0, requests: 0, writes: 0, writeUnits: 0 };
}

interface Question {
  readonly name: string;
  readonly action: Action;
  readonly path?: Readonly<Record<string, string>>;
  readonly query: Query;
  /** What is asked for beside the query, where half of the records come before. */
  readonly from?: (middle: Middle) => Query;
}

/** The record in the middle: its place in the list, and its number. */
interface Middle {
  readonly place: string;
  readonly number: number;
}

const byPlace = ({ place }: Middle) => ({ 'page.cursor': [cursorOf(place)] });
const byCount = ({ number }: Middle) => ({ 'page.cursor': [cursorOf(String(number))] });
const byNumber = ({ number }: Middle) => ({ 'page.index': [String(Math.floor(number / 20))] });

const questions: readonly Question[] = [
  { name: 'a page of a list', action: list('intent'), query: {} },
  { name: 'from the middle, by cursor', action: list('intent'), query: {}, from: byPlace },
  { name: 'from the middle, by number', action: list('intent'), query: {}, from: byNumber },
  { name: 'a page of a history', action: history('wallet'), path: { id: 'old' }, query: {} },
  {
    ...{ name: 'the same, from the middle', action: history('wallet'), path: { id: 'old' } },
    ...{ query: {}, from: byCount },
  },
  {
    ...filtered('data.claims.source', 'wallet-7'),
    ...{ name: 'source=wallet-7 from the middle', from: byPlace },
  },
  filtered('meta.status', 'completed'),
  filtered('data.custom.shop', 'shop-7'),
  filtered('data.claims.source', 'wallet-7'),
  searched('wallet-7 usd'),
  searched('completed usd'),
  filtered('data.custom.shop.$regex', '^shop-7$'),
];

function cursorOf(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function filtered(path: string, value: string): Question {
  return { name: `${path}=${value}`, action: list('intent'), query: { [path]: [value] } };
}

function searched(text: string): Question {
  return { name: `search: ${text}`, action: list('intent'), query: { $plainTextQuery: [text] } };
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  makeMasterKey(join(folder, 'master.key'));
  const file = join(folder, 'data.mdb');
  const database = await openDatabase(file);
  const cost: Cost = { ...nothing(), ms: 0 };
  const at = { endpoint: database.endpoint, folder, cost };
  const base = {
    ...(await ledgerAt(at, 'countersign-base')),
    ...{ ledger: scope, folder, endpoint: database.endpoint },
  };
  const results = new Map<number, Cost[]>();
  for (const size of sizes) {
    const startMs = Date.now();
    const tableName = `countersign-${size}`;
    await makeTable(database.endpoint, tableName);
    const { items, bytes } = await importLedger(base, tableName, size);
    const [megabytes, stored] = [bytes, statSync(file).blocks * blockBytes].map((one) =>
      fixed(one / 1024 ** 2, 0),
    );
    process.stderr.write(
      `${size} intents and changes: an archive of ${megabytes} MB, ${items} items, imported in ${seconds(startMs)} s; the database has ${stored} MB, this process ${memory()} MB at most\n`,
    );
    const { services } = await ledgerAt(at, tableName);
    const ledger = await foundDefaultLedger(services);
    const middle = Math.floor(size / 2);
    const [version] = await services.store.list(scope, 'intent', { index: middle, limit: 1 });
    const place = services.catalog.placeOf(version as Version);
    const costs: Cost[] = [];
    for (const question of questions) {
      const more = question.from?.({ place, number: middle });
      const asked = { ...question, query: { ...question.query, ...more } };
      costs.push(await ask(asked, { services, ledger }, cost));
    }
    results.set(size, costs);
  }
  console.log(textOf(results));
  await readLongBooks(await ledgerAt(at, 'countersign-base'), cost);
  await database.stop();
}

/** Prints what wallets with long books cost: one whose entries came one by one, and one of a dense ledger. */
async function readLongBooks({ client, tableName, services }: Ledger, cost: Cost): Promise<void> {
  const ledger = await foundDefaultLedger(services);
  const table: Table = { client, tableName, deadlineMs: 60_000, onConsumed: undefined };
  const startMs = Math.floor(Date.now() / spanMs) * spanMs;
  // The entries end before the clock of the readings.
  const later = { ...services, clock: () => Date.now() + entryCount };
  for (const together of [1, togetherCount]) {
    const long = created('wallet', `long-${together}`);
    const puts = planOf(tableName, commitOf(writeOf(scope, long))).flatMap(
      ({ action }) => action.Put?.Item ?? [],
    );
    await writeAll(table, { puts }, performance.now() + table.deadlineMs);
    const book = {
      ...{ scope, wallet: long.record.data['handle'] as string, walletLuid: long.record.luid },
      ...{ startMs, length: entryCount, together },
    };
    await writeLongBook(table, book);
    console.log(`\n${await longBookText({ services: later, ledger }, cost, book)}`);
  }
}

function seconds(startMs: number): string {
  return fixed((Date.now() - startMs) / 1000, 1);
}

/** The most memory that this process had so far, in megabytes. */
function memory(): string {
  return fixed(process.resourceUsage().maxRSS / 1024, 0);
}

interface Ledger {
  readonly client: DynamoDBDocumentClient;
  readonly tableName: string;
  readonly services: Services;
}

interface BenchDatabase {
  readonly endpoint: string;
  readonly folder: string;
  readonly cost: Cost;
}

/** A ledger in a table, made where there is none, with services whose client counts. */
async function ledgerAt(
  { endpoint, folder, cost }: BenchDatabase,
  tableName: string,
): Promise<Ledger> {
  await makeTable(endpoint, tableName);
  const client = tableClient({ endpoint }) as DynamoDBDocumentClient;
  const counting = between(client, async (command, send) => {
    const output = (await send(command)) as Partial<
      Record<'Items' | 'Count' | 'Responses', unknown>
    >;
    cost.examined += examinedIn(output);
    cost.requests += 1;
    return output;
  });
  const onConsumed = ({ readUnits, writeUnits }: Consumed): void => {
    cost.readUnits += readUnits;
    cost.writeUnits += writeUnits;
    cost.writes += writeUnits > 0 ? 1 : 0;
  };
  const options = { client: counting, tableName, onConsumed };
  const world = await newWorld(client, tableName, folder);
  const services: Services = {
    ...world.services,
    store: dynamoStore(options),
    catalog: dynamoCatalog(options),
    books: dynamoBooks(options),
  };
  return { client, tableName, services };
}

function examinedIn({ Count, Responses }: Partial<Record<string, unknown>>): number {
  const batches = Object.values((Responses ?? {}) as Record<string, unknown[]>);
  return Number(Count ?? 0) + batches.reduce((sum, items) => sum + items.length, 0);
}

async function ask(
  { action, path = {}, query }: Question,
  { services, ledger }: Pick<Call, 'services' | 'ledger'>,
  cost: Cost,
): Promise<Cost> {
  const found: number[] = [];
  let ms = 0;
  for (let round = 0; round < warmCount + askCount; round += 1) {
    Object.assign(cost, nothing());
    const start = process.cpuUsage();
    const work = newWork(services);
    const { body } = await action.run({ services, ledger, path, query, body: undefined, work });
    const { user, system } = process.cpuUsage(start);
    if (round >= warmCount) ms += (user + system) / 1_000 / askCount;
    found.push((body as { data: unknown[] }).data.length);
  }
  return { ...cost, found: found.at(-1) ?? 0, ms };
}

function textOf(results: ReadonlyMap<number, readonly Cost[]>): string {
  const [first, last] = [sizes[0] ?? 0, sizes.at(-1) ?? 0];
  const figures = (name: 'found' | 'readUnits' | 'examined' | 'requests' | 'ms') => {
    const at = (size: number, index: number) => results.get(size)?.[index]?.[name] ?? Number.NaN;
    const rows = questions.map((question, index) => [
      question.name,
      ...sizes.map((size) => fixed(at(size, index), name === 'ms' ? 1 : 0)),
      ...(name === 'ms' ? [] : [fixed(at(last, index) / at(first, index), 2)]),
    ]);
    const ratio = name === 'ms' ? [] : [`${last} : ${first}`];
    return tableOf(['', ...sizes.map(String), ...ratio], rows);
  };
  return [
    'What a page of twenty costs, by how many records there are',
    `read units\n${figures('readUnits')}`,
    `items examined\n${figures('examined')}`,
    `requests to the database\n${figures('requests')}`,
    `milliseconds of CPU\n${figures('ms')}`,
    `lines that were found\n${figures('found')}`,
    `  on: Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}`,
  ].join('\n\n');
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(stackOf(error));
    process.exit(1);
  },
);
