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

/** A log: its tree, and the newest checkpoint, if there is one. */
export interface LogState {
  readonly tree: Tree;
  readonly checkpoint?: StoredCheckpoint;
  /** True when every change of the ledger has its leaf, or is still in the outbox. */
  readonly isWhole: boolean;
}

export interface Logs {
  /** Makes an empty log; does nothing where there is one. */
  begin(scope: Scope, isWhole: boolean): Promise<void>;
  /**
   * Appends the leaves of the versions that have none yet, in this order. Returns the log with all of them; undefined,
   * and nothing is done, where the ledger has no log.
   */
  append(scope: Scope, versions: readonly Version[]): Promise<LogState | undefined>;
  /** Notes that all changes from before the log are in it. */
  markWhole(scope: Scope): Promise<void>;
  /** Stores a checkpoint, unless one of the same or a larger size is stored. */
  keep(scope: Scope, checkpoint: StoredCheckpoint): Promise<void>;
  /** The log of a ledger; undefined where there is none. */
  read(scope: Scope): Promise<LogState | undefined>;
  /** The index of the leaf of a change; undefined while it has none. */
  indexOf(scope: Scope, luid: string, change: number): Promise<number | undefined>;
  /** The hashes of tiles, each as wide as is asked for. The tree of the newest checkpoint has all of its tiles. */
  tiles(scope: Scope, tiles: readonly Tile[]): Promise<TileHashes[]>;
  /** So many leaves of a tile of level 0, from its first one. */
  leaves(scope: Scope, number: number, width: number): Promise<Leaf[]>;
}
