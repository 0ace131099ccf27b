/**
 * A few payments inside this process, one at a time: counts the requests to the table of each API request, and those of
 * relay, index entries and deliveries in between. The bridges accept every call at once, and report when all other work
 * is done.
 */

import { localBus } from '../../localstack/runtime/bus.ts';
import { attempt } from '../../shared/delivery/attempt.ts';
import type { AttemptPorts } from '../../shared/delivery/attempted.ts';
import { rates } from '../../shared/delivery/bytes.ts';
import { accept } from '../../shared/delivery/courier.ts';
import { hostPlaces, wholeRoom } from '../../shared/delivery/room.ts';
import { tokens } from '../../shared/delivery/tokens.ts';
import { FirstAttempts } from '../../shared/delivery/unstored.ts';
import { indexing } from '../../shared/signal/indexing.ts';
import { drain } from '../../shared/signal/relay.ts';
import { sequencer } from '../../shared/signal/sequencing.ts';
import { withRecent, withRecentEffects } from '../../shared/store/recent.ts';
import type { Consumed } from '../../shared/store/request.ts';
import {
  dynamoBooks,
  dynamoCatalog,
  dynamoDeliveries,
  dynamoLogs,
  dynamoOutbox,
  dynamoStore,
} from '../../shared/store/store.ts';
import type { Item } from '../fixture/client.ts';
import { type LedgerHere, ledgerIn, type Traffic } from './here.ts';
import {
  type Bank,
  bankingOf,
  banks,
  paymentOf,
  reportOf,
  reportsPathOf,
} from './payment-scene.ts';

export const workers = ['relay', 'mentions', 'deliveries'] as const;
export type Worker = (typeof workers)[number];

/** One request of a payment, as the table saw it. */
export interface Asked extends Traffic {
  readonly request: string;
  /** Equal for requests that answer the same calls, since banks do not wait for each other. */
  readonly step: number;
}

export interface Payment {
  readonly requests: readonly Asked[];
  readonly outside: Readonly<Record<Worker, readonly Consumed[]>>;
}

/** A call to a bridge, as it is sent. */
interface Call {
  readonly method: string;
  readonly endpoint: string;
  readonly body: Item;
}

const scope = 'main';
const paymentCount = 20;
/** Long enough that no delivery of this bench is ever due. */
const leaseMs = 600_000;

/** Makes payments in a new file. `onReady` is called when all that follows is counted. */
export async function rehearsePayments(
  file: string,
  masterKeyFile: string,
  onReady: () => void = () => {},
): Promise<Payment[]> {
  const ledger = await ledgerIn(file, masterKeyFile);
  for (const posts of bankingOf(({ name }) => `https://${name}.example/core`))
    await Promise.all(posts.map(({ path, body }) => ledger.post(path, body)));
  const outside = outsideOf(ledger);
  const payments: Payment[] = [];
  // The first payment opens balances and fills caches, and is not counted.
  for (let number = 0; number <= paymentCount; number += 1) {
    payments.push(await pay(ledger, outside, number));
    if (number === 0) onReady();
  }
  return payments.slice(1);
}

async function pay(ledger: LedgerHere, outside: Outside, number: number): Promise<Payment> {
  const requests: Asked[] = [];
  let step = 0;
  const ask = async (request: string, work: () => Promise<Item>) => {
    ledger.heard();
    const { meta } = await work();
    requests.push({ request, step, ...ledger.heard() });
    return String(meta['status']);
  };
  await outside.work();
  outside.heard();
  let status = await ask('POST /intents', () => ledger.post('/intents', paymentOf('hot', number)));
  for (let calls = await outside.work(); calls.length > 0; calls = await outside.work()) {
    step += 1;
    for (const { endpoint, body } of calls) {
      const said = saidTo({ endpoint, body });
      if (said) status = await ask(said.what, () => ledger.post(said.path, said.proof));
    }
  }
  if (status !== 'completed') throw new Error(`A payment is ${status}.`);
  return { requests, outside: outside.heard() };
}

/** The report of the called bank. */
export function saidTo({ endpoint, body }: Pick<Call, 'endpoint' | 'body'>) {
  const { hostname, pathname } = new URL(endpoint);
  const bank = banks.find(({ name }) => hostname.startsWith(name)) as Bank;
  const { handle, intent, action } = body.data as unknown as {
    readonly handle: string;
    readonly action?: string;
    readonly intent?: Item;
  };
  if (!intent) return undefined;
  const status = action === undefined ? 'prepared' : 'committed';
  const side = pathname.includes('/debits') ? 'debit' : 'credit';
  return {
    what: `${side} ${status}`,
    path: reportsPathOf(String(intent.data['handle'])),
    proof: reportOf(bank, intent.hash, handle, status),
  };
}

export interface Outside {
  /** Runs until all work is done; returns the calls to bridges. */
  readonly work: () => Promise<readonly Call[]>;
  readonly heard: () => Payment['outside'];
}

export function outsideOf({ services, recent, counting, nudged }: LedgerHere): Outside {
  const consumed: Record<Worker, Consumed[]> = { relay: [], mentions: [], deliveries: [] };
  const tableOf = (worker: Worker) => counting((what) => consumed[worker].push(what));
  const calls: Call[] = [];
  const deliveries = withRecentEffects(dynamoDeliveries(tableOf('deliveries')), recent);
  const store = withRecent(dynamoStore(tableOf('deliveries')), recent);
  const own = { ...services, deliveries, store };
  const never = () => Promise.reject(new Error('No bridge refuses anything.'));
  const report = (error: unknown) => console.error(error);
  const ports: AttemptPorts = {
    ...{ services: own, deliveries, refused: never, metric: () => {}, report },
    room: wholeRoom({ rates: rates(1e9), hosts: hostPlaces(100) }),
    tokens: tokens({ ask: never, clock: services.clock }),
    send: async ({ method, endpoint, body }) => {
      calls.push({ method, endpoint, body: JSON.parse(String(body)) as Item });
      return { kind: 'answered', status: 202 };
    },
  };
  const { patternMaker } = services;
  const accepting = { ...ports, patternMaker, leaseMs, postponedUntil: () => undefined };
  const first = new FirstAttempts(deliveries, services.clock);
  const attempting = { ...ports, deliveries: first.deliveries };
  const courier = (events: Parameters<typeof accept>[1]) =>
    first.bring({
      eventCount: events.length,
      accept: (taken) => accept({ ...accepting, deliveries: taken }, events),
      carry: (all) => {
        for (const delivery of all) void attempt(attempting, delivery).catch(report);
      },
      momentMs: leaseMs,
    });
  const catalog = dynamoCatalog(tableOf('mentions'));
  const books = dynamoBooks(tableOf('mentions'));
  const mentions = tableOf('mentions');
  const log = sequencer({ logs: dynamoLogs(mentions), store: dynamoStore(mentions), report });
  const relay = {
    outbox: indexing({
      ...{ outbox: dynamoOutbox(tableOf('relay')), catalog, books, log, clock: services.clock },
      ...{ metric: () => {}, report },
    }),
    ...{
      reader: withRecent(dynamoStore(tableOf('relay')), recent),
      clock: services.clock,
      metric: () => {},
    },
    bus: localBus({ courier }, (_, error) => report(error)),
  };
  return {
    work: async () => {
      await drain(relay, scope, nudged());
      return calls.splice(0);
    },
    heard: () => ({
      ...{ relay: consumed.relay.splice(0), mentions: consumed.mentions.splice(0) },
      deliveries: consumed.deliveries.splice(0),
    }),
  };
}
