/** Reading by name: all that an action needs comes in one strongly consistent round trip. */
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
import { balanceRangeOf, type Key, keyOfItem, nameOfItem, textOf, wantKeyOf } from './keys.ts';
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
  const keys = wants.map(wantKeyOf);
  const shards = wants.flatMap((want) =>
    want.what === 'balance' ? fewShardKeysOf(table, want) : [],
  );
  const items = await itemsAt(table, [...keys, ...shards], deadline);
  const found = wants.map((want, index) => {
    const item = items.get(textOf(keys[index] as Key));
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

async function balanceOf(
  { table, items, deadline }: LoadedItems,
  want: BalanceWant,
): Promise<Balance | undefined> {
  const balance = balanceAmong(table, want, items);
  return want.isWhole && balance?.shards ? wholeBalance(table, want, deadline) : balance;
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
    if (!balance?.shards) return balance;
    return how === 'rough'
      ? balanceAmong(table, name, await shardItems(table, name, deadline))
      : wholeBalance(table, name, deadline);
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
function rulebookOf({ pk: _pk, sk: _sk, ...counts }: Item): Rulebook | undefined {
  const rules = Object.entries(counts).map(([rule, count]) => [rule, Number(count)] as const);
  const kept = rules.filter(([, count]) => count !== 0);
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
