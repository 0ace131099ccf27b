/**
 * What workers are still to do of what an archive marks: once its key is there the ledger is in use, and who goes on
 * with an import must not mark again what was done meanwhile.
 */
import type { Scope } from '../port/ports.ts';
import { deliveryKeyOf, headKeyOf, itemOf, type Key, textOf } from '../store/keys.ts';
import { itemsAt } from '../store/read.ts';
import type { Item, Table } from '../store/request.ts';
import { deadlineIn } from '../store/retry.ts';
import { isSameItem, keyOf } from './same.ts';
import type { Shelf } from './shelf.ts';

interface Standing {
  readonly table: Table;
  readonly ledger: Scope;
  readonly shelf: Shelf;
}

/** Those of the items whose records and deliveries stand as they do in the archive. */
export async function standing(
  { table, shelf }: Standing,
  items: readonly Item[],
): Promise<Item[]> {
  const owners = items.map(ownerKeyOf);
  const keys = owners.flatMap((key) => key ?? []);
  const found = await itemsAt(table, keys, deadlineIn(table.deadlineMs));
  const isStanding = async (key: Key | undefined): Promise<boolean> => {
    if (!key) return true;
    const [told, there] = [await shelf.at(key), found.get(textOf(key))];
    return told !== undefined && there !== undefined && isSameItem(told, there);
  };
  const stand = await Promise.all(owners.map(isStanding));
  return items.filter((_, index) => stand[index]);
}

/** Where that is which a marker is of; signals are told at least once, however their record went on. */
function ownerKeyOf(item: Item): Key | undefined {
  const { pk, sk } = keyOf(item);
  const name = itemOf(pk, sk);
  const handle = String(item['handle']);
  if (name?.item === 'due') return deliveryKeyOf(name);
  if (name?.item === 'expiry') return headKeyOf(name.scope, 'intent', handle);
  return name?.item === 'work' ? headKeyOf(name.scope, 'report', handle) : undefined;
}
