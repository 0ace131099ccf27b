/**
 * Committing: one transaction, and its true outcome. An answer may be lost after the database has stored everything. So
 * after a lost answer the table is read before the next attempt, and again before a conflict is reported: the conflict
 * may be with the first attempt.
 */

import { randomUUID } from 'node:crypto';
import { assert } from '../ledger/assert.ts';
import { isDropped } from '../ledger/record.ts';
import type { Commit, Conflict, Move, Write } from '../port/ports.ts';
import { distinctBy } from './distinct.ts';
import { foldShards } from './fold-shards.ts';
import type { ConflictName, PlannedAction } from './item-action.ts';
import { balanceKeyOf, usageKeyOf } from './keys.ts';
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
} from './retry.ts';
import { afterStored, makeRoom, spreadOf } from './spread.ts';
import { tryTo } from './try-to.ts';

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

async function commitPlan(
  table: Table,
  wanted: Commit,
  deadline: Deadline,
): Promise<readonly Conflict[]> {
  const { moves = [] } = wanted;
  let token = wanted.token;
  let isDoubtful = false;
  let plan = await planIn(table, wanted, isDoubtful, deadline);
  for (let attempt = 0; ; attempt += 1) {
    if (isTooMuch(wanted, { isDoubtful, plan, attempt })) return [{ what: 'crowded' }];
    const outcome = await attemptOf(table, token, plan);
    if (outcome.nature === 'stored') {
      await afterStored(table, moves, deadline);
      return [];
    }
    isDoubtful ||= outcome.nature === 'unknown';
    if (isDoubtful && (await isStored(table, wanted, plan, deadline))) return [];
    if (outcome.nature === 'refused') return conflictsInFull(table, outcome.conflicts, deadline);
    if (await makeRoom(table, crowdedIn(moves, outcome), deadline)) {
      // Other shards are another plan, which stored versions keep from being stored beside the one before.
      token = randomUUID();
      plan = await planIn(table, wanted, isDoubtful, deadline);
    }
    await pause(attempt, deadline);
  }
}

interface Trial {
  readonly isDoubtful: boolean;
  readonly plan: readonly PlannedAction[];
  readonly attempt: number;
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
 * The plan of a commit, with its moves on shards; where that takes too many actions, their shards are folded, unless the
 * commit can be divided instead.
 */
async function planIn(
  table: Table,
  wanted: Commit,
  isDoubtful: boolean,
  deadline: Deadline,
): Promise<PlannedAction[]> {
  const { moves = [] } = wanted;
  const spread = await spreadOf(table, moves, deadline);
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

type WriteOutcome =
  | { readonly nature: 'stored' | 'unknown' }
  /** Names what another transaction was on. */
  | { readonly nature: 'busy'; readonly crowded: readonly (ConflictName | undefined)[] }
  | { readonly nature: 'refused'; readonly conflicts: readonly ConflictName[] };

async function attemptOf(
  table: Table,
  token: string,
  plan: readonly PlannedAction[],
): Promise<WriteOutcome> {
  try {
    const actions = plan.map(({ action }) => action);
    await transact(table, token, actions);
    return { nature: 'stored' };
  } catch (error) {
    const nature = natureOf(error);
    if (nature === 'broken') throw error;
    if (isConflict(error)) table.onConflict?.();
    if (nature === 'refused') return { nature, conflicts: conflictsOf(error, plan) };
    if (nature === 'unknown') return { nature };
    return { nature, crowded: crowdedIndexesOf(error).map((index) => plan[index]?.conflict) };
  }
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
