/** Storage of the sweeper that ends expired intents. Ruling 50. */
import type { Scope } from './ports.ts';

/** The name of an intent with an expiry marker. */
export interface WaitingIntent {
  readonly scope: Scope;
  readonly luid: string;
  readonly handle: string;
}

/** An intent that is due at a time, in milliseconds. */
export interface DueIntent extends WaitingIntent {
  readonly dueMs: number;
}

/** A cursor for each shard of the markers; undefined for a shard that is exhausted. */
export type ExpiryPlaces = readonly (string | undefined)[];

export interface Expiries {
  /** Some of the intents that have expired by this time, the longest due first in each shard; `next` is set when there may be more. */
  due(
    nowMs: number,
    from?: ExpiryPlaces,
  ): Promise<{ readonly due: readonly DueIntent[]; readonly next?: ExpiryPlaces }>;
}
