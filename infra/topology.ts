/**
 * The functions, where they are mounted and what invokes them, as data. The CDK stack and the offline runtime both read
 * it, so that what is tested is what is deployed.
 */

import { endpoints as anchors } from '../functions/anchors/endpoints.ts';
import { endpoints as balances } from '../functions/balances/endpoints.ts';
import { endpoints as bridges } from '../functions/bridges/endpoints.ts';
import { endpoints as circles } from '../functions/circles/endpoints.ts';
import { endpoints as console } from '../functions/console/endpoints.ts';
import { endpoints as docs } from '../functions/docs/endpoints.ts';
import { endpoints as domains } from '../functions/domains/endpoints.ts';
import { endpoints as effects } from '../functions/effects/endpoints.ts';
import { endpoints as health } from '../functions/health/endpoints.ts';
import { endpoints as intents } from '../functions/intents/endpoints.ts';
import { endpoints as ledger } from '../functions/ledger/endpoints.ts';
import { endpoints as ledgers } from '../functions/ledgers/endpoints.ts';
import { endpoints as log } from '../functions/log/endpoints.ts';
import { endpoints as oauth } from '../functions/oauth/endpoints.ts';
import { endpoints as policies } from '../functions/policies/endpoints.ts';
import { endpoints as reports } from '../functions/reports/endpoints.ts';
import { endpoints as schemas } from '../functions/schemas/endpoints.ts';
import { endpoints as signers } from '../functions/signers/endpoints.ts';
import { endpoints as status } from '../functions/status/endpoints.ts';
import { endpoints as symbols } from '../functions/symbols/endpoints.ts';
import { endpoints as wallets } from '../functions/wallets/endpoints.ts';
import { outboxPartitionOf, outboxShardCount } from '../shared/store/keys.ts';

/** A group of endpoints is one Lambda, mounted at `/{name}` and everything below it. */
export const groups = {
  status,
  health,
  ledgers,
  ledger,
  signers,
  symbols,
  wallets,
  balances,
  intents,
  effects,
  circles,
  bridges,
  domains,
  anchors,
  schemas,
  policies,
  oauth,
  reports,
  log,
  console,
  docs,
} as const;

export type FunctionGroup = keyof typeof groups;

/** Answers the base address, and every path that belongs to no other group. */
export const rootGroup: FunctionGroup = 'status';

/** The time limit of API Gateway. The handler gives up a second earlier. */
export const groupTimeoutSeconds = 29;

/** The API's stage, and so the path prefix of every endpoint. */
export const stage = 'v2';

interface WorkerLine {
  readonly does: string;
  readonly timeoutSeconds: number;
  /** Reserved concurrency: the most that run at a time, and as many are kept free for it. */
  readonly concurrency?: number;
}

/** Functions that the API does not reach, by folder in `functions/`. */
export const workers = {
  found: { does: 'Makes the default ledger.', timeoutSeconds: 29 },
  // One runs for each shard of the stream, and a shard takes 1,000 writes a second.
  relay: { does: 'Publishes signals on the bus.', timeoutSeconds: 60, concurrency: 20 },
  // Attempts each delivery once: up to 10 s, or 20 s when it fetches a token first.
  courier: {
    does: 'Delivers events to effects, and calls bridges.',
    timeoutSeconds: 120,
    concurrency: 100,
  },
  // A sweep may last two ticks of its clock: two run at a time, and two more that the stream invokes.
  sweeper: {
    does: 'Publishes missed signals, signs checkpoints and has them cosigned, attempts deliveries that are due, and begins and ends intents at their time.',
    timeoutSeconds: 120,
    concurrency: 4,
  },
  // A long report continues at the next tick, and a second run would only repeat the first. Lambda drops
  // a waiting tick after ten minutes, so a run ends before.
  reporter: { does: 'Produces reports.', timeoutSeconds: 480, concurrency: 1 },
} as const satisfies Record<string, WorkerLine>;

export type Worker = keyof typeof workers;

/** Workers that are invoked again and again; `found` runs once in each deployment. */
export type InvokedWorker = Exclude<Worker, 'found'>;

/** The two paths of the API that a group is mounted at: one path, and everything below it. */
export function mountsOf(group: FunctionGroup): readonly [path: string, below: string] {
  return group === rootGroup ? ['/', '/{proxy+}'] : [`/${group}`, `/${group}/{proxy+}`];
}

/** The group that a path belongs to, by its first segment. */
export function groupOf(path: string): FunctionGroup {
  const [, name = ''] = path.split('/');
  return name !== rootGroup && Object.hasOwn(groups, name) ? (name as FunctionGroup) : rootGroup;
}

const outboxEnds = Array.from({ length: outboxShardCount }, (_, shard) => ({
  suffix: outboxPartitionOf('', shard),
}));

/**
 * Selects new outbox entries from the stream of the table, as an event filter of Lambda. A removed item has no new
 * image, so that the relay is not invoked by what it deletes.
 */
export const outboxFilter = { dynamodb: { NewImage: { pk: { S: outboxEnds } } } } as const;

/** Selects markers of deliveries whose next attempt is soon. Decision 85. */
export const soonFilter = { dynamodb: { NewImage: { soon: { BOOL: [true] } } } } as const;

/**
 * The readers of the table's stream. A record that cannot be handed over is retried for `retentionMinutes`; the clock of the
 * sweeper finds the work afterwards. DynamoDB recommends at most two readers of a stream.
 */
export const streams = [
  { name: 'outbox', filter: outboxFilter, target: 'relay', retentionMinutes: 60 },
  { name: 'soon', filter: soonFilter, target: 'sweeper', retentionMinutes: 1 },
] as const;

/** The workers that send bytes for ledgers. Each has half of a ledger's rate, divided among its processes. */
export const senders = ['courier', 'sweeper'] as const;

/** Every event but those that the relay has marked, since nobody is told of them. Decision 146. */
const receivedEvents = {
  source: ['countersign'],
  detail: { hasReceiver: [{ exists: false }] },
} as const;

export const rules = [{ name: 'signals', pattern: receivedEvents, target: 'courier' }] as const;

export const schedules = [
  { name: 'sweep', everyMinutes: 1, target: 'sweeper' },
  { name: 'report', everyMinutes: 1, target: 'reporter' },
] as const;
