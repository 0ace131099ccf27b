/**
 * A service in virtual time: the real endpoints and workers on a table of the model. Each worker runs as often as AWS
 * runs it: the relay once for a shard at a time, woken by the stream of the table, and some couriers behind the bus.
 */
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { create } from '../../shared/action/create.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { foundDefaultLedger } from '../../shared/action/found-ledger.ts';
import { prove } from '../../shared/action/prove.ts';
import { luidMaker } from '../../shared/crypto/luid.ts';
import { attempt } from '../../shared/delivery/attempt.ts';
import type { AttemptPorts } from '../../shared/delivery/attempted.ts';
import { rates } from '../../shared/delivery/bytes.ts';
import { accept } from '../../shared/delivery/courier.ts';
import { hostPlaces, wholeRoom } from '../../shared/delivery/room.ts';
import { tokens } from '../../shared/delivery/tokens.ts';
import { api } from '../../shared/http/api.ts';
import { schemaMaker } from '../../shared/json-schema/maker.ts';
import type { Services } from '../../shared/port/action.ts';
import { identities } from '../../shared/record/identity.ts';
import type { Proof } from '../../shared/shape/proof.ts';
import type { LedgerEvent } from '../../shared/signal/event.ts';
import { indexing } from '../../shared/signal/indexing.ts';
import { patternMaker } from '../../shared/signal/pattern.ts';
import { type Bus, drain, type RelayPorts } from '../../shared/signal/relay.ts';
import { sequencer } from '../../shared/signal/sequencing.ts';
import type { TableClient } from '../../shared/store/request.ts';
import {
  dynamoBooks,
  dynamoCatalog,
  dynamoDeliveries,
  dynamoGroupCommit,
  dynamoLogs,
  dynamoNotes,
  dynamoOutbox,
  dynamoReports,
  dynamoStore,
  type OutboxPlace,
  type TableOptions,
} from '../../shared/store/store.ts';
import type { Body } from '../fixture/client.ts';
import { between } from '../fixture/trouble.ts';
import type { VirtualClock } from './clock.ts';
import { type CloudOptions, newCloud } from './cloud.ts';
import { Engine } from './engine.ts';
import { courierCount, streamPollMs } from './parameters.ts';

export interface LedgerOptions extends Omit<CloudOptions, 'engine'> {
  readonly clock: VirtualClock;
  /** The ledgers of the service; the first is the default one. */
  readonly handles: readonly string[];
  /** True where transactions that meet share one, on a database that forgets its tokens with every lost connection. */
  readonly isGrouped?: boolean;
  /** What a bridge or a webhook answers to. */
  readonly send?: AttemptPorts['send'];
}

/** An answer of an endpoint. */
export interface Answered {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export type CloudLedger = Awaited<ReturnType<typeof newLedger>>;

const tableName = 'cloud';
const leaseMs = 60_000;
/** The time between two looks whether the workers have come to their end. */
const lookMs = 50;

/** A service with its ledgers. Requests are answered at once until `cloud.open()`. */
export async function newLedger(options: LedgerOptions) {
  const { clock, random, handles } = options;
  const engine = new Engine(tableName, () => clock.now());
  const cloud = newCloud({ ...options, engine });
  const complaints: string[] = [];
  const report = (error: unknown): void => void complaints.push(textOf(error));
  const at = options.isGrouped
    ? groupedAt(cloud.client, engine)
    : { client: cloud.client, tableName };
  const workers = newWorkers({ ...options, at, report });
  let conflictCount = 0;
  const onConflict = (): void => {
    conflictCount += 1;
  };
  const services = servicesOf(at, options, { onConflict, onStored: workers.wake });
  workers.begin(services);
  for (const defaultLedger of handles)
    await foundDefaultLedger({ ...services, settings: { ...services.settings, defaultLedger } });
  const handler = handlerOf(services);
  let requestCount = 0;
  return {
    engine,
    ...{ cloud, clock, random, complaints, tableName },
    conflictCount: () => conflictCount,
    /** Posts to a ledger, as through the gateway. */
    post: async (path: string, body: Body | Proof, ledger = handles[0]): Promise<Answered> => {
      requestCount += 1;
      const headers = { 'x-ledger': ledger };
      const event = { httpMethod: 'POST', path, headers, body: JSON.stringify(body) };
      const context = { awsRequestId: `${requestCount}`, getRemainingTimeInMillis: () => 29_000 };
      const answer = await handler(event as unknown as APIGatewayProxyEvent, context as Context);
      return { status: answer.statusCode, body: JSON.parse(answer.body) };
    },
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
  at: TableOptions,
  { clock, random, handles: [defaultLedger = ''] }: LedgerOptions,
  heard: Pick<Parameters<typeof dynamoStore>[0], 'onConflict' | 'onStored'>,
): Services {
  const store = dynamoStore({ ...at, ...heard });
  // The audit requires that what is wrapped is longer.
  const wrap = async (secret: Uint8Array) => Buffer.concat([Buffer.alloc(1), secret]);
  const keyring = { wrap, unwrap: async (wrapped: Uint8Array) => wrapped.slice(1) };
  const now = () => Math.floor(clock.now());
  return {
    ...{ store, keyring, clock: now, patternMaker, schemaMaker },
    catalog: dynamoCatalog(at),
    books: dynamoBooks(at),
    deliveries: dynamoDeliveries(at),
    reports: dynamoReports(at),
    logs: dynamoLogs(at),
    notes: dynamoNotes(at),
    luids: luidMaker((size) => Uint8Array.from({ length: size }, () => Math.floor(random() * 256))),
    identityOf: identities(store, keyring, now),
    settings: { defaultLedger, servers: [], semver: '0', startedMs: now() },
    assertEndpoint: () => undefined,
  };
}

function handlerOf(services: Services) {
  const endpoints = [
    'POST /signers',
    'POST /symbols',
    'POST /wallets',
    'POST /bridges',
    'POST /effects',
    'POST /intents',
    'POST /intents/{id}/proofs',
  ] as const;
  return api({ services, log: () => {} }, endpoints, {
    'POST /signers': create('signer'),
    'POST /symbols': create('symbol'),
    'POST /wallets': create('wallet'),
    'POST /bridges': create('bridge'),
    'POST /effects': create('effect'),
    'POST /intents': createIntent,
    'POST /intents/{id}/proofs': prove('intent'),
  });
}

interface WorkerOptions extends LedgerOptions {
  readonly at: TableOptions;
  readonly report: (error: unknown) => void;
}

/** The relay and the couriers. */
function newWorkers(options: WorkerOptions) {
  const { clock, random, report } = options;
  const waiting: LedgerEvent[] = [];
  const places = new Map<string, 'running' | 'wanted'>();
  let courierBusyCount = 0;
  let carry: (event: LedgerEvent) => Promise<void>;
  let relay: RelayPorts;

  const courier = async (): Promise<void> => {
    courierBusyCount += 1;
    for (let event = waiting.shift(); event; event = waiting.shift())
      // The bus brings an event again that was not accepted.
      await carry(event).catch(report);
    courierBusyCount -= 1;
  };
  const publish: Bus['publish'] = async (lines) => {
    waiting.push(...lines.flat());
    const free = Math.min(waiting.length, courierCount - courierBusyCount);
    for (let index = 0; index < free; index += 1) void courier();
    return lines.map(({ length }) => length);
  };
  /** Drains a shard until nothing more was stored in it meanwhile. */
  const drainAt = async (name: string, { scope, shard }: OutboxPlace): Promise<void> => {
    do {
      places.set(name, 'running');
      await clock.sleep(random() * streamPollMs);
      const isDrained = await drain(relay, scope, [shard]).catch((error: unknown) => {
        report(error);
        return false;
      });
      if (!isDrained) places.set(name, 'wanted');
    } while (places.get(name) === 'wanted');
    places.delete(name);
  };
  return {
    begin: (services: Services): void => {
      relay = relayOf(options, services, { publish });
      carry = carrierOf(options, services);
    },
    wake: (stored: readonly OutboxPlace[]): void => {
      for (const place of stored) {
        const name = `${place.shard} ${place.scope}`;
        if (places.has(name)) places.set(name, 'wanted');
        else void drainAt(name, place);
      }
    },
    isBusy: (): boolean => places.size > 0 || waiting.length > 0 || courierBusyCount > 0,
  };
}

function relayOf({ at, report }: WorkerOptions, services: Services, bus: Bus): RelayPorts {
  const { store, logs, catalog, books, clock } = services;
  const metric = () => {};
  const log = sequencer({ logs, store, report });
  const outbox = dynamoOutbox(at);
  return {
    outbox: indexing({ ...{ outbox, catalog, books, log, clock, metric }, report }),
    ...{ reader: store, bus, clock, metric },
  };
}

/** Accepts an event, and attempts what follows from it once. */
function carrierOf({ report, send }: WorkerOptions, services: Services) {
  const refuse = () => Promise.reject(new Error('Nothing is refused here.'));
  const { deliveries, clock } = services;
  const ports: AttemptPorts = {
    ...{ services, deliveries, refused: refuse, metric: () => {}, report },
    room: wholeRoom({ rates: rates(1e9), hosts: hostPlaces(10_000) }),
    tokens: tokens({ ask: refuse, clock }),
    send: send ?? refuse,
  };
  const accepting = { ...ports, patternMaker, leaseMs, postponedUntil: () => undefined };
  return async (event: LedgerEvent): Promise<void> => {
    for (const delivery of await accept(accepting, [event])) await attempt(ports, delivery);
  };
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
