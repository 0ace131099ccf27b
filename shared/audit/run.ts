/** The state of a running audit: its source, its counts, and what it has still to compare. */

import type { RulebookCounter } from '../ledger/rulebook.ts';
import type { SeenTree } from '../log/path.ts';
import type { BookName } from '../port/books.ts';
import type { Listing } from '../port/catalog.ts';
import type { Scope } from '../port/ports.ts';
import type { BookWalk } from '../store/book-walk.ts';
import type { Key } from '../store/keys.ts';
import { type HistoryCursor, type SystemKeys, systemKeysIn } from './history.ts';
import type { AuditSource } from './source.ts';
import { newSums, type Sums } from './sums.ts';
import { type AuditTally, newTally } from './tally.ts';
import type { AuditViolation } from './violation.ts';

export interface AuditOptions {
  /** Audits this ledger alone. */
  readonly ledger?: string;
  /** True when the ledger is running: what looks wrong is then read again. */
  readonly isLive: boolean;
  /** Milliseconds since 1970, UTC. */
  readonly nowMs: () => number;
  /** Called often with the progress. */
  readonly onProgress?: (report: AuditReport) => void;
  /** The log of this ledger must begin with this tree, which somebody saw. Only for items that do not change. */
  readonly seenTree?: SeenTree & { readonly ledger: Scope };
}

/** A change that is not under a checkpoint. */
export interface LaterChange {
  readonly luid: string;
  readonly change: number;
  readonly handle?: string;
}

/** The number of things checked, for one ledger. */
export interface AuditCounts {
  items: number;
  records: number;
  versions: number;
  proofs: number;
  intents: number;
  balances: number;
}

/** The progress and counts of an audit, by ledger; the empty name is that of the server. */
export interface AuditReport {
  readonly ledgers: Map<Scope, AuditCounts>;
  /** Intents that wait for bridges, and those of them that have waited for longer than an hour. */
  readonly awaited: { intents: number; longer: number };
  /** The current phase. */
  doing: string;
  /** For a tree that somebody saw: whether the log begins with it, its last moment, and the changes that it has not. */
  readonly seen: {
    isMet: boolean;
    lastMoment: string;
    laterCount: number;
    /** The first of the changes that come later. */
    readonly later: LaterChange[];
  };
}

/** A wallet below zero, and its bridge. */
export interface Owing {
  readonly scope: string;
  readonly wallet: string;
  readonly symbol: string;
  readonly available: bigint;
  readonly bridge: string;
}

export interface Vouched {
  /** True when a signer has ever vouched for it. */
  readonly wasActive: boolean;
  /** Its creation, ISO 8601 UTC, and the last change that was read. */
  readonly made: string;
  readonly change: number;
}

/** A limit as an intent has set it. */
export interface SetLimit {
  readonly amount: number;
  readonly intent: string;
  /** ISO 8601 UTC. */
  readonly moment: string;
  /** The place of that in the log, where it has one. */
  readonly index?: number;
}

/** A balance that has limits, or for which intents have set some. */
export interface LimitedBalance {
  readonly scope: Scope;
  readonly wallet: string;
  readonly symbol: string;
  /** By metric, as intents have set them last: in one way, where moments and the log tell the order. */
  readonly set: Map<string, readonly SetLimit[]>;
}

/** A balance that has shards, or of which shards were seen. */
export interface DividedBalance {
  readonly scope: Scope;
  readonly wallet: string;
  readonly symbol: string;
  /** The highest number of a shard that was seen. */
  readonly last: number;
}

export interface AuditRun {
  readonly source: AuditSource;
  readonly options: AuditOptions;
  readonly report: AuditReport;
  readonly systemKeys: SystemKeys;
  readonly tally: AuditTally;
  readonly sums: Sums;
  readonly startMs: number;
  /** The ledgers that have a record, and those that have any item. */
  readonly ledgers: Set<string>;
  readonly scopes: Set<Scope>;
  /** The lists with entries outside the partition of a quiet one, as `<scope>#<kind>`. */
  readonly spread: Set<string>;
  /** By ledger: the delivery whose partition has the highest number. */
  readonly farthest: Map<Scope, { readonly luid: string; readonly spread: number }>;
  /** Symbols that are marked as used, and symbols with balances, as `<scope>#<symbol>`. */
  readonly marked: Set<string>;
  readonly used: Set<string>;
  /** The records of each ledger that lay down each rule, counted. */
  readonly rules: Map<Scope, Map<RulebookCounter, number>>;
  /** The times at which records of each ledger began to govern it or ceased to, counted; and its rulebook's count before. */
  readonly governings: Map<Scope, number>;
  readonly countedBefore: Map<Scope, number>;
  /** The ledgers that are governed, with the moment since when. */
  readonly governed: Map<Scope, string>;
  /** Bridges by `<scope>#<bridge>`, and the wallets that owe an amount there. */
  readonly bridges: Map<string, Vouched>;
  readonly owing: Owing[];
  /** Balances that have limits, or for which intents have set some. */
  readonly limited: Map<string, LimitedBalance>;
  /** Balances that have shards, by `<scope>#<wallet>#<symbol>`. */
  readonly divided: Map<string, DividedBalance>;
  /** The keys of gates, by the head of their record. */
  readonly gates: Map<string, Key[]>;
  /** The counts of lists. */
  readonly counts: { readonly listing: Listing; readonly key: Key }[];
  /** The counted intents that are so new that others may still come before them. */
  readonly recent: Set<string>;
  /** Undecided intents of a running ledger, by `<scope>#<luid>`. */
  readonly waiting: Map<string, WaitingMove>;
  readonly books: SeenBooks;
  /** The logs, by ledger. */
  readonly logs: Map<Scope, SeenLog>;
  /** By ledger: the number of places in its log, and the highest index with leaves. */
  readonly logItems: Map<Scope, { places: number; last: number; isPacked: boolean }>;
}

/** A log as it was before the histories of its ledger were read. Memory does not grow with its leaves. */
export interface SeenLog {
  /** The number of leaves that the audit compares with the records. */
  readonly size: number;
  /** True when every change that is published has a leaf. */
  readonly isWhole: boolean;
  /** The leaves for which records account, against those of the log. */
  readonly tally: AuditTally;
}

/** The books that were seen. Memory grows with the balances. */
interface SeenBooks {
  /** By partition: all that have entries, and those whose running totals are no sums. */
  readonly all: Map<string, BookName>;
  readonly odd: Map<string, BookName>;
  /** The keys of books in the lists of their symbols. */
  readonly listed: Set<string>;
  /** The scopes of which changes wait in the outbox. */
  readonly waiting: Set<Scope>;
  /** The walk through the book that is being read. */
  walk?: BookWalk & { readonly pk: string };
}

/** An undecided intent, and the number of its movements that are counted. */
interface WaitingMove {
  readonly cursor: HistoryCursor;
  readonly moved: number;
}

/** The largest age of an intent that is committed now, in milliseconds: it gets its luid before it is stored. */
export const latenessMsMax = 60_000;

export function newCounts(): AuditCounts {
  return { items: 0, records: 0, versions: 0, proofs: 0, intents: 0, balances: 0 };
}

export function newReport(): AuditReport {
  return {
    ledgers: new Map(),
    awaited: { intents: 0, longer: 0 },
    doing: 'starting',
    seen: { isMet: false, lastMoment: '', laterCount: 0, later: [] },
  };
}

export function newRun(source: AuditSource, options: AuditOptions, report: AuditReport): AuditRun {
  return {
    source,
    options,
    report,
    systemKeys: systemKeysIn(source),
    tally: newTally(),
    sums: newSums(),
    startMs: options.nowMs(),
    ledgers: new Set(),
    scopes: new Set(),
    spread: new Set(),
    farthest: new Map(),
    marked: new Set(),
    used: new Set(),
    rules: new Map(),
    governings: new Map(),
    countedBefore: new Map(),
    governed: new Map(),
    bridges: new Map(),
    owing: [],
    limited: new Map(),
    divided: new Map(),
    gates: new Map(),
    counts: [],
    recent: new Set(),
    waiting: new Map(),
    logs: new Map(),
    logItems: new Map(),
    books: { all: new Map(), odd: new Map(), listed: new Set(), waiting: new Set() },
  };
}

export function count({ report }: AuditRun, scope: Scope, what: keyof AuditCounts, many = 1): void {
  const counts = report.ledgers.get(scope) ?? newCounts();
  counts[what] += many;
  report.ledgers.set(scope, counts);
}

/** Reports the current phase. */
export function reportPhase({ report, options }: AuditRun, doing: string): void {
  report.doing = doing;
  options.onProgress?.(report);
}

/** The readings of what looks wrong in a running ledger before it is a violation. */
export const roundCountMax = 4;
const roundPauseMs = 50;

/** Waits before another reading: 0, 50, 100, 200 … milliseconds. */
export async function waitFor(round: number): Promise<void> {
  if (round === 0) return;
  await new Promise((resolve) => setTimeout(resolve, roundPauseMs * 2 ** (round - 1)));
}

/** The violations that are found, in a running ledger also when it is looked at again. */
export async function lastingIn(
  { options }: AuditRun,
  look: () => Promise<AuditViolation[]>,
): Promise<AuditViolation[]> {
  let lasting = await look();
  for (let round = 0; options.isLive && round < roundCountMax && lasting.length > 0; round += 1) {
    await waitFor(round);
    const facts = new Set((await look()).map(({ fact }) => fact));
    lasting = lasting.filter(({ fact }) => facts.has(fact));
  }
  return lasting;
}
