/**
 * What a write does to the records that its own refers to, and to the ledger's rulebook: both are
 * counted in the commit of whoever refers or lays down a rule, so that no count is ever behind.
 */

import { assert } from '../ledger/assert.ts';
import { isDropped, nameOfVersion, type Version } from '../ledger/record.ts';
import { countedRelationsOf, isCounted, parentOf, type Relation } from '../ledger/relation.ts';
import { governed, isGoverning, rulesOf } from '../ledger/rulebook.ts';
import type { Scope, Write } from '../port/ports.ts';
import { check, type ObstacleName, type PlannedAction } from './item-action.ts';
import {
  drawingKeysOf,
  headKeyOf,
  type Key,
  refersKeyOf,
  refersKeysOf,
  rulebookKeyOf,
} from './keys.ts';

const isThere = 'attribute_exists(pk)';
const isSameRecord = 'luid = :luid';
const isUnreferred = 'attribute_not_exists(pk) OR refers = :none';

/** Counts a write at the records that it begins or ceases to name, and in the rulebook. */
export function planOfRelations(
  tableName: string,
  { scope, next, previous, hangsOn }: Write,
  index: number,
): PlannedAction[] {
  const before = previous ? relationsOfVersion(previous) : [];
  const after = isDropped(next) ? [] : relationsOfVersion(next);
  assertOthers(after, [next, previous ?? next]);
  const { luid } = next.record;
  const obstacle: ObstacleName = { what: 'relation', write: index };
  const parent = hangsOn === undefined ? undefined : parentOf(next.kind, next.record.data);
  const begun = without(after, before).flatMap((named) => [
    parent && isSame(parent, named)
      ? check(tableName, headKeyOf(scope, named.kind, named.handle), isSameRecord, obstacle, {
          ':luid': hangsOn,
        })
      : check(tableName, headKeyOf(scope, named.kind, named.handle), isThere, obstacle),
    add(tableName, refersKeyOf(scope, named, luid), 'refers', 1),
  ]);
  const ended = without(before, after).map((named) =>
    add(tableName, refersKeyOf(scope, named, luid), 'refers', -1),
  );
  return [...begun, ...ended, ...planOfRulebook(tableName, scope, next, previous)];
}

/**
 * Makes sure that no other record refers to one whose name ends; when it abandons those that may be left
 * behind, that no other one does. Rulings 12 and 44, Decision 51.
 */
export function planOfUnreferred(
  tableName: string,
  { scope, abandons }: Pick<Write, 'scope' | 'abandons'>,
  version: Version,
  obstacle: ObstacleName,
): PlannedAction[] {
  if (!isCounted(version.kind)) return [];
  const named = { kind: version.kind, handle: nameOfVersion(version) };
  const keys = abandons ? drawingKeysOf(scope, named) : refersKeysOf(scope, named);
  return keys.map((key) => check(tableName, key, isUnreferred, obstacle, { ':none': 0 }));
}

function planOfRulebook(
  tableName: string,
  scope: Scope,
  next: Version,
  previous: Version | undefined,
): PlannedAction[] {
  const from = previous ? rulesOf(previous.kind, previous.record) : [];
  const to = isDropped(next) ? [] : rulesOf(next.kind, next.record);
  const ended = from.filter((rule) => !to.includes(rule)).map((rule) => [rule, -1] as const);
  const begun = to.filter((rule) => !from.includes(rule)).map((rule) => [rule, 1] as const);
  const marked = isGoverning(next) === isGoverning(previous) ? [] : [[governed, 1] as const];
  // One item has one action in a transaction, so all counts are kept by one.
  const counts = [...ended, ...begun, ...marked];
  const key = rulebookKeyOf(ruledBy(scope, next));
  return counts.length > 0 ? [addAll(tableName, key, counts)] : [];
}

/** The ledger that a version may lay down rules for: its own, and of the record of a ledger, that one. */
function ruledBy(scope: Scope, { kind, record }: Version): Scope {
  return kind === 'ledger' ? record.data.handle : scope;
}

function relationsOfVersion({ kind, record }: Version): Relation[] {
  return countedRelationsOf(kind, record.data);
}

/** No item has two actions, and what is about to be, or to be no more, cannot be asked for. */
function assertOthers(named: readonly Relation[], own: readonly Version[]): void {
  const isOwn = ({ kind, handle }: Relation) =>
    own.some((version) => version.kind === kind && nameOfVersion(version) === handle);
  assert(!named.some(isOwn), 'a record names neither itself nor the name that it gives up');
}

function without(some: readonly Relation[], others: readonly Relation[]): Relation[] {
  return some.filter((one) => !others.some((other) => isSame(one, other)));
}

function isSame(one: Relation, other: Relation): boolean {
  return one.kind === other.kind && one.handle === other.handle;
}

function add(tableName: string, key: Key, name: string, count: number): PlannedAction {
  return addAll(tableName, key, [[name, count]]);
}

function addAll(
  tableName: string,
  key: Key,
  counts: readonly (readonly [name: string, count: number])[],
): PlannedAction {
  const sums = counts.map((_, index) => `#name${index} :count${index}`);
  return {
    action: {
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
    },
  };
}
