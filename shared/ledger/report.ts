/** The statuses of a report, and the reports that the ledger produces itself. Ruling 67, Decisions 24 and 25. */
import type { PlainObject } from './compare.ts';

/** The statuses that may follow each status. */
const following: ReadonlyMap<string, readonly string[]> = new Map([
  ['created', ['pending', 'rejected']],
  ['pending', ['completed', 'rejected']],
  ['completed', ['settled']],
  ['rejected', ['pending', 'completed']],
]);

/** A report in one of these statuses has its assets. */
const finished: ReadonlySet<string> = new Set(['completed', 'settled']);

/** The schema of reports that the ledger produces: the intents that were completed in an interval. */
const detailsSchema = 'trans_details_rep';

/** The interval of a produced report, in milliseconds: `startMs` included, `endMs` excluded. */
export interface Interval {
  readonly startMs: number;
  readonly endMs: number;
}

export function mayBecome(from: string, to: string): boolean {
  return following.get(from)?.includes(to) ?? false;
}

/** True when a report of this status has its assets. */
export function isFinished(status: string): boolean {
  return finished.has(status);
}

/** True when the ledger itself produces a report with these data. */
export function isProduced(data: PlainObject): boolean {
  return data['schema'] === detailsSchema;
}

/** The interval of a produced report, whose data were checked when the report was created. */
export function intervalOf(data: PlainObject): Interval {
  const custom = data['custom'] as Readonly<Record<string, string>>;
  return {
    startMs: Date.parse(custom['start_timestamp'] ?? ''),
    endMs: Date.parse(custom['end_timestamp'] ?? ''),
  };
}
