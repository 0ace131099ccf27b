/**
 * Produces reports step by step: a step stores its chunks, then its progress. A repeated step makes the same chunks,
 * since the interval is over and its completed intents do not change. So a crash costs one step, and two workers do no
 * harm. Reports take turns; memory holds one step. Decision 25.
 */

import { assert } from '../ledger/assert.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import { statementSubjectOf } from '../ledger/report.ts';
import type { Identity, Services } from '../port/action.ts';
import type { ReportWork } from '../port/reports.ts';
import { advance } from '../record/advance.ts';
import { assetsOf, bytesMax } from './asset.ts';
import { detailsExtended } from './details.ts';
import { statementExtended } from './statement.ts';

export interface ProducePorts {
  readonly services: Services;
  /** Delay after the end of an interval, in milliseconds, in which commits of the interval may still be stored. */
  readonly latenessMs: number;
  readonly hasTime: () => boolean;
  /** Receives internal errors. */
  readonly report: (error: unknown) => void;
}

const workCountMax = 20;
const failureCountMax = 10;
/** Base of the backoff after a failed step; it doubles with each failure. */
const againMs = 1_000;

/** Does one step of each due report; false when none was due or the time is over. */
export async function produceDue(ports: ProducePorts): Promise<boolean> {
  const { services, latenessMs, hasTime } = ports;
  const due = await services.reports.due(services.clock() - latenessMs, workCountMax);
  for (const work of due) {
    if (!hasTime()) return false;
    await lookAfter(ports, work);
  }
  return due.length > 0;
}

async function lookAfter(ports: ProducePorts, work: ReportWork): Promise<void> {
  try {
    await produce(ports, work);
  } catch (error) {
    ports.report(error);
    await fail(ports, work).catch(ports.report);
  }
}

/** A step of a report, or its end. */
async function produce(ports: ProducePorts, work: ReportWork): Promise<void> {
  const { services } = ports;
  const { reports } = services;
  const ledger = await services.identityOf(work.scope);
  assert(ledger, 'a report belongs to a ledger of this server');
  const record = await recordOf(ports, work);
  const status = record?.meta.status ?? 'dropped';
  if (record && ['created', 'pending'].includes(status)) return step(ports, ledger, record, work);
  // The assets of a dropped or rejected report can never be read.
  if (['dropped', 'rejected'].includes(status)) await reports.erase(work.scope, work.luid);
  await reports.end(work);
}

async function recordOf({ services }: ProducePorts, work: ReportWork) {
  const { scope, luid, handle } = work;
  const [found] = await services.store.load([{ what: 'record', scope, kind: 'report', handle }]);
  return found?.record.luid === luid ? found.record : undefined;
}

async function step(
  ports: ProducePorts,
  ledger: Identity,
  record: LedgerRecord,
  work: ReportWork,
): Promise<void> {
  const { services } = ports;
  if (record.meta.status === 'created') await become(ports, ledger, record, 'pending');
  const subject = statementSubjectOf(record.data);
  const extended = subject
    ? await statementExtended(services, record, subject, work)
    : await detailsExtended(services, record, work);
  if ('reason' in extended) return become(ports, ledger, record, 'rejected', { ...extended });
  const { progress, isWhole } = extended;
  if (progress.csv.bytes + progress.json.bytes > bytesMax) {
    const reason = 'report.too-large';
    const detail = `The report takes more than ${bytesMax} bytes; a shorter interval takes less.`;
    return become(ports, ledger, record, 'rejected', { reason, detail });
  }
  if (isWhole) {
    const assets = await assetsOf(services.reports, record.data, work, progress);
    const count = subject ? { entries: progress.intents } : { intents: progress.intents };
    return become(ports, ledger, record, 'completed', { ...count, assets });
  }
  // The report goes to the end of the queue, so that others have their turn.
  const dueMs = services.clock() - ports.latenessMs;
  await services.reports.save({ ...next(work), dueMs, failures: 0, progress }, work);
}

/** Records a failed step: it is retried later, and the report is rejected after the last attempt. */
async function fail(ports: ProducePorts, work: ReportWork): Promise<void> {
  const { services } = ports;
  const failures = work.failures + 1;
  if (failures >= failureCountMax) {
    const [ledger, record] = await Promise.all([
      services.identityOf(work.scope),
      recordOf(ports, work),
    ]);
    const reason = 'report.production-failed';
    const detail = 'The ledger could not produce the report.';
    if (ledger && record) await become(ports, ledger, record, 'rejected', { reason, detail });
  }
  const dueMs = services.clock() - ports.latenessMs + againMs * 2 ** failures;
  await services.reports.save({ ...next(work), dueMs, failures }, work);
}

/** Sets the status of a report, if its present status allows; the next step continues from there. */
async function become(
  { services }: ProducePorts,
  ledger: Identity,
  record: LedgerRecord,
  status: string,
  statement: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const after = status === 'pending' ? ['created'] : ['created', 'pending'];
  await advance(services, ledger, 'report', record, { status, statement, after });
}

function next(work: ReportWork): ReportWork {
  return { ...work, version: work.version + 1 };
}
