/**
 * Invariant 3, for reports that the ledger produces: each asset is the one of which it signed the hash. Parts are read
 * some at a time, so memory does not grow with an asset. Decision 25.
 */
import { createHash } from 'node:crypto';
import type { Version } from '../ledger/record.ts';
import { assetsIn, isStored, type NamedAsset, producedAssets } from '../ledger/report.ts';
import type { Scope } from '../port/ports.ts';
import { assetKeyOf, headKeyOf, textOf } from '../store/keys.ts';
import { currentOf, type ItemHistory, storedOf } from './history.ts';
import { subjectOf } from './place.ts';
import { type AuditRun, lastingIn } from './run.ts';
import { type AuditViolation, violationOf } from './violation.ts';

/** The parts that are read at a time. Each has 256 KB at most. */
const partCountMax = 8;

/** Checks the assets of a report; none of another record. */
export async function auditAssets(run: AuditRun, history: ItemHistory): Promise<AuditViolation[]> {
  const version = history.kind === 'report' ? currentOf(history) : undefined;
  const found: AuditViolation[] = [];
  for (const asset of version ? storedIn(version) : [])
    found.push(...(await lastingIn(run, () => wrongIn(run, history, asset))));
  return found;
}

function storedIn({ record }: Version): readonly NamedAsset[] {
  return assetsIn(record).filter((asset) => isStored(record, asset));
}

async function wrongIn(
  run: AuditRun,
  history: ItemHistory,
  named: NamedAsset,
): Promise<AuditViolation[]> {
  const { handle, hash: expected } = named;
  const found = await measured(run, history, named);
  // The parts of a report that ends are removed behind it.
  if (found === expected || !(await isThere(run, history))) return [];
  const fact = `The asset ${handle} of the report is not the one that the ledger signed.`;
  return [violationOf(3, subjectOf(history), fact, { expected, found })];
}

/** The hash of an asset as it is stored, or the part that is missing. */
async function measured(
  { source }: AuditRun,
  { scope, luid }: ItemHistory,
  { handle, chunks = 0 }: NamedAsset,
): Promise<string> {
  const produced = Object.hasOwn(producedAssets, handle) ? producedAssets[handle] : undefined;
  if (!produced) return 'no asset of this name';
  const sum = createHash('sha256');
  for (let first = 0; first < chunks; first += partCountMax) {
    const keys = Array.from({ length: Math.min(partCountMax, chunks - first) }, (_, index) =>
      assetKeyOf(scope, luid, produced.asset, first + index),
    );
    const items = await source.at(keys);
    for (const key of keys) {
      const text = items.get(textOf(key))?.['text'];
      if (typeof text !== 'string') return `nothing at '${textOf(key)}'`;
      sum.update(Buffer.from(text, produced.isBase64 ? 'base64' : 'utf8'));
    }
  }
  return sum.digest('hex');
}

/** True while the report is one that has its assets. */
async function isThere({ source }: AuditRun, history: ItemHistory): Promise<boolean> {
  const { scope, luid } = history;
  const current = await versionAt(source, scope, subjectOf(history).handle ?? '');
  return current?.record.luid === luid && storedIn(current).length > 0;
}

async function versionAt(
  source: AuditRun['source'],
  scope: Scope,
  handle: string,
): Promise<Version | undefined> {
  const key = headKeyOf(scope, 'report', handle);
  const item = (await source.at([key])).get(textOf(key));
  const stored = item && storedOf(item);
  return stored && 'version' in stored ? stored.version : undefined;
}
