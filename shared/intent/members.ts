/** The intents of a thread, as they are read for its next turn. Ruling 43. */
import { carriedOf, type Version } from '../ledger/record.ts';
import type { Services } from '../port/action.ts';
import type { Scope } from '../port/ports.ts';
import { readerOf } from '../record/reader.ts';
import type { Member } from './thread.ts';

/** The other intents of a thread by their handles; undefined when one of them cannot be seen yet. */
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

/** The intents of a thread in their order. */
export function membersOf(
  { together = [] }: Version,
  own: Member,
  others: readonly Version[],
): readonly Member[] {
  const all = [own, ...others.map(unchanged)];
  const placeOf = ({ record }: Member) => together.indexOf(record.data.handle);
  return all.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** An intent as it stands. */
export function unchanged(version: Version): Member {
  return {
    previous: version,
    record: version.record,
    steps: [],
    signals: [],
    ...carriedOf(version),
  };
}

/** The member with one more proof that counts. */
export function accepting(member: Member, index: number): Member {
  return { ...member, accepted: [...(member.accepted ?? []), index] };
}
