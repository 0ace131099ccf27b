/**
 * Lists: entries before a page are counted and not read, so a late page costs no memory; where spans of them are counted
 * already, a late page costs as much as an early one. Ruling 19, Decision 140.
 */

import type { Kind } from '../ledger/kind.ts';
import type { Version } from '../ledger/record.ts';
import type { Page, Scope } from '../port/ports.ts';
import { farStart } from './far-page.ts';
import { headKeyOf, type Key, listPartitionsOf, luidOfListSk, textOf } from './keys.ts';
import { readSpread } from './layout.ts';
import { newestIn } from './list-entries.ts';
import { unpack } from './pack.ts';
import { itemsAt } from './read.ts';
import type { Table } from './request.ts';
import { deadlineIn } from './retry.ts';

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
  const shown = await readSpread(table, listing, deadline, async (count) => {
    const pks = listPartitionsOf(scope, kind, count, within);
    const start = await farStart(table, listing, pks, index * limit, deadline);
    return newestIn(table, pks, { ...start, countMax: limit }, deadline);
  });
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
