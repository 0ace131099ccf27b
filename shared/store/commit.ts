/**
 * Committing: one transaction, and its true outcome. An answer may be lost after the database has stored everything. So
 * after a lost answer the table is read before the next attempt, and again before a conflict is reported: the conflict
 * may be with the first attempt.
 */

import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { assert } from '../ledger/assert.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { Kind } from '../ledger/kind.ts';
import type { Commit, Conflict, Move, Scope, Write } from '../port/ports.ts';
import { closeAhead, foldClosed } from './close-ahead.ts';
import { distinctBy } from './distinct.ts';
import { foldShards } from './fold-shards.ts';
import {
  type CheckedVersion,
  closeGates,
  type Gates,
  gatesOf,
  makeGates,
  mendGates,
  notePassed,
} from './gates.ts';
import { type ConflictName, keyOfAction, type PlannedAction } from './item-action.ts';
import { isOfIntent, itemOf, type Key, maySpread, spreadOfShard, textOf } from './keys.ts';
import { growAhead, growThrottled, isKnownDense, noticedMs, spreadOut } from './layout.ts';
import { holdsSame } from './pack.ts';
import { actionCountMax, planOf, tracesOf } from './plan.ts';
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

/** The time for which a commit is tried while others are faster; then the caller is told to come again. */
const busyMsMax = 5_000;
/** The times between two attempts while others are faster: a transaction takes some 25 milliseconds. */
const busyWaits = { baseMs: 20, mostMs: 1_000 };
/** The same where a partition has no capacity left: it gets more with time alone, and each attempt is in the way of others. */
const fullWaits = { baseMs: 500, mostMs: 2_000 };

/**
 * The attempts of a commit that can be divided. A large transaction meets more others, and asks more of a partition that
 * is full, each time that it comes again.
 */
const attemptCountOfMany = 3;

/** The outcome of a commit: the conflicts, and else the versions with the partitions in which they are stored. */
interface Committed {
  readonly conflicts: readonly Conflict[];
  readonly writes: readonly Write[];
}

/** Stores all of a commit or nothing. */
export async function commit(table: Table, unplaced: Commit): Promise<Committed> {
  const deadline = deadlineIn(table.deadlineMs);
  const wanted = await spreadOut(table, unplaced);
  await foldClosed(table, wanted.writes, deadline);
  const { writes, conflicts } = await closeAhead(table, wanted, deadline);
  if (conflicts.length > 0)
    return { conflicts: await conflictsInFull(table, conflicts, deadline), writes };
  return commitPlan(table, { ...wanted, writes }, deadline);
}

/** A plan that is tried by its token; `isDoubtful` once it may be stored already. */
interface Trial {
  /** The commit, in the partitions of the layout of now. */
  readonly wanted: Commit;
  readonly token: string;
  readonly plan: readonly PlannedAction[];
  readonly gates: Gates;
  readonly isDoubtful: boolean;
  readonly attempt: number;
  /** The time at which the caller is told to come again. */
  readonly endMs: Deadline;
}

async function commitPlan(table: Table, wanted: Commit, deadline: Deadline): Promise<Committed> {
  const endMs = performance.now() + busyMsMax;
  const planned = await planIn(table, wanted, { isDoubtful: false }, deadline);
  const first = { wanted, token: wanted.token, isDoubtful: false, attempt: 0, endMs };
  const { conflicts, writes } =
    'conflicts' in planned
      ? { ...planned, writes: wanted.writes }
      : await tried(table, { ...first, ...planned }, deadline);
  return { conflicts: await conflictsInFull(table, conflicts, deadline), writes };
}

interface Tried extends Pick<Committed, 'writes'> {
  readonly conflicts: readonly (ConflictName | { readonly what: 'crowded' })[];
}

/** Tries again and again, until it is stored or refused. */
async function tried(table: Table, first: Trial, deadline: Deadline): Promise<Tried> {
  for (let trial = first; ; ) {
    const { wanted, plan } = trial;
    const { writes } = wanted;
    if (isTooMuch(trial)) return { conflicts: [{ what: 'crowded' }], writes };
    const outcome = await attemptOf(table, trial);
    if (outcome.nature === 'stored') {
      notePassed(table, wanted);
      await afterStored(table, wanted.moves ?? [], deadline);
      return { conflicts: [], writes };
    }
    const isDoubtful = trial.isDoubtful || outcome.nature === 'unknown';
    if (isDoubtful && (await isStored(table, wanted, plan, deadline)))
      return { conflicts: [], writes };
    const next = await nextTrial(table, { ...trial, isDoubtful, outcome }, deadline);
    if ('conflicts' in next) return { conflicts: next.conflicts, writes };
    trial = next;
  }
}

/**
 * Goes on where a gate was missed, or where gates keep a version from being replaced; undefined for any other conflict. A
 * gate may be gone while its version is current, so the head decides. Decision 134.
 */
async function pastGates(
  table: Table,
  { conflicts, ...trial }: Trial & Refused,
  deadline: Deadline,
): Promise<Trial | undefined> {
  const { wanted, isDoubtful } = trial;
  const { writes, unchanged = [] } = wanted;
  const missed = conflicts.flatMap((one) => {
    const isAtGate = one.what === 'changed' && trial.gates[one.version] !== undefined;
    return (isAtGate && unchanged[one.version]) || [];
  });
  for (const one of missed) await mendGates(table, one, deadline);
  const replaced = conflicts.flatMap((one) => {
    const { scope, previous } = (one.what === 'stale' && writes[one.write]) || {};
    return scope !== undefined && previous ? { scope, version: previous } : [];
  });
  let isOpen = missed.length > 0;
  for (const one of replaced) isOpen = (await closeGates(table, one, deadline)) || isOpen;
  if (!isOpen) return undefined;
  const planned = await planIn(table, wanted, { isDoubtful, isAtHeads: true }, deadline);
  return 'conflicts' in planned ? undefined : { ...trial, token: randomUUID(), ...planned };
}

/** Makes way where others were, and waits; returns what is tried next, or why nothing is. */
async function nextTrial(
  table: Table,
  { outcome, ...trial }: Trial & { readonly outcome: Failed },
  deadline: Deadline,
): Promise<Trial | Refused> {
  if (outcome.nature === 'refused')
    return (await pastGates(table, { ...trial, ...outcome }, deadline)) ?? outcome;
  const next = { ...trial, attempt: trial.attempt + 1 };
  if (outcome.nature !== 'busy') {
    await pause(trial.attempt, deadline);
    return next;
  }
  if (!trial.isDoubtful && performance.now() >= trial.endMs) throw tooBusy();
  const anew = crowdedIn(trial.wanted, outcome);
  await makeWay(table, outcome, anew, deadline);
  const isFull = outcome.throttled.length > 0;
  await pause(trial.attempt, deadline, isFull ? fullWaits : busyWaits);
  const { isDoubtful } = trial;
  if (isDoubtful && anew.moves.length + anew.checks.length === 0) return next;
  // The layout may have grown meanwhile. What may be stored already keeps its place, by which it is found.
  const wanted = isDoubtful ? trial.wanted : await spreadOut(table, trial.wanted, noticedMs);
  const planned = await planIn(table, wanted, { isDoubtful, anew }, deadline);
  if ('conflicts' in planned) return planned;
  // Other shards are another plan, which stored versions keep from being stored beside the one before.
  return isDeepStrictEqual(planned.plan, trial.plan)
    ? next
    : { ...next, wanted, token: randomUUID(), ...planned };
}

/** Gives shards, gates and partitions to what is busy. */
async function makeWay(
  table: Table,
  { isHeldBack, throttled }: Busy,
  { moves, checks }: Crowded,
  deadline: Deadline,
): Promise<void> {
  if (isHeldBack) return;
  await spreadThrottled(table, throttled);
  await makeRoom(table, moves, deadline);
  await makeGates(table, checks, deadline);
}

/** Nothing was stored, and the caller may ask again. The process is free for others meanwhile. */
function tooBusy(): LedgerError {
  const detail =
    'Too many others change the same balances, or store in the same ledger; nothing was stored.';
  return new LedgerError('api.rate-limit-exceeded', detail, undefined, { 'retry-after': '1' });
}

/** True for a commit that goes better in parts: it came often, or its shards make it too large for one transaction. */
function isTooMuch({ wanted, isDoubtful, plan, attempt }: Trial): boolean {
  if (!mayDivide(wanted, isDoubtful)) return false;
  return attempt >= attemptCountOfMany || plan.length > actionCountMax;
}

/** False for a commit that may be stored already: that is not given up. */
function mayDivide({ isDivisible }: Commit, isDoubtful: boolean): boolean {
  return isDivisible === true && !isDoubtful;
}

interface Planning {
  readonly isDoubtful: boolean;
  /** Those on which others were. */
  readonly anew?: Crowded;
  /** True where versions are checked at no gate. */
  readonly isAtHeads?: true;
}

/**
 * The plan of a commit, with its moves on shards and its checks at gates, some of them anew; where that takes too many
 * actions, their shards are folded, unless the commit can be divided instead. Moves that no shards have enough for are
 * conflicts, unless the commit may be stored already: nobody has to be kept from the shards to learn it. Decision 139.
 */
async function planIn(
  table: Table,
  wanted: Commit,
  { isDoubtful, anew, isAtHeads }: Planning,
  deadline: Deadline,
): Promise<Pick<Trial, 'plan' | 'gates'> | Refused> {
  const { moves = [], unchanged = [] } = wanted;
  const gates = isAtHeads ? [] : await gatesOf(table, unchanged, deadline, anew?.checks);
  const parts = await spreadOf(table, moves, deadline, anew?.moves);
  const short = parts.flatMap((one, move) =>
    one === 'short' ? ({ what: 'balance', move } as const) : [],
  );
  if (short.length > 0 && !isDoubtful) return { nature: 'refused', conflicts: short };
  const spread = parts.map((one) => (one === 'short' ? undefined : one));
  const isDense = (scope: Scope) => isKnownDense(table, scope);
  const plan = planOf(table.tableName, wanted, spread, gates, isDense);
  if (plan.length <= actionCountMax || mayDivide(wanted, isDoubtful)) return { plan, gates };
  for (const [index, move] of moves.entries())
    if ((spread[index]?.length ?? 0) > 1) await foldShards(table, move, {}, deadline);
  const whole = planOf(table.tableName, wanted, [], gates, isDense);
  assert(whole.length <= actionCountMax, 'a commit fits into one transaction');
  return { plan: whole, gates };
}

/** The moves and checks at which a transaction met others. */
interface Crowded {
  readonly moves: readonly Move[];
  readonly checks: readonly CheckedVersion[];
}

function crowdedIn({ moves = [], unchanged = [] }: Commit, { crowded }: Busy): Crowded {
  const moved = crowded.flatMap((one) => (one?.what === 'balance' ? one.move : []));
  const checked = crowded.flatMap((one) => (one?.what === 'changed' ? one.version : []));
  return {
    moves: [...new Set(moved)].flatMap((index) => moves[index] ?? []),
    checks: checked.flatMap((index) => unchanged[index] ?? []),
  };
}

/** Names what another transaction was on, and the items of partitions without capacity. */
interface Busy {
  readonly nature: 'busy';
  readonly crowded: readonly (ConflictName | undefined)[];
  readonly throttled: readonly Key[];
  /** True for an attempt that was left out, since too many were turned away there. */
  readonly isHeldBack?: true;
}

interface Refused {
  readonly nature: 'refused';
  readonly conflicts: readonly ConflictName[];
}

type Failed = Refused | Busy | { readonly nature: 'unknown' };

async function attemptOf(
  table: Table,
  { token, plan }: Trial,
): Promise<Failed | { readonly nature: 'stored' }> {
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

/** Gives a ledger a larger layout where its lists, outboxes, markers or deliveries have no capacity again and again. */
export async function spreadThrottled(table: Table, keys: readonly Key[]): Promise<void> {
  const often = keys
    .filter(({ pk }) => table.pressure?.isOften(pk))
    .map(({ pk, sk }) => itemOf(pk, sk));
  const marked = often.flatMap((name) => (name?.item === 'expiry' ? name.scope : []));
  // The markers of all ledgers that have grown lie in the same partitions, however many lists each has.
  for (const scope of new Set(marked)) await growAhead(table, scope).catch(() => undefined);
  const places = often.flatMap(placeInLayout);
  const isOfList = (one: PlaceInLayout) => (other: PlaceInLayout) =>
    other.scope === one.scope && other.kind === one.kind;
  for (const list of distinctBy(places, ({ scope, kind }) => `${scope}#${kind}`)) {
    const spread = Math.max(...places.filter(isOfList(list)).map((place) => place.spread));
    // Whoever is throttled next tries again.
    await growThrottled(table, list, spread).catch(() => undefined);
  }
}

/** An item's list, which says in which partition it lies, and its number. */
interface PlaceInLayout {
  readonly scope: Scope;
  readonly kind: Kind;
  readonly spread: number;
}

/** The place of an item in the layout of its ledger; none for an item that lies where it always did. */
function placeInLayout(name: ReturnType<typeof itemOf>): PlaceInLayout[] {
  if (name?.item === 'signals' || (name?.item === 'outbox' && isOfIntent(name.luid)))
    return [{ scope: name.scope, kind: 'intent', spread: spreadOfShard(name.shard) }];
  if (name?.item === 'lists' || name?.item === 'delivery')
    return [{ scope: name.scope, kind: 'intent', spread: name.spread ?? 0 }];
  if (name?.item !== 'list' || !maySpread(name)) return [];
  return [{ scope: name.scope, kind: name.kind, spread: name.spread ?? 0 }];
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
  conflicts: Tried['conflicts'],
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
