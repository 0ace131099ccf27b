/**
 * Reading a balance that has shards. A few of them are enough to move it. The whole is read twice, until both readings are
 * the same: so it was as read at a moment in between. Decision 125.
 */
import type { SeenShards, Shard } from '../ledger/shards.ts';
import type { Balance, Scope } from '../port/ports.ts';
import { balanceKeyOf, type Key, shardKeyOf, textOf } from './keys.ts';
import { unpackBalance } from './pack.ts';
import { itemsAt } from './read.ts';
import { type Item, type Table, update } from './request.ts';
import { type Deadline, natureOf, pause } from './retry.ts';
import { markMsMax } from './shard-book.ts';

/** The name of a balance. */
export interface BalanceName {
  readonly scope: Scope;
  readonly wallet: string;
  readonly symbol: string;
}

/** The further shards that are read together with shard 0. */
const fewCount = 2;

/** The pairs of readings after which a balance is asked to stand still. */
const restlessCount = 2;
/** The time for which it does: that of transactions under way, and of several readings. */
const stillMs = 300;
/** The time in which it moves in between, at least. */
const betweenMs = 700;
/** The waits between two pairs of readings: who waits does not miss the time in which it stands still. */
const stillWaits = { baseMs: 20, mostMs: 160 };

type ShardItems = ReadonlyMap<string, Item>;

/** The number of shards of a balance, by its item. */
export function shardCountOf(item: Item | undefined): number {
  return Number(item?.['shards'] ?? 1);
}

/** The time until which a process is giving more shards to a balance, by its item; 0 when none is. */
function growingUntilIn(item: Item | undefined): number {
  return Number(item?.['growing'] ?? 0);
}

export function shardKeysOf({ scope, wallet, symbol }: BalanceName, count: number): Key[] {
  return Array.from({ length: count }, (_, shard) => shardKeyOf(scope, wallet, symbol, shard));
}

/** The keys of some shards to read with shard 0; none for a balance that has no others, as far as is known. */
export function fewShardKeysOf(table: Table, { scope, wallet, symbol }: BalanceName): Key[] {
  const numbers = fewNumbersOf(table, { scope, wallet, symbol });
  return numbers.map((shard) => shardKeyOf(scope, wallet, symbol, shard));
}

function fewNumbersOf({ shards }: Table, { scope, wallet, symbol }: BalanceName): number[] {
  const key = balanceKeyOf(scope, wallet, symbol);
  const count = shards?.countOf(key) ?? 1;
  if (!shards || count === 1) return [];
  const own = shards.ownOf(key) ?? 0;
  const start = Math.floor(shards.random() * (count - 1));
  const further = Array.from(
    { length: fewCount },
    (_, index) => 1 + ((start + index) % (count - 1)),
  );
  const first = own > 0 && own < count ? [own] : [];
  return [...new Set([...first, ...further])].slice(0, fewCount);
}

/** A few shards of a balance without the first one; undefined where one of them is gone. */
export async function otherShards(
  table: Table,
  { scope, wallet, symbol }: BalanceName,
  { count, lookedMs }: SeenShards,
  deadline: Deadline,
): Promise<SeenShards | undefined> {
  const numbers = fewNumbersOf(table, { scope, wallet, symbol });
  const keys = numbers.map((shard) => shardKeyOf(scope, wallet, symbol, shard));
  const items = await itemsAt(table, keys, deadline);
  const seen = keys.flatMap((key, index) => {
    const item = items.get(textOf(key));
    return item ? shardOf(numbers[index] ?? 0, item) : [];
  });
  return seen.length < keys.length ? undefined : { count, lookedMs, seen };
}

/** The balance as far as its shards are among the items; undefined when it is not there. */
export function balanceAmong(
  table: Table,
  name: BalanceName,
  items: ShardItems,
): Balance | undefined {
  const key = balanceKeyOf(name.scope, name.wallet, name.symbol);
  const item = items.get(textOf(key));
  const count = shardCountOf(item);
  table.shards?.noteCount(key, count);
  table.shards?.noteGrowing(key, growingUntilIn(item));
  if (!item) return undefined;
  const balance = unpackBalance(name, item);
  if (count === 1) return balance;
  const all = shardKeysOf(name, count).map((one) => items.get(textOf(one)));
  return summed(balance, all, Number(item['looked'] ?? 0));
}

/**
 * The balance with all its shards, as they were at one moment: two readings, one right after the other, are the same. Where
 * it never stands still for so long, whoever is to decide asks it to, for all who read it. Decision 144.
 */
export async function wholeBalance(
  table: Table,
  name: BalanceName,
  deadline: Deadline,
  { mayHalt }: { readonly mayHalt: boolean },
): Promise<Balance | undefined> {
  const key = balanceKeyOf(name.scope, name.wallet, name.symbol);
  for (let attempt = 0; ; attempt += 1) {
    const items = await stillItems(table, name, deadline);
    if (items) return balanceAmong(table, name, items);
    if (mayHalt && attempt >= restlessCount) await askForStillness(table, key);
    await pause(attempt, deadline, stillWaits);
  }
}

/** All shards of a balance if they were the same in two readings, and so at a moment in between; one item is always. */
async function stillItems(
  table: Table,
  name: BalanceName,
  deadline: Deadline,
): Promise<ShardItems | undefined> {
  const key = textOf(balanceKeyOf(name.scope, name.wallet, name.symbol));
  const first = await shardItems(table, name, deadline);
  if (shardCountOf(first.get(key)) === 1) return first;
  const items = await shardItems(table, name, deadline);
  if (shardCountOf(items.get(key)) === 1) return items;
  const content = contentOf(name, items);
  return content !== undefined && content === contentOf(name, first) ? items : undefined;
}

/**
 * Lets those who move a balance wait, as for more shards: those under way end, and for the rest of the time nobody is on
 * it. Of all who ask, one in a while is heard. Nothing depends on it but how long they read.
 */
async function askForStillness({ shards, ...table }: Table, key: Key): Promise<void> {
  if (!shards) return;
  const nowMs = shards.nowMs();
  const action = {
    TableName: table.tableName,
    Key: key,
    UpdateExpression: 'SET growing = :until',
    ConditionExpression:
      'attribute_exists(shards) AND (attribute_not_exists(growing) OR growing < :long OR growing > :far)',
    ExpressionAttributeValues: {
      ...{ ':until': nowMs + stillMs, ':long': nowMs - betweenMs, ':far': nowMs + markMsMax },
    },
  };
  try {
    await update(table, action);
  } catch (error) {
    // Another one was heard, or transactions are on it.
    if (natureOf(error) === 'broken') throw error;
  }
}

/** All shards of a balance, not all of one moment. */
export async function shardItems(
  table: Table,
  name: BalanceName,
  deadline: Deadline,
): Promise<ShardItems> {
  const key = balanceKeyOf(name.scope, name.wallet, name.symbol);
  const known = table.shards?.countOf(key) ?? 1;
  const first = await itemsAt(table, shardKeysOf(name, known), deadline);
  const count = shardCountOf(first.get(textOf(key)));
  table.shards?.noteCount(key, count);
  return count <= known ? first : itemsAt(table, shardKeysOf(name, count), deadline);
}

/**
 * The content of all shards as a text to compare; undefined when some are missing, or the count has changed. What a shard
 * has lost it gets again only by a part that counts as a move of it: so one that is the same was so all the time.
 */
function contentOf(name: BalanceName, items: ShardItems): string | undefined {
  const keys = shardKeysOf(name, 1);
  const count = shardCountOf(items.get(textOf(keys[0] as Key)));
  const all = shardKeysOf(name, count).map((key) => items.get(textOf(key)));
  if (all.some((item) => item === undefined)) return undefined;
  const names = ['shards', 'available', 'reserved', 'holds', 'moves'];
  return all.map((item) => names.map((one) => String(item?.[one])).join(' ')).join('\n');
}

function summed(balance: Balance, items: readonly (Item | undefined)[], lookedMs: number): Balance {
  const seen = items.flatMap((item, number) => (item ? shardOf(number, item) : []));
  const { reserved: _reserved, holds: _holds, ...rest } = balance;
  const reserved = seen.flatMap((shard) => shard.reserved ?? []);
  const holds = seen.flatMap((shard) => shard.holds ?? []);
  const shards: SeenShards = { count: items.length, seen, lookedMs };
  return {
    ...rest,
    available: seen.reduce((sum, { available }) => sum + available, 0n),
    isActive: items.some((item) => item?.['moves'] !== undefined),
    ...(reserved.length > 0 && { reserved: reserved.reduce((sum, one) => sum + one, 0n) }),
    ...(holds.length > 0 && { holds: holds.reduce((sum, one) => sum + one, 0) }),
    shards,
  };
}

function shardOf(number: number, { available, reserved, holds }: Item): Shard {
  return {
    number,
    available: available as bigint,
    ...(reserved !== undefined && { reserved: reserved as bigint }),
    ...(holds !== undefined && { holds: Number(holds) }),
  };
}
