/** The intents of a thread, as they are read for its next step. Ruling 43. */
import { attachmentOf, type Version } from '../ledger/record.ts';
import type { Services } from '../port/action.ts';
import type { Scope } from '../port/ports.ts';
import { readerOf } from '../record/reader.ts';
import type { ThreadMember } from './thread.ts';

/** The other intents of the thread; undefined when one of them is not visible yet. */
export async function othersOf(
  { store }: Services,
  scope: Scope,
  { record, together = [] }: Version,
): Promise<Version[] | undefined> {
  const handles = together.filter((handle) => handle !== record.data.handle);
  if (handles.length === 0) return [];
  const found = await readerOf(store, scope).records('intent', handles);
  const there = found.flatMap((one) => one ?? []);
  return there.length === handles.length ? there : undefined;
}

/** All intents of the thread in their order. */
export function membersOf(
  { together = [] }: Version,
  own: ThreadMember,
  others: readonly Version[],
): readonly ThreadMember[] {
  const all = [own, ...others.map(unchanged)];
  const placeOf = ({ record }: ThreadMember) => together.indexOf(record.data.handle);
  return all.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** The intent without a change. */
export function unchanged(version: Version): ThreadMember {
  return {
    previous: version,
    record: version.record,
    steps: [],
    signals: [],
    ...attachmentOf(version),
  };
}

/** Adds the index of a proof that counts. */
export function accepting(member: ThreadMember, index: number): ThreadMember {
  return { ...member, accepted: [...(member.accepted ?? []), index] };
}
