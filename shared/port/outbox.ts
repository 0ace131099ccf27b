/** Storage of the relay: signals between their commit and the bus. */
import type { Kind } from '../ledger/kind.ts';
import type { Version } from '../ledger/record.ts';
import type { Scope, Signal } from './ports.ts';

/** The signals of one stored version that await publishing. */
export interface OutboxEntry {
  readonly scope: Scope;
  readonly shard: number;
  /** The sort key in its shard; entries are published in this order. */
  readonly place: string;
  /** The item that holds it with others, of one batch; absent where it lies alone. Decision 142. */
  readonly block?: { readonly place: string; readonly count: number };
  readonly kind: Kind;
  readonly luid: string;
  /** The handle of the record at that version. */
  readonly handle: string;
  /** The number of the version's last change. */
  readonly change: number;
  /** The time of that change, in milliseconds. */
  readonly momentMs: number;
  readonly signals: readonly Signal[];
  /** Set when it is published, once the log of its ledger has the version. */
  readonly isLogged?: true;
}

/** A ledger with an outbox, and its sort key in the list of ledgers. */
export interface LedgerPlace {
  readonly handle: string;
  readonly place: string;
}

export interface Outbox {
  /**
   * Ledgers of this server after a sort key. A ledger that changes during a walk moves to the end: it may come
   * twice and is never left out.
   */
  ledgers(limit: number, after?: string): Promise<LedgerPlace[]>;
  /** The oldest entries of a shard, after a sort key: so many or some more, or all. */
  oldest(scope: Scope, shard: number, limit: number, after?: string): Promise<OutboxEntry[]>;
  /** The versions of the entries, in their order; undefined for one that does not exist or is not visible yet. */
  versions(entries: readonly OutboxEntry[]): Promise<(Version | undefined)[]>;
  /** Removes entries that are on the bus. */
  markPublished(entries: readonly OutboxEntry[]): Promise<void>;
  /** The shards of a scope in which entries may wait, as they were known a minute ago or later. */
  shards(scope: Scope): Promise<readonly number[]>;
  /** Moves an entry that cannot be published out of the queue, with the reason. */
  setAside(entry: OutboxEntry, why: string): Promise<void>;
}
