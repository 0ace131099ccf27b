/** A quorum: several matchers, each to be met by the proof of a different signer. Ruling 66, Decision 28. */
import type { Party, PartyTest } from './matcher.ts';

/**
 * True when the newest proof, together with those of others that ask for the same, completes the quorum. The newest
 * must itself meet one of the matchers.
 */
export function completes(
  quorum: readonly PartyTest[],
  newest: Party,
  others: readonly Party[],
): boolean {
  if (quorum.length === 0) return true;
  const voices = distinctFrom(newest, others);
  return quorum.some(
    (isMeant, index) =>
      isMeant(newest) &&
      areAllMet(
        quorum.filter((_, other) => other !== index),
        voices,
      ),
  );
}

/** One vote for each signer, without that of the newest: a signer with two keys has one vote. */
function distinctFrom(newest: Party, others: readonly Party[]): Party[] {
  const voices = new Map(others.map((party) => [voiceOf(party), party]));
  voices.delete(voiceOf(newest));
  return [...voices.values()];
}

function voiceOf({ handle, public: key }: Party): string {
  return handle === undefined ? `key ${key}` : `signer ${handle}`;
}

/** Assigns a different vote to each matcher, by augmenting paths. */
function areAllMet(quorum: readonly PartyTest[], voices: readonly Party[]): boolean {
  /** The matcher that each vote is assigned to, by the index of the vote. */
  const given = new Map<number, number>();
  const isGiven = (matcher: number, tried: Set<number>): boolean =>
    voices.some((voice, index) => {
      if (tried.has(index) || !quorum[matcher]?.(voice)) return false;
      tried.add(index);
      const before = given.get(index);
      if (before !== undefined && !isGiven(before, tried)) return false;
      given.set(index, matcher);
      return true;
    });
  return quorum.every((_, matcher) => isGiven(matcher, new Set()));
}
