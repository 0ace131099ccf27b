/** The steps of the report of completed intents: each appends the next ones to its CSV and JSON. Decision 25. */

import type { LedgerRecord, Version } from '../ledger/record.ts';
import { intervalOf } from '../ledger/report.ts';
import type { Services } from '../port/action.ts';
import type { ReportProgress, ReportWork } from '../port/reports.ts';
import { reachesIn } from '../record/lineage.ts';
import { storeText } from './chunks.ts';
import { linesOf } from './lines.ts';
import { nextStretch } from './stretch.ts';

/** The progress after a step. */
export interface Extended {
  readonly progress: ReportProgress;
  /** True when nothing is left. */
  readonly isWhole: boolean;
}

/** Appends the next intents to the assets; `isWhole` when these were the last. */
export async function detailsExtended(
  services: Services,
  { data, meta }: LedgerRecord,
  work: ReportWork,
): Promise<Extended> {
  const { scope, luid, progress } = work;
  const {
    versions,
    isWhole,
    next: after,
  } = await nextStretch(services, scope, intervalOf(data), progress);
  const near = await nearOf(services, scope, meta.domain, versions);
  const lines = await linesOf(services.store, scope, data, near, { progress, isWhole });
  return {
    progress: {
      ...after,
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
