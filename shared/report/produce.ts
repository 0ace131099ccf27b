/**
 * Producing reports, a step at a time: what a step made is stored, then how far it came. A step that is
 * done again makes the same, since intents do not change and the interval is over, so that a crash costs
 * a step and two workers harm nobody. Reports take turns; memory holds one step. Decision 25.
 */

import { assert } from '../ledger/assert.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import { intervalOf } from '../ledger/report.ts';
import type { Identity, Services } from '../port/action.ts';
import type { Progress, ReportWork } from '../port/reports.ts';
import { advance } from '../record/advance.ts';
import { expiryMsOf } from '../record/author.ts';
import { reachesIn } from '../record/lineage.ts';
import { assetsOf, bytesMax } from './asset.ts';
import { storeText } from './chunks.ts';
import { linesOf, stepLength } from './lines.ts';

export interface ProducePorts {
  readonly services: Services;
  /** How long after the end of an interval what was on its way in it may still be stored, in milliseconds. */
  readonly latenessMs: number;
  readonly hasTime: () => boolean;
  /** Told of what went wrong on our side. */
  readonly report: (error: unknown) => void;
}

const workCountMax = 20;
const failureCountMax = 10;
/** How long a report waits that failed once; then twice as long each time. */
const againMs = 1_000;

/** Looks after each report that is due, one step each; whether there was any. */
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
  // What was produced of a report that ended, or was given up, is of no use to anybody.
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
  const { progress, isWhole } = await goOn(ports, record, work);
  if (progress.csv.bytes + progress.json.bytes > bytesMax) {
    const reason = 'report.too-large';
    const detail = `The report takes more than ${bytesMax} bytes; a shorter interval takes less.`;
    return become(ports, ledger, record, 'rejected', { reason, detail });
  }
  if (isWhole) {
    const assets = await assetsOf(services.reports, work, progress);
    return become(ports, ledger, record, 'completed', { intents: progress.intents, assets });
  }
  // What had its turn goes to the end of the queue.
  const dueMs = services.clock() - ports.latenessMs;
  await services.reports.save({ ...next(work), dueMs, failures: 0, progress }, work);
}

/** Adds the next intents to the assets; whether these were the last. */
async function goOn(
  { services }: ProducePorts,
  { data, meta }: LedgerRecord,
  work: ReportWork,
): Promise<{ progress: Progress; isWhole: boolean }> {
  const { scope, luid, progress } = work;
  const { startMs, endMs } = intervalOf(data);
  const { place } = progress;
  const [home] = await services.store.load([
    { what: 'record', scope: '', kind: 'ledger', handle: scope },
  ]);
  const found = await services.reports.intents({
    ...{ scope, endMs, limit: stepLength },
    // What was completed in the interval may have waited for as long as an intent may, or once might.
    fromMs: Math.max(0, startMs - (await waitMsMaxOf(services, home))),
    ...(place !== undefined && { after: place }),
  });
  const isWhole = found.versions.length < stepLength;
  const near = await nearOf(services, scope, meta.domain, found.versions);
  const lines = await linesOf(services.store, scope, data, near, { progress, isWhole });
  const after = found.place ?? place;
  return {
    progress: {
      ...(after !== undefined && { place: after }),
      intents: progress.intents + lines.count,
      csv: await storeText(
        services.reports,
        { scope, luid, asset: 'csv' },
        progress.csv,
        lines.csv,
      ),
      json: await storeText(
        services.reports,
        { scope, luid, asset: 'json' },
        progress.json,
        lines.json,
      ),
    },
    isWhole,
  };
}

/** The intents that lie in the domain of a report, or in those in it; a report of none is of all. Ruling 70. */
async function nearOf(
  services: Services,
  scope: string,
  made: string | undefined,
  intents: readonly Version[],
): Promise<readonly Version[]> {
  if (made === undefined) return intents;
  const domains = [...new Set(intents.map(({ record }) => record.meta.domain))];
  const may = await Promise.all(domains.map((lies) => reachesIn(services, scope, made, lies)));
  const near = new Set(domains.filter((_, index) => may[index]));
  return intents.filter(({ record }) => near.has(record.meta.domain));
}

/** How long an intent may wait, or might under any configuration that the ledger ever had. Decision 39. */
async function waitMsMaxOf({ store }: Services, home: Version | undefined): Promise<number> {
  const { record, change } = home ?? {};
  const past = record && change ? await store.past('', record.luid, 1, change) : [];
  return Math.max(...[record, ...past.map((version) => version.record)].map(expiryMsOf));
}

/** Notes that a step failed: it is tried again later, and given up after some times. */
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

/** Brings a report into a status, if it stands where that may come; what is left to do is seen by the next look. */
async function become(
  { services }: ProducePorts,
  ledger: Identity,
  record: LedgerRecord,
  status: string,
  words: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const after = status === 'pending' ? ['created'] : ['created', 'pending'];
  await advance(services, ledger, 'report', record, { status, words, after });
}

function next(work: ReportWork): ReportWork {
  return { ...work, version: work.version + 1 };
}
