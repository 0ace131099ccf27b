/**
 * What is noted for a while and then forgotten by itself: which tokens were used, and how often somebody
 * has tried. A note says nothing of a record, and whoever loses one loses no money. Rulings 27 and 28.
 */
import type { Scope } from './ports.ts';

/** What somebody has tried in a stretch of time. */
export interface Attempts {
  readonly scope: Scope;
  /** Who tries; 43 characters that say it to nobody else. */
  readonly who: string;
  /** The stretch, in milliseconds. */
  readonly startMs: number;
  readonly endMs: number;
  /** What is added, and what there may be of it in all. */
  readonly points: number;
  readonly pointsMax: number;
}

export interface Notes {
  /** Notes that something named is used up to a time; false when it is noted already. */
  readonly use: (scope: Scope, name: string, untilMs: number, nowMs: number) => Promise<boolean>;
  /** Adds the points; false, with nothing added, when there would be more than there may be. */
  readonly attempt: (attempts: Attempts) => Promise<boolean>;
}
