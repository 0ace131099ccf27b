/**
 * Lists and the search index. A list is written together with its records. Index entries are written later, from
 * the outbox, so a search reads the newest outbox entries (the tail) as well.
 */
import type { Kind } from '../ledger/kind.ts';
import type { Version } from '../ledger/record.ts';
import type { Term } from '../ledger/term.ts';
import type { OutboxEntry } from './outbox.ts';
import type { Scope } from './ports.ts';

/** A list: all records of a kind, or those that belong to the record `within`. */
export interface Listing {
  readonly scope: Scope;
  readonly kind: Kind;
  readonly within?: string;
}

/** A row of a list, or an index entry: it tells where a record is. */
export interface ListPlace {
  /** The sort key of the record in its list, whatever the term. */
  readonly at: string;
  readonly luid: string;
  /** The name of the record, unique among all of its kind. */
  readonly name: string;
}

/** A range of a list, from the newest to the oldest. */
export interface Stretch {
  /** Excludes what changed before, in milliseconds since 1970. */
  readonly sinceMs?: number;
  /** Excludes what changed after, in milliseconds; or the place to begin at, inclusive. */
  readonly upTo?: number | string;
  readonly limit: number;
}

/** A version to be indexed, and its outbox entry. */
export interface EntryVersion {
  readonly entry: OutboxEntry;
  readonly version: Version;
}

/** An outbox entry that can never be indexed, and the reason. */
export interface UnindexedEntry {
  readonly entry: OutboxEntry;
  readonly why: string;
}

export interface Catalog {
  /** Rows of a list, newest first. Fewer than the limit means that the list ends there. */
  listed(listing: Listing, stretch: Stretch): Promise<ListPlace[]>;
  /** Rows of a list that are indexed under a term, newest first. Fewer than the limit means that they end there. */
  indexEntriesOf(listing: Listing, term: Term, stretch: Stretch): Promise<ListPlace[]>;
  /**
   * The newest outbox entries of a scope: changes that the index may lack. The `whole` tail is all of them, and is refused
   * with `api.request-timeout` where they are too many.
   */
  tail(scope: Scope, how?: 'whole'): Promise<OutboxEntry[]>;
  /** The sort key of a version in its list. */
  placeOf(version: Version): string;
  /**
   * Indexes versions and removes the index entries of their predecessors. Repeating it, or running it twice at
   * once, never loses an entry of a current version. The version before has been indexed, or is still in the outbox.
   */
  keep(entries: readonly EntryVersion[]): Promise<UnindexedEntry[]>;
}
