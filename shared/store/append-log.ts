/**
 * Appending to a log. The head of its tree goes on by conditional writes alone, so any number of sequencers may append
 * at a time. A version is in the log exactly if its first change has a place, once all places of the head's leaves are
 * written; that is why they are written before the head goes on. Leaves of one tile are an item that is put where the
 * head ends: it is theirs from then on, and whoever finds it there takes the head over it. Decisions 115 and 141.
 */
import { assert } from '../ledger/assert.ts';
import type { Version } from '../ledger/record.ts';
import { hashOfLeaf, leavesOf } from '../log/leaf.ts';
import { tileWidth } from '../log/tile.ts';
import { emptyTree, grownBy, type Tree } from '../log/tree.ts';
import type { CheckpointOf, LogState } from '../port/logs.ts';
import type { Scope } from '../port/ports.ts';
import { put } from './item-action.ts';
import { hashesKeyOf, logKeyOf, textOf } from './keys.ts';
import { keepAction } from './log-checkpoint.ts';
import { missingIn, type ReadLog, readLog, readSettled, without } from './log-look.ts';
import { partOf } from './log-part.ts';
import {
  type LogItem,
  packHashes,
  packRuns,
  type Run,
  runsOf,
  unpackLog,
  unpackRuns,
} from './pack-log.ts';
import { isPackedNow } from './packed-log.ts';
import { itemsAt } from './read.ts';
import type { ItemAction, Table } from './request.ts';
import { type Deadline, deadlineIn, pause } from './retry.ts';
import {
  fullTile,
  hashesOfRuns,
  leavesFrom,
  leavesUpTo,
  placeLeaves,
  placesOf,
  runsIn,
  settle,
} from './settle-log.ts';
import type { FollowStep } from './step.ts';
import { putNew, refusedBy, tryTo, updateOne } from './try-to.ts';
import { actionsOf } from './write-all.ts';

/** So many leaves of others are read rather than the places of all versions again. */
const lookedBackMax = 4 * tileWidth;
/** Leaves that lie behind the same head at so many looks were left there. */
const metMax = 3;
/** The times between two looks: others take the head over their leaves in some 25 milliseconds. */
const waits = { baseMs: 10, mostMs: 40 };
/** DynamoDB takes so many actions in one transaction. */
const actionCountMax = 100;

const isAbsent = 'attribute_not_exists(pk)';

/** Makes an empty log, unless there is one. */
export async function begin(table: Table, scope: Scope, isWhole: boolean): Promise<void> {
  const { size } = emptyTree;
  const item: LogItem = { size, settled: size, ...(isWhole && { whole: true }) };
  await tryTo(table, [put(table.tableName, logKeyOf(scope), item, isAbsent)]);
}

/** Appends the versions that are not in the log yet, those of a batch `together`; undefined where there is no log. */
export async function append(
  table: Table,
  scope: Scope,
  versions: readonly Version[],
  how?: 'together',
): Promise<LogState | undefined> {
  const deadline = deadlineIn(table.deadlineMs);
  let look = await lookFor(table, scope, versions, deadline);
  while (look && look.missing.length > 0)
    look =
      (await appendSome(table, scope, look, how, deadline)) ??
      (await lookAgain(table, scope, look, deadline));
  return look && stateOf(look);
}

/**
 * The same as a step among others, with a checkpoint of all of it; undefined where there is no log, where others have left
 * something to do in it, or where one transaction is not enough.
 */
export async function logStep(
  table: Table,
  scope: Scope,
  versions: readonly Version[],
  checkpointOf: CheckpointOf,
  deadline: Deadline,
): Promise<FollowStep | undefined> {
  const state = await readLog(table, scope, deadline);
  if (!state || state.log.settled < state.log.tree.size) return undefined;
  const { tree } = state.log;
  const { missing, isAhead } = await missingIn(table, scope, state.log, versions, deadline);
  if (isAhead) return undefined;
  if (missing.length === 0) return {};
  const isPacked = await isPackedNow(table, scope, state.log, undefined, deadline);
  const appended = { versions: missing, isPacked };
  const { next, actions, isSettled } = await extensionOf(table, scope, tree, appended, deadline);
  if (!isSettled) return undefined;
  const checkpoint = await checkpointOf(scope, next);
  return { actions: [...actions, ...(checkpoint ? [keepAction(table, scope, checkpoint)] : [])] };
}

/** A log with a settled head; of the versions that are to be appended, those that have no leaf before it. */
interface LogLook extends ReadLog {
  readonly missing: readonly Version[];
}

/** Versions, and whether their leaves and places are packed, which the release before cannot read. Decisions 141 and 142. */
interface Appended {
  readonly versions: readonly Version[];
  readonly isPacked: boolean;
}

/** Reads a log and the places of versions, and finishes what others have left of them. */
async function lookFor(
  table: Table,
  scope: Scope,
  versions: readonly Version[],
  deadline: Deadline,
): Promise<LogLook | undefined> {
  for (let attempt = 0; ; ) {
    const state = await readSettled(table, scope, deadline);
    if (!state) return undefined;
    const { missing, isAhead } = await missingIn(table, scope, state.log, versions, deadline);
    if (!isAhead) return { ...state, missing };
    const isOver = await takeOver(table, scope, state.log.tree, deadline);
    attempt = isOver ? 0 : attempt + 1;
    if (!isOver) await pause(attempt, deadline);
  }
}

/** Appends versions, as many as come first; undefined, and nothing is appended, when another sequencer was faster. */
async function appendSome(
  table: Table,
  scope: Scope,
  { missing, ...state }: LogLook,
  how: 'together' | undefined,
  deadline: Deadline,
): Promise<LogLook | undefined> {
  const { log } = state;
  const { versions, isOneItem } = partOf(table, log.tree, missing);
  const isPacked = await isPackedNow(table, scope, log, how, deadline);
  const extend = isOneItem ? extendByItem : extendAtOnce;
  const tree = await extend(table, scope, log.tree, { versions, isPacked }, deadline);
  if (!tree) return undefined;
  // A version that was missing before the old head is missing before this one, too: all leaves between them are these.
  const rest = missing.filter((one) => !versions.includes(one));
  return { ...state, log: { ...log, tree, settled: tree.size }, missing: rest };
}

/**
 * Reads what others have appended since, and nothing else: leaves tell whose they are. While some lie behind the head,
 * whoever put them there takes it over them; where they stay, it is done for them.
 */
async function lookAgain(
  table: Table,
  scope: Scope,
  { missing, ...before }: LogLook,
  deadline: Deadline,
): Promise<LogLook | undefined> {
  const { size } = before.log.tree;
  let [metAt, metCount] = [size, 0];
  for (let attempt = 0; ; attempt += 1) {
    await pause(attempt, deadline, waits);
    const [state, ahead] = await Promise.all([
      readSettled(table, scope, deadline),
      leavesFrom(table, scope, size, deadline),
    ]);
    const now = state?.log.tree.size ?? size;
    if (!state || now - size > lookedBackMax) return lookFor(table, scope, missing, deadline);
    const leaves = await leavesUpTo(table, scope, { size, leaves: ahead, until: now }, deadline);
    const isOver = leaves.length === now - size;
    if (isOver && now > size) return { ...state, missing: without(missing, leaves) };
    metCount = now === metAt ? metCount + 1 : 1;
    metAt = now;
    if (metCount > metMax) await takeOver(table, scope, state.log.tree, deadline);
  }
}

/**
 * Writes places and tiles of a log whose leaves an import has put there, as far as the log was settled: an import leaves
 * the head as it was.
 */
export async function resettle(table: Table, scope: Scope): Promise<void> {
  const deadline = deadlineIn(table.deadlineMs);
  const state = await readLog(table, scope, deadline);
  if (!state || state.log.settled === 0) return;
  const { tree, settled } = state.log;
  const all = { tree: { ...tree, size: settled }, settled: 0, isPacked: false };
  await settle(table, scope, all, deadline);
}

/** The log of a ledger, some of whose places and tiles may still be to come: an append finishes them. */
export async function read(table: Table, scope: Scope): Promise<LogState | undefined> {
  const state = await readLog(table, scope, deadlineIn(table.deadlineMs));
  return state && stateOf(state);
}

function stateOf({ log: { tree, isWhole }, checkpoint }: ReadLog): LogState {
  return { tree, isWhole, ...(checkpoint && { checkpoint }) };
}

/**
 * Puts leaves of one tile behind the head, and takes the head over them: without a transaction, and settled. Undefined
 * when others have put theirs there.
 */
async function extendByItem(
  table: Table,
  scope: Scope,
  tree: Tree,
  { versions, isPacked }: Appended,
  deadline: Deadline,
): Promise<Tree | undefined> {
  const runs = runsOf(tree.size, versions.map(leavesOf));
  const [item] = packRuns(runs, isPacked);
  assert(item, 'versions have leaves');
  const { index, ...content } = item;
  const key = hashesKeyOf(scope, 0, index);
  // A tile that becomes full is made of all its leaves: those before the head stay as they are.
  const isFull = (index + runs.flatMap(({ leaves }) => leaves).length) % tileWidth === 0;
  const [isPut, before] = await Promise.all([
    putNew(table, key, content, deadline),
    isFull ? runsIn(table, scope, Math.floor(index / tileWidth), 0, deadline) : undefined,
  ]);
  if (!isPut) return undefined;
  return headOver(table, scope, tree, { runs, isPacked, before }, deadline);
}

/** Takes the head over leaves that were put behind it; undefined when it has gone on, or others do so. */
async function takeOver(
  table: Table,
  scope: Scope,
  tree: Tree,
  deadline: Deadline,
): Promise<Tree | undefined> {
  const { size } = tree;
  const key = hashesKeyOf(scope, 0, size);
  const found = await itemsAt(table, [key, logKeyOf(scope)], deadline);
  const [item, head] = [key, logKeyOf(scope)].map((one) => found.get(textOf(one)));
  if (!head || unpackLog(head).tree.size !== size) return undefined;
  const runs = item ? unpackRuns(size, item) : [];
  if (runs.length === 0)
    throw new Error(`The log of ${scope} has no leaves behind its head, at ${size}.`);
  // Short leaves have places that are packed, too.
  const isPacked = item?.['hashes'] !== undefined;
  return headOver(table, scope, tree, { runs, isPacked }, deadline);
}

/** Leaves behind a head. */
interface Put {
  readonly runs: readonly Run[];
  readonly isPacked: boolean;
  /** The others of a tile that they fill, as far as they were read before. */
  readonly before?: readonly Run[] | undefined;
}

/** Writes places and tiles of the leaves that lie behind the head, and then the head; undefined when it has gone on. */
async function headOver(
  table: Table,
  scope: Scope,
  tree: Tree,
  { runs, isPacked: areShared, before }: Put,
  deadline: Deadline,
): Promise<Tree | undefined> {
  const next = grownBy(tree, hashesOfRuns(runs));
  const placed = { from: tree.size, to: next.size, areShared, runs, before };
  await placeLeaves(table, scope, placed, deadline);
  const isOn = await updateOne(table, headUpdate(table, scope, tree, next, true), deadline);
  return isOn ? next : undefined;
}

/**
 * Puts leaves and the new head, with all places where they fit; undefined, and nothing is stored, when the head has gone
 * on.
 */
async function extendAtOnce(
  table: Table,
  scope: Scope,
  tree: Tree,
  { versions, isPacked }: Appended,
  deadline: Deadline,
): Promise<Tree | undefined> {
  const appended = { versions, isPacked };
  const { next, actions, isSettled } = await extensionOf(table, scope, tree, appended, deadline);
  const refused = await refusedBy(table, actions, deadline);
  if (refused.length === 0) {
    if (!isSettled)
      await settle(table, scope, { tree: next, settled: tree.size, isPacked }, deadline);
    return next;
  }
  // A head that another transaction holds is not among those refused, although it has gone on.
  if (!refused.includes(0)) await takeOver(table, scope, tree, deadline);
  return undefined;
}

/** One transaction that takes a log on. */
interface Extension {
  readonly next: Tree;
  readonly actions: readonly ItemAction[];
  /** True where it has all places, and the tile that becomes full. */
  readonly isSettled: boolean;
}

async function extensionOf(
  table: Table,
  scope: Scope,
  tree: Tree,
  { versions, isPacked }: Appended,
  deadline: Deadline,
): Promise<Extension> {
  const { tableName } = table;
  const leaves = versions.map(leavesOf);
  const hashes = leaves.flat().map(hashOfLeaf);
  const next = grownBy(tree, hashes);
  const runs = runsOf(tree.size, leaves);
  const items = packRuns(runs, isPacked).map(({ index, ...content }) =>
    put(tableName, hashesKeyOf(scope, 0, index), content, isAbsent),
  );
  const places = placesOf(scope, runs, isPacked);
  // On AWS an item of a transaction takes twice the units of one that is put by itself.
  const tiles = table.groupCommit && (await fullTile(table, scope, tree.size, hashes, deadline));
  const settling = actionsOf(table, { puts: [...places, ...(tiles ?? [])] });
  const isSettled = tiles !== undefined && 1 + items.length + settling.length <= actionCountMax;
  const actions = [
    { Update: headUpdate(table, scope, tree, next, isSettled) },
    ...items,
    ...(isSettled ? settling : []),
  ];
  return { next, actions, isSettled };
}

function headUpdate(
  { tableName }: Table,
  scope: Scope,
  before: Tree,
  next: Tree,
  isSettled: boolean,
) {
  return {
    TableName: tableName,
    Key: logKeyOf(scope),
    UpdateExpression: `SET #size = :next, peaks = :peaks${isSettled ? ', settled = :next' : ''}`,
    // Only a settled head goes on, so that places tell what is in the log.
    ConditionExpression: '#size = :size AND settled = :size',
    ExpressionAttributeNames: { '#size': 'size' },
    ExpressionAttributeValues: {
      ':next': next.size,
      ':size': before.size,
      ':peaks': packHashes(next.peaks),
    },
  };
}

/** Notes that every change of the ledger has its leaf, or is still in the outbox. */
export async function markWhole(table: Table, scope: Scope): Promise<void> {
  const action = {
    Update: {
      TableName: table.tableName,
      Key: logKeyOf(scope),
      UpdateExpression: 'SET whole = :true',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':true': true },
    },
  };
  await tryTo(table, [action]);
}
