/**
 * A commit as the actions of one transaction: the difference between the projections of its records before and after
 * (`projection.ts`), with conditions. Each condition names its conflict, so that a cancelled transaction tells which
 * ones failed. No item has two actions: DynamoDB refuses that.
 */

import { assert } from '../ledger/assert.ts';
import { lineOf } from '../ledger/kind.ts';
import { firstChangeOf, isDropped, nameOfVersion, type Version } from '../ledger/record.ts';
import { countsReferences, parentOf } from '../ledger/relation.ts';
import type { Commit, KeyWrite, Scope, Write } from '../port/ports.ts';
import { noProgress } from '../port/reports.ts';
import { blockPuts } from './blocks.ts';
import { distinctBy } from './distinct.ts';
import {
  checkedKeyOf,
  type Gates,
  isCurrent,
  isCurrentAndOpen,
  isSameRecord,
  mayHaveGates,
  versionValues,
} from './gates.ts';
import { type ConflictName, check, type PlannedAction, put, remove } from './item-action.ts';
import {
  changeKeyOf,
  drawingKeysOf,
  headKeyOf,
  type Key,
  refersKeysOf,
  secretKeyOf,
  textOf,
  wholeBooksKeyOf,
  workKeyOf,
} from './keys.ts';
import { isNewIntent } from './layout.ts';
import { pack, type VersionItem } from './pack.ts';
import {
  deleteUsage,
  keyOfMove,
  planOfClosing,
  planOfMove,
  planOfRest,
  planOfUnwatching,
  planOfWatching,
} from './plan-balance.ts';
import { planOfKeys } from './plan-keys.ts';
import {
  contentOf,
  differenceOf,
  itemsOfCurrent,
  itemsOfStep,
  type Projected,
} from './projection.ts';
import { packWork } from './reports.ts';
import type { ItemAction } from './request.ts';
import type { Spread } from './spread.ts';

/** The limit of DynamoDB for one transaction. */
export const actionCountMax = 100;

const isAbsent = 'attribute_not_exists(pk)';
const isThere = 'attribute_exists(pk)';
const isReplaced = '#wrapped = :replaces';
const isUnreferred = 'attribute_not_exists(pk) OR refers = :none';

/**
 * The actions of a commit: its writes in order and what they share, then its moves, shard by shard, then its checks and
 * secrets.
 */
export function planOf(
  tableName: string,
  commit: Commit,
  spread: Spread = [],
  gates: Gates = [],
  isDense: (scope: Scope) => boolean = () => false,
): PlannedAction[] {
  const { writes, moves = [], unchanged = [], secrets = [], isBatch = false } = commit;
  assert(writes.length > 0, 'a commit writes at least one record');
  const balanceNames = moves.map((move) => textOf(keyOfMove(move)));
  assert(new Set(balanceNames).size === moves.length, 'a commit moves each balance once');
  const written = writes.flatMap((write, index) => {
    const isOfBatch = isBatch && isNewIntent(write);
    return planOfWrite(tableName, { ...write, isOfBatch, isDense: isDense(write.scope) }, index);
  });
  const shared = written.filter(({ isShared }) => isShared);
  return [
    ...written.filter(({ isShared }) => !isShared),
    ...blockPuts(tableName, shared),
    ...moves.flatMap((move, index) => planOfMove(tableName, move, index, spread[index])),
    ...unchanged.map(({ scope, version }, index) => ({
      action: checkCurrent(tableName, checkedKeyOf(scope, version, gates[index]), version),
      conflict: { what: 'changed', version: index } as const,
    })),
    ...secrets.flatMap((secret) => planOfSecret(tableName, secret)),
  ];
}

/** Puts the key of a ledger: of a new one, or in place of the key that it is to replace. */
function planOfSecret(
  tableName: string,
  { scope, replaces, former, ...key }: KeyWrite,
): PlannedAction[] {
  const at = secretKeyOf(scope);
  const content = {
    ...key,
    ...(former && {
      former: former.public,
      formerWrapped: former.wrapped,
      formerUntilMs: former.untilMs,
    }),
  };
  if (replaces === undefined)
    return [
      {
        action: put(tableName, at, content, isAbsent),
        conflict: { what: 'handle', write: 0 },
      },
      // A ledger that begins has all entries in its books.
      { action: put(tableName, wholeBooksKeyOf(scope)) },
    ];
  const action = {
    Put: {
      TableName: tableName,
      Item: { ...at, ...content },
      ConditionExpression: isReplaced,
      // A reserved word of DynamoDB.
      ExpressionAttributeNames: { '#wrapped': 'wrapped' },
      ExpressionAttributeValues: { ':replaces': replaces },
    },
  };
  return [{ action, conflict: { what: 'stale', write: 0 } }];
}

/** The item of a version and the keys at which it may be by now: current, or superseded. */
export function tracesOf({ scope, next }: Write): { item: VersionItem; keys: Key[] } {
  const { kind, record, change } = next;
  const head = headKeyOf(scope, kind, nameOfVersion(next));
  return { item: pack(next), keys: [head, changeKeyOf(scope, record.luid, change)] };
}

interface PlannedWrite extends Write {
  /** True for a new intent of a batch. */
  readonly isOfBatch: boolean;
  /** True in a ledger that the release before does not read any more. */
  readonly isDense: boolean;
}

interface WrittenAction extends PlannedAction {
  /** True for an entry that may share an item with others. */
  readonly isShared?: boolean;
}

function planOfWrite(tableName: string, write: PlannedWrite, index: number): WrittenAction[] {
  const { scope, next, previous, replayGuards: guards = [] } = write;
  assert(
    firstChangeOf(next) === (previous?.change ?? 0) + 1,
    'a version continues the numbers of the one before',
  );
  assert(
    !previous || next.record.luid === previous.record.luid,
    'versions of one record share its luid',
  );
  const before = previous ? itemsOfCurrent(scope, previous) : [];
  const after = [...itemsOfCurrent(scope, next), ...itemsOfStep(scope, next, previous, guards)];
  // Another signer may hold a key that a record shows, so the write names the keys that it takes.
  const { puts, removes, counts } = differenceOf(before.filter(isSure), after.filter(isSure));
  return [
    ...planOfPuts(
      tableName,
      write,
      index,
      puts.filter(({ item }) => item !== 'seal'),
    ),
    ...removes.map((one) => planOfRemove(tableName, write, index, one)),
    ...planOfName(tableName, write, index),
    ...planOfCounts(tableName, write, index, counts),
    ...planOfPuts(
      tableName,
      write,
      index,
      puts.filter(({ item }) => item === 'seal'),
    ),
    ...planOfKeys(tableName, write, index),
    ...planOfWork(tableName, write),
  ];
}

function isSure({ item }: Projected): boolean {
  return item !== 'holder';
}

/** Puts new and changed items, and those whose content the writer hands in. */
function planOfPuts(
  tableName: string,
  write: PlannedWrite,
  index: number,
  puts: readonly Projected[],
): WrittenAction[] {
  const { isOfBatch, isDense } = write;
  const attached = attachedTo(write);
  return distinctBy(puts, ({ key }) => textOf(key)).flatMap((one) => {
    const content = contentOf(one, isDense || isOfBatch) ?? attached[one.item];
    if (!content) return [];
    const { condition, values, conflict } = conditionOf(write, index, one);
    const action = put(tableName, one.key, content, condition, values);
    const isShared = isOfBatch && (one.item === 'list' || one.item === 'outbox');
    return [{ action, ...(conflict && { conflict }), ...(isShared && { isShared }) }];
  });
}

/** The contents that only the writer knows, by item. */
function attachedTo(write: Write): Readonly<Partial<Record<Projected['item'], object>>> {
  const { next, signals, secrets, client } = write;
  const { kind, record } = next;
  // The handle leads to the version of the signals as long as it is current.
  const entry = { kind, luid: record.luid, handle: nameOfVersion(next) };
  const { id: _id, ...kept } = client ?? { id: '' };
  return {
    outbox: {
      ...entry,
      signals: JSON.stringify(signals),
      ...(next.spread !== undefined && { spread: next.spread }),
    },
    ...(secrets && { secrets: { secrets } }),
    ...(client && { client: kept }),
  };
}

interface PlanCondition {
  readonly condition?: string;
  readonly values?: Readonly<Record<string, unknown>>;
  readonly conflict?: ConflictName;
}

/** The condition of a put. */
function conditionOf(
  { previous }: Write,
  index: number,
  { item, key, version }: Projected,
): PlanCondition {
  if (item === 'seal')
    return { condition: isAbsent, conflict: { what: 'replayed', write: index, key } };
  if (item !== 'head') return {};
  return previous && version && nameOfVersion(version) === nameOfVersion(previous)
    ? currentAs(previous, index)
    : { condition: isAbsent, conflict: { what: 'handle', write: index } };
}

function planOfRemove(
  tableName: string,
  { previous }: Write,
  index: number,
  { item, key }: Projected,
): PlannedAction {
  const isHead = item === 'head' && previous;
  const { condition, values, conflict }: PlanCondition = isHead ? currentAs(previous, index) : {};
  const action = remove(tableName, key, condition, values);
  return { action, ...(conflict && { conflict }) };
}

function currentAs(previous: Version, index: number) {
  const condition = mayHaveGates(previous.kind) ? isCurrentAndOpen : isCurrent;
  const values = versionValues(previous);
  return { condition, values, conflict: { what: 'stale', write: index } } as const;
}

/** Checks that no balance, and no record that may not be left behind, depends on the name that a version gives up. */
function planOfName(tableName: string, write: Write, index: number): PlannedAction[] {
  const { scope, next, previous, closes = [] } = write;
  if (!previous) return [];
  const used = { what: 'used', write: index } as const;
  if (isDropped(next)) {
    const closing = { what: 'closing', write: index } as const;
    return [
      ...planOfClosing(tableName, { scope, index, wallet: nameOfVersion(next) }, closes),
      deleteUsage(tableName, scope, previous, closing, closes.length),
      ...planOfUnreferred(tableName, write, previous, used),
    ];
  }
  if (nameOfVersion(next) !== nameOfVersion(previous)) {
    assert(lineOf(next.kind).renames, 'a record of this kind keeps its handle');
    return [
      deleteUsage(tableName, scope, previous, used),
      ...planOfUnreferred(tableName, write, previous, used),
    ];
  }
  const { watches: count, unwatches = [] } = write;
  const closing = { what: 'closing', write: index } as const;
  if (unwatches.length > 0) return planOfUnwatching(tableName, scope, unwatches, closing);
  if (count !== undefined)
    return [planOfWatching(tableName, scope, previous, { conflict: closing, count })];
  return planOfRest(tableName, scope, [previous, next], used);
}

/** Adds to the counts of references and rules. A record that is named for the first time must exist. */
function planOfCounts(
  tableName: string,
  { scope, next, previous = next, hangsOn }: Write,
  index: number,
  counts: readonly Projected[],
): PlannedAction[] {
  const conflict = { what: 'relation', write: index } as const;
  const parent = hangsOn === undefined ? undefined : parentOf(next.kind, next.record.data);
  const own = [next, previous].map(nameOfVersion);
  return counts.flatMap(({ key, adds = {}, names }) => {
    const action = { action: addTo(tableName, key, adds) };
    if (!names || adds['refers'] === -1) return [action];
    const { kind, handle } = names;
    // No item has two actions, so an item that is put or removed cannot be checked.
    const isOwn = kind === next.kind && own.includes(handle);
    assert(!isOwn, 'a record names neither itself nor the name that it gives up');
    const head = headKeyOf(scope, kind, handle);
    const isParent = parent?.kind === kind && parent.handle === handle;
    return [
      isParent
        ? check(tableName, head, isSameRecord, conflict, { ':luid': hangsOn })
        : check(tableName, head, isThere, conflict),
      action,
    ];
  });
}

/**
 * Checks that no other record names one whose name ends. A write that `abandons` leaves anchors behind and checks the
 * others. Rulings 12 and 44, Decision 51.
 */
function planOfUnreferred(
  tableName: string,
  { scope, abandons }: Write,
  version: Version,
  conflict: ConflictName,
): PlannedAction[] {
  if (!countsReferences(version.kind)) return [];
  const named = { kind: version.kind, handle: nameOfVersion(version) };
  const keys = abandons ? drawingKeysOf(scope, named) : refersKeysOf(scope, named);
  return keys.map((key) => check(tableName, key, isUnreferred, conflict, { ':none': 0 }));
}

function addTo(tableName: string, key: Key, adds: Readonly<Record<string, number>>): ItemAction {
  const counts = Object.entries(adds);
  const sums = counts.map((_, index) => `#name${index} :count${index}`);
  return {
    Update: {
      TableName: tableName,
      Key: key,
      UpdateExpression: `ADD ${sums.join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(
        counts.map(([name], index) => [`#name${index}`, name]),
      ),
      ExpressionAttributeValues: Object.fromEntries(
        counts.map(([, count], index) => [`:count${index}`, count]),
      ),
    },
  };
}

/** Marks a report for the worker, which removes the marker. Decision 25. */
function planOfWork(tableName: string, { scope, next, workMs }: Write): PlannedAction[] {
  if (workMs === undefined) return [];
  const { luid } = next.record;
  const handle = nameOfVersion(next);
  const work = { scope, luid, handle, failures: 0, progress: noProgress, version: 1 };
  const key = workKeyOf(scope, luid, workMs);
  return [{ action: put(tableName, key, packWork({ ...work, dueMs: workMs })) }];
}

function checkCurrent(tableName: string, key: Key, version: Version): ItemAction {
  return {
    ConditionCheck: {
      TableName: tableName,
      Key: key,
      ConditionExpression: isCurrent,
      ExpressionAttributeValues: versionValues(version),
    },
  };
}
