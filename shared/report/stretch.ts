/**
 * The intents that a report reads, stretch by stretch. Those that may wait for long come first: they were made before
 * the others, and are found by their own index, so that a report need not walk through all intents of a year. Decisions
 * 25 and 100.
 */
import type { LedgerRecord, Version } from '../ledger/record.ts';
import type { Interval } from '../ledger/report.ts';
import { notBeforeMaxMs } from '../ledger/times.ts';
import type { Services } from '../port/action.ts';
import { noProgress, type ReportProgress } from '../port/reports.ts';
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

/** Reads the next intents of a report; the interval is over. */
export async function nextStretch(
  services: Services,
  scope: string,
  interval: Interval,
  progress: ReportProgress,
): Promise<ReportStretch> {
  const { place, stage = place === undefined ? 'long' : 'rest' } = progress;
  const isLong = stage === 'long';
  const times = await timesOf(services.store, scope, interval, isLong);
  const { versions, place: last } = await services.reports.intents({
    ...{ scope, isLong, limit: stepLength, ...times },
    ...(place !== undefined && { after: place }),
  });
  const isOver = versions.length < stepLength;
  if (isLong && versions.length === 0)
    return nextStretch(services, scope, interval, { ...noProgress, stage: 'rest' });
  if (isLong && isOver) return { versions, isWhole: false, next: { stage: 'rest' } };
  const after = last ?? place;
  const next = { stage, ...(after !== undefined && { place: after }) };
  return { versions, isWhole: isOver, next };
}

/** An intent that was completed in the interval may have been created as long before as intents may wait. */
async function timesOf(
  store: Services['store'],
  scope: string,
  { startMs, endMs }: Interval,
  isLong: boolean,
): Promise<{ readonly fromMs: number; readonly endMs: number }> {
  const configs = await configsOf(store, scope);
  const restMs = startMs - Math.max(...configs.map(expiryMsOf));
  if (!isLong) return { fromMs: Math.max(0, restMs), endMs };
  const longMs = notBeforeMaxMs + Math.max(...configs.map(expiryMaxMsOf));
  return { fromMs: Math.max(0, startMs - longMs), endMs: Math.max(1, restMs) };
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
