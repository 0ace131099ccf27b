/** The work on reports, and their assets. Decision 25. */
import { assert } from '../ledger/assert.ts';
import { periodsOf } from '../ledger/late.ts';
import type { Version } from '../ledger/record.ts';
import type { Interval } from '../ledger/report.ts';
import { termOfLate } from '../ledger/term.ts';
import type { Scope } from '../port/ports.ts';
import type { AssetName, IntentStretch, ReportProgress, ReportWork } from '../port/reports.ts';
import { intentsWaiting } from './book-tail.ts';
import { distinctBy } from './distinct.ts';
import { put as putItem, remove as removeItem } from './item-action.ts';
import {
  assetKeyOf,
  assetPartitionOf,
  headKeyOf,
  type Key,
  keyOfItem,
  longWaitRangeOf,
  termPartitionOf,
  textOf,
  timeRangeOf,
  workKeyOf,
  workOf,
  workRangeOf,
} from './keys.ts';
import { listPartitionsIn } from './layout.ts';
import { oldestWithin } from './list-entries.ts';
import { unpack } from './pack.ts';
import { unpackIndex } from './pack-index.ts';
import { lastingIndexItemsOf } from './projection.ts';
import { itemsAt, itemsIn } from './read.ts';
import type { Item, Table } from './request.ts';
import { type Deadline, deadlineIn } from './retry.ts';
import { tryTo } from './try-to.ts';
import { remove, writeAll } from './write-all.ts';

const isCurrent = 'version = :version';
/** The parts of assets that are removed at a time. */
const eraseCountMax = 1_000;

/** The attributes of a marker, beside its key. */
export function packWork({ handle, failures, progress, version }: ReportWork): object {
  return { handle, failures, progress: JSON.stringify(progress), version };
}

/** Reports that need work, the longest due first. */
export async function due(table: Table, nowMs: number, limit: number): Promise<ReportWork[]> {
  const range = workRangeOf(nowMs);
  const items = await itemsIn(table, range, deadlineIn(table.deadlineMs), { countMax: limit });
  return items.map(unpackWork);
}

/** Puts a marker in the place of another; false when that is not there any more. */
export async function save(table: Table, next: ReportWork, previous: ReportWork): Promise<boolean> {
  const { tableName } = table;
  const [from, to] = [keyOf(previous), keyOf(next)];
  const values = { ':version': previous.version };
  const isMoved = textOf(from) !== textOf(to);
  const actions = isMoved
    ? [removeItem(tableName, from, isCurrent, values), putItem(tableName, to, packWork(next))]
    : [putItem(tableName, to, packWork(next), isCurrent, values)];
  return tryTo(table, actions);
}

export function end(table: Table, work: ReportWork): Promise<void> {
  return remove(table, [keyOf(work)], deadlineIn(table.deadlineMs));
}

/** A range of a ledger's intents, in the order in which they were accepted. */
export async function intents(
  table: Table,
  stretch: IntentStretch,
): Promise<{ versions: Version[]; place: string | undefined }> {
  const deadline = deadlineIn(table.deadlineMs);
  const { scope, completedIn } = stretch;
  const entries = completedIn
    ? await lateEntries(table, stretch, completedIn, deadline)
    : await entriesIn(table, stretch, deadline);
  const keys = entries.map(({ handle }) => headKeyOf(scope, 'intent', handle as string));
  const heads = await itemsAt(table, keys, deadline);
  const versions = keys.map((key) => {
    const head = heads.get(textOf(key));
    // Intents never end; one that cannot be seen yet must not be left out, so the worker tries again.
    assert(head, 'an intent that is listed is there');
    return unpack(head);
  });
  return { versions, place: entries.at(-1)?.['sk'] as string | undefined };
}

/** The list entries of a stretch, or the entries of those that may wait for long. */
async function entriesIn(
  table: Table,
  { isLong, scope, fromMs, endMs, after, limit }: IntentStretch,
  deadline: Deadline,
): Promise<Item[]> {
  const ranges = isLong
    ? [longWaitRangeOf(scope, fromMs, endMs)]
    : (await listPartitionsIn(table, { scope, kind: 'intent' }, deadline)).map((pk) =>
        timeRangeOf(pk, fromMs, endMs - 1),
      );
  return oldestWithin(table, ranges, limit, deadline, { after });
}

/** The index entries of those that were completed late, and the entries that are yet to be written. */
async function lateEntries(
  table: Table,
  { scope, fromMs, endMs, after = '', limit }: IntentStretch,
  completedIn: Interval,
  deadline: Deadline,
): Promise<Item[]> {
  const pks = periodsOf(completedIn).map((period) =>
    termPartitionOf({ scope, kind: 'intent' }, termOfLate(period)),
  );
  const ranges = pks.map((pk) => timeRangeOf(pk, fromMs, endMs - 1));
  const [{ from, to } = { from: '', to: '' }] = ranges;
  // An entry is written before its intent leaves the outbox.
  const waiting = await intentsWaiting(table, scope, completedIn.endMs - 1, deadline);
  const ahead = waiting
    .flatMap((version) => lastingIndexItemsOf(scope, version))
    .map((item) => ({ item, ...keyOfItem(item) }))
    .filter(({ pk, sk }) => pks.includes(pk) && sk > after && sk >= from && sk <= to)
    .map(({ item }) => item);
  const stored = await oldestWithin(table, ranges, limit, deadline, {
    ...(after !== '' && { after }),
    entriesOf: onceEach(),
  });
  return distinctBy([...stored, ...ahead], skOf)
    .sort((one, other) => (skOf(one) < skOf(other) ? -1 : 1))
    .slice(0, limit);
}

/** Takes items of the index apart; an entry that lies in two of them comes once. */
function onceEach(): (item: Item) => Item[] {
  const known = new Set<string>();
  return (item) =>
    unpackIndex(item).filter((entry) => {
      const isNew = !known.has(skOf(entry));
      known.add(skOf(entry));
      return isNew;
    });
}

function skOf(item: Item): string {
  return keyOfItem(item).sk;
}

/** Stores parts of an asset. */
export function put(
  table: Table,
  { scope, luid, asset }: AssetName,
  first: number,
  chunks: readonly string[],
): Promise<void> {
  const puts = chunks.map((text, index) => ({
    ...assetKeyOf(scope, luid, asset, first + index),
    text,
  }));
  return writeAll(table, { puts }, deadlineIn(table.deadlineMs));
}

/** So many parts of an asset, in order. */
export async function chunks(
  table: Table,
  { scope, luid, asset }: AssetName,
  first: number,
  count: number,
): Promise<string[]> {
  const keys = Array.from({ length: count }, (_, index) =>
    assetKeyOf(scope, luid, asset, first + index),
  );
  const items = await itemsAt(table, keys, deadlineIn(table.deadlineMs));
  return keys.map((key) => {
    const item = items.get(textOf(key));
    assert(item, 'an asset that was completed is there');
    return item['text'] as string;
  });
}

/** Removes all parts of a report's assets. */
export async function erase(table: Table, scope: Scope, luid: string): Promise<void> {
  const range = { pk: assetPartitionOf(scope, luid) };
  for (;;) {
    const deadline = deadlineIn(table.deadlineMs);
    const items = await itemsIn(table, range, deadline, { countMax: eraseCountMax });
    if (items.length === 0) return;
    const keys = items.map(({ pk, sk }) => ({ pk, sk }) as Key);
    await remove(table, keys, deadline);
  }
}

function keyOf({ scope, luid, dueMs }: ReportWork): Key {
  return workKeyOf(scope, luid, dueMs);
}

function unpackWork(item: Item): ReportWork {
  const { sk, handle, failures, progress, version } = item;
  return {
    ...workOf(sk as string),
    handle: handle as string,
    failures: Number(failures),
    progress: JSON.parse(progress as string) as ReportProgress,
    version: Number(version),
  };
}
