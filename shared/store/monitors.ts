/** The states of monitors as items. One is stored while its effect lives, and only in place of the one before. */
import type { Crossing, MonitorSide } from '../ledger/monitor.ts';
import type { MonitorState } from '../port/monitors.ts';
import type { Scope } from '../port/ports.ts';
import { check, put } from './item-action.ts';
import { monitorKeyOf, pointerKeyOf, textOf, wholeBooksKeyOf } from './keys.ts';
import { itemsAt } from './read.ts';
import type { Item, Table } from './request.ts';
import { deadlineIn } from './retry.ts';
import { tryTo, updateOne } from './try-to.ts';

/** The mark that the books of a ledger are whole. */
async function readMark(table: Table, scope: Scope): Promise<Item | undefined> {
  const key = wholeBooksKeyOf(scope);
  return (await itemsAt(table, [key], deadlineIn(table.deadlineMs))).get(textOf(key));
}

/** The time since which a ledger has books: 0 from its beginning, undefined when they are not made yet. */
export async function booksSince(table: Table, scope: Scope): Promise<number | undefined> {
  const mark = await readMark(table, scope);
  return mark && Number(mark['since'] ?? 0);
}

/** Begins the name of an attribute of the mark of whole books: the luid of an effect follows. */
const behindPrefix = 'behind ';

/** The monitors of a ledger that have to look again, with the times that this was noted. */
export async function readBehind(table: Table, scope: Scope): Promise<Map<string, number>> {
  const mark = await readMark(table, scope);
  return new Map(
    Object.entries(mark ?? {})
      .filter(([name]) => name.startsWith(behindPrefix))
      .map(([name, times]) => [name.slice(behindPrefix.length), Number(times)]),
  );
}

/** Notes that a monitor has to look again. A lost answer counts twice, which makes it look once more. */
export async function noteBehind(table: Table, scope: Scope, luid: string): Promise<void> {
  await updateOne(
    table,
    {
      TableName: table.tableName,
      Key: wholeBooksKeyOf(scope),
      UpdateExpression: 'ADD #behind :one',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: { '#behind': `${behindPrefix}${luid}` },
      ExpressionAttributeValues: { ':one': 1 },
    },
    deadlineIn(table.deadlineMs),
  );
}

/** Ends the notes of a monitor, unless others have been made since so many were read. */
export async function endBehind(
  table: Table,
  scope: Scope,
  luid: string,
  times: number,
): Promise<void> {
  await updateOne(
    table,
    {
      TableName: table.tableName,
      Key: wholeBooksKeyOf(scope),
      UpdateExpression: 'REMOVE #behind',
      ConditionExpression: '#behind = :times',
      ExpressionAttributeNames: { '#behind': `${behindPrefix}${luid}` },
      ExpressionAttributeValues: { ':times': times },
    },
    deadlineIn(table.deadlineMs),
  );
}

/** The state of the monitor of an effect. */
export async function readMonitor(
  table: Table,
  scope: Scope,
  luid: string,
): Promise<MonitorState | undefined> {
  const key = monitorKeyOf(scope, luid);
  const item = (await itemsAt(table, [key], deadlineIn(table.deadlineMs))).get(textOf(key));
  return item && unpackMonitor(item);
}

/** Stores a state in place of the one before; false when that has changed, or the effect has ended. */
export function saveMonitor(
  table: Table,
  scope: Scope,
  luid: string,
  { version, ...state }: MonitorState,
): Promise<boolean> {
  const pending = JSON.stringify(
    state.pending.map((one) => ({ ...one, available: `${one.available}` })),
  );
  const item = { ...state, pending, version };
  const isNext = version === 1 ? 'attribute_not_exists(pk)' : 'version = :before';
  const before = version === 1 ? undefined : { ':before': version - 1 };
  const living = check(
    table.tableName,
    pointerKeyOf(scope, 'effect', luid),
    'attribute_exists(pk) AND attribute_not_exists(dropped)',
    { what: 'stale', write: 0 },
  );
  const actions = [
    put(table.tableName, monitorKeyOf(scope, luid), item, isNext, before),
    living.action,
  ];
  return tryTo(table, actions, deadlineIn(table.deadlineMs));
}

function unpackMonitor(item: Item): MonitorState {
  const pending = JSON.parse(String(item['pending'])) as readonly (Omit<Crossing, 'available'> & {
    readonly available: string;
  })[];
  return {
    condition: String(item['condition']),
    until: String(item['until']),
    side: item['side'] as MonitorSide,
    count: Number(item['count']),
    pending: pending.map((one) => ({ ...one, available: BigInt(one.available) })),
    version: Number(item['version']),
  };
}
