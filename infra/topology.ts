/**
 * What there is, as data: the functions, where they are mounted and what wakes them. The CDK stack
 * and the offline runtime both read it, so that what is tested here is what is deployed there.
 */

import { endpoints as anchors } from '../functions/anchors/endpoints.ts';
import { endpoints as bridges } from '../functions/bridges/endpoints.ts';
import { endpoints as circles } from '../functions/circles/endpoints.ts';
import { endpoints as domains } from '../functions/domains/endpoints.ts';
import { endpoints as effects } from '../functions/effects/endpoints.ts';
import { endpoints as intents } from '../functions/intents/endpoints.ts';
import { endpoints as ledger } from '../functions/ledger/endpoints.ts';
import { endpoints as ledgers } from '../functions/ledgers/endpoints.ts';
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
  ledgers,
  ledger,
  signers,
  symbols,
  wallets,
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
} as const;

export type Group = keyof typeof groups;

/** The group that answers the base address, and every path that belongs to no other group. */
export const rootGroup: Group = 'status';

/** The time that API Gateway gives a group. The handler gives up a second earlier. */
export const groupTimeoutSeconds = 29;

/** The API's stage, and so the path prefix of every endpoint. Interface, Versioning. */
export const stage = 'v2';

/** How a worker runs. */
interface WorkerLine {
  readonly does: string;
  readonly timeoutSeconds: number;
  /** How many may run at a time; so many are also kept free for it. */
  readonly concurrency?: number;
}

/** Functions that nothing outside can call: each is a Lambda of the folder of its name. */
export const workers = {
  found: { does: 'Makes the default ledger.', timeoutSeconds: 29 },
  // One runs for each shard of the stream, and a shard takes 1,000 writes a second.
  relay: { does: 'Puts signals on the bus.', timeoutSeconds: 60, concurrency: 20 },
  // Each delivery is attempted once: up to 10 s, or 20 with a token.
  courier: { does: 'Tells effects, and calls bridges.', timeoutSeconds: 120, concurrency: 100 },
  // A sweep may last two ticks of its clock, and so may those that the stream has woken.
  sweeper: {
    does: 'Tells what was forgotten, delivers what is due, and ends intents whose time is over.',
    timeoutSeconds: 120,
    concurrency: 4,
  },
  // A long report goes on with the next tick; two at a time would only do the same twice. What ticks
  // meanwhile is given up after ten minutes, so this ends before.
  reporter: { does: 'Produces reports.', timeoutSeconds: 480, concurrency: 1 },
} as const satisfies Record<string, WorkerLine>;

export type Worker = keyof typeof workers;

/** A worker that something wakes again and again; the other one runs once in each deployment. */
export type Woken = Exclude<Worker, 'found'>;

/** The two paths of the API that a group is mounted at: one path, and everything below it. */
export function mountsOf(group: Group): readonly [path: string, below: string] {
  return group === rootGroup ? ['/', '/{proxy+}'] : [`/${group}`, `/${group}/{proxy+}`];
}

/** The group that a path belongs to, by its first segment. */
export function groupOf(path: string): Group {
  const [, name = ''] = path.split('/');
  return name !== rootGroup && Object.hasOwn(groups, name) ? (name as Group) : rootGroup;
}

const outboxEnds = Array.from({ length: outboxShardCount }, (_, shard) => ({
  suffix: outboxPartitionOf('', shard),
}));

/**
 * The records of the table's stream that are new outbox entries, as an event filter of Lambda. A
 * removed item has no new image, so that what the relay deletes does not wake it again.
 */
export const outboxFilter = { dynamodb: { NewImage: { pk: { S: outboxEnds } } } } as const;

/** The records of the table's stream that mark a delivery which is to be attempted at its time. Decision 85. */
export const soonFilter = { dynamodb: { NewImage: { soon: { BOOL: [true] } } } } as const;

/**
 * Which records of the table's stream wake which worker, and for how long they are kept for one that cannot be woken:
 * a delivery whose time is over is found by the clock. A stream has no room for a third who reads it.
 */
export const streams = [
  { name: 'outbox', filter: outboxFilter, target: 'relay', keptMinutes: 60 },
  { name: 'soon', filter: soonFilter, target: 'sweeper', keptMinutes: 1 },
] as const;

/** Who sends bytes for ledgers: half of what a ledger may send is for each of them, and divided among so many processes. */
export const senders = ['courier', 'sweeper'] as const;

/** Which events of the bus wake which worker. */
export const rules = [
  { name: 'signals', pattern: { source: ['countersign'] }, target: 'courier' },
] as const;

/** Which clocks wake which worker. */
export const schedules = [
  { name: 'sweep', everyMinutes: 1, target: 'sweeper' },
  { name: 'report', everyMinutes: 1, target: 'reporter' },
] as const;
