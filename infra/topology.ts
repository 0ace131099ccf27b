/**
 * What there is, as data: the functions, where they are mounted and what wakes them. The CDK stack
 * and the offline runtime both read it, so that what is tested here is what is deployed there.
 */
import { endpoints as intents } from '../functions/intents/endpoints.ts';
import { endpoints as ledger } from '../functions/ledger/endpoints.ts';
import { endpoints as ledgers } from '../functions/ledgers/endpoints.ts';
import { endpoints as signers } from '../functions/signers/endpoints.ts';
import { endpoints as status } from '../functions/status/endpoints.ts';
import { endpoints as symbols } from '../functions/symbols/endpoints.ts';
import { endpoints as wallets } from '../functions/wallets/endpoints.ts';
import { outboxPartitionOf, outboxShardCount } from '../shared/store/keys.ts';

/** A group of endpoints is one Lambda, mounted at `/{name}` and everything below it. */
export const groups = { status, ledgers, ledger, signers, symbols, wallets, intents } as const;

export type Group = keyof typeof groups;

/** The group that answers the base address, and every path that belongs to no other group. */
export const rootGroup: Group = 'status';

/** The API's stage, and so the path prefix of every endpoint. Interface, Versioning. */
export const stage = 'v2';

/** Functions that nothing outside can call: each is a Lambda of the folder of its name. */
export const workers = ['found'] as const;

export type Worker = (typeof workers)[number];

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
