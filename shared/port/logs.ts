/** The logs of ledgers. Decision 115. */
import type { Version } from '../ledger/record.ts';
import type { Leaf } from '../log/leaf.ts';
import type { Tile, TileHashes } from '../log/tile.ts';
import type { Tree } from '../log/tree.ts';
import type { Scope } from './ports.ts';

/** The signed head of a log. */
export interface StoredCheckpoint {
  readonly size: number;
  /** The signed note. C2SP tlog-checkpoint. */
  readonly note: string;
}

/** Signs a checkpoint of a tree; undefined where the process may not. */
export type CheckpointOf = (scope: Scope, tree: Tree) => Promise<StoredCheckpoint | undefined>;

/** A log: its tree, and the newest checkpoint, if there is one. */
export interface LogState {
  readonly tree: Tree;
  readonly checkpoint?: StoredCheckpoint;
  /** True when every change of the ledger has its leaf, or is still in the outbox. */
  readonly isWhole: boolean;
}

/** The progress of a witness with a log. */
export interface WitnessProgress {
  /** The size of the tree that it has cosigned last, as far as the log knows; 0 for none. */
  readonly known: number;
  /** The attempts that failed, since the last one that did not. */
  readonly failures: number;
  /** The witness is not asked before this time, in milliseconds. */
  readonly nextMs: number;
  /** The time of the first of these failures, in milliseconds. */
  readonly sinceMs?: number;
  /** The reason of the last failure, a sentence. */
  readonly fault?: string;
}

/** The answers of the witnesses of a log. */
export interface CosignedLog {
  /** The number of this state, from 1. */
  readonly change: number;
  /** The newest checkpoint that a witness has cosigned, with all cosignatures; absent before the first one. */
  readonly checkpoint?: StoredCheckpoint;
  /** By the vkey of the witness. */
  readonly progress: Readonly<Record<string, WitnessProgress>>;
}

export interface Logs {
  /** Makes an empty log; does nothing where there is one. */
  begin(scope: Scope, isWhole: boolean): Promise<void>;
  /**
   * Appends the leaves of the versions that have none yet, in this order. Returns the log with all of them; undefined,
   * and nothing is done, where the ledger has no log.
   */
  append(
    scope: Scope,
    versions: readonly Version[],
    how?: 'together',
  ): Promise<LogState | undefined>;
  /** Notes that all changes from before the log are in it. */
  markWhole(scope: Scope): Promise<void>;
  /** Stores a checkpoint, unless one of the same or a larger size is stored. */
  keep(scope: Scope, checkpoint: StoredCheckpoint): Promise<void>;
  /** The log of a ledger; undefined where there is none. */
  read(scope: Scope): Promise<LogState | undefined>;
  /** The answers of the witnesses of a log; undefined while none was asked. */
  cosigned(scope: Scope): Promise<CosignedLog | undefined>;
  /** Stores the answers of witnesses, unless another process has done so since; tells if it is stored. */
  keepCosigned(scope: Scope, next: CosignedLog): Promise<boolean>;
  /** The index of the leaf of a change; undefined while it has none. */
  indexOf(scope: Scope, luid: string, change: number): Promise<number | undefined>;
  /** The hashes of tiles, each as wide as is asked for. The tree of the newest checkpoint has all of its tiles. */
  tiles(scope: Scope, tiles: readonly Tile[]): Promise<TileHashes[]>;
  /** So many leaves of a tile of level 0, from its first one. */
  leaves(scope: Scope, number: number, width: number): Promise<Leaf[]>;
}
