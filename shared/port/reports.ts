/** Storage of the reporter, which produces reports, and of the endpoint that serves them. Decision 25. */
import type { Version } from '../ledger/record.ts';
import type { Interval } from '../ledger/report.ts';
import type { Scope } from './ports.ts';

/** The stored size of an asset. */
export interface StoredAsset {
  readonly chunks: number;
  readonly bytes: number;
}

/** The progress of producing a report. */
export interface ReportProgress {
  /** The place of the last intent, or of the last entry of a book, that was read; absent before the first. */
  readonly place?: string;
  /**
   * `long` while intents are read that may wait for long, which come first, and `late` while those are that were
   * completed late. Absent in what earlier releases wrote.
   */
  readonly stage?: 'long' | 'late' | 'rest';
  /** The number of intents in the report so far; of entries in a statement. */
  readonly intents: number;
  readonly csv: StoredAsset;
  readonly json: StoredAsset;
  /** Absent until it is written, and for reports without one. */
  readonly pdf?: StoredAsset;
  readonly balances?: StoredAsset;
  /** The last book whose balances were written; absent before the first, and after all. */
  readonly book?: { readonly wallet?: string; readonly symbol: string };
  /** True when all intents were written, so that the balances are next. */
  readonly isOfBalances?: true;
}

/** The marker of a report that a worker has to look at. */
export interface ReportWork {
  readonly scope: Scope;
  readonly luid: string;
  readonly handle: string;
  /** In milliseconds. */
  readonly dueMs: number;
  /** Failed attempts in a row. */
  readonly failures: number;
  readonly progress: ReportProgress;
  /** The number of changes; saving over a newer version fails. */
  readonly version: number;
}

export const noProgress: ReportProgress = {
  intents: 0,
  csv: { chunks: 0, bytes: 0 },
  json: { chunks: 0, bytes: 0 },
};

/** An asset of which nothing is stored. */
export const noAsset: StoredAsset = { chunks: 0, bytes: 0 };

/** The intents of a ledger that were accepted in a time range. */
export interface IntentStretch {
  /** True for those alone that may wait for long. Decision 100. */
  readonly isLong?: boolean;
  /** For those alone that were completed late, in the periods of this interval. Decision 100. */
  readonly completedIn?: Interval;
  readonly scope: Scope;
  readonly fromMs: number;
  /** The end, exclusive. */
  readonly endMs: number;
  /** The list place to continue after. */
  readonly after?: string;
  readonly limit: number;
}

export interface ReportStore {
  /** Reports that are due by this time, the longest due first. */
  due(nowMs: number, limit: number): Promise<ReportWork[]>;
  /** Replaces `previous` by `next`; false when `previous` is no longer current. */
  save(next: ReportWork, previous: ReportWork): Promise<boolean>;
  /** Removes the marker of a report. */
  end(work: ReportWork): Promise<void>;
  /** Intents of a range, oldest first, and the place of the last one. Fewer than the limit are all there are. */
  intents(stretch: IntentStretch): Promise<{ versions: Version[]; place: string | undefined }>;
  /** Stores chunks of an asset, numbered from `first`, over those that exist. */
  put(asset: AssetName, first: number, chunks: readonly string[]): Promise<void>;
  /** That number of chunks of an asset, in order. */
  chunks(asset: AssetName, first: number, count: number): Promise<string[]>;
  /** Removes the stored assets of a report. */
  erase(scope: Scope, luid: string): Promise<void>;
}

export interface AssetName {
  readonly scope: Scope;
  readonly luid: string;
  readonly asset: string;
}
