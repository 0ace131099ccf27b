/**
 * What finding records takes beside reading them: where they are listed, and where they are mentioned
 * under a term. Mentions are written behind the records, from the outbox; what waits there is the tail.
 */
import type { Kind } from '../ledger/kind.ts';
import type { Version } from '../ledger/record.ts';
import type { Term } from '../ledger/term.ts';
import type { OutboxEntry } from './outbox.ts';
import type { Scope } from './ports.ts';

/** A list: the records of a kind, or those of them that belong to the record `within`. */
export interface Listing {
  readonly scope: Scope;
  readonly kind: Kind;
  readonly within?: string;
}

/** Where something says that a record is. */
export interface Place {
  /** Sorts as the list does. Mentions of one version have the same, whatever the term. */
  readonly at: string;
  /** The place of the record in its list. */
  readonly listed: string;
  readonly luid: string;
  /** What the record is called among all of its kind. */
  readonly name: string;
}

/** A part of a list, from the newest to the oldest. */
export interface Stretch {
  /** Nothing that changed before this, in milliseconds since 1970. */
  readonly sinceMs?: number;
  /** Nothing that changed after this, in milliseconds; or the place to begin at. */
  readonly upTo?: number | string;
  readonly limit: number;
}

/** A version to be mentioned, and the entry that tells of it. */
export interface Kept {
  readonly entry: OutboxEntry;
  readonly version: Version;
}

/** What could not be mentioned, ever, and why. */
export interface Unkept {
  readonly entry: OutboxEntry;
  readonly why: string;
}

export interface Catalog {
  /** Places in a list, newest first; fewer than the limit are all there are. */
  listed(listing: Listing, stretch: Stretch): Promise<Place[]>;
  /** Places in a list that are mentioned under a term, newest first; fewer than the limit are all there are. */
  mentioned(listing: Listing, term: Term, stretch: Stretch): Promise<Place[]>;
  /** The newest entries of a scope's outbox: what may not be mentioned yet. */
  tail(scope: Scope): Promise<OutboxEntry[]>;
  /** Where its list shows a version. */
  placeOf(version: Version): string;
  /**
   * Mentions versions, and ends the mentions of those before them. It may be done again and at the same
   * time elsewhere: mentions of a current version are never lost.
   */
  keep(told: readonly Kept[]): Promise<Unkept[]>;
}
