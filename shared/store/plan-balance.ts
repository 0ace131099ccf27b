/**
 * The actions of a commit on balances: moves, closing, and checks that no balance depends on what a version gives up.
 */
import { assert } from '../ledger/assert.ts';
import { nameOfVersion, type Version } from '../ledger/record.ts';
import { changedDependency } from '../ledger/relation.ts';
import { mayOverdraw, type ShardPart } from '../ledger/shards.ts';
import type { Balance, Move, Scope } from '../port/ports.ts';
import { type ConflictName, check, type PlannedAction, remove } from './item-action.ts';
import { balanceKeyOf, type Key, shardKeyOf, usageKeyOf } from './keys.ts';
import { packCounters } from './pack.ts';
import type { ItemAction } from './request.ts';

const isAbsent = 'attribute_not_exists(pk)';
const isThere = 'attribute_exists(pk)';
const isOfWallet = 'wallet = :wallet';
const isEnough = 'available >= :needs';
const hasRoom = 'available <= :available';
const reservesLittle = '(attribute_not_exists(reserved) OR reserved <= :most)';
const isUnlimited = 'attribute_not_exists(limitsChange)';
const isLimitedSo = 'limitsChange = :limitsChange';
const isUndivided = 'attribute_not_exists(shards)';
const isAfterFence = '(attribute_not_exists(fenced) OR fenced < :stated)';
const isReserved = 'reserved >= :reserved';
const isHeld = 'holds >= :one';
const hasNothing = 'available = :zero';
const reservesNothing = '(attribute_not_exists(reserved) OR reserved = :zero)';
const isHeldByNone = '(attribute_not_exists(holds) OR holds = :zero)';
const isEmpty = `${hasNothing} AND ${reservesNothing} AND ${isHeldByNone} AND ${isUndivided}`;
const countsAll = 'balances = :count';
const countsNone = `(${isAbsent} OR ${countsAll})`;

/** Deletes balances if they are empty; also ahead of a large drop. Ruling 44. */
export function planOfClosing(
  tableName: string,
  write: { readonly scope: Scope; readonly index: number; readonly wallet: string },
  closes: readonly Balance[],
): PlannedAction[] {
  const conflict = { what: 'closing', write: write.index } as const;
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
      conflict,
    };
  });
}

/** Deletes the count of balances of a record, if it is `count`; no item counts as 0. */
export function deleteUsage(
  tableName: string,
  scope: Scope,
  version: Version,
  conflict: ConflictName,
  count = 0,
): PlannedAction {
  const key = usageKeyOf(scope, version.kind, nameOfVersion(version));
  const condition = count === 0 ? countsNone : countsAll;
  return { action: remove(tableName, key, condition, { ':count': count }), conflict };
}

/** Checks that a wallet has no balance beside those that are watched. Decision 109. */
export function planOfWatching(
  tableName: string,
  scope: Scope,
  version: Version,
  { conflict, count }: { readonly conflict: ConflictName; readonly count: number },
): PlannedAction {
  const key = usageKeyOf(scope, version.kind, nameOfVersion(version));
  const condition = count === 0 ? countsNone : countsAll;
  return check(tableName, key, condition, conflict, { ':count': count });
}

/** Takes the marks of balances back. One without limits may get shards again. Decision 109. */
export function planOfUnwatching(
  tableName: string,
  scope: Scope,
  balances: readonly Balance[],
  conflict: ConflictName,
): PlannedAction[] {
  return balances.map(({ wallet, symbol, limitsChange = 0 }) => {
    const Update = {
      TableName: tableName,
      Key: balanceKeyOf(scope, wallet, symbol),
      UpdateExpression: 'REMOVE watched',
      ConditionExpression: isLimitedSo,
      ExpressionAttributeValues: { ':limitsChange': limitsChange },
    };
    return { action: { Update }, conflict };
  });
}

/** Checks that there are no balances when a wallet's bridge or a symbol's factor changes. Decisions 10 and 53. */
export function planOfRest(
  tableName: string,
  scope: Scope,
  [previous, next]: readonly [Version, Version],
  conflict: ConflictName,
): PlannedAction[] {
  if (!changedDependency(next, previous)) return [];
  const key = usageKeyOf(scope, previous.kind, nameOfVersion(previous));
  return [check(tableName, key, countsNone, conflict, { ':count': 0 })];
}

/** Moves a balance, on the condition that it is as it was read; one with shards, part by part. */
export function planOfMove(
  tableName: string,
  move: Move,
  index: number,
  parts?: readonly ShardPart[],
): PlannedAction[] {
  const conflict = { what: 'balance', move: index } as const;
  if (!parts) {
    const conditions = conditionsOfMove(move);
    if (needsWhole(move)) conditions.all.push(isUndivided);
    const { scope, wallet, symbol } = move;
    const Key = balanceKeyOf(scope, wallet, symbol);
    return [{ action: updateOf(tableName, Key, changesOfMove(move), conditions), conflict }];
  }
  const { scope, wallet, symbol } = move;
  return parts.map((part, place) => {
    const own = moveOfPart(move, part);
    const conditions = conditionsOfMove(own);
    // An update makes an item where there is none, and a shard may have ended.
    conditions.all.push(isThere);
    const Key = shardKeyOf(scope, wallet, symbol, part.shard);
    // The whole is one move.
    const changes = changesOfMove(own, place === 0 && isMoving(move));
    return { action: updateOf(tableName, Key, changes, conditions), conflict };
  });
}

/** True for a move that only the whole balance can be judged by. Decision 125. */
export function needsWhole(move: Move): boolean {
  const { most, limits, counters } = move;
  return (most ?? limits ?? counters) !== undefined || mayOverdraw(move);
}

/** The part of a move that one shard takes. */
function moveOfPart(move: Move, { amount, needs, reserve, hold }: ShardPart): Move {
  const { needs: _needs, reserve: _reserve, hold: _hold, ...rest } = move;
  return {
    ...rest,
    amount,
    ...(needs > 0n && { needs }),
    ...(reserve !== 0n && { reserve }),
    ...(hold !== 0 && { hold }),
  };
}

function updateOf(
  TableName: string,
  Key: Key,
  changes: ReturnType<typeof changesOfMove>,
  conditions: ReturnType<typeof conditionsOfMove>,
): ItemAction {
  return {
    Update: {
      TableName,
      Key,
      UpdateExpression: `SET ${changes.set.join(', ')}${adding(changes.add)}`,
      ConditionExpression: conditions.all.join(' AND '),
      ExpressionAttributeValues: { ...changes.values, ...conditions.values },
    },
  };
}

/** A balance that is only held or limited has not moved, and is not shown. */
function isMoving({ amount, reserve = 0n, hold, limits, isBooked }: Move): boolean {
  return reserve !== 0n || amount !== 0n || isBooked === true || !(hold || limits);
}

function changesOfMove(move: Move, moves = isMoving(move)) {
  const { amount, reserve = 0n, hold } = move;
  const limiting = limitingOf(move);
  return {
    set: ['available = available + :amount', ...limiting.set],
    add: [
      ...(moves ? ['moves :one'] : []),
      ...(reserve === 0n ? [] : ['reserved :reserve']),
      ...(hold ? ['holds :hold'] : []),
    ],
    values: {
      ':amount': amount,
      ...(moves && { ':one': 1 }),
      ...(reserve !== 0n && { ':reserve': reserve }),
      ...(hold && { ':hold': hold }),
      ...limiting.values,
    },
  };
}

/** The limits and counters that a move writes; a commit that has read others is decided anew. */
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

/** The conditions of a move: among them, that its limits are as they were read, and its moment is not fenced. Decisions 59 and 92. */
function conditionsOfMove(move: Move) {
  const { walletLuid, needs, most, reserve = 0n, hold, limitsChange, statedMs } = move;
  return {
    all: [
      ...(walletLuid === undefined ? [] : [isOfWallet]),
      limitsChange === undefined ? isUnlimited : isLimitedSo,
      isAfterFence,
      ...(needs === undefined ? [] : [isEnough]),
      ...(most ? [hasRoom, reservesLittle] : []),
      ...(reserve < 0n ? [isReserved] : []),
      ...(hold === -1 ? [isHeld] : []),
    ],
    values: {
      ':stated': statedMs,
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

export function keyOfMove({ scope, wallet, symbol }: Move): Key {
  return balanceKeyOf(scope, wallet, symbol);
}
