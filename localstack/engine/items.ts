/** The items of a table, by partition and in the order of their sort keys. */
import type { Key } from '../../shared/store/keys.ts';
import type { StoredItem } from './value.ts';

export interface ItemStore {
  readonly get: (key: Key) => StoredItem | undefined;
  /** Stores an item at its key, or removes it. */
  readonly put: (key: Key, item: StoredItem | undefined) => void;
  /** The items of a partition from a sort key on, or behind another one. */
  readonly within: (pk: string, direction: Direction) => Iterable<StoredItem>;
  /** All items behind a key, partition by partition. */
  readonly all: (after?: Key) => Iterable<StoredItem>;
}

/** A place in a partition to begin at, and the way to read. */
export interface Direction {
  readonly isForward: boolean;
  readonly from?: string | undefined;
  readonly after?: string | undefined;
}
