/**
 * Backlogs in the table: what is in the outbox, and the markers of due work. Of each partition only the first entries
 * are read, without a strongly consistent read, so that a look costs little however much waits. Ruling 96.
 */
import {
  type Backlogs,
  type DueBacklog,
  type DueKind,
  dueKinds,
  type OutboxBacklog,
} from '../port/backlogs.ts';
import type { Scope } from '../port/ports.ts';
import {
  countOfOutboxSk,
  dueOf,
  dueRangeOf,
  dueShardCount,
  expiryMarkKey,
  expiryRangeOf,
  expiryShardCount,
  expiryShardCountMax,
  outboxPartitionOf,
  outboxPlaceOf,
  outboxShardsOf,
  workOf,
  workRangeOf,
} from './keys.ts';
import { layoutOf } from './layout.ts';
import { query, type Table } from './request.ts';
import { deadlineIn, repeating } from './retry.ts';

/** The entries of one partition that are counted. */
const countMax = 100;

/** The partitions of the markers of each kind in a table without a busy ledger. */
const partitions: Readonly<Record<DueKind, readonly string[]>> = {
  deliveries: shardsOf(dueShardCount).map((shard) => dueRangeOf(shard, 0).pk),
  intents: expiryPartitions(0, expiryShardCount),
  reports: [workRangeOf(0).pk],
};

function expiryPartitions(first: number, end: number): string[] {
  return shardsOf(end)
    .slice(first)
    .map((shard) => expiryRangeOf(shard, 0).pk);
}

/** The due time of a marker, and its ledger. */
const placeIn: Readonly<Record<DueKind, (sk: string) => { scope: Scope; dueMs: number }>> = {
  deliveries: dueOf,
  intents: workOf,
  reports: workOf,
};

export async function outboxBacklog(table: Table, scope: Scope): Promise<OutboxBacklog> {
  const layout = await layoutOf(table, scope);
  const shards = outboxShardsOf(layout.count).map((shard) => outboxPartitionOf(scope, shard));
  const { sortKeys, isPartial } = await firstIn(table, shards);
  const times = sortKeys.map((sk) => outboxPlaceOf(sk).momentMs);
  const count = sortKeys.reduce((sum, sk) => sum + countOfOutboxSk(sk), 0);
  return { count, ...oldestOf(times), isPartial };
}

export async function dueBacklogs(
  table: Table,
  nowMs: number,
  scope?: Scope,
): ReturnType<Backlogs['due']> {
  const all = dueKinds.map(async (kind): Promise<[DueKind, DueBacklog]> => {
    const { sortKeys, isPartial } = await markersOf(table, kind);
    const own = sortKeys
      .map(placeIn[kind])
      .filter((one) => scope === undefined || one.scope === scope);
    const due = own.map(({ dueMs }) => dueMs).filter((dueMs) => dueMs <= nowMs);
    const waiting = own.length - due.length;
    return [kind, { due: due.length, waiting, ...oldestOf(due), isPartial }];
  });
  return Object.fromEntries(await Promise.all(all)) as Awaited<ReturnType<Backlogs['due']>>;
}

interface FirstKeys {
  readonly sortKeys: readonly string[];
  readonly isPartial: boolean;
}

/** The first markers of a kind; those of spread intents only where there may be any. Decision 135. */
async function markersOf(table: Table, kind: DueKind): Promise<FirstKeys> {
  const first = await firstIn(table, partitions[kind]);
  const sortKeys = first.sortKeys.filter((sk) => sk !== expiryMarkKey.sk);
  if (sortKeys.length === first.sortKeys.length) return first;
  const further = await firstIn(table, expiryPartitions(expiryShardCount, expiryShardCountMax));
  return {
    sortKeys: [...sortKeys, ...further.sortKeys],
    isPartial: first.isPartial || further.isPartial,
  };
}

/** The first sort keys of partitions. */
async function firstIn(table: Table, pks: readonly string[]): Promise<FirstKeys> {
  const deadline = deadlineIn(table.deadlineMs);
  const options = { limit: countMax, newestFirst: false, isEventual: true } as const;
  const pages = await Promise.all(
    pks.map((pk) => repeating(deadline, () => query(table, { pk }, options))),
  );
  const sortKeys = pages.flatMap(({ items }) => items.map(({ sk }) => sk as string));
  return { sortKeys, isPartial: pages.some(({ next }) => next !== undefined) };
}

function oldestOf(times: readonly number[]): { readonly oldestMs?: number } {
  return times.length > 0 ? { oldestMs: Math.min(...times) } : {};
}

function shardsOf(count: number): number[] {
  return Array.from({ length: count }, (_, shard) => shard);
}
