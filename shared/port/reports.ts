/** What is needed of the store to produce reports and to serve what was produced. Decision 25. */
import type { Version } from '../ledger/record.ts';
import type { Scope } from './ports.ts';

/** What was stored of an asset. */
export interface Stored {
  readonly chunks: number;
  readonly bytes: number;
}

/** How far the production of a report came. */
export interface Progress {
  /** The last intent that was looked at; absent before the first. */
  readonly place?: string;
  /** How many intents it holds. */
  readonly intents: number;
  readonly csv: Stored;
  readonly json: Stored;
}

/** Says that a report is to be looked after. */
export interface ReportWork {
  readonly scope: Scope;
  readonly luid: string;
  readonly handle: string;
  /** When, in milliseconds. */
  readonly dueMs: number;
  /** How often in a row it failed. */
  readonly failures: number;
  readonly progress: Progress;
  /** Counts its changes; a save of an older one is refused. */
  readonly version: number;
}

/** Nothing yet. */
export const noProgress: Progress = {
  intents: 0,
  csv: { chunks: 0, bytes: 0 },
  json: { chunks: 0, bytes: 0 },
};

/** A stretch of a ledger's intents, by when they were accepted. */
export interface IntentStretch {
  readonly scope: Scope;
  readonly fromMs: number;
  /** The first millisecond behind it. */
  readonly endMs: number;
  /** The place after which it goes on. */
  readonly after?: string;
  readonly limit: number;
}

export interface Reports {
  /** Reports that are to be looked after by that time, the longest due first. */
  due(nowMs: number, limit: number): Promise<ReportWork[]>;
  /** Puts `next` in the place of `previous`; false when that is no longer current. */
  save(next: ReportWork, previous: ReportWork): Promise<boolean>;
  /** Forgets the work on a report. */
  end(work: ReportWork): Promise<void>;
  /** The intents of a stretch, oldest first, and the place of the last one; fewer than the limit are all there are. */
  intents(stretch: IntentStretch): Promise<{ versions: Version[]; place: string | undefined }>;
  /** Stores chunks of an asset, numbered from `first`, in place of what is there. */
  put(asset: AssetName, first: number, chunks: readonly string[]): Promise<void>;
  /** So many chunks of an asset, in order. */
  chunks(asset: AssetName, first: number, count: number): Promise<string[]>;
  /** Removes all that was stored of a report's assets. */
  erase(scope: Scope, luid: string): Promise<void>;
}

/** An asset of a report. */
export interface AssetName {
  readonly scope: Scope;
  readonly luid: string;
  readonly asset: string;
}
