/**
 * Reading a ledger out of a table: all items once, page by page. In a running ledger, pages are of different moments;
 * two readings with the same result are the content of the table at a moment in between. Decision 74.
 */
import { createHash } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { UnknownLedger } from '../audit/audit.ts';
import type { AuditClient } from '../audit/table.ts';
import { messageOf } from '../ledger/thrown.ts';
import type { Scope } from '../port/ports.ts';
import { isBlock, unblocked } from '../store/blocks.ts';
import {
  headKeyOf,
  type ItemName,
  importKeyOf,
  itemOf,
  type Key,
  keyOfItem,
  textOf,
} from '../store/keys.ts';
import { itemsAt } from '../store/read.ts';
import type { Item } from '../store/request.ts';
import { deadlineIn, repeating } from '../store/retry.ts';
import { ArchiveError } from './form.ts';
import { lineOfItem, type Ordered, orderedOf } from './line.ts';

/** The table of a ledger. */
export interface ArchivePlace {
  readonly client: AuditClient;
  readonly tableName: string;
}

/** The ledger: its handle and its luid. */
export interface Whose {
  readonly ledger: Scope;
  readonly luid: string;
}

/** A page of lines of a ledger. */
export interface ArchivePage {
  readonly lines: readonly Ordered[];
  /** The last published places of the server's own signals, by shard, as far as this page has them. */
  readonly told: Readonly<Record<number, string>>;
  /** The number of items read. */
  readonly looked: number;
  /** The start of the next page; absent on the last one. */
  readonly next?: Item;
}

const pageMsMax = 30_000;

/** The luid of a ledger in a table. Throws while the ledger is being imported: only a part of it is there. Decision 72. */
export async function luidOf({ client, tableName }: ArchivePlace, ledger: string): Promise<string> {
  const table = { client, tableName, deadlineMs: pageMsMax, onConsumed: undefined };
  const itemAt = async (key: Key): Promise<Item | undefined> =>
    (await itemsAt(table, [key], deadlineIn(pageMsMax))).get(textOf(key));
  const head = await itemAt(headKeyOf('', 'ledger', ledger));
  if (!head) throw new UnknownLedger(`There is no ledger '${ledger}' in this table.`);
  // This order matters: an import that begins meanwhile writes both at once, and removes the note at its end.
  if (await itemAt(importKeyOf(ledger)))
    throw new ArchiveError(
      `An import of the ledger '${ledger}' has not ended; go on with \`countersign import <file> --resume\`.`,
    );
  return String(head['luid']);
}

/** The lines of a ledger, in pages, from a place in the table on. */
export async function* collect(
  place: ArchivePlace,
  whose: Whose,
  from?: Item,
): AsyncGenerator<ArchivePage> {
  let start = from;
  do {
    const command = new ScanCommand({
      TableName: place.tableName,
      ConsistentRead: true,
      // All other items are of other ledgers, or follow from those that are read.
      FilterExpression:
        '(begins_with(pk, :own) OR begins_with(pk, :server)) AND NOT begins_with(pk, :terms) AND NOT begins_with(pk, :books)',
      ExpressionAttributeValues: {
        ':own': `${whose.ledger}#`,
        ':server': '#',
        ':terms': `${whose.ledger}#term#`,
        ':books': `${whose.ledger}#book`,
      },
      ...(start && { ExclusiveStartKey: start }),
    });
    const output = await repeating(deadlineIn(pageMsMax), () => place.client.send(command));
    start = output.LastEvaluatedKey;
    yield {
      ...pageOf(output.Items ?? [], whose),
      looked: output.ScannedCount ?? 0,
      ...next(start),
    };
  } while (start);
}

/** A sum over the hashes of lines, in any order: equal sums mean equal content. */
export function sumOfLines(before = '0'): { add: (line: Ordered) => void; sum: () => string } {
  const modulus = 2n ** 128n;
  let sum = BigInt(`0x${before}`);
  return {
    add: ({ text }) => {
      const digest = createHash('sha256').update(text).digest('hex');
      sum = (sum + BigInt(`0x${digest}`)) % modulus;
    },
    sum: () => sum.toString(16),
  };
}

function next(start: Item | undefined): Pick<ArchivePage, 'next'> {
  return start ? { next: start } : {};
}

function pageOf(items: readonly Item[], whose: Whose): Pick<ArchivePage, 'lines' | 'told'> {
  const lines: Ordered[] = [];
  const published: Record<number, string> = {};
  for (const item of items.flatMap(unblocked)) {
    const name = nameOf(item, whose);
    if (!name) continue;
    if (name.item === 'told' && name.scope === '') published[name.shard] = String(item['place']);
    const line = belongs(name, item, whose) ? lineOf(name, item) : undefined;
    if (line) lines.push(line);
  }
  return { lines, told: published };
}

/** The name of an item; throws for an unknown item of the ledger. */
function nameOf(item: Item, { ledger }: Whose): ItemName | undefined {
  const { pk, sk } = keyOfItem(item);
  const name = itemOf(pk, sk);
  if ((!name || isBlock(item)) && pk.startsWith(`${ledger}#`))
    throw new ArchiveError(`The item '${pk} ${sk}' is none of the ledger's.`);
  return name;
}

/** True for an item of the ledger: under its handle, or of its own record, which lies with the server. */
function belongs(name: ItemName, item: Item, { ledger, luid }: Whose): boolean {
  if (name.scope === ledger) return true;
  if (name.scope !== '') return false;
  const named = name.item === 'head' ? item['luid'] : 'luid' in name && name.luid;
  return named === luid;
}

function lineOf(name: ItemName, item: Item): Ordered | undefined {
  try {
    const line = lineOfItem(name, item);
    return line && orderedOf(line);
  } catch (error) {
    const { pk, sk } = keyOfItem(item);
    const why = messageOf(error);
    throw new ArchiveError(`The item '${pk} ${sk}' cannot be exported: ${why}`, undefined, {
      cause: error,
    });
  }
}
