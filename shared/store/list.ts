/**
 * Lists: entries before a page are counted and not read, so a late page costs no memory; where spans of them are counted
 * already, a late page costs as much as an early one. Ruling 19, Decision 140.
 */

import type { Kind } from '../ledger/kind.ts';
import type { Version } from '../ledger/record.ts';
import type { Page, Scope } from '../port/ports.ts';
import { type FarStart, farStart } from './far-page.ts';
import { headKeyOf, type Key, luidOfListSk, textOf } from './keys.ts';
import { listPartitionsIn } from './layout.ts';
import { mergedIn } from './merge.ts';
import { unpack } from './pack.ts';
import { itemsAt, itemsIn, queryLimitMax } from './read.ts';
import { type Item, query, type Table } from './request.ts';
import { type Deadline, deadlineIn, repeating } from './retry.ts';

/** A page of the current records of a kind, or of those within one record, newest first. Ruling 19. */
export async function list(
  table: Table,
  scope: Scope,
  kind: Kind,
  { index, limit }: Page,
  within?: string,
): Promise<Version[]> {
  const deadline = deadlineIn(table.deadlineMs);
  const listing = { scope, kind, ...(within !== undefined && { within }) };
  const pks = await listPartitionsIn(table, listing, deadline);
  const start = await farStart(table, listing, pks, index * limit, deadline);
  const shown = await shownIn(table, pks, start, limit, deadline);
  const keys = shown.map(({ handle }) => headKeyOf(scope, kind, handle as string));
  const heads = await itemsAt(table, keys, deadline);
  const versions = new Map<string, Version>();
  for (const [position, entry] of shown.entries()) {
    const head = heads.get(textOf(keys[position] as Key));
    const luid = luidOfListSk(entry['sk'] as string);
    // Between the two reads a record may have ended, or its handle may have gone to another one.
    if (head?.['luid'] === luid) versions.set(luid, unpack(head));
  }
  return [...versions.values()];
}

/** The items of a page. Those before it are counted; in several partitions they are merged, which costs as much. */
async function shownIn(
  table: Table,
  pks: readonly string[],
  from: FarStart,
  countMax: number,
  deadline: Deadline,
): Promise<Item[]> {
  const { after, skip } = from;
  const [only] = pks;
  const options = { newestFirst: true, countMax, ...(after !== undefined && { after }) };
  if (pks.length > 1 || only === undefined)
    return mergedIn(
      table,
      pks.map((pk) => ({ pk })),
      deadline,
      { ...options, skip },
    );
  const start = await behind(table, only, from, deadline);
  if (start === 'end') return [];
  return itemsIn(table, { pk: only }, deadline, { ...options, ...start });
}

/** The place behind so many items of a partition from a place on, which are counted and not read. */
async function behind(
  table: Table,
  pk: string,
  { after, skip }: FarStart,
  deadline: Deadline,
): Promise<{ after: string } | 'end' | undefined> {
  let start: Item | undefined = after === undefined ? undefined : { pk, sk: after };
  for (let left = skip; left > 0; ) {
    const limit = Math.min(left, queryLimitMax);
    const pageOptions = {
      newestFirst: true,
      counts: true as const,
      limit,
      ...(start && { start }),
    };
    const { count: skipped, next } = await repeating(deadline, () =>
      query(table, { pk }, pageOptions),
    );
    if (!next) return 'end';
    left -= skipped;
    start = next;
  }
  return start && { after: start['sk'] as string };
}
