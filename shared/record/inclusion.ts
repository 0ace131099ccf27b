/** Proofs that changes are in the tree of a log's newest checkpoint. Decision 115. */
import { isLuid } from '../crypto/luid.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { Leaf } from '../log/leaf.ts';
import { inclusionRanges, type LeafRange } from '../log/path.ts';
import type { InclusionProof } from '../log/proof-text.ts';
import { hashesOf, tileWidth } from '../log/tile.ts';
import type { Hash } from '../log/tree.ts';
import type { Logs, StoredCheckpoint } from '../port/logs.ts';
import type { Scope } from '../port/ports.ts';

/** A change in the log: its leaf, and the proof that the checkpoint includes it. */
export interface IncludedChange extends InclusionProof {
  readonly leaf: Leaf;
  /** The size of the tree of the checkpoint. */
  readonly size: number;
}

/**
 * The newest checkpoint of a log with the cosignatures that it has, or the newest one that has cosignatures. Throws
 * `record.not-found` where there is none yet.
 */
export async function servedCheckpoint(
  logs: Logs,
  scope: Scope,
  mustBeCosigned: boolean,
): Promise<StoredCheckpoint> {
  const [newest, cosigned] = await Promise.all([
    newestCheckpoint(logs, scope),
    logs.cosigned(scope),
  ]);
  const served = cosigned?.checkpoint;
  if (mustBeCosigned && !served)
    throw new LedgerError(
      'record.not-found',
      'No witness has cosigned a checkpoint of the log yet.',
    );
  return served && (mustBeCosigned || served.size === newest.size) ? served : newest;
}

/** The newest checkpoint of a log; throws `record.not-found` where there is none yet. */
export async function newestCheckpoint(logs: Logs, scope: Scope): Promise<StoredCheckpoint> {
  const state = await logs.read(scope);
  if (state?.checkpoint) return state.checkpoint;
  throw new LedgerError('record.not-found', 'The log of the ledger has no checkpoint yet.');
}

/**
 * Proves a change, under the newest checkpoint with cosignatures that includes it, or else the newest one; throws
 * `record.not-found` while no checkpoint includes it.
 */
export async function includedIn(
  logs: Logs,
  scope: Scope,
  { luid, change }: Pick<Leaf, 'luid' | 'change'>,
): Promise<IncludedChange> {
  const [newest, cosigned, index] = await Promise.all([
    newestCheckpoint(logs, scope),
    logs.cosigned(scope),
    isLuid(luid) ? logs.indexOf(scope, luid, change) : undefined,
  ]);
  if (index === undefined || index >= newest.size)
    throw new LedgerError('record.not-found', 'No checkpoint of the log includes this change yet.');
  const seen = cosigned?.checkpoint;
  const { size, note } = seen && index < seen.size ? seen : newest;
  const [path, leaves] = await Promise.all([
    hashesIn(logs, scope, inclusionRanges(index, size), size),
    logs.leaves(scope, Math.floor(index / tileWidth), (index % tileWidth) + 1),
  ]);
  return { leaf: leaves.at(-1) as Leaf, index, size, path, checkpoint: note };
}

/** The hashes over ranges of leaves of a log, when it had this size. */
export function hashesIn(
  logs: Logs,
  scope: Scope,
  ranges: readonly LeafRange[],
  size: number,
): Promise<Hash[]> {
  return hashesOf(ranges, size, (tiles) => logs.tiles(scope, tiles));
}
