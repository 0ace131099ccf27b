/**
 * Short-lived facts that expire by themselves: tokens that were used, and numbers of attempts. No record depends on
 * a note; losing one loses no money. Rulings 27 and 28.
 */
import type { Scope } from './ports.ts';

/** Attempts of one requester in one time window. */
export interface Attempts {
  readonly scope: Scope;
  /** An opaque name of the requester: a hash of 43 characters. */
  readonly who: string;
  /** The window, in milliseconds. */
  readonly startMs: number;
  readonly endMs: number;
  /** The points to add, and the highest total in the window. */
  readonly points: number;
  readonly pointsMax: number;
}

export interface Notes {
  /** Marks a name as used until a time; false when it is marked already. */
  readonly use: (scope: Scope, name: string, untilMs: number, nowMs: number) => Promise<boolean>;
  /** True when the name is marked as used. It marks nothing itself. */
  readonly isUsed: (scope: Scope, name: string, nowMs: number) => Promise<boolean>;
  /** Adds the points; false, with nothing added, when the total would exceed the maximum. */
  readonly attempt: (attempts: Attempts) => Promise<boolean>;
}
