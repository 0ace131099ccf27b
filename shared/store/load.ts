/** Reading by name: all that an action needs comes in one strongly consistent round trip. */
import { keepsPlace } from '../ledger/kind.ts';
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
import { mayHaveGates, noteGates } from './gates.ts';
import { unpackHolder } from './holders.ts';
import {
  balanceRangeOf,
  type Key,
  keyOfItem,
  nameOfItem,
  pointerKeysOf,
  rulebookKeyOf,
  textOf,
  wantKeyOf,
} from './keys.ts';
import { countsIn, freshLayout, knownLayout, noteLayout, readingTime } from './known-layouts.ts';
import { readLayout } from './layout.ts';
import { blockedIn } from './list-entries.ts';
import { unpack } from './pack.ts';
import { itemsAt, itemsIn } from './read.ts';
import {
  type BalanceName,
  balanceAmong,
  fewShardKeysOf,
  shardItems,
  wholeBalance,
} from './read-shards.ts';
import type { Item, Table } from './request.ts';
import { type Deadline, deadlineIn } from './retry.ts';

type BalanceWant = Extract<Want, { readonly what: 'balance' }>;

/** Reads what `Store.load` asks for, in the same order. Of a busy balance it reads a few shards with the rest. */
export async function load<const W extends readonly Want[]>(
  table: Table,
  wants: W,
): Promise<{ [I in keyof W]: Found<W[I]> }> {
  const deadline = deadlineIn(table.deadlineMs);
  const read = readingTime();
  const places = wants.map((want) => placesOf(table, want));
  const shards = wants.flatMap((want) =>
    want.what === 'balance' ? fewShardKeysOf(table, want) : [],
  );
  const items = await itemsAt(table, [...places.flat(), ...shards], deadline);
  for (const { what, scope } of wants)
    if (what === 'rulebook')
      noteLayout(table, scope, items.get(textOf(rulebookKeyOf(scope))), read);
  for (const want of wants)
    if (want.what === 'record' && mayHaveGates(want.kind))
      noteGates(table, wantKeyOf(want), items.get(textOf(wantKeyOf(want))));
  const itemOfWant = (index: number): Item | undefined => firstAt(items, places[index]);
  const isLost = (want: Want, index: number) => isSpread(want) && !itemOfWant(index);
  const more = await moreAt(table, wants.filter(isLost), places.flat(), deadline);
  const unmet = wants.filter((want, index) => {
    return isLost(want, index) && !firstAt(more, placesOf(table, want));
  });
  const lostPlaces = unmet.flatMap((want) => placesOf(table, want));
  const blocked = await blockedIn(table, lostPlaces, deadline);
  const found = wants.map((want, index) => {
    const item =
      itemOfWant(index) ??
      [more, blocked].map((one) => firstAt(one, placesOf(table, want))).find(Boolean);
    return item && foundOf({ table, items, deadline }, want, item);
  });
  return (await Promise.all(found)) as { [I in keyof W]: Found<W[I]> };
}

/** All that one request has read. */
interface LoadedItems {
  readonly table: Table;
  readonly items: ReadonlyMap<string, Item>;
  readonly deadline: Deadline;
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
  await Promise.all(stale.map((scope) => readLayout(table, scope, deadline)));
  const known = new Set(tried.map(textOf));
  const keys = lost.flatMap((want) => placesOf(table, want));
  return itemsAt(
    table,
    keys.filter((key) => !known.has(textOf(key))),
    deadline,
  );
}

async function balanceOf(
  { table, items, deadline }: LoadedItems,
  want: BalanceWant,
): Promise<Balance | undefined> {
  const balance = balanceAmong(table, want, items);
  if (!want.whole || !balance?.shards) return balance;
  return allOf(table, want, want.whole, deadline);
}

/** A balance with all its shards. */
async function allOf(
  table: Table,
  name: BalanceName,
  how: 'rough' | 'exact' | undefined,
  deadline: Deadline,
): Promise<Balance | undefined> {
  return how === 'rough'
    ? balanceAmong(table, name, await shardItems(table, name, deadline))
    : wholeBalance(table, name, deadline, { mayHalt: how === 'exact' });
}

/** All balances of a wallet, by symbol. */
export async function balances(
  table: Table,
  scope: Scope,
  wallet: string,
  how?: 'rough',
): Promise<Balance[]> {
  const deadline = deadlineIn(table.deadlineMs);
  const found = await itemsIn(table, balanceRangeOf(scope, wallet), deadline, {});
  const items = new Map(found.map((item) => [textOf(keyOfItem(item)), item]));
  const all = found.map(async (item) => {
    const name = nameOfItem(item) as BalanceName;
    const balance = balanceAmong(table, name, items);
    return balance?.shards ? allOf(table, name, how, deadline) : balance;
  });
  return (await Promise.all(all)).flatMap((balance) => balance ?? []);
}

function foundOf(
  loaded: LoadedItems,
  want: Want,
  item: Item,
): Found<Want> | Promise<Balance | undefined> {
  switch (want.what) {
    case 'record':
      return unpack(item);
    case 'pointer':
      return pointerOf(want, item);
    case 'balance':
      return balanceOf(loaded, want);
    case 'holder':
      return unpackHolder(item);
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
