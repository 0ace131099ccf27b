/** A service in virtual time: the real endpoints and workers, made as the functions are, on a table of the model. */
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { CarrierOptions } from '../../functions/carriers.ts';
import { servicesAt } from '../../functions/service-ports.ts';
import { recentOfInstance, type TablePorts, tablePorts } from '../../functions/table-ports.ts';
import { batchIntents } from '../../shared/action/batch-intents.ts';
import { create } from '../../shared/action/create.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { foundDefaultLedger } from '../../shared/action/found-ledger.ts';
import { prove } from '../../shared/action/prove.ts';
import { readIntent } from '../../shared/action/read-intent.ts';
import { luidMaker } from '../../shared/crypto/luid.ts';
import { api } from '../../shared/http/api.ts';
import { schemaMaker } from '../../shared/json-schema/maker.ts';
import type { Services } from '../../shared/port/action.ts';
import type { Proof } from '../../shared/shape/proof.ts';
import { patternMaker } from '../../shared/signal/pattern.ts';
import { recentReads } from '../../shared/store/recent.ts';
import type { TableClient } from '../../shared/store/request.ts';
import {
  type DynamoStoreOptions,
  dynamoGroupCommit,
  type TableOptions,
} from '../../shared/store/store.ts';
import type { Body } from '../fixture/client.ts';
import { between } from '../fixture/trouble.ts';
import type { VirtualClock } from './clock.ts';
import { type CloudOptions, newCloud } from './cloud.ts';
import { Engine } from './engine.ts';
import { instanceCount } from './parameters.ts';
import { poolOf } from './pool.ts';
import { newWorkers, type Process } from './workers.ts';

export interface LedgerOptions extends Omit<CloudOptions, 'engine'> {
  readonly clock: VirtualClock;
  /** The ledgers of the service; the first is the default one. */
  readonly handles: readonly string[];
  /** True where transactions that meet share one, on a database that forgets its tokens with every lost connection. */
  readonly isGrouped?: boolean;
  /** What a bridge or a webhook answers to. */
  readonly send?: CarrierOptions['send'];
  /** The part of the runs of workers in which they die. */
  readonly mortality?: number | undefined;
  /** The part of the entries that banks refuse to prepare. */
  readonly refusing?: number;
}

/** An answer of an endpoint. */
export interface Answered {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Intents of one request. */
export interface Batch {
  readonly mode: 'independent' | 'atomic';
  readonly data: readonly Body[];
}

export type CloudLedger = Awaited<ReturnType<typeof newLedger>>;

const tableName = 'cloud';
/** The answer of the gateway when all instances are busy. */
const noInstance: Answered = { status: 429, body: { reason: 'no instance is free' } };
/** The time limit of a request is one of the real clock, which says nothing here: it never ends. */
const endlessMs = 24 * 3_600_000;
/** The time between two looks whether the workers have come to their end. */
const lookMs = 50;

/** A service with its ledgers. Requests are answered at once until `open()`. */
export async function newLedger(options: LedgerOptions) {
  const { clock, random, handles } = options;
  const engine = new Engine(tableName, () => clock.now());
  const cloud = newCloud({ ...options, engine });
  const complaints: string[] = [];
  const report = (error: unknown): void => void complaints.push(textOf(error));
  const at = options.isGrouped
    ? groupedAt(cloud.client, engine)
    : { client: cloud.client, tableName };
  let conflictCount = 0;
  const onConflict = (): void => {
    conflictCount += 1;
  };
  const onStored: DynamoStoreOptions['onStored'] = (stored) => workers.wake(stored);
  // The threads of one runtime count their changes together. Decision 129.
  const changes = new Int32Array(1);
  /** A process with a client of its own. */
  const processAt = (place: TableOptions): Process => {
    const recent = options.isGrouped ? recentReads({ changes }) : recentOfInstance();
    const table = tablePorts(place, { onConflict, onStored }, recent);
    return { table, services: servicesOf(table, options) };
  };
  const workers = newWorkers({ ...options, at, report, processAt });
  const { services } = processAt(at);
  for (const defaultLedger of handles)
    await foundDefaultLedger({ ...services, settings: { ...services.settings, defaultLedger } });
  // Each instance knows only what it has read itself, but where all are one process.
  const own = (): TableOptions => ({ ...at, client: { send: at.client.send } as TableClient });
  const instances = poolOf(() =>
    handlerOf(options.isGrouped ? services : processAt(own()).services),
  );
  let [requestCount, underWay, isOpen] = [0, 0, false];
  const ask = async (
    httpMethod: string,
    path: string,
    body: string | null,
    ledger = handles[0],
  ): Promise<Answered> => {
    if (isOpen && underWay >= instanceCount) return noInstance;
    requestCount += 1;
    underWay += 1;
    const event = { httpMethod, path, headers: { 'x-ledger': ledger }, body };
    const context = { awsRequestId: `${requestCount}`, getRemainingTimeInMillis: () => endlessMs };
    const handler = instances.take();
    const answer = await handler(event as unknown as APIGatewayProxyEvent, context as Context);
    instances.give(handler);
    underWay -= 1;
    return { status: answer.statusCode, body: JSON.parse(answer.body) };
  };
  return {
    engine,
    ...{ clock, random, complaints, tableName, done: workers.done },
    /** From now on the table behaves as a cloud, and the sweeper runs. */
    open: (): void => {
      cloud.open();
      workers.begin();
      isOpen = true;
    },
    friction: cloud.friction,
    /** Counts from here. */
    clear: (): void => {
      cloud.clear();
      workers.clear();
      conflictCount = 0;
    },
    conflictCount: () => conflictCount,
    /** Posts to a ledger, as through the gateway. */
    post: (path: string, body: Body | Proof | Batch, ledger?: string): Promise<Answered> =>
      ask('POST', path, JSON.stringify(body), ledger),
    get: (path: string, ledger?: string): Promise<Answered> => ask('GET', path, null, ledger),
    /** Waits until no worker has anything to do, for so long at most; true when there is nothing left. */
    settle: async (msMax: number): Promise<boolean> => {
      const endMs = clock.now() + msMax;
      while (workers.isBusy() && clock.now() < endMs) await clock.sleep(lookMs);
      return !workers.isBusy();
    },
  };
}

/** A table with group commit. Its connections end because it restarts, and so it has no token of before. */
function groupedAt(cloud: TableClient, engine: Engine): TableOptions {
  const client = between(cloud, async (command, send) => {
    try {
      return await send(command);
    } catch (error) {
      if ((error as { readonly code?: string }).code === 'ECONNRESET') engine.forgetTokens();
      throw error;
    }
  });
  return { client, tableName, groupCommit: dynamoGroupCommit({ client, tableName }) };
}

function servicesOf(
  table: TablePorts,
  { clock, random, handles: [defaultLedger = ''] }: LedgerOptions,
): Services {
  // The audit requires that what is wrapped is longer.
  const wrap = async (secret: Uint8Array) => Buffer.concat([Buffer.alloc(1), secret]);
  const keyring = { wrap, unwrap: async (wrapped: Uint8Array) => wrapped.slice(1) };
  const now = () => Math.floor(clock.now());
  return servicesAt(table, {
    ...{ keyring, clock: now, patternMaker, schemaMaker },
    luids: luidMaker((size) => Uint8Array.from({ length: size }, () => Math.floor(random() * 256))),
    settings: { defaultLedger, servers: [], semver: '0', startedMs: now() },
    assertEndpoint: () => undefined,
  });
}

function handlerOf(services: Services) {
  const endpoints = [
    'POST /signers',
    'POST /symbols',
    'POST /wallets',
    'POST /bridges',
    'POST /effects',
    'POST /intents',
    'POST /intents/!batch',
    'GET /intents/{id}',
    'POST /intents/{id}/proofs',
  ] as const;
  return api({ services, log: () => {} }, endpoints, {
    'POST /signers': create('signer'),
    'POST /symbols': create('symbol'),
    'POST /wallets': create('wallet'),
    'POST /bridges': create('bridge'),
    'POST /effects': create('effect'),
    'POST /intents': createIntent,
    'POST /intents/!batch': batchIntents,
    'GET /intents/{id}': readIntent,
    'POST /intents/{id}/proofs': prove('intent'),
  });
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
