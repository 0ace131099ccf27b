/**
 * `npm run bench:cold`: the time of a cold start, from the new process to the first answer. Each bundle runs once in a
 * new process behind the Lambda runtime API, in turn with a handler that does nothing, which shows the share of Node and
 * this machine. `COLD_RUNS` is the number of runs; `--json` adds a last line for programs. Times are printed, never
 * asserted.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import '../../localstack/runtime/quiet.ts';
import { bundleFunctions } from '../../infra/bundling.ts';
import { openDatabase } from '../../localstack/runtime/database.ts';
import { makeTable } from '../../localstack/runtime/table.ts';
import { makeMasterKey } from '../../shared/keyring/local.ts';
import { type Fields, type Service, serve } from '../lambda/aws-json.ts';
import { bootstrapIn } from '../lambda/bootstrap-file.ts';
import { type Deployed, deployed, keyArn, tableName } from '../lambda/deployed.ts';
import { type FunctionSettings, type Host, startInstance } from '../lambda/instance.ts';
import { serveKms } from '../lambda/kms.ts';
import { type FirstEvent, firstEvents, streamOf, tick } from './cold-events.ts';
import { fixed, medianOf, tableOf } from './print.ts';

const runsDefault = 7;
const address = 'http://127.0.0.1/v2';
const nothing = 'export const handler = async () => ({ statusCode: 204 });';
const idle: Deployed = {
  ...{ handler: 'index.handler', memoryMiB: 1024, timeoutSeconds: 29 },
  environment: {},
};

/** Times of one start: until it asks for an event, and from the event to the answer. */
interface Start {
  readonly initMs: number;
  readonly firstMs: number;
  readonly answer: string;
}

interface Scene {
  readonly host: Host;
  readonly settingsOf: (name: string) => FunctionSettings;
  readonly events: readonly FirstEvent[];
  readonly end: () => Promise<void>;
}

async function main(): Promise<void> {
  const runs = Number(process.env['COLD_RUNS'] ?? runsDefault);
  if (!Number.isInteger(runs) || runs < 1) {
    console.error(`COLD_RUNS must be a number from 1, not '${process.env['COLD_RUNS']}'.`);
    process.exitCode = 2;
    return;
  }
  const context = await prepare();
  try {
    const empty: Start[] = [];
    const all = new Map<FirstEvent, Start[]>(context.events.map((one) => [one, []]));
    for (let run = 0; run < runs; run += 1)
      for (const [one, starts] of all) {
        empty.push(await started(context, 'empty', {}));
        starts.push(await started(context, one.name, one.event));
      }
    tell(context, empty, all);
  } finally {
    await context.end();
  }
}

/** Makes the bundles, a table with the default ledger, a published signal, and a checkpoint. */
async function prepare(): Promise<Scene> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-cold-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const database = await openDatabase(undefined);
  await makeTable(database.endpoint, tableName);
  const masterKeyFile = join(folder, 'master.key');
  makeMasterKey(masterKeyFile);
  const kms = await serveKms(keyArn, masterKeyFile);
  const told: Fields[] = [];
  const bus = await serveEvents((event) => told.push(event));
  const services = {
    AWS_ENDPOINT_URL_DYNAMODB: database.endpoint,
    AWS_ENDPOINT_URL_KMS: kms.endpoint,
    AWS_ENDPOINT_URL_EVENTBRIDGE: bus.endpoint,
  };
  bundleFunctions(folder);
  mkdirSync(join(folder, 'empty'));
  writeFileSync(join(folder, 'empty', 'index.mjs'), nothing);
  const all = new Map<string, Deployed>(deployed(address, { access: 'open' }));
  const settingsOf = (name: string): FunctionSettings => {
    const { handler, memoryMiB, timeoutSeconds, environment } = all.get(name) ?? idle;
    const limits = { handler, memoryMiB, timeoutSeconds };
    return {
      name,
      root: join(folder, name),
      ...limits,
      environment: { ...environment, ...services },
    };
  };
  const host: Host = { bootstrap: bootstrapIn(join(folder, 'runtime')) };
  const end = async (): Promise<void> => {
    await Promise.all([bus.stop(), kms.stop(), database.stop()]);
  };
  const context = { host, settingsOf, events: [], end };
  const { ledger } = JSON.parse((await started(context, 'found', {})).answer) as { ledger: string };
  await started(context, 'relay', streamOf(ledger));
  // Signs the first checkpoint of the log.
  await started(context, 'sweeper', tick);
  const [signal] = told;
  if (!signal) throw new Error('The relay has told nothing of the new ledger.');
  return { ...context, events: firstEvents(ledger, signal) };
}

/** Serves a bus that tells of every event, as an event that somebody may receive. */
function serveEvents(tell: (event: Fields) => void): Promise<Service> {
  return serve('AWSEvents', {
    PutEvents: (input) => {
      const entries = input['Entries'] as readonly Fields[];
      for (const { Source: source, DetailType, Detail } of entries) {
        const { hasReceiver: _, ...detail } = JSON.parse(String(Detail)) as Fields;
        tell({ source, 'detail-type': DetailType, detail });
      }
      return { Entries: entries.map(() => ({ EventId: '0' })), FailedEntryCount: 0 };
    },
  });
}

/** Starts a function, invokes it once and ends it; a failure ends the bench. */
async function started(
  { host, settingsOf }: Pick<Scene, 'host' | 'settingsOf'>,
  name: string,
  event: Fields,
): Promise<Start> {
  const instance = await startInstance(settingsOf(name), host);
  const askedMs = performance.now();
  const outcome = await instance.invoke(event);
  const firstMs = performance.now() - askedMs;
  await instance.end();
  if ('failure' in outcome) throw new Error(`${name}: ${outcome.failure.errorMessage}`);
  const { statusCode = 200 } = (JSON.parse(outcome.answer) ?? {}) as { statusCode?: number };
  if (statusCode >= 300) throw new Error(`${name} answered ${statusCode}: ${outcome.answer}`);
  return { initMs: instance.initMs, firstMs, answer: outcome.answer };
}

/** Prints minimum and median of each time, and the ratio to a start of the empty handler. */
function tell(
  { settingsOf }: Scene,
  empty: readonly Start[],
  all: ReadonlyMap<FirstEvent, readonly Start[]>,
): void {
  const floorMs = medianOf(empty.map(wholeMs));
  const rowOf = (name: string, what: string, starts: readonly Start[]) => {
    const { size } = statSync(join(settingsOf(name).root, 'index.mjs'));
    const [inits, firsts] = [
      starts.map(({ initMs }) => initMs),
      starts.map(({ firstMs }) => firstMs),
    ];
    return [
      ...[name, what, fixed(size / 1000)],
      ...[fixed(Math.min(...inits)), fixed(medianOf(inits))],
      ...[fixed(Math.min(...firsts)), fixed(medianOf(firsts))],
      fixed(medianOf(starts.map(wholeMs)) / floorMs, 2),
    ];
  };
  const rows = [
    rowOf('empty', '', empty),
    ...[...all].map(([{ name, what }, starts]) => rowOf(name, what, starts)),
  ];
  const columns = ['function', 'first event', 'KB', 'init, min', 'median', 'first, min', 'median'];
  console.log(
    `From nothing to the first answer, in ms: ${empty.length / all.size} starts each, Node ${process.versions.node}`,
  );
  console.log(tableOf([...columns, '× empty'], rows));
  if (process.argv.includes('--json')) console.log(JSON.stringify({ bench: 'cold', rows }));
}

function wholeMs({ initMs, firstMs }: Start): number {
  return initMs + firstMs;
}

await main();
