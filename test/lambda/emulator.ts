/**
 * The deployment on this machine: the bundle of every function, the gateway, the event sources of the workers, and
 * emulators of the services that they use. It stores nothing after its end.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleFunctions } from '../../infra/bundling.ts';
import {
  type FunctionGroup,
  schedules,
  stage,
  streams,
  type Worker,
} from '../../infra/topology.ts';
import { type Database, openDatabase } from '../../localstack/runtime/database.ts';
import { makeTable } from '../../localstack/runtime/table.ts';
import { makeMasterKey } from '../../shared/keyring/local.ts';
import { apiGateway } from './api-gateway.ts';
import type { Fields } from './aws-json.ts';
import { bootstrapIn } from './bootstrap-file.ts';
import { startClocks } from './clock.ts';
import {
  busName,
  type Deployed,
  deployed,
  keyArn,
  type Parameters,
  tableName,
} from './deployed.ts';
import { serveBus } from './event-bus.ts';
import { type LambdaFunction, lambdaFunction, lineOf } from './function.ts';
import type { Host } from './instance.ts';
import { serveKms } from './kms.ts';
import { attempt, type DeadLetter } from './later.ts';
import { followStream } from './stream.ts';

export interface EmulatorOptions {
  readonly port: number;
  readonly parameters: Parameters;
  /** The most instances of a function. */
  readonly instances: number;
  /** The interval of schedules in seconds, in place of their minutes. */
  readonly tickSeconds: number;
  /** Allows calls to webhooks and bridges of this machine, which AWS never does. Ruling 62. */
  readonly isInside: boolean;
  /** Receives the output of functions, and errors. */
  readonly onLine: (name: string, line: string) => void;
}

export interface Emulator {
  readonly address: string;
  /** The default ledger, and the key that verifies its answers. */
  readonly ledger: string;
  readonly key: string;
  readonly stop: () => Promise<void>;
}

type Functions = ReadonlyMap<FunctionGroup | Worker, LambdaFunction>;
type Stop = () => unknown;

export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const stops: Stop[] = [];
  const stop = async (): Promise<void> => {
    for (const one of stops.toReversed()) await one();
  };
  try {
    return { ...(await bringUp(options, stops)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function bringUp(options: EmulatorOptions, stops: Stop[]): Promise<Omit<Emulator, 'stop'>> {
  const { port, onLine } = options;
  const complain = (why: string): void => onLine('emulator', why);
  const deadLetter: DeadLetter = (name, event, why) => {
    complain(`dead letter of ${name}: ${why}: ${JSON.stringify(event).slice(0, 500)}`);
  };
  const address = `http://127.0.0.1:${port}/${stage}`;
  // Throws for invalid parameters, before anything is started.
  const settings = deployed(address, options.parameters);
  const folder = mkdtempSync(join(tmpdir(), 'countersign-lambda-'));
  stops.push(() => rmSync(folder, { recursive: true, force: true }));
  const database = await openDatabase(undefined);
  stops.push(database.stop);
  await makeTable(database.endpoint, tableName, { isStreamed: true });

  const all = new Map<FunctionGroup | Worker, LambdaFunction>();
  const handOver = (target: Worker, event: Fields): void => {
    void attempt(functionOf(all, target), event, deadLetter);
  };
  const services = await standIns(folder, database, handOver, stops);
  for (const [name, one] of functionsIn(folder, settings, services, options)) all.set(name, one);
  stops.push(() => Promise.all([...all.values()].map((one) => one.stop())));

  const found = await foundLedger(functionOf(all, 'found'));
  for (const { filter, target } of streams) {
    const { endpoint } = database;
    const to = { target: functionOf(all, target), deadLetter, complain };
    stops.push(await followStream({ endpoint, tableName, filter, ...to }));
  }
  stops.push(
    startClocks(schedules, options.tickSeconds, (name, event) => {
      return attempt(functionOf(all, name), event, deadLetter);
    }),
  );
  const server = apiGateway(async (group, event) => {
    const outcome = await functionOf(all, group).invoke(event);
    if ('failure' in outcome) complain(`${group}: ${lineOf(outcome.failure)}`);
    return outcome;
  }, complain).listen(port, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => close(server));
  return { address, ...found };
}

/** Starts the emulated services of AWS; returns the variables by which the SDK finds them. */
async function standIns(
  folder: string,
  database: Database,
  handOver: (target: Worker, event: Fields) => void,
  stops: Stop[],
): Promise<Readonly<Record<string, string>>> {
  const masterKeyPath = join(folder, 'master.key');
  makeMasterKey(masterKeyPath);
  const kms = await serveKms(keyArn, masterKeyPath);
  stops.push(kms.stop);
  const bus = await serveBus(busName, handOver);
  stops.push(bus.stop);
  // https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
  return {
    AWS_ENDPOINT_URL_DYNAMODB: database.endpoint,
    AWS_ENDPOINT_URL_KMS: kms.endpoint,
    AWS_ENDPOINT_URL_EVENTBRIDGE: bus.endpoint,
  };
}

/** Makes the bundles, and a function of each without an instance. */
function functionsIn(
  folder: string,
  deployment: ReadonlyMap<FunctionGroup | Worker, Deployed>,
  services: Readonly<Record<string, string>>,
  { instances, isInside, onLine }: EmulatorOptions,
): Functions {
  bundleFunctions(folder);
  const host: Host = { bootstrap: bootstrapIn(join(folder, 'runtime')), onLine };
  const inside = isInside ? { OUTGOING_INSIDE: 'true' } : {};
  return new Map(
    [...deployment].map(([name, { reserved, environment, ...limits }]) => {
      const settings = {
        ...{ name, root: join(folder, name), ...limits },
        environment: { ...environment, ...services, ...inside },
      };
      const places = { machine: instances, ...(reserved !== undefined && { reserved }) };
      return [name, lambdaFunction(settings, host, places)] as const;
    }),
  );
}

function functionOf(functions: Functions, name: FunctionGroup | Worker): LambdaFunction {
  const found = functions.get(name);
  if (!found) throw new Error(`There is no function ${name}.`);
  return found;
}

/** Makes the default ledger, as a deployment does. */
async function foundLedger(found: LambdaFunction): Promise<Pick<Emulator, 'ledger' | 'key'>> {
  const outcome = await found.invoke({});
  if ('failure' in outcome) throw new Error(`found: ${lineOf(outcome.failure)}`);
  const { ledger, public: key } = JSON.parse(outcome.answer) as Record<'ledger' | 'public', string>;
  return { ledger, key };
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const hurry = setTimeout(() => server.closeAllConnections(), 3_000);
  await closed;
  clearTimeout(hurry);
}
