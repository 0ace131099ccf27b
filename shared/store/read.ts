/**
 * Reading. All that an action needs comes in one strongly consistent round trip; lists take two, one for the entries
 * and one for the records that they show.
 */

import { type Kind, keepsPlace } from '../ledger/kind.ts';
import { firstChangeOf, type Version } from '../ledger/record.ts';
import type { Rulebook } from '../ledger/rulebook.ts';
import type {
  Balance,
  Found,
  Pointer,
  Scope,
  Secret,
  TokenClient,
  Want,
  WrappedSecrets,
} from '../port/ports.ts';
import { distinctBy } from './distinct.ts';
import {
  balanceRangeOf,
  changeRangeOf,
  headKeyOf,
  indexKeyOf,
  indexPartitionOf,
  isAskable,
  itemOf,
  type Key,
  pointerKeysOf,
  rulebookKeyOf,
  textOf,
  wantKeyOf,
} from './keys.ts';
import { countsIn, freshLayout, knownLayout, noteLayout } from './known-layouts.ts';
import { unpack, unpackBalance } from './pack.ts';
import { batchGet, get, type Item, query, type Table } from './request.ts';
import { type Deadline, deadlineIn, natureOf, pause, repeating } from './retry.ts';

/** The limit of DynamoDB for one batch. */
const batchLengthMax = 100;

/** The entries that one query asks for; it may return fewer. */
export const queryLimitMax = 10_000;

/** The readings of an index, to find records that change their handles meanwhile. */
const indexRoundMax = 3;

const reachableMs = 1000;

/** Reads what `Store.load` asks for, in the same order. */
export async function load<const W extends readonly Want[]>(
  table: Table,
  wants: W,
): Promise<{ [I in keyof W]: Found<W[I]> }> {
  const deadline = deadlineIn(table.deadlineMs);
  const atMs = Date.now();
  const places = wants.map((want) => placesOf(table, want));
  const items = await itemsAt(table, places.flat(), deadline);
  for (const { what, scope } of wants)
    if (what === 'rulebook')
      noteLayout(table, scope, items.get(textOf(rulebookKeyOf(scope))), atMs);
  const itemOfWant = (index: number): Item | undefined => firstAt(items, places[index]);
  const isLost = (want: Want, index: number) => isSpread(want) && !itemOfWant(index);
  const more = await moreAt(table, wants.filter(isLost), places.flat(), deadline);
  const found = wants.map((want, index) => {
    const item = itemOfWant(index) ?? firstAt(more, placesOf(table, want));
    return item && foundOf(want, item);
  });
  return found as { [I in keyof W]: Found<W[I]> };
}

/** The keys at which the item of a want may be, by the layout that is known. */
function placesOf(table: Table, want: Want): Key[] {
  if (!isSpread(want)) return [wantKeyOf(want)];
  const { count } = knownLayout(table, want.scope);
  return pointerKeysOf(want.scope, want.kind, want.luid, count);
}

function isSpread(want: Want): want is Want & { readonly what: 'pointer' } {
  return want.what === 'pointer' && keepsPlace(want.kind);
}

function firstAt(items: ReadonlyMap<string, Item>, keys: readonly Key[] = []): Item | undefined {
  return keys.map((key) => items.get(textOf(key))).find((item) => item !== undefined);
}

/** The pointers that were not found by the layout that was known, when that was not read just now. */
async function moreAt(
  table: Table,
  lost: readonly Want[],
  tried: readonly Key[],
  deadline: Deadline,
): Promise<ReadonlyMap<string, Item>> {
  const scopes = new Set(lost.map(({ scope }) => scope));
  const stale = [...scopes].filter((scope) => !freshLayout(table, scope));
  if (stale.length === 0) return new Map();
  const atMs = Date.now();
  const rulebooks = await itemsAt(table, stale.map(rulebookKeyOf), deadline);
  for (const scope of stale)
    noteLayout(table, scope, rulebooks.get(textOf(rulebookKeyOf(scope))), atMs);
  const known = new Set(tried.map(textOf));
  const keys = lost.flatMap((want) => placesOf(table, want));
  return itemsAt(
    table,
    keys.filter((key) => !known.has(textOf(key))),
    deadline,
  );
}

/** The items at the keys, by the text of their key. */
export async function itemsAt(
  table: Table,
  keys: readonly Key[],
  deadline: Deadline,
): Promise<ReadonlyMap<string, Item>> {
  const all = distinctBy(keys.filter(isAskable), textOf);
  const batches: Promise<Item[]>[] = [];
  for (let start = 0; start < all.length; start += batchLengthMax) {
    batches.push(batchOf(table, all.slice(start, start + batchLengthMax), deadline));
  }
  const items = (await Promise.all(batches)).flat();
  return new Map(items.map((item) => [textOf(keyOf(item)), item]));
}

/**
 * The current records of a kind whose indexed member has this value, by luid. A record that changes
 * its handle between the two reads is found by reading once more.
 */
export async function indexed(
  table: Table,
  scope: Scope,
  kind: Kind,
  value: string,
): Promise<Version[]> {
  const deadline = deadlineIn(table.deadlineMs);
  const pk = indexPartitionOf(scope, kind, value);
  for (let round = 1; ; round += 1) {
    const entries = await itemsIn(table, { pk }, deadline, {});
    const keys = entries.map(({ handle }) => headKeyOf(scope, kind, handle as string));
    const heads = await itemsAt(table, keys, deadline);
    const found = entries.flatMap(({ sk }, index) => {
      const head = heads.get(textOf(keys[index] as Key));
      return head?.['luid'] === sk ? (versionIn(head) ?? []) : [];
    });
    if (found.length === entries.length || round === indexRoundMax)
      return found.filter((version) => indexKeyOf(scope, version)?.pk === pk);
  }
}

/** The version of an item; undefined for one that cannot be read, so that the others are still found. */
export function versionIn(item: Item | undefined): Version | undefined {
  try {
    return item && unpack(item);
  } catch {
    return undefined;
  }
}

/** The superseded versions that hold any change from `first` to `last`, oldest first. */
export async function past(
  table: Table,
  scope: Scope,
  luid: string,
  first: number,
  last: number,
): Promise<Version[]> {
  if (last < first) return [];
  const range = changeRangeOf(scope, luid, first);
  const items = await itemsIn(table, range, deadlineIn(table.deadlineMs), {
    // Each version holds at least one change, so at most this many versions hold one of these changes.
    countMax: last - first + 1,
  });
  return items.map(unpack).filter((version) => firstChangeOf(version) <= last);
}

/** All balances of a wallet, by symbol. */
export async function balances(table: Table, scope: Scope, wallet: string): Promise<Balance[]> {
  const range = balanceRangeOf(scope, wallet);
  const items = await itemsIn(table, range, deadlineIn(table.deadlineMs), {});
  return items.map(balanceOf);
}

/** True when the database answers. */
export async function isReachable(table: Table): Promise<boolean> {
  try {
    await get(table, headKeyOf('', 'ledger', 'none'), reachableMs);
    return true;
  } catch (error) {
    // A database that is too busy for this request is reachable.
    return natureOf(error) === 'busy';
  }
}

async function batchOf(table: Table, keys: readonly Key[], deadline: Deadline): Promise<Item[]> {
  const found: Item[] = [];
  let rest = keys;
  for (let attempt = 0; rest.length > 0; attempt += 1) {
    if (attempt > 0) await pause(attempt, deadline);
    const { items, left } = await repeating(deadline, () => batchGet(table, rest));
    found.push(...items);
    rest = left;
  }
  return found;
}

/** The items of a range of a partition, page by page until there are enough. */
export async function itemsIn(
  table: Table,
  range: Parameters<typeof query>[1],
  deadline: Deadline,
  options: { readonly newestFirst?: boolean; readonly countMax?: number; readonly after?: string },
): Promise<Item[]> {
  const { newestFirst = false, countMax = Number.POSITIVE_INFINITY } = options;
  const found: Item[] = [];
  let start: Item | undefined =
    options.after === undefined ? undefined : { pk: range.pk, sk: options.after };
  do {
    const limit = Math.min(countMax - found.length, queryLimitMax);
    const pageOptions = { newestFirst, limit, ...(start && { start }) };
    const { items, next } = await repeating(deadline, () => query(table, range, pageOptions));
    found.push(...items);
    start = next;
  } while (start && found.length < countMax);
  return found;
}

function foundOf(want: Want, item: Item): Found<Want> {
  switch (want.what) {
    case 'record':
      return unpack(item);
    case 'pointer':
      return pointerOf(want, item);
    case 'balance':
      return unpackBalance(want, item);
    case 'holder':
      return { signer: item['signer'] as string };
    case 'secret':
      return secretOf(item);
    case 'secrets':
      return item['secrets'] as WrappedSecrets;
    case 'client':
      return clientOf(want, item);
    case 'rulebook':
      return rulebookOf(item);
  }
}

function secretOf({ public: key, wrapped, former, formerWrapped, formerUntilMs }: Item): Secret {
  const own = { public: key as string, wrapped: wrapped as Uint8Array };
  if (former === undefined) return own;
  const before = { public: former as string, wrapped: formerWrapped as Uint8Array };
  return { ...own, former: { ...before, untilMs: Number(formerUntilMs) } };
}

/** The counts of a rulebook; undefined when all are 0. */
function rulebookOf(item: Item): Rulebook | undefined {
  const kept = countsIn(item).filter(([, count]) => count !== 0);
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

function clientOf({ id }: Want & { readonly what: 'client' }, item: Item): TokenClient {
  const { factor, luid, salt, hash } = item as unknown as TokenClient;
  return { id, factor, luid, salt, hash };
}

function pointerOf(
  { kind, luid }: Want & { readonly what: 'pointer' },
  { kind: ownKind = kind, handle, dropped }: Item,
): Pointer | undefined {
  if (ownKind !== kind) return undefined;
  const pointer = { kind, luid, handle: handle as string };
  return dropped === undefined ? pointer : { ...pointer, dropped: Number(dropped) };
}

function balanceOf(item: Item): Balance {
  const { pk, sk } = keyOf(item);
  return unpackBalance(itemOf(pk, sk) as { wallet: string; symbol: string }, item);
}

function keyOf(item: Item): Key {
  return { pk: item['pk'] as string, sk: item['sk'] as string };
}
