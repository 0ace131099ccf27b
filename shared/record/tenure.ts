/**
 * The time since which a record has its handle. Books are kept by the handle of a wallet, and an earlier wallet may
 * have had it: what was before is not this wallet's. Ruling 81, Decision 91.
 */
import { timeOfLuid } from '../crypto/luid.ts';
import { firstChangeOf, nameOfVersion, type Version } from '../ledger/record.ts';
import type { Store } from '../port/ports.ts';

/** The versions that are read at once. */
const chunkLength = 100;

/**
 * The first millisecond at which the record had its current handle. A record whose data were never updated has it
 * since it was made; for any other, its past is read back to the last change of its handle.
 */
export async function tenureMsOf(
  store: Pick<Store, 'past'>,
  scope: string,
  current: Version,
): Promise<number> {
  const { record } = current;
  const madeMs = timeOfLuid(record.luid);
  if (record.data.parent === undefined) return madeMs;
  const name = nameOfVersion(current);
  let since = firstMomentOf(current);
  for (let last = firstChangeOf(current) - 1; last > 0; last -= chunkLength) {
    const first = Math.max(1, last - chunkLength + 1);
    const versions = await store.past(scope, record.luid, first, last);
    for (const version of versions.toReversed()) {
      if (nameOfVersion(version) !== name) return since;
      since = firstMomentOf(version);
    }
  }
  return madeMs;
}

/** True when the record had its current handle at the end of a millisecond; its past is read only where it has to be. */
export async function hadHandleAt(
  store: Pick<Store, 'past'>,
  scope: string,
  current: Version,
  atMs: number,
): Promise<boolean> {
  if (firstMomentOf(current) <= atMs) return true;
  if (timeOfLuid(current.record.luid) > atMs) return false;
  return (await tenureMsOf(store, scope, current)) <= atMs;
}

function firstMomentOf({ steps, record }: Version): number {
  return Date.parse(steps[0]?.moment ?? record.meta.moment);
}
