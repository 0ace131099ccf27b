/**
 * Appending to a log. The head of its tree goes on by conditional writes alone, so any number of sequencers may append
 * at a time. A version is in the log exactly if its first change has a place, once all places of the head's leaves are
 * written; that is why they are written before the head goes on. Decision 115.
 */
import { firstChangeOf, type Version } from '../ledger/record.ts';
import { hashOfLeaf, leavesOf } from '../log/leaf.ts';
import { emptyTree, grownBy, type Tree } from '../log/tree.ts';
import type { LogState, StoredCheckpoint } from '../port/logs.ts';
import type { Scope } from '../port/ports.ts';
import { put } from './item-action.ts';
import { checkpointKeyOf, hashesKeyOf, loggedKeyOf, logKeyOf, textOf } from './keys.ts';
import { isBusyNow, isBusySoon } from './layout.ts';
import {
  type LogItem,
  packHashes,
  packRuns,
  runsOf,
  type StoredLog,
  unpackLog,
} from './pack-log.ts';
import { itemsAt } from './read.ts';
import { packedPlaces } from './read-log.ts';
import type { Item, ItemAction, Table } from './request.ts';
import { type Deadline, deadlineIn, pause } from './retry.ts';
import { settle } from './settle-log.ts';
import { refusedBy, tryTo } from './try-to.ts';

/** The most leaves of one transaction: they lie in so many tiles, and so many items, that it always fits. */
const leafCountMax = 4_096;

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
  for (let attempt = 0; ; ) {
    const isPacked = how === 'together' || (await isBusyNow(table, scope, deadline));
    const step = await appendSome(table, scope, { versions, isPacked }, deadline);
    if (step.is === 'done') return step.state;
    // When another sequencer was faster, head and places are read again.
    if (step.is === 'overtaken') await pause(attempt, deadline);
    attempt = step.is === 'overtaken' ? attempt + 1 : 0;
  }
}

type AppendStep =
  | { readonly is: 'done'; readonly state: LogState | undefined }
  | { readonly is: 'part' | 'overtaken' };

/** Versions, and whether their leaves and places are packed, which early releases cannot read. Decisions 132 and 138. */
interface Appended {
  readonly versions: readonly Version[];
  readonly isPacked: boolean;
}

async function appendSome(
  table: Table,
  scope: Scope,
  { versions, isPacked }: Appended,
  deadline: Deadline,
): Promise<AppendStep> {
  const state = await readLog(table, scope, deadline);
  if (!state) return { is: 'done', state };
  const { log } = state;
  if (log.settled < log.tree.size) await settle(table, scope, log, deadline);
  const missing = await missingIn(table, scope, log, versions, deadline);
  if (missing.length === 0) return { is: 'done', state: stateOf(state) };
  const part = partOf(missing);
  const tree = await extend(table, scope, log.tree, { versions: part, isPacked }, deadline);
  if (!tree) return { is: 'overtaken' };
  await settle(table, scope, { tree, settled: log.tree.size, isPacked }, deadline);
  if (part.length < missing.length) return { is: 'part' };
  return { is: 'done', state: stateOf({ ...state, log: { ...log, tree } }) };
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
  const isPacked = await isBusyNow(table, scope, deadline);
  await settle(table, scope, { tree: { ...tree, size: settled }, settled: 0, isPacked }, deadline);
}

/** The log of a ledger, as far as its places and tiles are written. */
export async function read(table: Table, scope: Scope): Promise<LogState | undefined> {
  const state = await readLog(table, scope, deadlineIn(table.deadlineMs));
  return state && stateOf(state);
}

interface ReadLog {
  readonly log: StoredLog;
  readonly checkpoint: StoredCheckpoint | undefined;
}

function stateOf({ log: { tree, isWhole }, checkpoint }: ReadLog): LogState {
  return { tree, isWhole, ...(checkpoint && { checkpoint }) };
}

async function readLog(
  table: Table,
  scope: Scope,
  deadline: Deadline,
): Promise<ReadLog | undefined> {
  const [head, signed] = [logKeyOf(scope), checkpointKeyOf(scope)];
  const found = await itemsAt(table, [head, signed], deadline);
  const item = found.get(textOf(head));
  return item && { log: unpackLog(item), checkpoint: checkpointIn(found.get(textOf(signed))) };
}

function checkpointIn(item: Item | undefined): StoredCheckpoint | undefined {
  return item && { size: Number(item['size']), note: String(item['note']) };
}

/** The versions without a place. */
async function missingIn(
  table: Table,
  scope: Scope,
  { isPacked }: Pick<StoredLog, 'isPacked'>,
  versions: readonly Version[],
  deadline: Deadline,
): Promise<Version[]> {
  const keys = versions.map((one) => loggedKeyOf(scope, one.record.luid, firstChangeOf(one)));
  const luids = versions.map(({ record }) => record.luid);
  const [alone, packed] = await Promise.all([
    itemsAt(table, keys, deadline),
    isPacked || (await isBusySoon(table, scope, deadline))
      ? packedPlaces(table, scope, luids, deadline)
      : [],
  ]);
  const places = new Map([...alone, ...packed]);
  const seen = new Set<string>();
  return versions.filter((_, index) => {
    const text = textOf(keys[index] as (typeof keys)[number]);
    const isNew = !places.has(text) && !seen.has(text);
    seen.add(text);
    return isNew;
  });
}

/** As many of the versions as one transaction takes. */
function partOf(versions: readonly Version[]): readonly Version[] {
  let count = 0;
  const end = versions.findIndex(({ steps }) => {
    count += steps.length;
    return count > leafCountMax;
  });
  return end < 0 ? versions : versions.slice(0, Math.max(1, end));
}

/** Puts leaves and the new head; undefined, and nothing is stored, when the head has gone on. */
async function extend(
  table: Table,
  scope: Scope,
  tree: Tree,
  { versions, isPacked }: Appended,
  deadline: Deadline,
): Promise<Tree | undefined> {
  const { tableName } = table;
  const leaves = versions.map(leavesOf);
  const next = grownBy(tree, leaves.flat().map(hashOfLeaf));
  const items = packRuns(runsOf(tree.size, leaves), isPacked);
  const actions = [
    headAction(table, scope, { before: tree, next, isPacked }),
    ...items.map(({ index, ...content }) =>
      put(tableName, hashesKeyOf(scope, 0, index), content, isAbsent),
    ),
  ];
  const refused = await refusedBy(table, actions, deadline);
  if (refused.length === 0) return next;
  // A head that another transaction holds is not among those refused, although it has gone on.
  if (!refused.includes(0) && (await readLog(table, scope, deadline))?.log.tree.size === tree.size)
    throw new Error(`The log of ${scope} has leaves behind its head, at ${tree.size}.`);
  return undefined;
}

/** Moves the head on. It says that places lie with others before any of them does. */
function headAction(
  { tableName }: Table,
  scope: Scope,
  { before, next, isPacked }: { before: Tree; next: Tree; isPacked: boolean },
): ItemAction {
  return {
    Update: {
      TableName: tableName,
      Key: logKeyOf(scope),
      UpdateExpression: `SET #size = :next, peaks = :peaks${isPacked ? ', packed = :packed' : ''}`,
      // Only a settled head goes on, so that places tell what is in the log.
      ConditionExpression: '#size = :size AND settled = :size',
      ExpressionAttributeNames: { '#size': 'size' },
      ExpressionAttributeValues: {
        ':next': next.size,
        ':size': before.size,
        ':peaks': packHashes(next.peaks),
        ...(isPacked && { ':packed': true }),
      },
    },
  };
}

/** Stores a checkpoint in place of one of a smaller size. */
export async function keepCheckpoint(
  table: Table,
  scope: Scope,
  { size, note }: StoredCheckpoint,
): Promise<void> {
  const item = { size, note };
  const action = {
    Put: {
      TableName: table.tableName,
      Item: { ...checkpointKeyOf(scope), ...item },
      ConditionExpression: `${isAbsent} OR #size < :size`,
      ExpressionAttributeNames: { '#size': 'size' },
      ExpressionAttributeValues: { ':size': size },
    },
  };
  await tryTo(table, [action]);
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
