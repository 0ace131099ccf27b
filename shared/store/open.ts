/**
 * Opening balances: an empty row for each wallet and symbol that will move for the first time, so
 * that a commit only changes rows that exist. A wallet counts its rows, so that it cannot end or change
 * its handle while there is a row that it has not seen; a symbol is marked for the same reason.
 */
import type { BalanceOpening } from '../port/ports.ts';
import { distinctBy } from './distinct.ts';
import { growShards } from './grow-shards.ts';
import { balanceKeyOf, headKeyOf, type Key, textOf, usageKeyOf } from './keys.ts';
import { itemsAt } from './read.ts';
import type { Item, ItemAction, Table } from './request.ts';
import { type Deadline, deadlineIn, pause } from './retry.ts';
import { refusedBy } from './try-to.ts';

// At most five actions each: the row, the wallet's head and count, the symbol's head and mark.
const openingCountMax = 20;

const isAbsent = 'attribute_not_exists(pk)';
const isUnfenced = 'attribute_not_exists(fenced)';
const isFencedSo = 'fenced = :fenced';
const isUnclosed = 'attribute_not_exists(closed)';
const isClosedSo = 'closed = :closed';
const isNamed = 'luid = :luid';
const isAsRead = `${isNamed} AND change = :change`;

/** A number of changes that no balance comes to: those of one that is opened anew begin where none was before. */
const changesMax = 2n ** 32n;

/** One action; when it checks a name and fails, a retry does not help. */
interface OpeningAction {
  readonly action: ItemAction;
  readonly checksName: boolean;
}

type Items = ReadonlyMap<string, Item>;

/** Makes empty balances; false when a wallet or a symbol is not (or no longer) the one named. */
export async function open(table: Table, openings: readonly BalanceOpening[]): Promise<boolean> {
  const deadline = deadlineIn(table.deadlineMs);
  const distinct = distinctBy(openings, (one) => textOf(rowKeyOf(one)));
  for (let start = 0; start < distinct.length; start += openingCountMax) {
    const chunk = distinct.slice(start, start + openingCountMax);
    if (!(await openChunk(table, chunk, deadline))) return false;
  }
  await giveShards(table, distinct, deadline);
  return true;
}

/** Gives shards to balances that are to have some from the first. */
async function giveShards(
  table: Table,
  openings: readonly BalanceOpening[],
  deadline: Deadline,
): Promise<void> {
  const { shards } = table;
  if (!shards || shards.first === 1) return;
  const most = { wanted: shards.first, most: shards.first };
  for (const opening of openings) await growShards({ ...table, shards }, opening, deadline, most);
}

async function openChunk(
  table: Table,
  openings: readonly BalanceOpening[],
  deadline: Deadline,
): Promise<boolean> {
  for (let attempt = 0; ; attempt += 1) {
    const keys = openings.flatMap((one) => [rowKeyOf(one), markKeyOf(one), countKeyOf(one)]);
    const found = await itemsAt(table, keys, deadline);
    if (!openings.every((opening) => isAsFound(opening, found))) return false;
    const missing = openings.filter((opening) => !found.has(textOf(rowKeyOf(opening))));
    if (missing.length === 0) return true;
    const plan = planOf(table.tableName, missing, found);
    const failed = await failedOf(table, plan, deadline);
    if (failed.length === 0) return true;
    if (failed.some(({ checksName }) => checksName)) return false;
    // Another call opened one of the rows, or fenced the wallet, in between.
    await pause(attempt, deadline);
  }
}

/** Sends the plan; returns the actions whose condition failed. */
async function failedOf(
  table: Table,
  plan: readonly OpeningAction[],
  deadline: Deadline,
): Promise<OpeningAction[]> {
  const actions = plan.map(({ action }) => action);
  const refused = await refusedBy(table, actions, deadline);
  return refused.flatMap((index) => plan[index] ?? []);
}

/** True when the items found belong to the records named. */
function isAsFound(opening: BalanceOpening, found: Items): boolean {
  const row = found.get(textOf(rowKeyOf(opening)));
  const mark = found.get(textOf(markKeyOf(opening)));
  const isOfWallet = row === undefined || row['wallet'] === opening.walletLuid;
  const isOfSymbol = mark === undefined || mark['luid'] === opening.symbolLuid;
  return isOfWallet && isOfSymbol;
}

function planOf(
  tableName: string,
  openings: readonly BalanceOpening[],
  found: Items,
): OpeningAction[] {
  const ofWallets = distinctBy(openings, (one) => textOf(countKeyOf(one)));
  const ofSymbols = distinctBy(openings, (one) => textOf(markKeyOf(one)));
  const unmarked = ofSymbols.filter((one) => !found.has(textOf(markKeyOf(one))));
  return [
    ...openings.map((opening) => ({
      action: putRow(tableName, opening, markOf(opening, found)),
      checksName: false,
    })),
    ...ofWallets.flatMap((opening) => [
      checkOfWallet(tableName, opening),
      {
        action: countRows(tableName, opening, openings, markOf(opening, found)),
        checksName: false,
      },
    ]),
    // A marked symbol keeps its handle and never ends. Its name needs no check, and many openings of one symbol do not
    // conflict on it.
    ...unmarked.flatMap((opening) => [
      checkOf(tableName, headKeyOf(opening.scope, 'symbol', opening.symbol), opening.symbolLuid),
      { action: putMark(tableName, opening), checksName: false },
    ]),
  ];
}

/** The marks on the count of a wallet's balances, which those that are opened begin with. */
interface CountMark {
  /** The millisecond at which the wallet was fenced. A balance that is opened later begins with it. Decision 92. */
  readonly fenced: bigint | undefined;
  /** The number of times that a drop has closed balances ahead. */
  readonly closed: bigint | undefined;
}

function markOf(opening: BalanceOpening, found: Items): CountMark {
  const { fenced, closed } = found.get(textOf(countKeyOf(opening))) ?? {};
  return { fenced: fenced as bigint | undefined, closed: closed as bigint | undefined };
}

/**
 * The balance of a frozen wallet is watched, and so is one that may have been there before: a freeze that is under way counts
 * balances, and an intent that has read the former one is not to be stored. Decision 109.
 */
function putRow(
  tableName: string,
  opening: BalanceOpening,
  { fenced, closed }: CountMark,
): ItemAction {
  const { luid, walletLuid, isWatched = closed !== undefined } = opening;
  return {
    Put: {
      TableName: tableName,
      Item: {
        ...{ ...rowKeyOf(opening), luid, wallet: walletLuid, available: 0n },
        ...(fenced !== undefined && { fenced }),
        ...(isWatched && { watched: 1, limitsChange: 1n + (closed ?? 0n) * changesMax }),
      },
      ConditionExpression: isAbsent,
    },
  };
}

function checkOf(tableName: string, head: Key, luid: string): OpeningAction {
  const action = {
    ConditionCheck: {
      TableName: tableName,
      Key: head,
      ConditionExpression: isNamed,
      ExpressionAttributeValues: { ':luid': luid },
    },
  };
  return { action, checksName: true };
}

/** Checks the version of the wallet, so that none is opened once it is frozen. Decision 109. */
function checkOfWallet(
  tableName: string,
  { scope, wallet, walletLuid, walletChange }: BalanceOpening,
): OpeningAction {
  const action = {
    ConditionCheck: {
      TableName: tableName,
      Key: headKeyOf(scope, 'wallet', wallet),
      ConditionExpression: isAsRead,
      ExpressionAttributeValues: { ':luid': walletLuid, ':change': walletChange },
    },
  };
  return { action, checksName: true };
}

function countRows(
  tableName: string,
  opening: BalanceOpening,
  all: readonly BalanceOpening[],
  { fenced, closed }: CountMark,
): ItemAction {
  const key = countKeyOf(opening);
  const ofWallet = all.filter((other) => countKeyOf(other).pk === key.pk);
  return {
    Update: {
      TableName: tableName,
      Key: key,
      UpdateExpression: 'ADD balances :count',
      ConditionExpression: [
        fenced === undefined ? isUnfenced : isFencedSo,
        closed === undefined ? isUnclosed : isClosedSo,
      ].join(' AND '),
      ExpressionAttributeValues: {
        ':count': ofWallet.length,
        ...(fenced !== undefined && { ':fenced': fenced }),
        ...(closed !== undefined && { ':closed': closed }),
      },
    },
  };
}

function putMark(tableName: string, opening: BalanceOpening): ItemAction {
  const item = { ...markKeyOf(opening), luid: opening.symbolLuid };
  return { Put: { TableName: tableName, Item: item } };
}

function rowKeyOf({ scope, wallet, symbol }: BalanceOpening): Key {
  return balanceKeyOf(scope, wallet, symbol);
}

function countKeyOf({ scope, wallet }: BalanceOpening): Key {
  return usageKeyOf(scope, 'wallet', wallet);
}

function markKeyOf({ scope, symbol }: BalanceOpening): Key {
  return usageKeyOf(scope, 'symbol', symbol);
}
