/**
 * The steps of the report of completed intents: each appends the next ones to its CSV and JSON, and then the next opening
 * and closing balances to theirs. Decision 25, Ruling 84.
 */

import type { LedgerRecord, Version } from '../ledger/record.ts';
import { intervalOf } from '../ledger/report.ts';
import type { Services } from '../port/action.ts';
import type { ReportProgress, ReportWork } from '../port/reports.ts';
import { reachesIn } from '../record/lineage.ts';
import { balancesExtended, type Extended } from './balances.ts';
import { storeText } from './chunks.ts';
import { linesOf } from './lines.ts';
import { nextStretch } from './stretch.ts';

/** Appends the next intents to the assets, and then the balances. */
export async function detailsExtended(
  services: Services,
  record: LedgerRecord,
  work: ReportWork,
): Promise<Extended> {
  const { scope, luid, progress } = work;
  if (progress.isOfBalances) return balancesExtended(services, record, work, progress);
  const { data, meta } = record;
  const found = await nextStretch(services, scope, intervalOf(data), progress);
  const { versions, isWhole, next } = found;
  const near = await nearOf(services, scope, meta.domain, versions);
  const lines = await linesOf(services.store, scope, data, near, { progress, isWhole });
  const append = (asset: 'csv' | 'json') =>
    storeText(services.reports, { scope, luid, asset }, progress[asset], lines[asset]);
  const extended: ReportProgress = {
    ...next,
    intents: progress.intents + lines.count,
    csv: await append('csv'),
    json: await append('json'),
  };
  if (!isWhole) return { progress: extended, isWhole: false };
  return balancesExtended(services, record, work, { ...extended, isOfBalances: true });
}

/** The intents in the report's domain, or a domain below it; without a domain, all of them. Ruling 70. */
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
