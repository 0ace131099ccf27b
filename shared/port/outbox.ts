/** What the relay needs of the store: the signals between their commit and the bus. */
import type { Kind } from '../ledger/kind.ts';
import type { Version } from '../ledger/record.ts';
import type { Scope, Signal } from './ports.ts';

/** The signals of one stored version, as they wait to be told. */
export interface OutboxEntry {
  readonly scope: Scope;
  readonly shard: number;
  /** Its place in the shard; entries are told in the order of their places. */
  readonly place: string;
  readonly kind: Kind;
  readonly luid: string;
  /** The record's handle at that version. */
  readonly handle: string;
  /** The last change of the version. */
  readonly change: number;
  /** When that change was made, in milliseconds. */
  readonly momentMs: number;
  readonly signals: readonly Signal[];
}

/** A ledger that has outboxes, and its place among the others. */
export interface LedgerPlace {
  readonly handle: string;
  readonly place: string;
}

/** Signals between their commit and the bus. */
export interface Outbox {
  /**
   * Some ledgers of this server, after the place given. One that changes meanwhile moves to the end: it
   * may come twice, and is never left out.
   */
  ledgers(limit: number, after?: string): Promise<LedgerPlace[]>;
  /** The oldest entries of a shard, after the place given. */
  oldest(scope: Scope, shard: number, limit: number, after?: string): Promise<OutboxEntry[]>;
  /**
   * The versions that the entries tell, in their order; undefined where there is none, or where it
   * cannot be seen yet.
   */
  versions(entries: readonly OutboxEntry[]): Promise<(Version | undefined)[]>;
  /** Forgets entries that are on the bus. */
  told(entries: readonly OutboxEntry[]): Promise<void>;
  /** Puts an entry that cannot be told out of the way of the others, with the reason. */
  setAside(entry: OutboxEntry, why: string): Promise<void>;
}
