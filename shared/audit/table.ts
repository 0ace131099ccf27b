/** The audit's source in a DynamoDB table: consistent reads, a page at a time. */
import { ScanCommand, type ScanCommandOutput } from '@aws-sdk/lib-dynamodb';
import type { Scope } from '../port/ports.ts';
import { blockedAmong, unblocked } from '../store/blocks.ts';
import { type KeyRange, keyOfItem, packedEndOf, textOf } from '../store/keys.ts';
import { itemsAt } from '../store/read.ts';
import { type Item, query, type Table, type TableClient } from '../store/request.ts';
import { deadlineIn, repeating } from '../store/retry.ts';
import { type AuditSource, outlineAttributes } from './source.ts';

/** The part of a document client that the audit uses. */
export type AuditClient = TableClient & {
  send(command: ScanCommand): Promise<ScanCommandOutput>;
};

/** The time limit of one page, with all its attempts, in milliseconds. */
const pageMsMax = 30_000;
const pageLengthMax = 1_000;

/** A source that reads the table of this name. */
export function tableSource(client: AuditClient, tableName: string): AuditSource {
  const table: Table = { client, tableName, deadlineMs: pageMsMax, onConsumed: undefined };
  return {
    outlines: (scopes) => scan(client, tableName, scopes),
    pages: (range) => pagesWithin(table, range),
    at: async (keys) => {
      const alone = await itemsAt(table, keys, deadlineIn(pageMsMax));
      const missing = keys.filter((key) => !alone.has(textOf(key)));
      const blocked = await blockedAmong((range) => pagesIn(table, range), missing);
      return new Map([...alone, ...blocked]);
    },
  };
}

/** The items of a range, those of blocks one by one. A block may lie behind the end, and hold what lies before it. */
async function* pagesWithin(table: Table, range: KeyRange): AsyncGenerator<readonly Item[]> {
  for await (const items of pagesIn(table, { ...range, to: packedEndOf(range.to) }))
    yield items.flatMap(unblocked).filter((item) => {
      const { sk } = keyOfItem(item);
      return sk >= range.from && sk <= range.to;
    });
}

async function* pagesIn(table: Table, range: KeyRange): AsyncGenerator<readonly Item[]> {
  let start: Item | undefined;
  do {
    const request = { newestFirst: false, limit: pageLengthMax, ...(start && { start }) };
    const deadline = deadlineIn(pageMsMax);
    const { items, next } = await repeating(deadline, () => query(table, range, request));
    if (items.length > 0) yield items;
    start = next;
  } while (start);
}

async function* scan(
  client: AuditClient,
  tableName: string,
  scopes: readonly Scope[] | undefined,
): AsyncGenerator<readonly Item[]> {
  const request = { TableName: tableName, ConsistentRead: true, ...expressionsOf(scopes) };
  let start: Item | undefined;
  do {
    const command = new ScanCommand({ ...request, ...(start && { ExclusiveStartKey: start }) });
    const output = await repeating(deadlineIn(pageMsMax), () => client.send(command));
    if (output.Items && output.Items.length > 0) yield output.Items.flatMap(unblocked);
    start = output.LastEvaluatedKey;
  } while (start);
}

/** The expressions for outlines of these scopes: every key begins with its ledger. */
function expressionsOf(scopes: readonly Scope[] | undefined) {
  const attributes = ['pk', 'sk', ...outlineAttributes];
  const names = Object.fromEntries(attributes.map((name) => [`#${name}`, name]));
  const outlined = {
    ProjectionExpression: Object.keys(names).join(', '),
    ExpressionAttributeNames: names,
  };
  if (!scopes) return outlined;
  const prefixes = scopes.map((scope, index) => [`:scope${index}`, `${scope}#`] as const);
  return {
    ...outlined,
    FilterExpression: prefixes.map(([value]) => `begins_with(#pk, ${value})`).join(' OR '),
    ExpressionAttributeValues: Object.fromEntries(prefixes),
  };
}
