/**
 * Intents that were completed long after they were made, as when a bridge reports after days. Who looks for what was
 * completed in an interval begins a little before it, and finds these by the period of their completion. Decision 100.
 */
import { statedAtOf } from './intent.ts';
import type { LedgerRecord } from './record.ts';
import type { Interval } from './report.ts';

/** The time after which a completion is late: half an hour, in milliseconds. */
export const lateMs = 1_800_000;

/** The length of a period: 30 days. Periods are numbered from 1970. */
const periodMs = 30 * 86_400_000;

/** The period in which an intent was completed late; undefined for any other. */
export function latePeriodOf(record: LedgerRecord): number | undefined {
  if (record.meta.status !== 'completed') return undefined;
  const [begin, end] = [timeOf(record, 'pending'), timeOf(record, 'completed')];
  return end - begin > lateMs ? periodAt(end) : undefined;
}

/** The periods of an interval, in order. */
export function periodsOf({ startMs, endMs }: Interval): number[] {
  const [first, last] = [periodAt(startMs), periodAt(endMs - 1)];
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function periodAt(ms: number): number {
  return Math.floor(ms / periodMs);
}

/** The time of the ledger's first statement of a status, in milliseconds; not a number where there is none. */
function timeOf(record: LedgerRecord, status: string): number {
  return Date.parse(statedAtOf(record, status) ?? '');
}
