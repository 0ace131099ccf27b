/** Larger layouts for ledgers of which partitions had no capacity again and again. Decisions 131 and 140. */
import { keepsPlace } from '../ledger/kind.ts';
import type { Scope } from '../port/ports.ts';
import { keyOfAction } from './item-action.ts';
import { itemOf, type Key } from './keys.ts';
import { growThrottled } from './layout.ts';
import type { Pressure } from './pressure.ts';
import type { Table } from './request.ts';
import { isThrottle, throttledIndexesOf } from './retry.ts';

/** Gives a ledger a larger layout where its lists, outboxes, markers or deliveries have no capacity again and again. */
export async function spreadThrottled(table: Table, keys: readonly Key[]): Promise<void> {
  const often = keys.filter(({ pk }) => table.pressure?.isOften(pk));
  const scopes = new Set(often.flatMap(({ pk, sk }) => scopeOfLayout(itemOf(pk, sk))));
  // Whoever is throttled next tries again.
  for (const scope of scopes) await growThrottled(table, scope, Date.now()).catch(() => undefined);
}

/** The ledger whose layout says in which partition an item lies; none for an item that lies where it always did. */
function scopeOfLayout(name: ReturnType<typeof itemOf>): Scope[] {
  switch (name?.item) {
    case 'outbox':
    case 'expiry':
    case 'delivery':
      return [name.scope];
    case 'list':
      return keepsPlace(name.kind) ? [name.scope] : [];
    default:
      return [];
  }
}

/** A table that remembers where its writes were throttled, and spreads what is often. */
export function spreading(inner: Table, pressure: Pressure): Table {
  const table = { ...inner, pressure };
  return {
    ...table,
    onFailed: async (items, error) => {
      const isOnly = items.length === 1 && isThrottle(error);
      const indexes = isOnly ? [0] : throttledIndexesOf(error);
      const keys = indexes.flatMap((index) => items[index] ?? []).map(keyOfAction);
      pressure.note([], [...new Set(keys.map(({ pk }) => pk))]);
      await spreadThrottled(table, keys);
    },
  };
}
