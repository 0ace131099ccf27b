/** What a bridge is called for: everything, or what its traits name under their conditions. Ruling 53. */
import type { BridgeData } from '../shape/bridge.ts';
import type { Filtered } from './claim.ts';
import { type PatternMaker, parseConditions } from './match.ts';
import { subjectOf } from './policy.ts';
import type { LedgerRecord } from './record.ts';
import { pricedBy, purseOf, unitsFor } from './work.ts';

type Trait = NonNullable<BridgeData['traits']>[number];
export type TraitName = Exclude<Trait, object>;

/**
 * Whether a bridge is called for something that is about an intent. Conditions are on the intent, as those of
 * policies are on records. A trait that is named twice holds when one of them does. Throws when that takes too much
 * work to judge.
 */
export function hasTrait(
  { data }: Pick<LedgerRecord, 'data'>,
  name: TraitName,
  intent: LedgerRecord,
  patternMaker: PatternMaker,
): boolean {
  const paid = pricedBy(purseOf(unitsFor.effect), patternMaker);
  return covers(data as unknown as BridgeData, name, ({ filter = {} }) =>
    parseConditions(filter, paid)(subjectOf(intent)),
  );
}

/** Whether a bridge that is asked does something; one that names nothing does everything. */
export function covers(
  { traits = [] }: Pick<BridgeData, 'traits'>,
  name: TraitName,
  fits: (trait: Filtered) => boolean,
): boolean {
  const own = traits
    .map((trait) => (typeof trait === 'string' ? { method: trait } : trait))
    .filter(({ method }) => method === name);
  return traits.length === 0 || own.some(fits);
}
