/** The layout of a ledger: the number of partitions over which a busy one spreads its intents. Decision 124. */
import type { Scope } from './ports.ts';

export interface Layout {
  /** The partitions in which intents may be; 1 for a quiet ledger. */
  readonly count: number;
  /** The partitions that new intents got before `sinceMs`. */
  readonly before: number;
  /** The time from which new intents get one of all partitions, milliseconds since 1970. */
  readonly sinceMs: number;
  /** The time from which items are written in forms that older releases cannot read; absent until it is set. Decision 141. */
  readonly denseMs?: number;
}

export interface Layouts {
  /** The layout of a ledger, as it is stored. */
  read(scope: Scope): Promise<Layout>;
  /** Stores the next larger layout, unless this one was replaced meanwhile. It holds from a later time on. */
  grow(scope: Scope, layout: Layout, nowMs: number): Promise<void>;
}
