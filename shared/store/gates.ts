/**
 * Gates of a busy record. Transactions that check the same item at once cancel each other, so whatever depends on the version
 * of a busy bridge or wallet checks one of its gates, any one, in place of the head. A gate names a version, and the head
 * says how many there are: while it does, no other version takes its place. So what a gate says, the head would say.
 * Decision 134.
 */
import { randomUUID } from 'node:crypto';
import type { Kind } from '../ledger/kind.ts';
import { nameOfVersion, type Version } from '../ledger/record.ts';
import type { Commit, Scope } from '../port/ports.ts';
import { put, remove } from './item-action.ts';
import { gateKeyOf, headKeyOf, type Key, textOf } from './keys.ts';
import { itemsAt } from './read.ts';
import { type Item, type ItemAction, type Table, transact, update } from './request.ts';
import { type Deadline, natureOf, pause, rest } from './retry.ts';
import { markMsMax, type ShardBook } from './shard-book.ts';

/** The most gates of a record: they are made, and removed, in one transaction with their head. */
export const gateCountMax = 64;
/** The time for which somebody who removes gates keeps others from making some, in milliseconds. */
const closingMs = 1_000;
/** The longest wait for them until somebody looks again. */
const closedMs = 400;
/** The gates that are removed at a time while others check them. */
const atOnceMax = 16;

export const isSameRecord = 'luid = :luid';
export const isCurrent = `${isSameRecord} AND change = :change`;
const hasNoGates = 'attribute_not_exists(gates)';
const hasSoMany = 'gates = :count';
const isUnmarked = '(attribute_not_exists(closing) OR closing < :now OR closing > :far)';
/** The condition of whoever replaces a version that may have gates. */
export const isCurrentAndOpen = `${isCurrent} AND ${hasNoGates}`;

/** A version that must still be current. */
export type CheckedVersion = NonNullable<Commit['unchanged']>[number];
type GatedTable = Table & { readonly shards: ShardBook };

/** The gate at which each version is checked; undefined for one that is checked at its head. */
export type Gates = readonly (number | undefined)[];

/** The kinds of which versions are checked by intents: bridges, and wallets with routes or that a freeze has marked. */
export function mayHaveGates(kind: Kind): boolean {
  return kind === 'bridge' || kind === 'wallet';
}

export function versionValues({ record, change }: Version): Readonly<Record<string, unknown>> {
  return { ':luid': record.luid, ':change': change };
}

/** Notes the gates of a head that was read. */
export function noteGates({ shards }: Table, key: Key, item: Item | undefined): void {
  shards?.noteCount(key, countIn(item));
  shards?.noteGrowing(key, Number(item?.['closing'] ?? 0));
}

/** Draws the gate for each version that must be unchanged; the heads of some are read anew, since others were there. */
export function gatesOf(
  table: Table,
  unchanged: readonly CheckedVersion[],
  deadline: Deadline,
  anew: readonly CheckedVersion[] = [],
): Promise<Gates> {
  return Promise.all(unchanged.map((one) => gateOf(table, one, deadline, anew.includes(one))));
}

async function gateOf(
  { shards, ...table }: Table,
  named: CheckedVersion,
  deadline: Deadline,
  isAnew: boolean,
): Promise<number | undefined> {
  if (!shards || !mayHaveGates(named.version.kind)) return undefined;
  const key = keyOf(named);
  if (isAnew) await headOf({ ...table, shards }, named, deadline);
  await waitForClosing({ ...table, shards }, named, deadline);
  const count = shards.countOf(key);
  return count === 1 ? undefined : Math.floor(shards.random() * count);
}

/** Whoever replaces a version needs a moment in which nobody makes gates of it, or is on its head. */
async function waitForClosing(
  table: GatedTable,
  named: CheckedVersion,
  deadline: Deadline,
): Promise<void> {
  while (table.shards.growingUntil(keyOf(named)) > 0) {
    await rest(closedMs, deadline);
    await headOf(table, named, deadline);
  }
}

/** Notes that transactions met where they check these versions, and makes more gates where they meet often. */
export async function makeGates(
  table: Table,
  crowded: readonly CheckedVersion[],
  deadline: Deadline,
): Promise<void> {
  const { shards } = table;
  if (!shards) return;
  for (const one of crowded.filter(({ version }) => mayHaveGates(version.kind))) {
    const wanted = shards.noteCrowd(keyOf(one));
    const mayGrow = shards.countOf(keyOf(one)) < gateCountMax;
    if (wanted !== undefined && mayGrow) await grow({ ...table, shards }, one, deadline, wanted);
  }
}

/** Notes that a transaction that checked versions is stored. */
export function notePassed({ shards }: Table, { unchanged = [] }: Commit): void {
  for (const one of unchanged) shards?.noteStored(keyOf(one));
}

/** Makes those gates again that somebody removed who did not come to an end. */
export async function mendGates(
  table: Table,
  named: CheckedVersion,
  deadline: Deadline,
): Promise<void> {
  const { shards } = table;
  if (!shards) return;
  await headOf(table, named, deadline);
  await waitForClosing({ ...table, shards }, named, deadline);
  if (shards.countOf(keyOf(named)) > 1) await grow({ ...table, shards }, named, deadline);
}

/**
 * Makes more gates of a version, and those that are missing. The head must be that of the version, with as many as were
 * read. Where others are on it, whoever comes next tries again.
 */
async function grow(
  table: GatedTable,
  named: CheckedVersion,
  deadline: Deadline,
  wanted?: number,
): Promise<void> {
  const { shards, tableName } = table;
  const { version } = named;
  const head = await headOf(table, named, deadline);
  if (!head || !isOf(version, head) || shards.growingUntil(keyOf(named)) > 0) return;
  const count = countIn(head);
  const before = count === 1 ? 0 : count;
  const next = wanted === undefined ? count : Math.min(gateCountMax, Math.max(wanted, 4 * before));
  const keys = gateKeysOf(named, next);
  const there = await itemsAt(table, keys.slice(0, before), deadline);
  const missing = keys.filter((key) => !isOf(version, there.get(textOf(key))));
  if (next <= before && missing.length === 0) return;
  const content = { luid: version.record.luid, change: version.change };
  const plan = [
    countingOf(tableName, named, { before, next: Math.max(before, next), nowMs: shards.nowMs() }),
    ...missing.map((key) => put(tableName, key, content)),
  ];
  if (!(await isDone(transact(table, randomUUID(), plan)))) return;
  shards.noteCount(keyOf(named), next);
  shards.noteGrown(keyOf(named));
}

/** The new number of gates, which the head has. */
function countingOf(
  tableName: string,
  named: CheckedVersion,
  { before, next, nowMs }: { before: number; next: number; nowMs: number },
): ItemAction {
  return {
    Update: {
      TableName: tableName,
      Key: keyOf(named),
      UpdateExpression: 'SET gates = :next REMOVE closing',
      ConditionExpression: [isCurrent, before === 0 ? hasNoGates : hasSoMany, isUnmarked].join(
        ' AND ',
      ),
      ExpressionAttributeValues: {
        ...versionValues(named.version),
        ...{ ':next': next, ':now': nowMs, ':far': nowMs + markMsMax },
        ...(before > 0 && { ':count': before }),
      },
    },
  };
}

/**
 * Removes all gates of a version that is to be replaced; false where it has none, or is no longer current. Others come to
 * the head, or wait, as soon as they miss a gate. Whoever ends in the middle has removed some, which are made again.
 */
export async function closeGates(
  table: Table,
  named: CheckedVersion,
  deadline: Deadline,
): Promise<boolean> {
  const { shards, tableName } = table;
  if (!shards || !mayHaveGates(named.version.kind)) return false;
  for (let attempt = 0; ; attempt += 1) {
    const head = await headOf(table, named, deadline);
    const count = countIn(head);
    if (!head || !isOf(named.version, head) || count === 1) return attempt > 0;
    await markClosing({ ...table, shards }, named);
    const removals = gateKeysOf(named, count).map((key) => remove(tableName, key));
    const plan = [openingOf(tableName, named, count), ...removals];
    if (await isDone(transact(table, randomUUID(), plan))) continue;
    // Others check the gates, so each is removed at a moment in which nobody does.
    for (let start = 0; start < removals.length; start += atOnceMax) {
      const some = removals.slice(start, start + atOnceMax);
      await Promise.all(some.map((one) => isDone(transact(table, randomUUID(), [one]))));
    }
    await pause(attempt, deadline);
  }
}

/** Keeps others from making gates, for a time. Where it is not stored, it is tried without. */
async function markClosing({ shards, ...table }: GatedTable, named: CheckedVersion): Promise<void> {
  const action = {
    TableName: table.tableName,
    Key: keyOf(named),
    UpdateExpression: 'SET closing = :until',
    ConditionExpression: isCurrent,
    ExpressionAttributeValues: {
      ...versionValues(named.version),
      ':until': shards.nowMs() + closingMs,
    },
  };
  await isDone(update(table, action));
}

/** The head of a version without gates. */
function openingOf(tableName: string, named: CheckedVersion, count: number): ItemAction {
  return {
    Update: {
      TableName: tableName,
      Key: keyOf(named),
      UpdateExpression: 'REMOVE gates',
      ConditionExpression: `${isCurrent} AND ${hasSoMany}`,
      ExpressionAttributeValues: { ...versionValues(named.version), ':count': count },
    },
  };
}

async function headOf(
  table: Table,
  named: CheckedVersion,
  deadline: Deadline,
): Promise<Item | undefined> {
  const key = keyOf(named);
  const item = (await itemsAt(table, [key], deadline)).get(textOf(key));
  noteGates(table, key, item);
  return item;
}

async function isDone(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (natureOf(error) === 'broken') throw error;
    return false;
  }
}

/** The number of gates that a head has; 1 for none, since the head is one place to check. */
function countIn(head: Item | undefined): number {
  return Number(head?.['gates'] ?? 1);
}

/** True for the head, or a gate, of this version. */
function isOf({ record, change }: Version, item: Item | undefined): boolean {
  return item?.['luid'] === record.luid && Number(item['change']) === change;
}

function keyOf({ scope, version }: CheckedVersion): Key {
  return headKeyOf(scope, version.kind, nameOfVersion(version));
}

function gateKeysOf({ scope, version }: CheckedVersion, count: number): Key[] {
  return Array.from({ length: count }, (_, number) =>
    gateKeyOf(scope, version.kind, nameOfVersion(version), number),
  );
}

/** The item at which a version is checked. */
export function checkedKeyOf(scope: Scope, version: Version, gate: number | undefined): Key {
  const name = nameOfVersion(version);
  return gate === undefined
    ? headKeyOf(scope, version.kind, name)
    : gateKeyOf(scope, version.kind, name, gate);
}
