/** What an audit knows on its way: how it reads, what it counted, and what it has still to compare. */

import type { Rule } from '../ledger/rulebook.ts';
import type { Scope } from '../port/ports.ts';
import { type SystemKeys, systemKeysIn, type Trace } from './life.ts';
import type { Source } from './source.ts';
import { newSums, type Sums } from './sums.ts';
import { newTally, type Tally } from './tally.ts';

export interface AuditOptions {
  /** Audits this ledger alone. */
  readonly ledger?: string;
  /** Whether others may write meanwhile: then what looks wrong is looked at again. */
  readonly isLive: boolean;
  /** Milliseconds since 1970, UTC. */
  readonly nowMs: () => number;
  /** Told how far it got, often. */
  readonly onProgress?: (report: Report) => void;
}

/** What was checked of one ledger. */
export interface Counts {
  items: number;
  records: number;
  versions: number;
  proofs: number;
  intents: number;
  balances: number;
}

/** What was checked, by ledger; the empty name is the server's. */
export interface Report {
  readonly ledgers: Map<Scope, Counts>;
  /** How many intents wait for bridges, and how many of these for longer than an hour. */
  readonly awaited: { intents: number; longer: number };
  /** What is being done. */
  doing: string;
}

/** A wallet below zero, and its bridge. */
export interface Owing {
  readonly scope: string;
  readonly wallet: string;
  readonly symbol: string;
  readonly available: bigint;
  readonly bridge: string;
}

/** What is known of a bridge. */
export interface Vouched {
  /** Whether somebody has ever answered for it. */
  readonly wasActive: boolean;
  /** When it was made, ISO 8601 UTC, and how far its life was read. */
  readonly made: string;
  readonly change: number;
}

export interface Course {
  readonly source: Source;
  readonly options: AuditOptions;
  readonly report: Report;
  readonly systemKeys: SystemKeys;
  readonly tally: Tally;
  readonly sums: Sums;
  readonly startMs: number;
  /** The ledgers that have a record, and those that have any item. */
  readonly ledgers: Set<string>;
  readonly scopes: Set<Scope>;
  /** Symbols that are marked as used, and those that are, as `<scope>#<symbol>`. */
  readonly marked: Set<string>;
  readonly used: Set<string>;
  /** How many records of each ledger lay down each rule. */
  readonly rules: Map<Scope, Map<Rule, number>>;
  /** The ledgers in which somebody once said who may do what, each with the moment since when. */
  readonly governed: Map<Scope, string>;
  /** What is known of bridges, by `<scope>#<bridge>`, and the wallets that owe something there. */
  readonly bridges: Map<string, Vouched>;
  readonly owing: Owing[];
  /** The intents counted that are so new that others may still come before them. */
  readonly recent: Set<string>;
  /** The intents that may still move something while others write: `<scope>#<luid>`. */
  readonly waiting: Map<string, Waiting>;
}

/** An intent that may still move something, and how many of its movements are counted already. */
interface Waiting {
  readonly trace: Trace;
  readonly moved: number;
}

/** How far back an intent may lie that is committed now: it has its luid before it is stored. */
export const latenessMsMax = 60_000;

/** A report of nothing yet. */
export function newReport(): Report {
  return { ledgers: new Map(), awaited: { intents: 0, longer: 0 }, doing: 'starting' };
}

/** The beginning of an audit. */
export function newCourse(source: Source, options: AuditOptions, report: Report): Course {
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
    marked: new Set(),
    used: new Set(),
    rules: new Map(),
    governed: new Map(),
    bridges: new Map(),
    owing: [],
    recent: new Set(),
    waiting: new Map(),
  };
}

/** Counts something of a ledger. */
export function count({ report }: Course, scope: Scope, what: keyof Counts, many = 1): void {
  const counts = report.ledgers.get(scope) ?? {
    items: 0,
    records: 0,
    versions: 0,
    proofs: 0,
    intents: 0,
    balances: 0,
  };
  counts[what] += many;
  report.ledgers.set(scope, counts);
}

/** Says what is being done. */
export function tell({ report, options }: Course, doing: string): void {
  report.doing = doing;
  options.onProgress?.(report);
}

/** How often something that looks wrong in a running ledger is looked at before it is believed. */
export const roundCountMax = 4;
const roundPauseMs = 50;

/** Waits before a further look: 0, 50, 100, 200 … milliseconds. */
export async function waitFor(round: number): Promise<void> {
  if (round === 0) return;
  await new Promise((resolve) => setTimeout(resolve, roundPauseMs * 2 ** (round - 1)));
}
