/** The items of a table in memory, by partition and in the order of their sort keys. */
import type { Direction, ItemStore } from '../../localstack/engine/items.ts';
import { compareTexts, type StoredItem } from '../../localstack/engine/value.ts';
import type { Key } from '../../shared/store/keys.ts';

interface Partition {
  readonly items: Map<string, StoredItem>;
  /** The sort keys in order. */
  readonly order: string[];
}

export class MemoryItems implements ItemStore {
  readonly #partitions = new Map<string, Partition>();
  /** The partition keys in order; undefined while it is not known. */
  #order: readonly string[] | undefined;

  get({ pk, sk }: Key): StoredItem | undefined {
    return this.#partitions.get(pk)?.items.get(sk);
  }

  /** Stores an item at its key, or removes it. */
  put({ pk, sk }: Key, item: StoredItem | undefined): void {
    const { items, order } = this.#partitions.get(pk) ?? this.#add(pk);
    const isThere = items.has(sk);
    if (item) items.set(sk, item);
    else items.delete(sk);
    if (isThere === (item !== undefined)) return;
    if (item) order.splice(placeIn(order, sk), 0, sk);
    else order.splice(placeIn(order, sk), 1);
  }

  /** The items of a partition from a sort key on, or behind another one. */
  *within(pk: string, direction: Direction): Generator<StoredItem> {
    const { items, order } = this.#partitions.get(pk) ?? { items: new Map(), order: [] };
    const step = direction.isForward ? 1 : -1;
    for (let index = startIn(order, direction); order[index] !== undefined; index += step)
      yield items.get(order[index] as string) as StoredItem;
  }

  /** All items behind a key, partition by partition. */
  *all(after?: Key): Generator<StoredItem> {
    this.#order ??= [...this.#partitions.keys()].sort(compareTexts);
    const first = after ? placeIn(this.#order, after.pk) : 0;
    for (const pk of this.#order.slice(first)) {
      const isSame = pk === after?.pk;
      yield* this.within(pk, { isForward: true, ...(isSame && { after: after.sk }) });
    }
  }

  #add(pk: string): Partition {
    const partition: Partition = { items: new Map(), order: [] };
    this.#partitions.set(pk, partition);
    this.#order = undefined;
    return partition;
  }
}

/** The index of the first item in the direction of reading. */
function startIn(order: readonly string[], { isForward, from, after }: Direction): number {
  const next = after === undefined ? undefined : placeIn(order, after);
  const first = from === undefined ? undefined : placeIn(order, from);
  if (isForward)
    return Math.max(first ?? 0, next === undefined ? 0 : next + Number(order[next] === after));
  const last = order.length - 1;
  return Math.min(
    first === undefined ? last : first - Number(order[first] !== from),
    next === undefined ? last : next - 1,
  );
}

/** The index of the first text that is not before another. */
function placeIn(order: readonly string[], text: string): number {
  let [low, high] = [0, order.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareTexts(order[middle] as string, text) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
