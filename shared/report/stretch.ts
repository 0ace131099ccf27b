/**
 * The intents that a report reads, stretch by stretch. Those that may wait for long come first, and then those that were
 * completed late: they were made before the others, and each are found by their own index, so that a report need not walk
 * through all intents of a year. Decisions 25 and 100.
 */
import { timeOfLuid } from '../crypto/luid.ts';
import { waitsLong } from '../ledger/intent.ts';
import { lateMs } from '../ledger/late.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import type { Interval } from '../ledger/report.ts';
import { notBeforeMaxMs } from '../ledger/times.ts';
import type { Services } from '../port/action.ts';
import { type IntentStretch, noProgress, type ReportProgress } from '../port/reports.ts';
import { expiryMaxMsOf, expiryMsOf } from '../record/author.ts';
import { stepLength } from './lines.ts';

/** Some of the intents that may have been completed in an interval. */
interface ReportStretch {
  readonly versions: readonly Version[];
  /** True when there are no more. */
  readonly isWhole: boolean;
  /** The beginning of the next stretch. */
  readonly next: Pick<ReportProgress, 'place' | 'stage'>;
}

type ReportStage = NonNullable<ReportProgress['stage']>;

/** Each stage with the one that follows it. */
const following: Readonly<Record<ReportStage, ReportStage | undefined>> = {
  long: 'late',
  late: 'rest',
  rest: undefined,
};

/** Reads the next intents of a report; the interval is over. */
export async function nextStretch(
  services: Services,
  scope: string,
  interval: Interval,
  progress: ReportProgress,
): Promise<ReportStretch> {
  const { place, stage = place === undefined ? 'long' : 'rest' } = progress;
  const times = await timesOf(services.store, scope, interval);
  const found = await services.reports.intents({
    ...{ scope, limit: stepLength, ...wantedIn(stage, times, interval) },
    ...(place !== undefined && { after: place }),
  });
  const isOver = found.versions.length < stepLength;
  const versions = stage === 'late' ? withoutLong(found.versions, times) : found.versions;
  const nextStage = following[stage];
  if (isOver && nextStage !== undefined) {
    const next = { stage: nextStage };
    if (versions.length > 0) return { versions, isWhole: false, next };
    return nextStretch(services, scope, interval, { ...noProgress, ...next });
  }
  const after = found.place ?? place;
  const next = { stage, ...(after !== undefined && { place: after }) };
  return { versions, isWhole: isOver, next };
}

/** The intents that a stage reads. */
function wantedIn(
  stage: ReportStage,
  { longMs, restMs }: StretchTimes,
  interval: Interval,
): Pick<IntentStretch, 'isLong' | 'completedIn' | 'fromMs' | 'endMs'> {
  const endMs = Math.max(1, restMs);
  if (stage === 'long') return { isLong: true, fromMs: longMs, endMs };
  if (stage === 'late') return { completedIn: interval, fromMs: 0, endMs };
  return { fromMs: restMs, endMs: interval.endMs };
}

/** Those that the stage before has not read. */
function withoutLong(versions: readonly Version[], { longMs }: StretchTimes): Version[] {
  return versions.filter(({ record }) => timeOfLuid(record.luid) < longMs || !waitsLong(record));
}

/** The times from which on intents are read that may wait for long, and all. */
interface StretchTimes {
  readonly longMs: number;
  readonly restMs: number;
}

/** An intent that was completed in the interval, and not late, may have been created as long before as intents may wait. */
async function timesOf(
  store: Services['store'],
  scope: string,
  { startMs }: Interval,
): Promise<StretchTimes> {
  const configs = await configsOf(store, scope);
  // The moment at which an intent is pending is a little later than that of its luid.
  const restMs = startMs - Math.max(2 * lateMs, ...configs.map(expiryMsOf));
  const longMs = startMs - notBeforeMaxMs - Math.max(...configs.map(expiryMaxMsOf));
  return { longMs: Math.max(0, longMs), restMs: Math.max(0, restMs) };
}

/** The record of the ledger in all its versions: the longest time in any configuration counts. Decision 39. */
async function configsOf(
  store: Services['store'],
  scope: string,
): Promise<readonly (LedgerRecord | undefined)[]> {
  const [home] = await store.load([{ what: 'record', scope: '', kind: 'ledger', handle: scope }]);
  const { record, change } = home ?? {};
  const past = record && change ? await store.past('', record.luid, 1, change) : [];
  return [record, ...past.map((version) => version.record)];
}
