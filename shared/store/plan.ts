/**
 * A commit as the actions of one transaction. Every condition knows the obstacle that it stands
 * for, so that a cancelled transaction says what stood in the way. No item has two actions:
 * DynamoDB refuses that.
 */

import { assert } from '../ledger/assert.ts';
import { keepsPlace, lineOf, withinOf } from '../ledger/kind.ts';
import { firstChangeOf, isDropped, nameOfVersion, type Version } from '../ledger/record.ts';
import { restChanged } from '../ledger/relation.ts';
import type { Balance, Commit, Move, Scope, Write } from '../port/ports.ts';
import { distinctBy } from './distinct.ts';
import { check, type ObstacleName, type PlannedAction, put, remove } from './item-action.ts';
import {
  balanceKeyOf,
  changeKeyOf,
  headKeyOf,
  holderKeyOf,
  indexKeyOf,
  type Key,
  listKeyOf,
  outboxKeyOf,
  pointerKeyOf,
  sealKeyOf,
  secretKeyOf,
  textOf,
  usageKeyOf,
} from './keys.ts';
import { pack, packCounters, type VersionItem } from './pack.ts';
import { planOfKept } from './plan-kept.ts';
import { planOfRelations, planOfUnreferred } from './plan-relation.ts';
import type { ItemAction } from './request.ts';

/** How many actions DynamoDB takes in one transaction. */
const actionCountMax = 100;

const isAbsent = 'attribute_not_exists(pk)';
const isSameRecord = 'luid = :luid';
const isSameVersion = 'change = :change';
const isCurrent = `${isSameRecord} AND ${isSameVersion}`;
const isOfSigner = 'signer = :signer';
const isOfWallet = 'wallet = :wallet';
const isEnough = 'available >= :needs';
const hasRoom = 'available <= :available';
const reservesLittle = '(attribute_not_exists(reserved) OR reserved <= :most)';
const isUnlimited = 'attribute_not_exists(limitsChange)';
const isLimitedSo = 'limitsChange = :limitsChange';
const isReserved = 'reserved >= :reserved';
const isHeld = 'holds >= :one';
const hasNothing = 'available = :zero';
const reservesNothing = '(attribute_not_exists(reserved) OR reserved = :zero)';
const isHeldByNone = '(attribute_not_exists(holds) OR holds = :zero)';
const isEmpty = `${hasNothing} AND ${reservesNothing} AND ${isHeldByNone}`;
const countsAll = 'balances = :count';
const countsNone = `(${isAbsent} OR ${countsAll})`;

/** The actions of a commit: its writes in order, then its moves, then its secrets. */
export function planOf(tableName: string, commit: Commit): PlannedAction[] {
  const { writes, moves = [], unchanged = [], secrets = [] } = commit;
  assert(writes.length > 0, 'a commit writes at least one record');
  const balanceNames = moves.map((move) => textOf(keyOfMove(move)));
  assert(new Set(balanceNames).size === moves.length, 'a commit moves each balance once');
  const plan = [
    ...writes.flatMap((write, index) => planOfWrite(tableName, write, index)),
    ...moves.map((move, index) => planOfMove(tableName, move, index)),
    ...unchanged.map(({ scope, version }, index) => ({
      action: checkCurrent(tableName, scope, version),
      obstacle: { what: 'changed', version: index } as const,
    })),
    ...secrets.map(({ scope, ...secret }) => ({
      action: put(tableName, secretKeyOf(scope), { ...secret }, isAbsent),
      obstacle: { what: 'handle', write: 0 } as const,
    })),
  ];
  assert(plan.length <= actionCountMax, 'a commit fits into one transaction');
  return plan;
}

/** Deletes balances if they are empty. Ruling 44. Also used ahead of a large drop. */
export function planOfClosing(
  tableName: string,
  write: { readonly scope: Scope; readonly index: number; readonly wallet: string },
  closes: readonly Balance[],
): PlannedAction[] {
  const obstacle = { what: 'closing', write: write.index } as const;
  return closes.map(({ wallet, symbol }) => {
    assert(wallet === write.wallet, 'a wallet that ends closes its own balances');
    return {
      action: {
        Delete: {
          TableName: tableName,
          Key: balanceKeyOf(write.scope, wallet, symbol),
          ConditionExpression: isEmpty,
          ExpressionAttributeValues: { ':zero': 0n },
        },
      },
      obstacle,
    };
  });
}

/** The stored form of a version and where it may be by now: current, or already superseded. */
export function tracesOf({ scope, next }: Write): { item: VersionItem; keys: Key[] } {
  const { kind, record, change } = next;
  const head = headKeyOf(scope, kind, nameOfVersion(next));
  return { item: pack(next), keys: [head, changeKeyOf(scope, record.luid, change)] };
}

function planOfWrite(tableName: string, write: Write, index: number): PlannedAction[] {
  const { next, previous } = write;
  assert(
    firstChangeOf(next) === (previous?.change ?? 0) + 1,
    'a version continues the numbers of the one before',
  );
  return [
    ...planOfRecord(tableName, write, index, previous),
    ...planOfIndex(tableName, write),
    ...planOfRelations(tableName, write, index),
    ...planOfSeals(tableName, write, index),
    ...planOfKeys(tableName, write, index),
    ...planOfKept(tableName, write),
    { action: putOutbox(tableName, write) },
  ];
}

function planOfRecord(
  tableName: string,
  write: Write,
  index: number,
  previous: Version | undefined,
): PlannedAction[] {
  if (!previous) return planOfCreate(tableName, write, index);
  const { scope, next } = write;
  assert(next.record.luid === previous.record.luid, 'versions of one record share its luid');
  const superseded = [{ action: putChange(tableName, scope, previous) }];
  if (isDropped(next)) {
    return [...planOfDrop(tableName, write, index, previous), ...superseded];
  }
  return nameOfVersion(next) === nameOfVersion(previous)
    ? [...planOfRevision(tableName, write, index, previous), ...superseded]
    : [...planOfRename(tableName, write, index, previous), ...superseded];
}

function planOfCreate(tableName: string, { scope, next }: Write, index: number): PlannedAction[] {
  const head = headKeyOf(scope, next.kind, nameOfVersion(next));
  const pointer = { action: putPointer(tableName, scope, next) };
  return [
    {
      action: put(tableName, head, { ...pack(next) }, isAbsent),
      obstacle: { what: 'handle', write: index },
    },
    { action: putListEntry(tableName, scope, next) },
    ...(keepsPlace(next.kind) ? [] : [pointer]),
  ];
}

function planOfRevision(
  tableName: string,
  { scope, next }: Write,
  index: number,
  previous: Version,
): PlannedAction[] {
  const head = headKeyOf(scope, next.kind, nameOfVersion(next));
  const values = versionValues(previous);
  return [
    {
      action: put(tableName, head, { ...pack(next) }, isCurrent, values),
      obstacle: { what: 'stale', write: index },
    },
    ...planOfRest(tableName, scope, [previous, next], { what: 'used', write: index }),
    ...planOfListMove(tableName, scope, previous, next),
  ];
}

/** What balances rest on stays as it is: a wallet's bridge, a symbol's factor. Decisions 10 and 53. */
function planOfRest(
  tableName: string,
  scope: Scope,
  [previous, next]: readonly [Version, Version],
  obstacle: ObstacleName,
): PlannedAction[] {
  if (!restChanged(next, previous)) return [];
  const key = usageKeyOf(scope, previous.kind, nameOfVersion(previous));
  return [check(tableName, key, countsNone, obstacle, { ':count': 0 })];
}

function planOfRename(
  tableName: string,
  write: Write,
  index: number,
  previous: Version,
): PlannedAction[] {
  const { scope, next } = write;
  assert(lineOf(next.kind).renames, 'a record of this kind keeps its handle');
  const head = headKeyOf(scope, next.kind, nameOfVersion(next));
  return [
    {
      action: put(tableName, head, { ...pack(next) }, isAbsent),
      obstacle: { what: 'handle', write: index },
    },
    deleteHead(tableName, scope, index, previous),
    deleteUsage(tableName, scope, previous, { what: 'used', write: index }),
    ...planOfUnreferred(tableName, write, previous, { what: 'used', write: index }),
    { action: putPointer(tableName, scope, next) },
    ...planOfListMove(tableName, scope, previous, next),
  ];
}

function planOfDrop(
  tableName: string,
  write: Write,
  index: number,
  previous: Version,
): PlannedAction[] {
  const { scope, next, closes = [] } = write;
  const handle = nameOfVersion(next);
  return [
    deleteHead(tableName, scope, index, previous),
    { action: remove(tableName, listKeyOf(scope, previous)) },
    { action: putPointer(tableName, scope, next) },
    { action: putChange(tableName, scope, next) },
    ...planOfClosing(tableName, { scope, index, wallet: handle }, closes),
    deleteUsage(tableName, scope, previous, { what: 'closing', write: index }, closes.length),
    ...planOfUnreferred(tableName, write, previous, { what: 'used', write: index }),
  ];
}

function planOfListMove(
  tableName: string,
  scope: Scope,
  previous: Version,
  next: Version,
): PlannedAction[] {
  const from = listKeyOf(scope, previous);
  const hasMoved = textOf(from) !== textOf(listKeyOf(scope, next));
  const isRenamed = nameOfVersion(previous) !== nameOfVersion(next);
  return [
    ...(hasMoved ? [{ action: remove(tableName, from) }] : []),
    ...(hasMoved || isRenamed ? [{ action: putListEntry(tableName, scope, next) }] : []),
  ];
}

/** Keeps the index of a kind that has one: each record lies at the value that it has now. */
function planOfIndex(tableName: string, { scope, next, previous }: Write): PlannedAction[] {
  const from = previous && indexKeyOf(scope, previous);
  const to = isDropped(next) ? undefined : indexKeyOf(scope, next);
  const handle = nameOfVersion(next);
  const hasMoved = from?.pk !== to?.pk;
  const isRenamed = !previous || nameOfVersion(previous) !== handle;
  return [
    ...(from && hasMoved ? [{ action: remove(tableName, from) }] : []),
    ...(to && (hasMoved || isRenamed) ? [{ action: put(tableName, to, { handle }) }] : []),
  ];
}

function planOfSeals(tableName: string, write: Write, index: number): PlannedAction[] {
  const { scope, next, seals = [] } = write;
  const { luid, hash } = next.record;
  const keys = seals.map((seal) => sealKeyOf(scope, next.kind, seal));
  return distinctBy(keys, textOf).map((key) => ({
    action: put(tableName, key, { luid, hash }, isAbsent),
    obstacle: { what: 'replayed', write: index, key },
  }));
}

function planOfKeys(tableName: string, write: Write, index: number): PlannedAction[] {
  const { scope, next, previous, holds = [], releases = [] } = write;
  const signer = signerOf(next);
  // The holder of a key is named by handle, so a signer that is renamed takes its keys along.
  const signerBefore = previous ? signerOf(previous) : signer;
  const isFree = `${isAbsent} OR ${isOfSigner} OR signer = :before`;
  const obstacle = { what: 'holder', write: index } as const;
  const keysOf = (publics: readonly string[]) =>
    distinctBy(
      publics.map((publicKey) => holderKeyOf(scope, publicKey)),
      textOf,
    );
  return [
    ...keysOf(holds).map((key) => ({
      action: put(tableName, key, { signer }, isFree, {
        ':signer': signer,
        ':before': signerBefore,
      }),
      obstacle,
    })),
    ...keysOf(releases).map((key) => ({
      action: remove(tableName, key, isOfSigner, { ':signer': signerBefore }),
      obstacle,
    })),
  ];
}

/** The signer that the keys of a signer or of a factor prove as. Ruling 63. */
function signerOf({ kind, record }: Version): string {
  return withinOf(kind, record.data) ?? record.data.handle;
}

function planOfMove(tableName: string, move: Move, index: number): PlannedAction {
  const changes = changesOfMove(move);
  const conditions = conditionsOfMove(move);
  return {
    action: {
      Update: {
        TableName: tableName,
        Key: keyOfMove(move),
        UpdateExpression: `SET ${changes.set.join(', ')}${adding(changes.add)}`,
        ConditionExpression: conditions.all.join(' AND '),
        ExpressionAttributeValues: { ...changes.values, ...conditions.values },
      },
    },
    obstacle: { what: 'balance', move: index },
  };
}

/** What a move changes. */
function changesOfMove(move: Move) {
  const { amount, reserve = 0n, hold } = move;
  // A balance that is only counted on, or only limited, has not moved, and is not shown.
  const isMoving = reserve !== 0n || amount !== 0n || !(hold || move.limits);
  const limiting = limitingOf(move);
  return {
    set: ['available = available + :amount', ...limiting.set],
    add: [
      ...(isMoving ? ['moves :one'] : []),
      ...(reserve === 0n ? [] : ['reserved :reserve']),
      ...(hold ? ['holds :hold'] : []),
    ],
    values: {
      ':amount': amount,
      ...(isMoving && { ':one': 1 }),
      ...(reserve !== 0n && { ':reserve': reserve }),
      ...(hold && { ':hold': hold }),
      ...limiting.values,
    },
  };
}

/** What of limits and counters a move writes; whoever has read others decides anew. */
function limitingOf({ limits, counters, limitsChange = 0 }: Move) {
  if (!limits && !counters) return { set: [], values: {} };
  return {
    set: [
      ...(limits ? ['limits = :limits'] : []),
      ...(counters ? ['counters = :counters'] : []),
      'limitsChange = :next',
    ],
    values: {
      ...(limits && { ':limits': limits }),
      ...(counters && { ':counters': packCounters(counters) }),
      ':next': limitsChange + 1,
    },
  };
}

/** What must hold for a move: also that its balance is limited as it was read to be. Decision 59. */
function conditionsOfMove({ walletLuid, needs, most, reserve = 0n, hold, limitsChange }: Move) {
  return {
    all: [
      ...(walletLuid === undefined ? [] : [isOfWallet]),
      limitsChange === undefined ? isUnlimited : isLimitedSo,
      ...(needs === undefined ? [] : [isEnough]),
      ...(most ? [hasRoom, reservesLittle] : []),
      ...(reserve < 0n ? [isReserved] : []),
      ...(hold === -1 ? [isHeld] : []),
    ],
    values: {
      ...(walletLuid !== undefined && { ':wallet': walletLuid }),
      ...(limitsChange !== undefined && { ':limitsChange': limitsChange }),
      ...(needs !== undefined && { ':needs': needs }),
      ...(most && { ':available': most.available, ':most': most.reserved }),
      ...(reserve < 0n && { ':reserved': -reserve }),
      ...(hold === -1 && { ':one': 1 }),
    },
  };
}

function adding(added: readonly string[]): string {
  return added.length > 0 ? ` ADD ${added.join(', ')}` : '';
}

function checkCurrent(tableName: string, scope: Scope, version: Version): ItemAction {
  return {
    ConditionCheck: {
      TableName: tableName,
      Key: headKeyOf(scope, version.kind, nameOfVersion(version)),
      ConditionExpression: isCurrent,
      ExpressionAttributeValues: versionValues(version),
    },
  };
}

function deleteHead(
  tableName: string,
  scope: Scope,
  index: number,
  previous: Version,
): PlannedAction {
  const head = headKeyOf(scope, previous.kind, nameOfVersion(previous));
  return {
    action: remove(tableName, head, isCurrent, versionValues(previous)),
    obstacle: { what: 'stale', write: index },
  };
}

/** Ends the count of a head's balances, if it is the number given; none equals no count. */
function deleteUsage(
  tableName: string,
  scope: Scope,
  version: Version,
  obstacle: ObstacleName,
  count = 0,
): PlannedAction {
  const key = usageKeyOf(scope, version.kind, nameOfVersion(version));
  const condition = count === 0 ? countsNone : countsAll;
  return { action: remove(tableName, key, condition, { ':count': count }), obstacle };
}

function putPointer(tableName: string, scope: Scope, version: Version): ItemAction {
  const { kind, record, change } = version;
  const pointer = {
    kind,
    handle: nameOfVersion(version),
    ...(isDropped(version) && { dropped: change }),
  };
  return put(tableName, pointerKeyOf(scope, kind, record.luid), pointer);
}

function putListEntry(tableName: string, scope: Scope, version: Version): ItemAction {
  return put(tableName, listKeyOf(scope, version), { handle: nameOfVersion(version) });
}

function putChange(tableName: string, scope: Scope, version: Version): ItemAction {
  const key = changeKeyOf(scope, version.record.luid, version.change);
  return put(tableName, key, { ...pack(version) });
}

function putOutbox(tableName: string, { scope, next, signals }: Write): ItemAction {
  const { kind, record } = next;
  // The handle tells where the version lies that the signals are about, for as long as it is current.
  const handle = nameOfVersion(next);
  const entry = { kind, luid: record.luid, handle, signals: JSON.stringify(signals) };
  return put(tableName, outboxKeyOf(scope, next), entry);
}

function versionValues({ record, change }: Version): Readonly<Record<string, unknown>> {
  return { ':luid': record.luid, ':change': change };
}

function keyOfMove({ scope, wallet, symbol }: Move): Key {
  return balanceKeyOf(scope, wallet, symbol);
}
