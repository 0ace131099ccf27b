/**
 * Committing: one transaction, and its true outcome. An answer may be lost after the database has stored everything. So
 * after a lost answer the table is read before the next attempt, and again before a conflict is reported: the conflict
 * may be with the first attempt.
 */

import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { assert } from '../ledger/assert.ts';
import { LedgerError } from '../ledger/errors.ts';
import { keepsPlace } from '../ledger/kind.ts';
import { isDropped } from '../ledger/record.ts';
import type { Commit, Conflict, Move, Scope, Write } from '../port/ports.ts';
import { distinctBy } from './distinct.ts';
import { foldShards } from './fold-shards.ts';
import { type ConflictName, keyOfAction, type PlannedAction } from './item-action.ts';
import { balanceKeyOf, itemOf, type Key, textOf, usageKeyOf } from './keys.ts';
import { growThrottled } from './layout.ts';
import { holdsSame } from './pack.ts';
import { actionCountMax, planOf, tracesOf } from './plan.ts';
import { planOfClosing } from './plan-balance.ts';
import { itemsAt } from './read.ts';
import { type Table, transact } from './request.ts';
import {
  crowdedIndexesOf,
  type Deadline,
  deadlineIn,
  failedIndexesOf,
  isConflict,
  natureOf,
  pause,
  throttledIndexesOf,
} from './retry.ts';
import { afterStored, makeRoom, spreadOf } from './spread.ts';
import { tryTo } from './try-to.ts';

/** The time for which a commit is tried while others are faster; then the caller is told to come again. */
const busyMsMax = 5_000;
/** The times between two attempts while others are faster: a transaction takes some 25 milliseconds. */
const busyWaits = { baseMs: 20, mostMs: 1_000 };
/** The balances that are closed together with their wallet; more would not fit into its transaction. */
const closeCountMax = 30;

/**
 * The attempts of a commit that can be divided. A large transaction meets more others, and asks more of a partition that
 * is full, each time that it comes again.
 */
const attemptCountOfMany = 3;

/** Stores all of a commit or nothing; returns the conflicts. */
export async function commit(table: Table, wanted: Commit): Promise<readonly Conflict[]> {
  const deadline = deadlineIn(table.deadlineMs);
  await foldClosed(table, wanted.writes, deadline);
  const { writes, conflicts } = await closeAhead(table, wanted.writes, deadline);
  if (conflicts.length > 0) return conflicts;
  return commitPlan(table, { ...wanted, writes }, deadline);
}

/** Folds the shards of balances that end, so that each is one item. */
async function foldClosed(
  table: Table,
  writes: readonly Write[],
  deadline: Deadline,
): Promise<void> {
  for (const { scope, closes = [] } of writes)
    for (const { wallet, symbol, shards } of closes) {
      const known = table.shards?.countOf(balanceKeyOf(scope, wallet, symbol)) ?? 1;
      const hasShards = shards !== undefined || known > 1;
      if (hasShards)
        await foldShards(table, { scope, wallet, symbol }, { staysUndivided: true }, deadline);
    }
}

/** A plan that is tried by its token; `isDoubtful` once it may be stored already. */
interface Trial {
  readonly token: string;
  readonly plan: readonly PlannedAction[];
  readonly isDoubtful: boolean;
  readonly attempt: number;
  /** The time at which the caller is told to come again. */
  readonly endMs: Deadline;
}

async function commitPlan(
  table: Table,
  wanted: Commit,
  deadline: Deadline,
): Promise<readonly Conflict[]> {
  const endMs = performance.now() + busyMsMax;
  const plan = await planIn(table, wanted, { isDoubtful: false }, deadline);
  let trial: Trial = { token: wanted.token, plan, isDoubtful: false, attempt: 0, endMs };
  for (;;) {
    if (isTooMuch(wanted, trial)) return [{ what: 'crowded' }];
    const outcome = await attemptOf(table, trial);
    if (outcome.nature === 'stored') {
      await afterStored(table, wanted.moves ?? [], deadline);
      return [];
    }
    const isDoubtful = trial.isDoubtful || outcome.nature === 'unknown';
    if (isDoubtful && (await isStored(table, wanted, trial.plan, deadline))) return [];
    if (outcome.nature === 'refused') return conflictsInFull(table, outcome.conflicts, deadline);
    trial = await nextTrial(table, wanted, { ...trial, isDoubtful, outcome }, deadline);
  }
}

/** Makes way where others were, and waits; returns what is tried next. */
async function nextTrial(
  table: Table,
  wanted: Commit,
  { outcome, ...trial }: Trial & { readonly outcome: WriteOutcome },
  deadline: Deadline,
): Promise<Trial> {
  const next = { ...trial, attempt: trial.attempt + 1 };
  if (outcome.nature !== 'busy') {
    await pause(trial.attempt, deadline);
    return next;
  }
  if (!trial.isDoubtful && performance.now() >= trial.endMs) throw tooBusy();
  const anew = crowdedIn(wanted.moves ?? [], outcome);
  await makeWay(table, outcome, anew, deadline);
  await pause(trial.attempt, deadline, busyWaits);
  if (anew.length === 0) return next;
  const plan = await planIn(table, wanted, { isDoubtful: trial.isDoubtful, anew }, deadline);
  // Other shards are another plan, which stored versions keep from being stored beside the one before.
  return isDeepStrictEqual(plan, trial.plan) ? next : { ...next, token: randomUUID(), plan };
}

/** Gives shards and partitions to what is busy. */
async function makeWay(
  table: Table,
  { isHeldBack, throttled }: Busy,
  crowded: readonly Move[],
  deadline: Deadline,
): Promise<void> {
  if (isHeldBack) return;
  await spreadThrottled(table, throttled);
  await makeRoom(table, crowded, deadline);
}

/** Nothing was stored, and the caller may ask again. The process is free for others meanwhile. */
function tooBusy(): LedgerError {
  const detail =
    'Too many others change the same balances, or store in the same ledger; nothing was stored.';
  return new LedgerError('api.rate-limit-exceeded', detail, undefined, { 'retry-after': '1' });
}

/** True for a commit that goes better in parts: it came often, or its shards make it too large for one transaction. */
function isTooMuch(wanted: Commit, { isDoubtful, plan, attempt }: Trial): boolean {
  if (!mayDivide(wanted, isDoubtful)) return false;
  return attempt >= attemptCountOfMany || plan.length > actionCountMax;
}

/** False for a commit that may be stored already: that is not given up. */
function mayDivide({ isDivisible }: Commit, isDoubtful: boolean): boolean {
  return isDivisible === true && !isDoubtful;
}

/**
 * The plan of a commit, with its moves on shards, some of them anew; where that takes too many actions, their shards are
 * folded, unless the commit can be divided instead.
 */
async function planIn(
  table: Table,
  wanted: Commit,
  { isDoubtful, anew = [] }: { readonly isDoubtful: boolean; readonly anew?: readonly Move[] },
  deadline: Deadline,
): Promise<PlannedAction[]> {
  const { moves = [] } = wanted;
  const spread = await spreadOf(table, moves, deadline, anew);
  const plan = planOf(table.tableName, wanted, spread);
  if (plan.length <= actionCountMax || mayDivide(wanted, isDoubtful)) return plan;
  for (const [index, move] of moves.entries())
    if ((spread[index]?.length ?? 0) > 1)
      await foldShards(table, move, { staysUndivided: false }, deadline);
  const whole = planOf(table.tableName, wanted);
  assert(whole.length <= actionCountMax, 'a commit fits into one transaction');
  return whole;
}

/** The moves on which a transaction met others. */
function crowdedIn(moves: readonly Move[], outcome: WriteOutcome): Move[] {
  const conflicts = outcome.nature === 'busy' ? outcome.crowded : [];
  const indexes = conflicts.flatMap((one) => (one?.what === 'balance' ? one.move : []));
  return [...new Set(indexes)].flatMap((index) => moves[index] ?? []);
}

/** Names what another transaction was on, and the items of partitions without capacity. */
interface Busy {
  readonly nature: 'busy';
  readonly crowded: readonly (ConflictName | undefined)[];
  readonly throttled: readonly Key[];
  /** True for an attempt that was left out, since too many were turned away there. */
  readonly isHeldBack?: true;
}

type WriteOutcome =
  | { readonly nature: 'stored' }
  | { readonly nature: 'unknown' }
  | Busy
  | { readonly nature: 'refused'; readonly conflicts: readonly ConflictName[] };

async function attemptOf(table: Table, { token, plan }: Trial): Promise<WriteOutcome> {
  const { pressure } = table;
  const keys = plan.map(({ action }) => keyOfAction(action));
  const places = keys.map(placesOfKey);
  const held = new Set(pressure?.heldBackBy(places.flat()));
  if (held.size > 0) {
    const crowded = plan.filter((_, index) => places[index]?.some((place) => held.has(place)));
    const conflicts = crowded.map(({ conflict }) => conflict);
    return { nature: 'busy', crowded: conflicts, throttled: [], isHeldBack: true };
  }
  try {
    const actions = plan.map(({ action }) => action);
    await transact(table, token, actions);
    pressure?.note(places.flat(), []);
    return { nature: 'stored' };
  } catch (error) {
    const nature = natureOf(error);
    if (nature === 'broken') throw error;
    if (isConflict(error)) table.onConflict?.();
    if (nature === 'refused') return { nature, conflicts: conflictsOf(error, plan) };
    if (nature === 'unknown') return { nature };
    const [crowded, throttled] = [crowdedIndexesOf(error), throttledIndexesOf(error)];
    pressure?.note(places.flat(), [
      ...crowded.flatMap((index) => places[index]?.[0] ?? []),
      ...throttled.flatMap((index) => places[index]?.[1] ?? []),
    ]);
    return {
      nature,
      crowded: crowded.map((index) => plan[index]?.conflict),
      throttled: throttled.flatMap((index) => keys[index] ?? []),
    };
  }
}

/** The places at which an action may be turned away: its item, and its partition. */
function placesOfKey(key: Key): readonly [string, string] {
  return [textOf(key), key.pk];
}

/** Gives a ledger a larger layout where its lists, outboxes or markers have no capacity again and again. */
async function spreadThrottled(table: Table, keys: readonly Key[]): Promise<void> {
  const often = keys.filter(({ pk }) => table.pressure?.isOften(pk));
  const scopes = new Set(often.flatMap(({ pk, sk }) => scopeOfLayout(itemOf(pk, sk))));
  // Whoever is throttled next tries again.
  for (const scope of scopes) await growThrottled(table, scope, Date.now()).catch(() => undefined);
}

/** The ledger whose layout says in which partition an item lies; none for an item that lies where it always did. */
function scopeOfLayout(name: ReturnType<typeof itemOf>): Scope[] {
  if (name?.item === 'outbox' || name?.item === 'expiry') return [name.scope];
  return name?.item === 'list' && keepsPlace(name.kind) ? [name.scope] : [];
}

/** True when the commit is in the table: all of it is when its first version is. */
async function isStored(
  table: Table,
  { writes }: Commit,
  plan: readonly PlannedAction[],
  deadline: Deadline,
): Promise<boolean> {
  const { item, keys } = tracesOf(writes[0] as Write);
  const found = await itemsAt(table, keys, deadline);
  const isThere = [...found.values()].some((other) => holdsSame(item, other));
  if (isThere) table.onWritten?.(plan.map(({ action }) => action));
  return isThere;
}

function conflictsOf(error: unknown, plan: readonly PlannedAction[]): ConflictName[] {
  const conflicts = failedIndexesOf(error).flatMap((index) => plan[index]?.conflict ?? []);
  // Several actions may stand for one conflict, such as the balances that a wallet closes.
  return distinctBy(conflicts, nameOf);
}

function nameOf(conflict: ConflictName): string {
  if (conflict.what === 'balance') return `balance ${conflict.move}`;
  const place = conflict.what === 'changed' ? conflict.version : conflict.write;
  return `${conflict.what} ${place}`;
}

/** The conflicts in full: that of a replayed proof names the record that it once made. */
async function conflictsInFull(
  table: Table,
  conflicts: readonly ConflictName[],
  deadline: Deadline,
): Promise<Conflict[]> {
  const keys = conflicts.flatMap((one) => (one.what === 'replayed' ? [one.key] : []));
  const guards = [...(await itemsAt(table, keys, deadline)).values()];
  return conflicts.map((one) => {
    if (one.what !== 'replayed') return one;
    const { what, write, key } = one;
    const guard = guards.find(({ pk }) => pk === key.pk);
    return { what, write, luid: guard?.['luid'] as string, hash: guard?.['hash'] as string };
  });
}

/**
 * Closes the balances that would not fit into the transaction of a drop. If the drop then fails, nothing is lost: an
 * empty balance means the same as none.
 */
async function closeAhead(
  table: Table,
  writes: readonly Write[],
  deadline: Deadline,
): Promise<{ writes: readonly Write[]; conflicts: readonly Conflict[] }> {
  const lighter: Write[] = [];
  for (const [index, write] of writes.entries()) {
    const closes = [...(write.closes ?? [])];
    while (isDropped(write.next) && closes.length > closeCountMax) {
      const chunk = closes.splice(0, closeCountMax);
      const isClosed = await closeChunk(table, { ...write, closes: chunk }, index, deadline);
      if (!isClosed) return { writes, conflicts: [{ what: 'closing', write: index }] };
    }
    lighter.push(write.closes ? { ...write, closes } : write);
  }
  return { writes: lighter, conflicts: [] };
}

async function closeChunk(
  table: Table,
  { scope, next, closes = [] }: Write,
  index: number,
  deadline: Deadline,
): Promise<boolean> {
  const wallet = next.record.data.handle;
  const plan = planOfClosing(table.tableName, { scope, index, wallet }, closes);
  const counting = {
    Update: {
      TableName: table.tableName,
      Key: usageKeyOf(scope, next.kind, wallet),
      UpdateExpression: 'SET balances = balances - :count',
      ConditionExpression: 'balances >= :count',
      ExpressionAttributeValues: { ':count': closes.length },
    },
  };
  return tryTo(table, [...plan.map(({ action }) => action), counting], deadline);
}
