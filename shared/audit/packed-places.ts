/** Places in logs that lie in items with others, for versions that have none by themselves. Decision 132. */
import type { Scope } from '../port/ports.ts';
import { type Key, textOf } from '../store/keys.ts';
import { placesAmong } from '../store/pack-places.ts';
import type { Item } from '../store/request.ts';
import type { AuditSource } from './source.ts';

/** A place that is looked for: of a record, in the log of a ledger. */
interface WantedPlace {
  readonly log: Scope;
  readonly luid: string;
  readonly key: Key;
}

/** Those of the places that there are, by the text of their key. */
export async function packedPlaces(
  { pages }: Pick<AuditSource, 'pages'>,
  wanted: readonly WantedPlace[],
): Promise<ReadonlyMap<string, Item>> {
  const keys = new Set(wanted.map(({ key }) => textOf(key)));
  const found = new Map<string, Item>();
  for (const log of new Set(wanted.map((one) => one.log))) {
    const luids = wanted.filter((one) => one.log === log).map(({ luid }) => luid);
    for (const [text, place] of await placesAmong(pages, log, luids))
      if (keys.has(text)) found.set(text, place);
  }
  return found;
}
