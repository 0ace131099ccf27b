/** The other intents of a thread, as far as they were read with a history. */
import type { Version } from '../ledger/record.ts';
import { headKeyOf, textOf } from '../store/keys.ts';
import { type ItemHistory, storedOf, versionsOf } from './history.ts';
import { besides } from './word.ts';

/** The current intents of a thread, the first one first, as far as they exist; a single intent is a thread. */
export function membersOf(history: ItemHistory): Version[] {
  const own = versionsOf(history).at(-1);
  if (!own) return [];
  const { together = [] } = own;
  const others = besides(own).flatMap((handle) => intentAt(history, handle) ?? []);
  const placeOf = ({ record }: Version) => together.indexOf(record.data.handle);
  return [own, ...others].toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** The intent of this handle, among those that were read with a history. */
export function intentAt({ scope, items }: ItemHistory, handle: string): Version | undefined {
  const item = items.get(textOf(headKeyOf(scope, 'intent', handle)));
  const stored = item && storedOf(item);
  return stored && 'version' in stored ? stored.version : undefined;
}
