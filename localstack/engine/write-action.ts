/** One write as it was asked for: the condition that it needs, and the item that it leaves behind. */
import type { Key } from '../../shared/store/keys.ts';
import type { ItemAction } from '../../shared/store/request.ts';
import {
  changesOf,
  conditionOf,
  type ExpressionScope,
  type ItemChange,
  nameIn,
  ValidationException,
} from './expression.ts';
import { bytesOf, itemOf, type StoredItem, type StoredValue } from './value.ts';

/** An action on one item. It is pure: the engine stores what it returns. */
export interface WriteAction {
  readonly key: Key;
  /** True when its condition holds for the item, undefined for none. */
  readonly holds: (before: StoredItem | undefined) => boolean;
  /** The item afterwards; undefined for none. Throws a `ValidationException`. */
  readonly after: (before: StoredItem | undefined) => StoredItem | undefined;
}

interface Expressions {
  readonly ConditionExpression?: string | undefined;
  readonly UpdateExpression?: string | undefined;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: object | undefined;
}

const itemBytesMax = 400 * 1024;
const keyBytesMax = { pk: 2048, sk: 1024 };

/** The action of a put or a delete without a condition. */
export function plainAction(write: { readonly put: object } | { readonly delete: object }) {
  const item = 'put' in write ? sizedItem(write.put) : undefined;
  const key = keyIn(item ?? itemOf('delete' in write ? write.delete : {}));
  return { key, holds: () => true, after: () => item } satisfies WriteAction;
}

/** The action of a part of a transaction, or of an `UpdateItem`. */
export function actionOf({ Put, Delete, Update, ConditionCheck }: ItemAction): WriteAction {
  if (Put) {
    const item = sizedItem(Put.Item ?? {});
    return { key: keyIn(item), holds: holding(Put), after: () => item };
  }
  if (Delete) return { key: keyOfInput(Delete), holds: holding(Delete), after: () => undefined };
  if (Update) {
    const key = keyOfInput(Update);
    return { key, holds: holding(Update), after: updating(key, Update) };
  }
  if (!ConditionCheck) throw new ValidationException('The action is none that the model knows.');
  return {
    key: keyOfInput(ConditionCheck),
    holds: holding(ConditionCheck),
    after: (before) => before,
  };
}

/** The key of an item or a key; throws for one that DynamoDB refuses. */
export function keyIn({ pk, sk }: StoredItem): Key {
  for (const [name, value] of Object.entries({ pk, sk })) {
    const bytes = typeof value === 'string' ? Buffer.byteLength(value) : 0;
    if (bytes === 0 || bytes > keyBytesMax[name as keyof Key])
      throw new ValidationException(`The key ${name} is not a text of a length that is allowed.`);
  }
  return { pk: String(pk), sk: String(sk) };
}

/** The names and values of a request. Throws for those that no expression uses. */
export function scopeOf(
  input: Expressions,
  words: readonly ReadonlySet<string>[],
): (item: StoredItem | undefined) => ExpressionScope {
  const names = input.ExpressionAttributeNames ?? {};
  const values = itemOf(input.ExpressionAttributeValues ?? {});
  for (const given of [...Object.keys(names), ...Object.keys(values)]) {
    if (!words.some((used) => used.has(given)))
      throw new ValidationException(`No expression uses ${given}.`);
  }
  return (item = {}) => ({ item, names, values });
}

function keyOfInput({ Key }: { readonly Key: object | undefined }): Key {
  return keyIn(itemOf(Key ?? {}));
}

function sizedItem(item: object): StoredItem {
  const stored = itemOf(item);
  if (bytesOf(stored) > itemBytesMax) throw new ValidationException('The item is too large.');
  return stored;
}

function wordsOf({ ConditionExpression, UpdateExpression }: Expressions) {
  return [
    ...(ConditionExpression === undefined ? [] : [conditionOf(ConditionExpression).words]),
    ...(UpdateExpression === undefined ? [] : [changesOf(UpdateExpression).words]),
  ];
}

function holding(input: Expressions): WriteAction['holds'] {
  const scope = scopeOf(input, wordsOf(input));
  const { ConditionExpression: text } = input;
  if (text === undefined) return () => true;
  const { meaning: condition } = conditionOf(text);
  return (before) => condition(scope(before));
}

function updating(key: Key, input: Expressions): WriteAction['after'] {
  const { meaning: changes } = changesOf(input.UpdateExpression ?? '');
  const scope = scopeOf(input, wordsOf(input));
  const makesItem =
    changes.length === 0 || changes.some(({ what }) => what === 'set' || what === 'add');
  const updated: WriteAction['after'] = (before) => {
    const at = scope(before);
    const next: Record<string, StoredValue> = { ...key, ...before };
    for (const change of changes) {
      const name = nameIn(change.path, at.names);
      if (name === 'pk' || name === 'sk')
        throw new ValidationException('An update does not change the key.');
      const value = changed(change, at, next[name]);
      if (value === undefined) delete next[name];
      else next[name] = value;
    }
    return sizedItem(next);
  };
  return (before) => {
    const next = updated(before);
    // One that only removes something makes no item; DynamoDB Local makes one.
    // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_AttributeValueUpdate.html
    return before || makesItem ? next : undefined;
  };
}

/** The value that a change leaves, from the item before all changes; undefined for none. */
function changed(
  change: ItemChange,
  scope: ExpressionScope,
  before: StoredValue | undefined,
): StoredValue | undefined {
  switch (change.what) {
    case 'set': {
      const value = change.to(scope);
      if (value === undefined)
        throw new ValidationException('An attribute of the expression does not exist in the item.');
      return value;
    }
    case 'remove':
      return undefined;
    case 'add':
      return added(before, change.by(scope));
    case 'delete': {
      const rest = textsIn(before).filter((text) => !textsIn(change.by(scope)).includes(text));
      return rest.length > 0 ? new Set(rest) : undefined;
    }
  }
}

function added(before: StoredValue | undefined, more: StoredValue | undefined): StoredValue {
  if (typeof more === 'bigint' && (before === undefined || typeof before === 'bigint'))
    return (before ?? 0n) + more;
  return new Set([...textsIn(before), ...textsIn(more)]);
}

function textsIn(value: StoredValue | undefined): readonly string[] {
  if (value === undefined) return [];
  if (value instanceof Set) return [...value];
  throw new ValidationException('An attribute has another type than the expression.');
}
