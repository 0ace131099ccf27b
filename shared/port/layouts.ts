/**
 * The layout of a ledger: the number of partitions over which a busy one spreads its intents, and those of its other
 * lists that are busy. Decisions 124 and 159.
 */
import type { Kind } from '../ledger/kind.ts';
import type { Scope } from './ports.ts';

/** The layout of one list. */
export interface ListLayout {
  /** The partitions in which entries may be; 1 for a quiet list. */
  readonly count: number;
  /** The partitions that new entries got before `sinceMs`. */
  readonly before: number;
  /** The time from which new entries get one of all partitions, milliseconds since 1970. */
  readonly sinceMs: number;
}

/** That of intents and of all that goes with them, such as outboxes, and those of other lists. */
export interface Layout extends ListLayout {
  /** By kind, where lists were ever busy; absent where none was. */
  readonly lists?: Readonly<Partial<Record<Kind, ListLayout>>>;
  /** The time from which items are written in forms that older releases cannot read; absent until it is set. Decision 141. */
  readonly denseMs?: number;
}

export interface Layouts {
  /** The layout of a ledger, as it is stored. */
  read(scope: Scope): Promise<Layout>;
  /**
   * Stores the next larger layout of a list, that of intents unless said, unless this one was replaced meanwhile. It holds
   * from a later time on.
   */
  grow(scope: Scope, layout: Layout, nowMs: number, kind?: Kind): Promise<void>;
}
