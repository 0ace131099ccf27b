/** The assets of a report that the ledger has produced, as its proof lists them. Decisions 24 and 25. */
import { createHash } from 'node:crypto';
import { partLength, producedAssets } from '../action/assets.ts';
import type { ReportProgress, ReportStore, ReportWork, StoredAsset } from '../port/reports.ts';

/** The limit for all assets of a report together. */
export const bytesMax = 1_000_000_000;

/** Describes each asset for the proof: path, size, and sha256 over its chunks in order. */
export async function assetsOf(
  reports: Pick<ReportStore, 'chunks'>,
  work: ReportWork,
  progress: ReportProgress,
): Promise<Readonly<Record<string, unknown>>[]> {
  return Promise.all(
    Object.entries(producedAssets).map(async ([handle, { asset }]) => ({
      handle,
      output: `/reports/${work.luid}/assets/${handle}`,
      ...(await measured(reports, work, asset, progress[asset])),
    })),
  );
}

async function measured(
  reports: Pick<ReportStore, 'chunks'>,
  { scope, luid }: ReportWork,
  asset: string,
  { chunks }: StoredAsset,
) {
  const sum = createHash('sha256');
  let bytes = 0;
  for (let first = 0; first < chunks; first += partLength) {
    const count = Math.min(partLength, chunks - first);
    for (const text of await reports.chunks({ scope, luid, asset }, first, count)) {
      sum.update(text);
      bytes += Buffer.byteLength(text);
    }
  }
  return { bytes, hash: sum.digest('hex'), chunks };
}
