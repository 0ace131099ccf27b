/** The current versions in lists, a page at a time, for counting again. */

import { type Kind, lineOf } from '../ledger/kind.ts';
import { nameOfVersion, type Version } from '../ledger/record.ts';
import type { Scope } from '../port/ports.ts';
import {
  headKeyOf,
  listPartitionOf,
  listPartitionsOf,
  luidOfListSk,
  rulebookKeyOf,
  textOf,
} from '../store/keys.ts';
import { layoutIn, layoutOfList } from '../store/known-layouts.ts';
import type { Item } from '../store/request.ts';
import { storedOf } from './history.ts';
import type { AuditSource } from './source.ts';

/** The ends of all sort keys of a list. */
const start = '!';
const end = '~';

/**
 * The current versions of a kind in a ledger, each once: a record that changes meanwhile appears again further on, and
 * is known by its luid. Of a kind that belongs to another one, those within `parents`, or all of them.
 */
export async function* listedOf(
  source: AuditSource,
  scope: Scope,
  kind: Kind,
  parents?: readonly string[],
): AsyncGenerator<Version, void, undefined> {
  const seen = new Set<string>();
  for await (const pk of partitionsOf(source, scope, kind, parents)) {
    for await (const entries of source.pages({ pk, from: start, to: end })) {
      for (const version of await versionsAt(source, scope, kind, entries)) {
        if (seen.has(version.record.luid)) continue;
        seen.add(version.record.luid);
        yield version;
      }
    }
  }
}

/** The luids that a list shows. */
export async function luidsListed(source: AuditSource, pk: string): Promise<string[]> {
  const luids: string[] = [];
  for await (const entries of source.pages({ pk, from: start, to: end }))
    luids.push(...entries.map(({ sk }) => luidOfListSk(String(sk))));
  return luids;
}

async function* partitionsOf(
  source: AuditSource,
  scope: Scope,
  kind: Kind,
  parents: readonly string[] | undefined,
): AsyncGenerator<string, void, undefined> {
  const { within } = lineOf(kind);
  if (within === undefined) return yield* await listPartitionsIn(source, scope, kind);
  if (parents) return yield* parents.map((parent) => listPartitionOf(scope, kind, parent));
  for await (const parent of listedOf(source, scope, within))
    yield listPartitionOf(scope, kind, nameOfVersion(parent));
}

/** The partitions with a list, by the layout that is stored. */
async function listPartitionsIn(source: AuditSource, scope: Scope, kind: Kind): Promise<string[]> {
  const key = rulebookKeyOf(scope);
  const layout = layoutIn((await source.at([key])).get(textOf(key)));
  return listPartitionsOf(scope, kind, layoutOfList(layout, kind).count);
}

async function versionsAt(
  source: AuditSource,
  scope: Scope,
  kind: Kind,
  entries: readonly Item[],
): Promise<Version[]> {
  const keys = entries.map(({ handle }) => headKeyOf(scope, kind, String(handle)));
  const heads = await source.at(keys);
  return entries.flatMap(({ sk }, index) => {
    const key = keys[index];
    const head = key && heads.get(textOf(key));
    if (head?.['luid'] !== luidOfListSk(String(sk))) return [];
    const stored = storedOf(head);
    return 'version' in stored ? stored.version : [];
  });
}
