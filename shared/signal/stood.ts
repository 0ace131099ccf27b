/**
 * Records as they stood when something happened, though they have changed since: an event that is made again after a
 * crash has the same text. Ruling 58, Decision 136.
 */
import { assert } from '../ledger/assert.ts';
import {
  type Change,
  changesOf,
  firstChangeOf,
  type LedgerRecord,
  type Version,
} from '../ledger/record.ts';
import type { Scope, Store } from '../port/ports.ts';

type PastReader = Pick<Store, 'past'>;

/** The record after a change, as it would have been answered then. */
export function recordAt(change: Change, { record }: Version): LedgerRecord {
  const { action: _action, change: _number, drop: _drop, ...meta } = change.meta;
  return { ...change, meta: { ...meta, moment: record.meta.moment } };
}

/** The record of a current version as it stood after one of its changes, by number. */
export async function recordAfter(
  reader: PastReader,
  scope: Scope,
  version: Version,
  number: number,
): Promise<LedgerRecord> {
  if (number >= version.change) return version.record;
  const { luid } = version.record;
  const isHeld = number >= firstChangeOf(version);
  const [held] = isHeld ? [version] : await reader.past(scope, luid, number, number);
  assert(held, 'a superseded version stays');
  const change = changesOf(held).find(({ meta }) => meta.change === number);
  assert(change, 'a version has each of its changes');
  return recordAt(change, held);
}

/** The number of changes that are looked through: a clock that ran ahead may have dated all of them later. */
const lookBackMax = 20;

/** The record of a current version as it stood at a time, in milliseconds; as it is now when that is not found. */
export async function recordBy(
  reader: PastReader,
  scope: Scope,
  version: Version,
  atMs: number,
): Promise<LedgerRecord> {
  const changeIn = (one: Version) =>
    changesOf(one).findLast(({ meta }) => Date.parse(meta.moment) <= atMs);
  const own = changeIn(version);
  if (own) return own.meta.change === version.change ? version.record : recordAt(own, version);
  const last = firstChangeOf(version) - 1;
  const first = Math.max(1, last - lookBackMax + 1);
  const past = last > 0 ? await reader.past(scope, version.record.luid, first, last) : [];
  const held = past.findLast(changeIn);
  const change = held && changeIn(held);
  return change ? recordAt(change, held) : version.record;
}
