/** Backlogs: what is stored and waits for a worker, in numbers. Ruling 96. */
import type { Scope } from './ports.ts';

/** Entries that wait to be published. */
export interface OutboxBacklog {
  readonly count: number;
  /** The time of the oldest, in milliseconds; absent when there is none. */
  readonly oldestMs?: number;
  /** True when there may be more than were counted. */
  readonly isPartial: boolean;
}

/** Work that a worker begins at a time. */
export interface DueBacklog {
  /** Work whose time has come. */
  readonly due: number;
  /** Work whose time is ahead. */
  readonly waiting: number;
  /** The earliest time, in milliseconds; absent when nothing is due. */
  readonly oldestMs?: number;
  /** True when there may be more than were counted. */
  readonly isPartial: boolean;
}

/** The kinds of work that wait for their time. */
export const dueKinds = ['deliveries', 'intents', 'reports'] as const;
export type DueKind = (typeof dueKinds)[number];
export type DueBacklogs = Readonly<Record<DueKind, DueBacklog>>;

export interface Backlogs {
  /** The outbox of a ledger. At rest 2 read units, 25 at most. */
  outbox(scope: Scope): Promise<OutboxBacklog>;
  /** The due work of a ledger, or without one of all ledgers. At rest 9 read units, some 40 at most. */
  due(nowMs: number, scope?: Scope): Promise<DueBacklogs>;
}
