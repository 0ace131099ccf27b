/** The store behind the actions: one DynamoDB table, one transaction for every change. */
import type { Store } from '../action/ports.ts';
import { commit } from './commit.ts';
import { open } from './open.ts';
import { balances, isReachable, list, load, past } from './read.ts';
import type { Consumed, Table, TableClient } from './request.ts';

export interface DynamoStoreOptions {
  readonly client: TableClient;
  readonly tableName: string;
  /** Told of every request that was sent. */
  readonly onConsumed?: (what: Consumed) => void;
  /** How long one call may take, with all its attempts; then it is `api.request-timeout`. */
  readonly deadlineMs?: number;
}

const deadlineMsDefault = 15_000;

/** A store in a DynamoDB table; `tableClient` makes its client, `tableShape` the table. */
export function dynamoStore(options: DynamoStoreOptions): Store {
  const { client, tableName, onConsumed, deadlineMs = deadlineMsDefault } = options;
  const table: Table = { client, tableName, deadlineMs, onConsumed };
  return {
    load: (wants) => load(table, wants),
    list: (scope, kind, page) => list(table, scope, kind, page),
    past: (scope, luid, first, last) => past(table, scope, luid, first, last),
    balances: (scope, wallet) => balances(table, scope, wallet),
    open: (openings) => open(table, openings),
    commit: (wanted) => commit(table, wanted),
    isReachable: () => isReachable(table),
  };
}
