/** The assets of a report that the ledger has produced, as its proof lists them. Decisions 24 and 25. */
import { createHash } from 'node:crypto';
import { partLength } from '../action/assets.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import { producedAssets, producedSchemaOf } from '../ledger/report.ts';
import type { ReportProgress, ReportStore, ReportWork, StoredAsset } from '../port/reports.ts';

/** The limit for all assets of a report together. */
export const bytesMax = 1_000_000_000;

/** Describes each asset of a report for its proof: path, size, and sha256 over its chunks in order. */
export async function assetsOf(
  reports: Pick<ReportStore, 'chunks'>,
  data: LedgerRecord['data'],
  work: ReportWork,
  progress: ReportProgress,
): Promise<Readonly<Record<string, unknown>>[]> {
  const schema = producedSchemaOf(data);
  const own = Object.entries(producedAssets).filter(([, one]) => one.schema === schema);
  const described = own.map(async ([handle, { asset, isBase64 = false }]) => {
    const stored = progress[asset];
    if (!stored) return [];
    const output = `/reports/${work.luid}/assets/${handle}`;
    return [{ handle, output, ...(await measured(reports, work, asset, stored, isBase64)) }];
  });
  return (await Promise.all(described)).flat();
}

async function measured(
  reports: Pick<ReportStore, 'chunks'>,
  { scope, luid }: ReportWork,
  asset: string,
  { chunks }: StoredAsset,
  isBase64: boolean,
) {
  const sum = createHash('sha256');
  let bytes = 0;
  for (let first = 0; first < chunks; first += partLength) {
    const count = Math.min(partLength, chunks - first);
    for (const text of await reports.chunks({ scope, luid, asset }, first, count)) {
      const content = Buffer.from(text, isBase64 ? 'base64' : 'utf8');
      sum.update(content);
      bytes += content.length;
    }
  }
  return { bytes, hash: sum.digest('hex'), chunks };
}
