/**
 * Reads that meet in this process share one request, with each key once. None waits for company: it goes at once when no
 * other is under way, and otherwise with the next one. For a database that answers one request at a time. Decision 130.
 */
import { distinctBy } from './distinct.ts';
import { type Key, textOf } from './keys.ts';
import type { BatchRead, Item } from './request.ts';
import { natureOf } from './retry.ts';

/** The limit of DynamoDB for one batch. */
const keyCountMax = 100;

type ReadBatch = (keys: readonly Key[]) => Promise<BatchRead>;

/** A read that waits for its group, or is under way with it. */
interface JoiningRead {
  readonly keys: readonly Key[];
  readonly done: (read: BatchRead) => void;
  readonly failed: (error: unknown) => void;
}

/** Joins the reads that are handed in while another one is under way; `alone` sends one request. */
export function groupRead(alone: ReadBatch): ReadBatch {
  let waiting: readonly JoiningRead[] = [];
  let isBusy = false;

  const pump = (): void => {
    if (isBusy || waiting.length === 0) return;
    const { group, left } = nextGroup(waiting);
    [waiting, isBusy] = [left, true];
    void readFor(group, alone).then(() => {
      isBusy = false;
      pump();
    });
  };

  return (keys) =>
    new Promise((done, failed) => {
      waiting = [...waiting, { keys, done, failed }];
      pump();
    });
}

/** The first that waits, and of the others those that fit. */
function nextGroup(waiting: readonly JoiningRead[]): {
  readonly group: readonly JoiningRead[];
  readonly left: readonly JoiningRead[];
} {
  const group: JoiningRead[] = [];
  const left: JoiningRead[] = [];
  let count = 0;
  for (const one of waiting) {
    const isFitting = group.length === 0 || count + one.keys.length <= keyCountMax;
    (isFitting ? group : left).push(one);
    if (isFitting) count += one.keys.length;
  }
  return { group, left };
}

async function readFor(group: readonly JoiningRead[], alone: ReadBatch): Promise<void> {
  const [first, ...others] = group;
  if (!first) return;
  if (others.length === 0) return alone(first.keys).then(first.done, first.failed);
  try {
    const keys = distinctBy(
      group.flatMap((one) => one.keys),
      textOf,
    );
    const { items, left } = await alone(keys);
    const found = new Map(items.map((item) => [textOf(item as unknown as Key), item]));
    const unread = new Set(left.map(textOf));
    for (const one of group) one.done(partOf(one.keys, found, unread));
  } catch (error) {
    // A request that can never succeed may be the fault of one of them.
    if (natureOf(error) === 'broken') await Promise.all(group.map((one) => readFor([one], alone)));
    else for (const one of group) one.failed(error);
  }
}

/** The part of one of the group. */
function partOf(
  keys: readonly Key[],
  found: ReadonlyMap<string, Item>,
  unread: ReadonlySet<string>,
): BatchRead {
  const own = keys.map((key) => found.get(textOf(key)));
  return {
    items: own.filter((item) => item !== undefined),
    left: keys.filter((key) => unread.has(textOf(key))),
  };
}
