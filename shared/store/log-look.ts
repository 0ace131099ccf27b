/** A log as a sequencer sees it before it appends: its head, and the versions without a leaf. Decisions 115 and 148. */
import { firstChangeOf, type Version } from '../ledger/record.ts';
import type { Leaf } from '../log/leaf.ts';
import type { StoredCheckpoint } from '../port/logs.ts';
import type { Scope } from '../port/ports.ts';
import { checkpointKeyOf, loggedKeyOf, logKeyOf, textOf } from './keys.ts';
import { mayBeDense } from './known-layouts.ts';
import { layoutOf } from './layout.ts';
import { checkpointIn } from './log-checkpoint.ts';
import { type StoredLog, unpackLog } from './pack-log.ts';
import { itemsAt } from './read.ts';
import { packedPlaces } from './read-log.ts';
import type { Table } from './request.ts';
import type { Deadline } from './retry.ts';
import { settle } from './settle-log.ts';

export interface ReadLog {
  readonly log: StoredLog;
  readonly checkpoint: StoredCheckpoint | undefined;
}

export async function readLog(
  table: Table,
  scope: Scope,
  deadline: Deadline,
): Promise<ReadLog | undefined> {
  const [head, signed] = [logKeyOf(scope), checkpointKeyOf(scope)];
  const found = await itemsAt(table, [head, signed], deadline);
  const item = found.get(textOf(head));
  return item && { log: unpackLog(item), checkpoint: checkpointIn(found.get(textOf(signed))) };
}

/** A log whose leaves before the head all have their places, by now at the latest. */
export async function readSettled(
  table: Table,
  scope: Scope,
  deadline: Deadline,
): Promise<ReadLog | undefined> {
  const state = await readLog(table, scope, deadline);
  if (!state) return undefined;
  const { log } = state;
  if (log.settled < log.tree.size) await settle(table, scope, log, deadline);
  return { ...state, log: { ...log, settled: log.tree.size } };
}

/** The versions without a place; `isAhead` where others have one that the head has not come to. */
export async function missingIn(
  table: Table,
  scope: Scope,
  { tree: { size }, isPacked }: StoredLog,
  versions: readonly Version[],
  deadline: Deadline,
): Promise<{ missing: Version[]; isAhead: boolean }> {
  const keys = versions.map((one) => loggedKeyOf(scope, one.record.luid, firstChangeOf(one)));
  const luids = versions.map(({ record }) => record.luid);
  const arePacked = isPacked || mayBeDense(await layoutOf(table, scope, deadline));
  const [alone, packed] = await Promise.all([
    itemsAt(table, keys, deadline),
    arePacked ? packedPlaces(table, scope, luids, deadline) : [],
  ]);
  const places = new Map([...alone, ...packed]);
  const texts = keys.map(textOf);
  const seen = new Set<string>();
  const missing = versions.filter((_, index) => {
    const text = texts[index] ?? '';
    const isNew = !places.has(text) && !seen.has(text);
    seen.add(text);
    return isNew;
  });
  const isAhead = texts.some((text) => Number(places.get(text)?.['index'] ?? -1) >= size);
  return { missing, isAhead };
}

/** The versions that none of these leaves is of. */
export function without(versions: readonly Version[], leaves: readonly Leaf[]): Version[] {
  const names = new Set(leaves.map(({ luid, change }) => `${luid} ${change}`));
  return versions.filter((one) => !names.has(`${one.record.luid} ${firstChangeOf(one)}`));
}
