/** The items that a request writes to the table, with their bytes. */
import {
  BatchGetCommand,
  type BatchGetCommandOutput,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { bytesOf, itemOf as storedOf } from '../../localstack/engine/value.ts';
import { actionOf } from '../../localstack/engine/write-action.ts';
import { itemOf, type Key, textOf } from '../../shared/store/keys.ts';
import type { Traffic } from './here.ts';

/** An item that a transaction writes or deletes. */
export interface StoredItem {
  readonly name: string;
  readonly bytes: number;
  /** In a transaction: two units for each kilobyte begun. */
  readonly writeUnits: number;
}

type Exchanges = Pick<Traffic, 'exchanges'>;

/** The transaction of a request. */
export function transactionOf({ exchanges }: Exchanges): TransactWriteCommand | undefined {
  return exchanges
    .map(({ command }) => command)
    .find((command) => command instanceof TransactWriteCommand);
}

/**
 * The items of the transaction of a request. An updated or deleted item has the size with which it was read, and an
 * unknown size if it was not read.
 */
export function storedItemsOf(traffic: Exchanges): StoredItem[] {
  const before = new Map(readItemsOf(traffic).map((item) => [textOf(item as Key), item]));
  const { TransactItems = [] } = transactionOf(traffic)?.input ?? {};
  return TransactItems.map((action) => {
    const { key } = actionOf(action);
    const item = action.Put?.Item ?? before.get(textOf(key));
    const bytes = item ? bytesOf(storedOf(item)) : Number.NaN;
    const name = itemOf(key.pk, key.sk)?.item ?? 'unknown';
    return { name, bytes, writeUnits: 2 * Math.ceil(bytes / 1024) };
  });
}

/** The items that a request has read in batches. */
function readItemsOf({ exchanges }: Exchanges): readonly object[] {
  return exchanges.flatMap(({ command, output }) =>
    command instanceof BatchGetCommand
      ? Object.values((output as BatchGetCommandOutput).Responses ?? {}).flat()
      : [],
  );
}
