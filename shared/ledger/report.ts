/** What a report goes through, and which reports the ledger produces itself. Ruling 67, Decisions 24 and 25. */

/** Which statuses may follow which. */
const following: ReadonlyMap<string, readonly string[]> = new Map([
  ['created', ['pending', 'rejected']],
  ['pending', ['completed', 'rejected']],
  ['completed', ['settled']],
  ['rejected', ['pending', 'completed']],
]);

/** The statuses in which a report has its assets. */
const finished: ReadonlySet<string> = new Set(['completed', 'settled']);

/** The schema of the reports that the ledger produces: the intents that were completed in an interval. */
const detailsSchema = 'trans_details_rep';

/** The interval of such a report, in milliseconds: from its start, before its end. */
export interface Interval {
  readonly startMs: number;
  readonly endMs: number;
}

type Data = Readonly<Record<string, unknown>>;

/** Whether a report may go from one status to the other. */
export function mayBecome(from: string, to: string): boolean {
  return following.get(from)?.includes(to) ?? false;
}

/** Whether a report of this status has its assets. */
export function isFinished(status: string): boolean {
  return finished.has(status);
}

/** Whether the ledger itself produces a report of this data. */
export function isProduced(data: Data): boolean {
  return data['schema'] === detailsSchema;
}

/** The interval that the data of a produced report names; it was checked when the report was made. */
export function intervalOf(data: Data): Interval {
  const custom = data['custom'] as Readonly<Record<string, string>>;
  return {
    startMs: Date.parse(custom['start_timestamp'] ?? ''),
    endMs: Date.parse(custom['end_timestamp'] ?? ''),
  };
}
