/** The ports behind the actions: one DynamoDB table, one transaction for every change. */

import type { Audits } from '../port/audits.ts';
import type { Backlogs } from '../port/backlogs.ts';
import type { Books } from '../port/books.ts';
import type { Catalog } from '../port/catalog.ts';
import type { Deliveries } from '../port/deliveries.ts';
import type { Expiries } from '../port/expiries.ts';
import type { Following } from '../port/following.ts';
import type { Layouts } from '../port/layouts.ts';
import type { Logs } from '../port/logs.ts';
import type { Monitors } from '../port/monitors.ts';
import type { Notes } from '../port/notes.ts';
import type { Outbox } from '../port/outbox.ts';
import type { Commit, Conflict, Scope, Store, Write } from '../port/ports.ts';
import type { ReportStore } from '../port/reports.ts';
import { type CommitSpan, spanned, spans } from '../port/trace.ts';
import { add, newAmong } from './add-deliveries.ts';
import * as appendLog from './append-log.ts';
import { lastAudit, noteAudit } from './audits.ts';
import { dueBacklogs, outboxBacklog } from './backlogs.ts';
import { assertWholeBooks, bookPage, bookTotals, listedBooks, restOfBook } from './books.ts';
import * as catalog from './catalog.ts';
import { isFile, regionAt } from './client.ts';
import { commit } from './commit.ts';
import { keepCosigned, readCosigned } from './cosigned.ts';
import * as deliveries from './deliveries.ts';
import { distinctBy } from './distinct.ts';
import { dueDeliveries, dueIntents, readDue } from './due.ts';
import { type DueMark, dueMarksIn } from './due-marks.ts';
import { fence } from './fence.ts';
import { writeAtOnce } from './follow.ts';
import { groupCommit, sharedCommit } from './group-commit.ts';
import { booksMovedBy, keepBooks } from './keep-books.ts';
import { listKeyOf, shardOfVersion } from './keys.ts';
import { growLayout, readLayout, shardsLeft } from './layout.ts';
import { list } from './list.ts';
import { balances, load } from './load.ts';
import { keepCheckpoint } from './log-checkpoint.ts';
import {
  booksSince,
  endBehind,
  noteBehind,
  readBehind,
  readMonitor,
  saveMonitor,
} from './monitors.ts';
import * as notes from './notes.ts';
import { open } from './open.ts';
import * as outbox from './outbox.ts';
import { newPressure } from './pressure.ts';
import { indexed, isReachable, past } from './read.ts';
import * as readLog from './read-log.ts';
import * as reports from './reports.ts';
import type { Consumed, GroupCommit, ItemAction, Table, TableClient } from './request.ts';
import { newShardBook, type ShardOptions } from './shard-book.ts';
import { spreading } from './throttled.ts';
import { watch } from './watch.ts';

export interface TableOptions {
  readonly client: TableClient;
  readonly tableName: string;
  /** Called for every request that was sent. */
  readonly onConsumed?: (what: Consumed) => void;
  /** The time limit of one call, with all its attempts, in milliseconds; then it is `api.request-timeout`. */
  readonly deadlineMs?: number;
  /** Called with the markers of due work that a transaction has put. */
  readonly onDue?: ((marks: readonly DueMark[]) => void) | undefined;
  /** Joins the writes of all stores that share it. */
  readonly groupCommit?: GroupCommit | undefined;
}

/** One shard of a ledger's outbox. */
export interface OutboxPlace {
  readonly scope: Scope;
  readonly shard: number;
}

export interface DynamoStoreOptions extends TableOptions {
  /** Called for each commit that came too late, and for each attempt that conflicted with another transaction. */
  readonly onConflict?: () => void;
  /** Called after each commit with the outbox shards that have new entries. */
  readonly onStored?: (places: readonly OutboxPlace[]) => void;
  /** The ways in which busy balances get shards. Decision 125. */
  readonly shards?: ShardOptions;
}

/** The conflicts that mean that another commit came first. */
const overtaken: ReadonlySet<Conflict['what']> = new Set(['balance', 'changed', 'stale']);

const deadlineMsDefault = 15_000;

/** A store in a DynamoDB table; `tableClient` makes its client, `tableShape` the table. */
export function dynamoStore(options: DynamoStoreOptions): Store {
  const { onConflict, onStored } = options;
  const table = {
    ...tableOf(options),
    onConflict,
    shards: newShardBook(options.shards),
    pressure: newPressure(),
  };
  return {
    load: (wants) => load(table, wants),
    list: (scope, kind, page, within) => list(table, scope, kind, page, within),
    indexed: (scope, kind, value) => indexed(table, scope, kind, value),
    past: (scope, luid, first, last) => past(table, scope, luid, first, last),
    balances: (scope, wallet, how) => balances(table, scope, wallet, how),
    open: (openings) => open(table, openings),
    watch: (scope, some) => watch(table, scope, some),
    fence: (scope, wallet, atMs) => fence(table, scope, wallet, atMs),
    commit: async (wanted) => {
      const { conflicts, writes } = await committed(table, wanted);
      if (conflicts.length === 0) onStored?.(placesOf(writes));
      if (conflicts.some(({ what }) => overtaken.has(what))) onConflict?.();
      return conflicts;
    },
    isReachable: () => isReachable(table),
  };
}

/** Commits as a span. */
function committed(table: Table, wanted: Commit): ReturnType<typeof commit> {
  const { writes } = wanted;
  const luids = writes.map(({ next }) => next.record.luid);
  const span: CommitSpan = { scope: writes[0]?.scope ?? '', luids };
  return spanned(spans.commit, span, async () => {
    const outcome = await commit(table, wanted);
    span.conflicts = outcome.conflicts.map(({ what }) => what);
    return outcome;
  });
}

/** Joins the writes of all stores that it is given to, where a database takes one write at a time. Decision 122. */
export function dynamoGroupCommit(options: Omit<TableOptions, 'groupCommit'>): GroupCommit {
  return groupCommit(tableOf(options));
}

/**
 * The way in which writes to a database share syncs of the disk, by its address: they join, but for a file, which joins
 * them itself (Decision 149). Undefined on AWS, where none share anything.
 */
export function groupCommitAt(
  endpoint: string | undefined,
  options: Omit<TableOptions, 'groupCommit'>,
): GroupCommit | undefined {
  if (endpoint === undefined || regionAt(endpoint) !== undefined) return undefined;
  return isFile(endpoint) ? sharedCommit(tableOf(options)) : dynamoGroupCommit(options);
}

/** The outbox of the same table. */
export function dynamoOutbox(options: TableOptions): Outbox {
  const table = tableOf(options);
  return {
    ledgers: (limit, after) => outbox.ledgers(table, limit, after),
    oldest: (scope, shard, limit, after) => outbox.oldest(table, scope, shard, limit, after),
    versions: (entries) => outbox.versions(table, entries),
    markPublished: (entries) => outbox.markPublished(table, entries),
    setAside: (entry, why) => outbox.setAside(table, entry, why),
    shards: (scope) => shardsLeft(table, scope),
  };
}

/** The writes that follow published versions in the same table, at once; undefined where transactions do not share a sync. */
export function dynamoFollowing(options: TableOptions): Following | undefined {
  if (!options.groupCommit) return undefined;
  const table = tableOf(options);
  return { writeAtOnce: (versions, how) => writeAtOnce(table, versions, how) };
}

/** The layouts of the ledgers of the same table. */
export function dynamoLayouts(options: TableOptions): Layouts {
  const table = tableOf(options);
  return {
    read: (scope) => readLayout(table, scope),
    grow: (scope, layout, nowMs, kind = 'intent') =>
      growLayout(table, { scope, kind }, layout, nowMs),
  };
}

/** The deliveries of the same table, and the effects that subscribe to them. */
export function dynamoDeliveries(options: TableOptions): Deliveries {
  const table = spreading(tableOf(options), newPressure());
  return {
    subscribers: (scope, signal) => indexed(table, scope, 'effect', signal),
    add: (wanted) => add(table, wanted),
    newAmong: (wanted) => newAmong(table, wanted),
    read: (scope, subject, luid) => deliveries.read(table, scope, subject, luid),
    readNamed: (name) => deliveries.readNamed(table, name),
    list: (scope, subject, page) => deliveries.list(table, scope, subject, page),
    save: (next, previous) => deliveries.save(table, next, previous),
    due: (nowMs, from) => dueDeliveries(table, nowMs, from),
    readDue: (some, nowMs, aheadMs) => readDue(table, some, nowMs, aheadMs),
  };
}

/** The work on reports of the same table, and their assets. */
export function dynamoReports(options: TableOptions): ReportStore {
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

/** The overdue intents of the same table. */
export function dynamoExpiries(options: TableOptions): Expiries {
  const table = tableOf(options);
  return { due: (nowMs, from) => dueIntents(table, nowMs, from) };
}

/** The backlogs of the same table. */
export function dynamoBacklogs(options: TableOptions): Backlogs {
  const table = tableOf(options);
  return {
    outbox: (scope) => outboxBacklog(table, scope),
    due: (nowMs, scope) => dueBacklogs(table, nowMs, scope),
  };
}

/** The notes of audits of the same table. */
export function dynamoAudits(options: TableOptions): Audits {
  const table = tableOf(options);
  return {
    last: (scope) => lastAudit(table, scope),
    note: (scope, audit) => noteAudit(table, scope, audit),
  };
}

/** The notes of the same table. */
export function dynamoNotes(options: TableOptions): Notes {
  const table = tableOf(options);
  return {
    use: (scope, name, untilMs, nowMs) => notes.use(table, scope, name, { untilMs, nowMs }),
    isUsed: (scope, name, nowMs) => notes.isUsed(table, scope, name, nowMs),
    attempt: (attempts) => notes.attempt(table, attempts),
  };
}

/** The lists and index entries of the same table. */
export function dynamoCatalog(options: TableOptions): Catalog {
  const table = tableOf(options);
  return {
    listed: (listing, stretch) => catalog.listed(table, listing, stretch),
    indexEntriesOf: (listing, term, stretch) => catalog.indexEntries(table, listing, term, stretch),
    tail: (scope, how) => catalog.tail(table, scope, how),
    placeOf: (version) => listKeyOf('', version).sk,
    keep: (entries) => catalog.keep(table, entries),
  };
}

/** The books of the same table. */
export function dynamoBooks(options: TableOptions): Books {
  const table = tableOf(options);
  // Books that are whole remain so.
  const whole = new Set<Scope>();
  const check = async (scope: Scope): Promise<void> => {
    if (whole.has(scope)) return;
    await assertWholeBooks(table, scope);
    whole.add(scope);
  };
  return {
    totals: async (scope, names, untilMs) => {
      await check(scope);
      return bookTotals(table, scope, names, untilMs);
    },
    page: async (name, stretch) => {
      await check(name.scope);
      return bookPage(table, name, stretch);
    },
    listed: (scope, symbol, limit, after) => listedBooks(table, scope, symbol, limit, after),
    keep: (entries, nowMs) => keepBooks(table, entries, nowMs),
  };
}

/** The monitors of the same table. */
export function dynamoMonitors(options: TableOptions): Monitors {
  const table = tableOf(options);
  return {
    moved: async (entries) => booksMovedBy(entries),
    rest: async (name, after) =>
      (await booksSince(table, name.scope)) === undefined
        ? undefined
        : restOfBook(table, name, Date.parse(after)),
    sinceMs: async (scope) => (await booksSince(table, scope)) ?? 0,
    read: (scope, luid) => readMonitor(table, scope, luid),
    save: (scope, luid, next) => saveMonitor(table, scope, luid, next),
    behind: (scope) => readBehind(table, scope),
    noteBehind: (scope, luid) => noteBehind(table, scope, luid),
    caughtUp: (scope, luid, times) => endBehind(table, scope, luid, times),
  };
}

/** The logs of the same table. */
export function dynamoLogs(options: TableOptions): Logs {
  const table = tableOf(options);
  return {
    begin: (scope, isWhole) => appendLog.begin(table, scope, isWhole),
    append: (scope, versions, how) => appendLog.append(table, scope, versions, how),
    markWhole: (scope) => appendLog.markWhole(table, scope),
    keep: (scope, checkpoint) => keepCheckpoint(table, scope, checkpoint),
    read: (scope) => appendLog.read(table, scope),
    cosigned: (scope) => readCosigned(table, scope),
    keepCosigned: (scope, next) => keepCosigned(table, scope, next),
    indexOf: (scope, luid, change) => readLog.indexOf(table, scope, luid, change),
    tiles: (scope, tiles) => readLog.tiles(table, scope, tiles),
    leaves: (scope, number, width) => readLog.leaves(table, scope, number, width),
  };
}

function tableOf(options: TableOptions): Table {
  const { client, tableName, onConsumed, onDue, groupCommit } = options;
  const { deadlineMs = deadlineMsDefault } = options;
  const onWritten =
    onDue && ((actions: readonly ItemAction[]) => nudge(onDue, dueMarksIn(actions, Date.now())));
  return { client, tableName, deadlineMs, onConsumed, onWritten, groupCommit };
}

function nudge(onDue: (marks: readonly DueMark[]) => void, marks: readonly DueMark[]): void {
  if (marks.length > 0) onDue(marks);
}

/** The outbox shards of a commit. */
function placesOf(writes: readonly Write[]): OutboxPlace[] {
  const places = writes.map(({ scope, next }) => ({ scope, shard: shardOfVersion(next) }));
  return distinctBy(places, ({ scope, shard }) => `${shard} ${scope}`);
}
