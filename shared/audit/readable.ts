/**
 * Items that cannot be read, for the audit of a table: each is named, and for the rest of the audit it is not there, so
 * that one of them hides nothing of the others. Versions, contents, counts and entries of books are judged where they are
 * compared.
 */
import type { Kind } from '../ledger/kind.ts';
import { messageOf } from '../ledger/thrown.ts';
import type { Layout } from '../port/layouts.ts';
import { unpackCosigned } from '../store/cosigned.ts';
import {
  type ItemName,
  isShardNumber,
  isSpreadCount,
  keyOfItem,
  layoutAttributesOf,
  nameOfItem,
  textOf,
} from '../store/keys.ts';
import { layoutIn } from '../store/known-layouts.ts';
import { unpackLog, unpackRuns } from '../store/pack-log.ts';
import { unpackPlaces } from '../store/pack-places.ts';
import type { Item } from '../store/request.ts';
import { rowOf } from './home.ts';
import { heldInShard } from './shards.ts';
import type { AuditSource, NamedItem } from './source.ts';
import { type AuditViolation, violationOf } from './violation.ts';

/** The latest moment that there is, in milliseconds. ECMA-262, 21.4.1.1. */
const momentMsMax = 8.64e15;

/** The same source without the items that cannot be read; `note` gets each one that is met, by the text of its key. */
export function readableIn(
  source: AuditSource,
  note: (text: string, violation: AuditViolation) => void,
): AuditSource {
  const isReadable = (item: Item, isOutline = false): boolean => {
    const name = nameOfItem(item);
    const fault = name && faultOf(name, item, isOutline);
    if (fault === undefined) return true;
    const text = textOf(keyOfItem(item));
    const fact = `The item '${text}' cannot be read: ${fault}`;
    note(text, violationOf(3, { scope: name?.scope ?? '' }, fact));
    return false;
  };
  return {
    ...source,
    outlines: async function* (scopes) {
      for await (const items of source.outlines(scopes))
        yield items.filter((item) => isReadable(item, true));
    },
    pages: async function* (range) {
      for await (const items of source.pages(range)) yield items.filter((item) => isReadable(item));
    },
    at: async (keys) => {
      const items = await source.at(keys);
      return new Map([...items].filter(([, item]) => isReadable(item)));
    },
  };
}

/** Why an item cannot be read. An outline has no more than the short attributes, which are those of balances. */
function faultOf(name: ItemName, item: Item, isOutline: boolean): string | undefined {
  try {
    if (name.item === 'balance') assertBalance({ name, item });
    else if (name.item === 'shard') heldInShard(name, item);
    else if (!isOutline) assertContent(name, item);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Asserts that a balance can be shown and moved: its amounts, the number of its shards and the moment of its fence. */
function assertBalance({ name, item }: NamedItem): void {
  rowOf({ name, item });
  const { shards, fenced = 0 } = item;
  // Without others, shard 0 says nothing of shards.
  assertIs('shards', shards === undefined || isShardNumber(Number(shards) - 1));
  assertIs('fenced', Number(fenced) >= 0 && Number(fenced) <= momentMsMax);
}

function assertContent(name: ItemName, item: Item): void {
  if (name.item === 'rulebook') assertLayouts(item);
  else if (name.item === 'leaves') assertLeaves(name.index, item);
  else if (name.item === 'places') assertPlaces(name.scope, item);
  else if (name.item === 'log') assertHead(item);
  else if (name.item === 'cosigned') assertIs('progress', isObject(unpackCosigned(item).progress));
}

/** Asserts that lists lie over numbers of partitions that there are: whoever looks for a record asks each of them. */
function assertLayouts(item: Item): void {
  const { lists, ...intents } = layoutIn(item);
  const layouts: Layout['lists'] = { ...lists, intent: intents };
  for (const [kind, { count, before }] of Object.entries(layouts)) {
    const names = layoutAttributesOf(kind as Kind);
    assertIs(names.count, isSpreadCount(count));
    assertIs(names.before, isSpreadCount(before));
  }
}

function assertLeaves(index: number, item: Item): void {
  for (const { leaves } of unpackRuns(index, item))
    for (const { luid, change, hash, moment, proofs } of leaves) {
      assertIs('change', Number.isSafeInteger(change));
      for (const [what, text] of Object.entries({ luid, hash, moment, proofs }))
        assertIs(what, typeof text === 'string' && text !== '');
    }
}

function assertPlaces(scope: string, item: Item): void {
  for (const { pk, sk, index, count } of unpackPlaces(scope, item)) {
    const name = nameOfItem({ pk, sk });
    assertIs('place', name?.item === 'logged' && Number.isSafeInteger(name.change));
    assertIs('index', Number.isSafeInteger(index) && Number.isSafeInteger(count));
  }
}

function assertHead(item: Item): void {
  const { tree, settled } = unpackLog(item);
  assertIs('size', Number.isSafeInteger(tree.size) && tree.size >= 0);
  assertIs('settled', Number.isSafeInteger(settled));
}

function assertIs(what: string, isSo: boolean): void {
  if (!isSo) throw new Error(`its ${what} is none.`);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
