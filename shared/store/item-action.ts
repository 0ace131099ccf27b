/** The actions of a transaction on one item, each with a condition and the values that it names. */
import type { Conflict } from '../port/ports.ts';
import type { Key } from './keys.ts';
import type { ItemAction } from './request.ts';

/** One action, and the conflict when its condition fails. */
export interface PlannedAction {
  readonly action: ItemAction;
  readonly conflict?: ConflictName;
}

/** A conflict as the plan knows it: the record that a replayed proof once made has to be read. */
export type ConflictName =
  | Exclude<Conflict, { readonly what: 'replayed' | 'crowded' }>
  | { readonly what: 'replayed'; readonly write: number; readonly key: Key };

/** Puts an item at the key, in place of what is there. */
export function put(
  tableName: string,
  key: Key,
  attributes: object = {},
  condition?: string,
  values?: Readonly<Record<string, unknown>>,
): ItemAction {
  return {
    Put: { TableName: tableName, Item: { ...key, ...attributes }, ...on(condition, values) },
  };
}

/** Removes the item at the key, there or not. */
export function remove(
  tableName: string,
  key: Key,
  condition?: string,
  values?: Readonly<Record<string, unknown>>,
): ItemAction {
  return { Delete: { TableName: tableName, Key: key, ...on(condition, values) } };
}

/** Checks a condition and changes nothing. */
export function check(
  tableName: string,
  key: Key,
  condition: string,
  conflict: ConflictName,
  values?: Readonly<Record<string, unknown>>,
): PlannedAction {
  return {
    action: {
      ConditionCheck: {
        TableName: tableName,
        Key: key,
        ConditionExpression: condition,
        ...(values && { ExpressionAttributeValues: values }),
      },
    },
    conflict,
  };
}

function on(condition?: string, values?: Readonly<Record<string, unknown>>) {
  return {
    ...(condition !== undefined && { ConditionExpression: condition }),
    ...(values && { ExpressionAttributeValues: values }),
  };
}
