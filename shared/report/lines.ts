/** The lines that one step appends to the CSV and JSON of a report. */

import type { LedgerRecord, Version } from '../ledger/record.ts';
import { intervalOf } from '../ledger/report.ts';
import {
  type Completed,
  completedMomentOf,
  csvHeader,
  csvOf,
  type Factors,
  jsonOf,
  symbolsOf,
} from '../ledger/statement.ts';
import type { Scope, Store } from '../port/ports.ts';
import type { ReportProgress } from '../port/reports.ts';

/** Intents read in a step; each may take hundreds of kilobytes of memory. */
export const stepLength = 400;

export interface Lines {
  readonly csv: string;
  readonly json: string;
  readonly count: number;
}

/**
 * The lines of the intents that were completed in the interval of the report. The first step also writes the header,
 * and the last one (`isWhole`) ends the JSON array.
 */
export async function linesOf(
  store: Pick<Store, 'load'>,
  scope: Scope,
  data: LedgerRecord['data'],
  versions: readonly Version[],
  { progress, isWhole }: { readonly progress: ReportProgress; readonly isWhole: boolean },
): Promise<Lines> {
  const { startMs, endMs } = intervalOf(data);
  const completed = versions.flatMap(({ record }): Completed[] => {
    const moment = completedMomentOf(record);
    const ms = moment === undefined ? Number.NaN : Date.parse(moment);
    return moment !== undefined && ms >= startMs && ms < endMs ? [{ record, moment }] : [];
  });
  const factors = await factorsOf(store, scope, completed);
  const header = progress.csv.chunks === 0 ? csvHeader : '';
  const objects = completed.map((one, index) => {
    const lead = progress.intents + index > 0 ? ',\n' : '\n';
    return `${lead}${jsonOf(one, factors)}`;
  });
  const opening = progress.json.chunks === 0 ? '[' : '';
  return {
    csv: `${header}${completed.map((one) => csvOf(one, factors)).join('')}`,
    json: `${opening}${objects.join('')}${isWhole ? '\n]\n' : ''}`,
    count: completed.length,
  };
}

/** The factors of the symbols as they stand now. */
async function factorsOf(
  store: Pick<Store, 'load'>,
  scope: Scope,
  completed: readonly Completed[],
): Promise<Factors> {
  const handles = [...new Set(completed.flatMap(({ record }) => symbolsOf(record)))];
  const wants = handles.map((handle) => {
    return { what: 'record', scope, kind: 'symbol', handle } as const;
  });
  const found = wants.length > 0 ? await store.load(wants) : [];
  const known = found.flatMap((version) => version ?? []);
  return new Map(known.map(({ record }) => [record.data.handle, Number(record.data['factor'])]));
}
