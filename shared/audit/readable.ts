/**
 * Items that cannot be read, for the audit of a table: each is named, and for the rest of the audit it is not there, so
 * that one of them hides nothing of the others. Versions, contents, counts and entries of books are judged where they are
 * compared.
 */
import { messageOf } from '../ledger/thrown.ts';
import { unpackCosigned } from '../store/cosigned.ts';
import { type ItemName, keyOfItem, nameOfItem, textOf } from '../store/keys.ts';
import { unpackLog, unpackRuns } from '../store/pack-log.ts';
import { unpackPlaces } from '../store/pack-places.ts';
import type { Item } from '../store/request.ts';
import { rowOf } from './home.ts';
import { heldInShard } from './shards.ts';
import type { AuditSource } from './source.ts';
import { type AuditViolation, violationOf } from './violation.ts';

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
    if (name.item === 'balance') rowOf({ name, item });
    else if (name.item === 'shard') heldInShard(name, item);
    else if (!isOutline) assertContent(name, item);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function assertContent(name: ItemName, item: Item): void {
  if (name.item === 'leaves') assertLeaves(name.index, item);
  else if (name.item === 'places') assertPlaces(name.scope, item);
  else if (name.item === 'log') assertHead(item);
  else if (name.item === 'cosigned') assertIs('progress', isObject(unpackCosigned(item).progress));
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
