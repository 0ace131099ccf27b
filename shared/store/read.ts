/** Reading: items by their keys, and lists, which take two round trips, one for the entries and one for what they show. */

import type { Kind } from '../ledger/kind.ts';
import { firstChangeOf, type Version } from '../ledger/record.ts';
import type { Scope } from '../port/ports.ts';
import { distinctBy } from './distinct.ts';
import {
  changeRangeOf,
  headKeyOf,
  indexKeyOf,
  indexPartitionOf,
  isAskable,
  type Key,
  textOf,
} from './keys.ts';
import { unpack } from './pack.ts';
import { batchGet, get, type Item, query, type Table } from './request.ts';
import { type Deadline, deadlineIn, natureOf, pause, repeating } from './retry.ts';

/** The limit of DynamoDB for one batch. */
const batchLengthMax = 100;

/** The entries that one query asks for; it may return fewer. */
export const queryLimitMax = 10_000;

/** The readings of an index, to find records that change their handles meanwhile. */
const indexRoundMax = 3;

const reachableMs = 1000;

/** The items at the keys, by the text of their key. */
export async function itemsAt(
  table: Table,
  keys: readonly Key[],
  deadline: Deadline,
): Promise<ReadonlyMap<string, Item>> {
  const all = distinctBy(keys.filter(isAskable), textOf);
  const batches: Promise<Item[]>[] = [];
  for (let start = 0; start < all.length; start += batchLengthMax) {
    batches.push(batchOf(table, all.slice(start, start + batchLengthMax), deadline));
  }
  const items = (await Promise.all(batches)).flat();
  return new Map(items.map((item) => [textOf(keyOf(item)), item]));
}

/**
 * The current records of a kind whose indexed member has this value, by luid. A record that changes
 * its handle between the two reads is found by reading once more.
 */
export async function indexed(
  table: Table,
  scope: Scope,
  kind: Kind,
  value: string,
): Promise<Version[]> {
  const deadline = deadlineIn(table.deadlineMs);
  const pk = indexPartitionOf(scope, kind, value);
  for (let round = 1; ; round += 1) {
    const entries = await itemsIn(table, { pk }, deadline, {});
    const keys = entries.map(({ handle }) => headKeyOf(scope, kind, handle as string));
    const heads = await itemsAt(table, keys, deadline);
    const found = entries.flatMap(({ sk }, index) => {
      const head = heads.get(textOf(keys[index] as Key));
      return head?.['luid'] === sk ? (versionIn(head) ?? []) : [];
    });
    if (found.length === entries.length || round === indexRoundMax)
      return found.filter((version) => indexKeyOf(scope, version)?.pk === pk);
  }
}

/** The version of an item; undefined for one that cannot be read, so that the others are still found. */
export function versionIn(item: Item | undefined): Version | undefined {
  try {
    return item && unpack(item);
  } catch {
    return undefined;
  }
}

/** The superseded versions that hold any change from `first` to `last`, oldest first. */
export async function past(
  table: Table,
  scope: Scope,
  luid: string,
  first: number,
  last: number,
): Promise<Version[]> {
  if (last < first) return [];
  const range = changeRangeOf(scope, luid, first);
  const items = await itemsIn(table, range, deadlineIn(table.deadlineMs), {
    // Each version holds at least one change, so at most this many versions hold one of these changes.
    countMax: last - first + 1,
  });
  return items.map(unpack).filter((version) => firstChangeOf(version) <= last);
}

/** True when the database answers. */
export async function isReachable(table: Table): Promise<boolean> {
  try {
    await get(table, headKeyOf('', 'ledger', 'none'), reachableMs);
    return true;
  } catch (error) {
    // A database that is too busy for this request is reachable.
    return natureOf(error) === 'busy';
  }
}

async function batchOf(table: Table, keys: readonly Key[], deadline: Deadline): Promise<Item[]> {
  const found: Item[] = [];
  let rest = keys;
  for (let attempt = 0; rest.length > 0; attempt += 1) {
    if (attempt > 0) await pause(attempt, deadline);
    const { items, left } = await repeating(deadline, () => batchGet(table, rest));
    found.push(...items);
    rest = left;
  }
  return found;
}

/** The items of a range of a partition, page by page until there are enough. */
export async function itemsIn(
  table: Table,
  range: Parameters<typeof query>[1],
  deadline: Deadline,
  options: { readonly newestFirst?: boolean; readonly countMax?: number; readonly after?: string },
): Promise<Item[]> {
  const { newestFirst = false, countMax = Number.POSITIVE_INFINITY } = options;
  const found: Item[] = [];
  let start: Item | undefined =
    options.after === undefined ? undefined : { pk: range.pk, sk: options.after };
  do {
    const limit = Math.min(countMax - found.length, queryLimitMax);
    const pageOptions = { newestFirst, limit, ...(start && { start }) };
    const { items, next } = await repeating(deadline, () => query(table, range, pageOptions));
    found.push(...items);
    start = next;
  } while (start && found.length < countMax);
  return found;
}

function keyOf(item: Item): Key {
  return { pk: item['pk'] as string, sk: item['sk'] as string };
}
