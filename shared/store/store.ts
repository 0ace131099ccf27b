/** The ports behind the actions: one DynamoDB table, one transaction for every change. */
import type { Deliveries } from '../action/deliveries.ts';
import type { Outbox } from '../action/outbox.ts';
import type { Commit, Scope, Store } from '../action/ports.ts';
import { commit } from './commit.ts';
import * as deliveries from './deliveries.ts';
import { distinctBy } from './distinct.ts';
import { shardOf } from './keys.ts';
import { open } from './open.ts';
import * as outbox from './outbox.ts';
import { balances, indexed, isReachable, list, load, past } from './read.ts';
import type { Consumed, Table, TableClient } from './request.ts';

export interface TableOptions {
  readonly client: TableClient;
  readonly tableName: string;
  /** Told of every request that was sent. */
  readonly onConsumed?: (what: Consumed) => void;
  /** How long one call may take, with all its attempts; then it is `api.request-timeout`. */
  readonly deadlineMs?: number;
}

/** One shard of a ledger's outbox. */
export interface OutboxPlace {
  readonly scope: Scope;
  readonly shard: number;
}

export interface DynamoStoreOptions extends TableOptions {
  /** Told after each commit which outboxes have something new. */
  readonly onStored?: (places: readonly OutboxPlace[]) => void;
}

const deadlineMsDefault = 15_000;

/** A store in a DynamoDB table; `tableClient` makes its client, `tableShape` the table. */
export function dynamoStore(options: DynamoStoreOptions): Store {
  const table = tableOf(options);
  return {
    load: (wants) => load(table, wants),
    list: (scope, kind, page) => list(table, scope, kind, page),
    past: (scope, luid, first, last) => past(table, scope, luid, first, last),
    balances: (scope, wallet) => balances(table, scope, wallet),
    open: (openings) => open(table, openings),
    commit: async (wanted) => {
      const obstacles = await commit(table, wanted);
      if (obstacles.length === 0) options.onStored?.(placesOf(wanted));
      return obstacles;
    },
    isReachable: () => isReachable(table),
  };
}

/** The signals of the same table that are still to be told. */
export function dynamoOutbox(options: TableOptions): Outbox {
  const table = tableOf(options);
  return {
    oldest: (scope, shard, limit, after) => outbox.oldest(table, scope, shard, limit, after),
    versions: (entries) => outbox.versions(table, entries),
    told: (entries) => outbox.told(table, entries),
    setAside: (entry, why) => outbox.setAside(table, entry, why),
  };
}

/** The deliveries in the same table, and the effects that ask for them. */
export function dynamoDeliveries(options: TableOptions): Deliveries {
  const table = tableOf(options);
  return {
    subscribers: (scope, signal) => indexed(table, scope, 'effect', signal),
    add: (wanted) => deliveries.add(table, wanted),
    read: (scope, subject, luid) => deliveries.read(table, { scope, subject, luid }),
    list: (scope, subject, page) => deliveries.list(table, scope, subject, page),
    save: (next, previous) => deliveries.save(table, next, previous),
    due: (nowMs, limit) => deliveries.due(table, nowMs, limit),
  };
}

function tableOf(options: TableOptions): Table {
  const { client, tableName, onConsumed, deadlineMs = deadlineMsDefault } = options;
  return { client, tableName, deadlineMs, onConsumed };
}

/** Where a commit has put its signals. */
function placesOf({ writes }: Commit): OutboxPlace[] {
  const places = writes.map(({ scope, next }) => ({ scope, shard: shardOf(next.record.luid) }));
  return distinctBy(places, ({ scope, shard }) => `${shard} ${scope}`);
}
