/** The ports behind the actions: one DynamoDB table, one transaction for every change. */

import type { Catalog } from '../port/catalog.ts';
import type { Deliveries } from '../port/deliveries.ts';
import type { Expiries } from '../port/expiries.ts';
import type { Notes } from '../port/notes.ts';
import type { Outbox } from '../port/outbox.ts';
import type { Commit, Obstacle, Scope, Store } from '../port/ports.ts';
import type { Reports } from '../port/reports.ts';
import { add } from './add-deliveries.ts';
import * as catalog from './catalog.ts';
import { commit } from './commit.ts';
import * as deliveries from './deliveries.ts';
import { distinctBy } from './distinct.ts';
import { dueDeliveries, dueIntents, readDue } from './due.ts';
import { listKeyOf, shardOf } from './keys.ts';
import { list } from './list.ts';
import * as notes from './notes.ts';
import { open } from './open.ts';
import * as outbox from './outbox.ts';
import { balances, indexed, isReachable, load, past } from './read.ts';
import * as reports from './reports.ts';
import type { Consumed, Table, TableClient } from './request.ts';

export interface TableOptions {
  readonly client: TableClient;
  readonly tableName: string;
  /** Told of every request that was sent. */
  readonly onConsumed?: (what: Consumed) => void;
  /** How long one call may take, with all its attempts; then it is `api.request-timeout`. */
  readonly deadlineMs?: number;
  /** How many batches of writes may be on their way at a time. */
  readonly batchesAtOnce?: number;
}

/** One shard of a ledger's outbox. */
export interface OutboxPlace {
  readonly scope: Scope;
  readonly shard: number;
}

export interface DynamoStoreOptions extends TableOptions {
  /** Told of each commit that came too late and is decided anew, and of each attempt that met another one. */
  readonly onConflict?: () => void;
  /** Told after each commit which outboxes have something new. */
  readonly onStored?: (places: readonly OutboxPlace[]) => void;
}

/** What stands in the way of a commit because another one came first. */
const overtaken: ReadonlySet<Obstacle['what']> = new Set(['balance', 'changed', 'stale']);

const deadlineMsDefault = 15_000;

/** A store in a DynamoDB table; `tableClient` makes its client, `tableShape` the table. */
export function dynamoStore(options: DynamoStoreOptions): Store {
  const { onConflict, onStored } = options;
  const table = { ...tableOf(options), onConflict };
  return {
    load: (wants) => load(table, wants),
    list: (scope, kind, page, within) => list(table, scope, kind, page, within),
    indexed: (scope, kind, value) => indexed(table, scope, kind, value),
    past: (scope, luid, first, last) => past(table, scope, luid, first, last),
    balances: (scope, wallet) => balances(table, scope, wallet),
    open: (openings) => open(table, openings),
    commit: async (wanted) => {
      const obstacles = await commit(table, wanted);
      if (obstacles.length === 0) onStored?.(placesOf(wanted));
      if (obstacles.some(({ what }) => overtaken.has(what))) onConflict?.();
      return obstacles;
    },
    isReachable: () => isReachable(table),
  };
}

/** The signals of the same table that are still to be told. */
export function dynamoOutbox(options: TableOptions): Outbox {
  const table = tableOf(options);
  return {
    ledgers: (limit, after) => outbox.ledgers(table, limit, after),
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
    add: (wanted) => add(table, wanted),
    read: (scope, subject, luid) => deliveries.read(table, { scope, subject, luid }),
    list: (scope, subject, page) => deliveries.list(table, scope, subject, page),
    save: (next, previous) => deliveries.save(table, next, previous),
    due: (nowMs, from) => dueDeliveries(table, nowMs, from),
    readDue: (some, nowMs) => readDue(table, some, nowMs),
  };
}

/** The work on reports, and what was produced of them, in the same table. */
export function dynamoReports(options: TableOptions): Reports {
  const table = tableOf(options);
  return {
    due: (nowMs, limit) => reports.due(table, nowMs, limit),
    save: (next, previous) => reports.save(table, next, previous),
    end: (work) => reports.end(table, work),
    intents: (stretch) => reports.intents(table, stretch),
    put: (name, first, chunks) => reports.put(table, name, first, chunks),
    chunks: (name, first, count) => reports.chunks(table, name, first, count),
    erase: (scope, luid) => reports.erase(table, scope, luid),
  };
}

/** The intents of the same table that have waited for too long. */
export function dynamoExpiries(options: TableOptions): Expiries {
  const table = tableOf(options);
  return { due: (nowMs, from) => dueIntents(table, nowMs, from) };
}

/** What is noted for a while in the same table. */
export function dynamoNotes(options: TableOptions): Notes {
  const table = tableOf(options);
  return {
    use: (scope, name, untilMs, nowMs) => notes.use(table, scope, name, { untilMs, nowMs }),
    attempt: (attempts) => notes.attempt(table, attempts),
  };
}

/** What is listed and mentioned in the same table. */
export function dynamoCatalog(options: TableOptions): Catalog {
  const table = tableOf(options);
  return {
    listed: (listing, stretch) => catalog.listed(table, listing, stretch),
    mentioned: (listing, term, stretch) => catalog.mentioned(table, listing, term, stretch),
    tail: (scope) => catalog.tail(table, scope),
    placeOf: (version) => listKeyOf('', version).sk,
    keep: (told) => catalog.keep(table, told),
  };
}

function tableOf(options: TableOptions): Table {
  const { client, tableName, onConsumed, deadlineMs = deadlineMsDefault, batchesAtOnce } = options;
  const table = { client, tableName, deadlineMs, onConsumed };
  return batchesAtOnce === undefined ? table : { ...table, batchesAtOnce };
}

/** Where a commit has put its signals. */
function placesOf({ writes }: Commit): OutboxPlace[] {
  const places = writes.map(({ scope, next }) => ({ scope, shard: shardOf(next.record.luid) }));
  return distinctBy(places, ({ scope, shard }) => `${shard} ${scope}`);
}
