/** The commands that the engine answers, and the writes and tables that they name. */
import {
  BatchGetCommand,
  BatchWriteCommand,
  type GetCommand,
  type QueryCommand,
  type ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { companions } from '../../shared/crypto/companions.ts';
import { hashOfText } from '../../shared/crypto/digest.ts';
import { textOf } from '../../shared/store/keys.ts';
import type { ItemAction } from '../../shared/store/request.ts';
import { actionOf, plainAction, type WriteAction } from './write-action.ts';

/** A request to the table. */
export type Command =
  | BatchGetCommand
  | BatchWriteCommand
  | GetCommand
  | QueryCommand
  | ScanCommand
  | TransactWriteCommand
  | UpdateCommand;

const actionCountMax = 100;
const writeCountMax = 25;
const keyCountMax = 100;
/** The actions of transactions, which are sent again with the same parts. */
const parsed = companions<ItemAction, WriteAction>();

/** The writes of a request, in their order. */
export function actionsOf(command: Command): readonly WriteAction[] {
  if (command instanceof UpdateCommand) return [actionOf({ Update: updateIn(command) })];
  if (command instanceof BatchWriteCommand) return writesIn(command).map(plainAction);
  if (!(command instanceof TransactWriteCommand)) return [];
  return (command.input.TransactItems ?? []).map(parsedOnce);
}

function parsedOnce(item: ItemAction): WriteAction {
  const known = parsed.get(item);
  if (known) return known;
  const action = actionOf(item);
  parsed.set(item, action);
  return action;
}

/** The most items that a request may name. */
export function countMaxOf(command: Command): number {
  if (command instanceof BatchWriteCommand) return writeCountMax;
  return command instanceof BatchGetCommand ? keyCountMax : actionCountMax;
}

/** The table of a command. */
export function tableOf(command: Command): string {
  return tablesIn(command)[0] ?? '';
}

/** True for a command that may change items. */
export function isWrite(command: Command): boolean {
  return (
    command instanceof TransactWriteCommand ||
    command instanceof BatchWriteCommand ||
    command instanceof UpdateCommand
  );
}

/** The tables that a command names. */
export function tablesIn({ input }: Command): readonly (string | undefined)[] {
  if ('TransactItems' in input)
    return (input.TransactItems ?? []).flatMap((item) =>
      Object.values(item).map((one) => one?.TableName),
    );
  if ('RequestItems' in input) return Object.keys(input.RequestItems ?? {});
  return 'TableName' in input ? [input.TableName] : [];
}

function updateIn({ input }: UpdateCommand) {
  const { UpdateExpression, ReturnConsumedCapacity: _, ...rest } = input;
  return { ...rest, UpdateExpression };
}

/** The writes of a batch, as a put or a delete each. */
function writesIn({ input }: BatchWriteCommand) {
  return Object.values(input.RequestItems ?? {}).flatMap((requests) =>
    requests.map(({ PutRequest, DeleteRequest }) =>
      PutRequest ? { put: PutRequest.Item ?? {} } : { delete: DeleteRequest?.Key ?? {} },
    ),
  );
}

/** The hash of the keys of a transaction, a short text to keep. */
export function keysHashOf(command: TransactWriteCommand): string {
  return hashOfText(
    actionsOf(command)
      .map(({ key }) => textOf(key))
      .join(),
  );
}
