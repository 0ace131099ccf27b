/** What is needed of the store to end intents that have waited for too long. Ruling 50. */
import type { Scope } from './ports.ts';

/** An intent that waits. */
export interface WaitingIntent {
  readonly scope: Scope;
  readonly luid: string;
  readonly handle: string;
}

/** Where a walk through the markers goes on, by shard; undefined in one that it has come to the end of. */
export type ExpiryPlaces = readonly (string | undefined)[];

export interface Expiries {
  /** Some of the intents whose time is over by then; `next` when there may be more. */
  due(
    nowMs: number,
    from?: ExpiryPlaces,
  ): Promise<{ readonly due: readonly WaitingIntent[]; readonly next?: ExpiryPlaces }>;
}
