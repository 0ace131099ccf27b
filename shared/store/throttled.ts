/**
 * Throttles at deliveries, which are written one at a time and not by a commit: where they come again and again, their
 * ledger gets a larger layout. Decision 138.
 */
import { spreadThrottled } from './commit.ts';
import { keyOfAction } from './item-action.ts';
import type { Pressure } from './pressure.ts';
import type { Table } from './request.ts';
import { isThrottle, throttledIndexesOf } from './retry.ts';

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
