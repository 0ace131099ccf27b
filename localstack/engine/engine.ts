/**
 * Answers the requests of the ledger as DynamoDB does, at once and without faults, over items in memory or in a file. It
 * knows the operations, members and expressions that the ledger uses, and refuses every other. Decision 149.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Operations_Amazon_DynamoDB.html
 */
import { isDeepStrictEqual } from 'node:util';
import {
  ConditionalCheckFailedException,
  IdempotentParameterMismatchException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  GetCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import type { AuditClient } from '../../shared/audit/table.ts';
import { companions } from '../../shared/crypto/companions.ts';
import { type Key, textOf } from '../../shared/store/keys.ts';
import { actionsOf, type Command, countMaxOf, isWrite, tablesIn } from './command.ts';
import { conditionOf, nameIn, pathsOf, ValidationException } from './expression.ts';
import type { ItemStore } from './items.ts';
import { pageIn, pageOf, projected } from './page.ts';
import { bytesOf, compareTexts, itemOf, type StoredItem } from './value.ts';
import { keyIn, scopeOf, type WriteAction } from './write-action.ts';

/** The units that a request is charged for one item, or for the part of a partition that it reads. */
export interface Charge {
  readonly key: Pick<Key, 'pk'> & Partial<Key>;
  readonly units: number;
  readonly isWrite: boolean;
}

/** The code of a cancellation for one action of a transaction; undefined for an action that could be done. */
export type ItemFailure = 'ConditionalCheckFailed' | 'ValidationError' | undefined;

/** The members of the requests, beside those with the items. */
const members = new Set([
  ...['TableName', 'ReturnConsumedCapacity', 'ClientRequestToken', 'TransactItems'],
  ...['RequestItems', 'Key', 'ConsistentRead', 'Limit', 'ScanIndexForward', 'Select'],
  ...['ExclusiveStartKey', 'KeyConditionExpression', 'UpdateExpression', 'ConditionExpression'],
  ...['FilterExpression', 'ProjectionExpression'],
  ...['ExpressionAttributeNames', 'ExpressionAttributeValues'],
]);
const keyCondition = /^pk = (:\w+)(?: AND sk BETWEEN (:\w+) AND (:\w+))?$/;
const writeBytes = 1024;
const readBytes = 4096;
/** A transaction prepares and commits each item. */
const transactionFactor = 2;
/** The time for which a token makes two requests the same one. */
const tokenMs = 10 * 60_000;

/** An item before and after a request; undefined where there is none. */
export interface StoredChange {
  readonly key: Key;
  readonly before: StoredItem | undefined;
  readonly after: StoredItem | undefined;
}

export interface EngineOptions {
  /** The clock by which tokens expire. */
  readonly now?: () => number;
  /** The number of tokens that are kept; more than are sent again at a time. */
  readonly tokenCountMax?: number;
  /** Makes of a transaction the value that is kept with its token, to tell it from another one: all of it, unless said. */
  readonly fingerprintOf?: (command: TransactWriteCommand) => unknown;
}

export class Engine {
  readonly #tableName: string;
  readonly #items: ItemStore;
  readonly #now: () => number;
  readonly #tokenCountMax: number;
  readonly #fingerprintOf: (command: TransactWriteCommand) => unknown;
  readonly #actions = companions<Command, readonly WriteAction[]>();
  readonly #bytes = new WeakMap<StoredItem, number>();
  readonly #listeners: ((changes: readonly StoredChange[]) => void)[] = [];
  readonly #tokens = new Map<string, { readonly atMs: number; readonly items: unknown }>();

  /** A table of these items. */
  constructor(tableName: string, items: ItemStore, options: EngineOptions = {}) {
    const { now = Date.now, tokenCountMax = Number.POSITIVE_INFINITY, fingerprintOf } = options;
    this.#fingerprintOf = fingerprintOf ?? (({ input }) => input.TransactItems);
    this.#tableName = tableName;
    this.#items = items;
    this.#now = now;
    this.#tokenCountMax = tokenCountMax;
  }

  /** A client of this table; `answer` may put something in between. */
  client(answer: (command: Command) => Promise<object> = async (one) => this.answer(one)) {
    // The overloads of a client give each command its own answer.
    return { send: answer } as unknown as AuditClient;
  }

  /** Tells of each request that has changed items, at once: their keys, and the items before and after. */
  onChange(listener: (changes: readonly StoredChange[]) => void): void {
    this.#listeners.push(listener);
  }

  /** Forgets which transactions were done, as a database does that restarts. */
  forgetTokens(): void {
    this.#tokens.clear();
  }

  /** Forgets that a transaction was done, which was undone. */
  forgetToken(command: Command): void {
    if (command instanceof TransactWriteCommand)
      this.#tokens.delete(command.input.ClientRequestToken ?? '');
  }

  /** Answers a request at once; throws as DynamoDB does. */
  answer(command: Command): object {
    this.#check(command);
    const charges = command.input.ReturnConsumedCapacity ? this.charges(command) : undefined;
    const output = this.#outputOf(command);
    if (!charges) return output;
    const CapacityUnits = charges.reduce((sum, { units }) => sum + units, 0);
    const capacity = { TableName: this.#tableName, CapacityUnits };
    const isList = 'RequestItems' in command.input || 'TransactItems' in command.input;
    return { ...output, ConsumedCapacity: isList ? [capacity] : capacity };
  }

  /** The units of a request that is answered now: a failed one is charged the same. */
  charges(command: Command): readonly Charge[] {
    if (command instanceof QueryCommand) {
      const { pk, bytes } = this.#page(command);
      const units = readUnitsOf(bytes, command.input.ConsistentRead);
      return [{ key: { pk }, units, isWrite: false }];
    }
    if (command instanceof ScanCommand) return [];
    const { keys, isConsistent } = this.#keysToRead(command);
    if (keys) {
      return keys.map((key) => {
        const units = readUnitsOf(this.#sizeOf(this.#items.get(key)), isConsistent);
        return { key, units, isWrite: false };
      });
    }
    if (this.#isDone(command)) return this.#chargesOfRepeat(command);
    const factor = command instanceof TransactWriteCommand ? transactionFactor : 1;
    return this.actions(command).map((action) => {
      const units = factor * Math.ceil(Math.max(1, this.#bytesOf(action)) / writeBytes);
      return { key: action.key, units, isWrite: true };
    });
  }

  /** A transaction that was done reads its items. */
  #chargesOfRepeat(command: Command): readonly Charge[] {
    return this.actions(command).map(({ key }) => {
      const units = transactionFactor * readUnitsOf(this.#sizeOf(this.#items.get(key)), true);
      return { key, units, isWrite: false };
    });
  }

  /** The writes of a request, in their order. */
  actions(command: Command): readonly WriteAction[] {
    const known = this.#actions.get(command);
    if (known) return known;
    const actions = actionsOf(command);
    this.#actions.set(command, actions);
    return actions;
  }

  /** The reasons that would cancel a transaction now, action by action. */
  failures(command: Command): readonly ItemFailure[] {
    if (this.#isDone(command)) return [];
    return this.actions(command).map((action) => {
      const outcome = this.#outcomeOf(action);
      return typeof outcome === 'object' ? undefined : outcome;
    });
  }

  #outputOf(command: Command): object {
    if (command instanceof GetCommand) {
      const Item = this.#items.get(keyIn(itemOf(command.input.Key ?? {})));
      return Item ? { Item } : {};
    }
    if (command instanceof BatchGetCommand) return this.#batchGet(command);
    if (command instanceof QueryCommand) return this.#query(command);
    if (command instanceof ScanCommand) return this.#scan(command);
    if (command instanceof TransactWriteCommand) return this.#transact(command);
    if (!isWrite(command)) throw new ValidationException('The command is none that is known.');
    const changes = this.actions(command).map((action): StoredChange => {
      const before = this.#items.get(action.key);
      if (!action.holds(before))
        throw new ConditionalCheckFailedException({ $metadata, message: 'The condition failed.' });
      return { key: action.key, before, after: action.after(before) };
    });
    this.#store(changes);
    return {};
  }

  #batchGet(command: BatchGetCommand): object {
    const { keys = [] } = this.#keysToRead(command);
    const found = keys.flatMap((key) => this.#items.get(key) ?? []);
    return { Responses: { [this.#tableName]: found }, UnprocessedKeys: {} };
  }

  #transact(command: TransactWriteCommand): object {
    if (this.#isDone(command)) return {};
    const outcomes = this.actions(command).map((action) => this.#outcomeOf(action));
    const changes = outcomes.flatMap((outcome) => (typeof outcome === 'object' ? [outcome] : []));
    if (changes.length < outcomes.length)
      throw cancellation(outcomes.map((one) => (typeof one === 'object' ? undefined : one)));
    this.#store(changes);
    const { ClientRequestToken: token } = command.input;
    if (token !== undefined) this.#keepToken(token, this.#fingerprintOf(command));
    return {};
  }

  /** Keeps the token of a transaction that was done, and forgets those that are too many or too old. */
  #keepToken(token: string, items: unknown): void {
    const nowMs = this.#now();
    this.#tokens.set(token, { atMs: nowMs, items });
    for (const [oldest, { atMs }] of this.#tokens) {
      if (this.#tokens.size <= this.#tokenCountMax && nowMs - atMs <= tokenMs) return;
      this.#tokens.delete(oldest);
    }
  }

  /** True when a transaction with this token was done. */
  #isDone(command: Command): boolean {
    if (!(command instanceof TransactWriteCommand)) return false;
    const { ClientRequestToken: token = '' } = command.input;
    const known = this.#tokens.get(token);
    if (!known || this.#now() - known.atMs > tokenMs) return false;
    if (isDeepStrictEqual(known.items, this.#fingerprintOf(command))) return true;
    throw new IdempotentParameterMismatchException({ $metadata, message: 'The token was used.' });
  }

  #query(command: QueryCommand): object {
    const { items, isCut } = this.#page(command);
    const { Select: select, FilterExpression: filter } = command.input;
    const answer = pageOf(items, isCut, select);
    if (filter === undefined) return { ...answer, ScannedCount: items.length };
    const { meaning, words } = conditionOf(filter);
    const keys = new Set(Object.keys(command.input.ExpressionAttributeValues ?? {}));
    const scope = scopeOf(command.input, [words, keys]);
    const shown = items.filter((item) => meaning(scope(item)));
    const Items = select === 'COUNT' ? {} : { Items: shown };
    return { ...answer, ...Items, Count: shown.length, ScannedCount: items.length };
  }

  /** The items of a page of a query; `isCut` when there may be more. */
  #page({ input }: QueryCommand) {
    const [, name, from, to] = keyCondition.exec(input.KeyConditionExpression ?? '') ?? [];
    if (name === undefined) throw new ValidationException('The condition on keys is unknown.');
    const given = input.ExpressionAttributeValues ?? {};
    const [pk, first, last] = [name, from, to].map((one) =>
      one === undefined ? undefined : String(given[one]),
    );
    if (first !== undefined && compareTexts(first, last ?? '') > 0)
      throw new ValidationException('The range of the keys ends before it begins.');
    const { ScanIndexForward: isForward = true, ExclusiveStartKey: start } = input;
    const within = this.#items.within(String(pk), {
      isForward,
      from: isForward ? first : last,
      after: start && String(start['sk']),
    });
    const end = isForward ? last : first;
    const isBehind = (sk: string) =>
      end !== undefined && compareTexts(sk, end) * (isForward ? 1 : -1) > 0;
    return { pk: String(pk), ...pageIn(within, input.Limit, isBehind) };
  }

  #scan({ input }: ScanCommand): object {
    const { FilterExpression: filter, ProjectionExpression: projection, ExclusiveStartKey } = input;
    const condition = filter === undefined ? undefined : conditionOf(filter);
    const paths = projection === undefined ? undefined : pathsOf(projection);
    const scope = scopeOf(input, [condition?.words ?? new Set(), paths?.words ?? new Set()]);
    const after = ExclusiveStartKey && keyIn(itemOf(ExclusiveStartKey));
    const { items, isCut } = pageIn(this.#items.all(after), input.Limit);
    const shown = items.filter((item) => condition?.meaning(scope(item)) ?? true);
    const names = paths?.meaning.map((path) => nameIn(path, scope({}).names));
    return {
      ...pageOf(items, isCut),
      Items: names ? shown.map((item) => projected(item, names)) : shown,
      Count: shown.length,
      ScannedCount: items.length,
    };
  }

  #keysToRead(command: Command): { keys?: readonly Key[]; isConsistent?: boolean | undefined } {
    if (command instanceof GetCommand) {
      const { Key: key = {}, ConsistentRead: isConsistent } = command.input;
      return { keys: [keyIn(itemOf(key))], isConsistent };
    }
    if (!(command instanceof BatchGetCommand)) return {};
    const { Keys = [], ConsistentRead: isConsistent } =
      command.input.RequestItems?.[this.#tableName] ?? {};
    return { keys: Keys.map((key) => keyIn(itemOf(key))), isConsistent };
  }

  /** Refuses what DynamoDB refuses in every state of the table, and what the model does not know. */
  #check(command: Command): void {
    const { input } = command;
    const unknown = Object.keys(input).find((member) => !members.has(member));
    if (unknown !== undefined) throw new ValidationException(`The model knows no ${unknown}.`);
    for (const name of tablesIn(command)) {
      if (name !== this.#tableName) throw new ValidationException(`There is no table ${name}.`);
    }
    const { keys = this.actions(command).map(({ key }) => key) } = this.#keysToRead(command);
    if (keys.length > countMaxOf(command))
      throw new ValidationException('There are too many items.');
    if (new Set(keys.map(textOf)).size < keys.length)
      throw new ValidationException('One request names an item twice.');
  }

  /** The change that an action makes now, or the reason why it makes none. */
  #outcomeOf({ key, holds, after }: WriteAction): StoredChange | Exclude<ItemFailure, undefined> {
    const before = this.#items.get(key);
    if (!holds(before)) return 'ConditionalCheckFailed';
    try {
      return { key, before, after: after(before) };
    } catch (error) {
      if (error instanceof ValidationException) return 'ValidationError';
      throw error;
    }
  }

  /** The greater size of an item before and after. */
  #bytesOf(action: WriteAction): number {
    const before = this.#items.get(action.key);
    return Math.max(this.#sizeOf(before), this.#sizeOf(nextOf(action, before)));
  }

  /** The bytes of an item; they are counted once. */
  #sizeOf(item: StoredItem | undefined): number {
    if (!item) return 0;
    const known = this.#bytes.get(item);
    if (known !== undefined) return known;
    const bytes = bytesOf(item);
    this.#bytes.set(item, bytes);
    return bytes;
  }

  #store(changes: readonly StoredChange[]): void {
    for (const { key, before, after } of changes) {
      if (after !== before) this.#items.put(key, after);
    }
    for (const listener of this.#listeners) listener(changes);
  }
}

/** The item that an action would leave now; undefined for none, and where it fails. */
function nextOf({ holds, after }: WriteAction, before: StoredItem | undefined) {
  if (!holds(before)) return undefined;
  try {
    return after(before);
  } catch (error) {
    if (error instanceof ValidationException) return undefined;
    throw error;
  }
}

const $metadata = {};
/** The error of a transaction that was cancelled, with a code for each action. */
export function cancellation(codes: readonly (string | undefined)[]): TransactionCanceledException {
  return new TransactionCanceledException({
    $metadata,
    message: `Transaction cancelled [${codes.map((code) => code ?? 'None').join(', ')}]`,
    CancellationReasons: codes.map((code) => ({ Code: code ?? 'None' })),
  });
}

function readUnitsOf(bytes: number, isConsistent = false): number {
  return Math.ceil(Math.max(1, bytes) / readBytes) * (isConsistent ? 1 : 0.5);
}
