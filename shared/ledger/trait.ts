/** Decides whether a bridge is called: for everything, or for what its traits name. Ruling 53. */
import type { BridgeData } from '../shape/bridge.ts';
import { budgetOf, paidFrom, unitsFor } from './budget.ts';
import type { Filtered } from './claim.ts';
import { type PatternMaker, parseConditions } from './match.ts';
import type { LedgerRecord } from './record.ts';

type Trait = NonNullable<BridgeData['traits']>[number];
export type TraitName = Exclude<Trait, object>;

/**
 * True when a bridge is called for something about an intent. Conditions are on the intent, as those of policies are on
 * records. A trait that is named twice holds if one of them does. Throws when judging costs too much work.
 */
export function hasTrait(
  { data }: Pick<LedgerRecord, 'data'>,
  name: TraitName,
  intent: unknown,
  patternMaker: PatternMaker,
): boolean {
  const paid = paidFrom(budgetOf(unitsFor.effect), patternMaker);
  return covers(data as unknown as BridgeData, name, ({ filter = {} }) =>
    parseConditions(filter, paid)(intent),
  );
}

/** The conditions in the traits of a bridge. */
export function traitFilters({ data }: Pick<LedgerRecord, 'data'>): Filtered['filter'][] {
  const { traits = [] } = data as unknown as BridgeData;
  return traits.map((trait) => (typeof trait === 'string' ? {} : (trait.filter ?? {})));
}

/** True when the traits of a bridge include this one. A bridge without traits is called for everything. */
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
