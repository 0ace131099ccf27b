/**
 * A quorum: several matchers, each satisfied by a proof of somebody else. Ruling 66, Decision 28.
 */
import type { Party, PartyTest } from './matcher.ts';

/**
 * Whether the newest proof completes a quorum, together with those of others that ask for the same.
 * It has to be one of those that count: whoever is outside a quorum completes none.
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

/** Each of the others once, and the newest not again: one signer with two keys has one voice. */
function distinctFrom(newest: Party, others: readonly Party[]): Party[] {
  const voices = new Map(others.map((party) => [voiceOf(party), party]));
  voices.delete(voiceOf(newest));
  return [...voices.values()];
}

function voiceOf({ handle, public: key }: Party): string {
  return handle === undefined ? `key ${key}` : `signer ${handle}`;
}

/** Whether each matcher can be given a voice of its own: a matching, by augmenting paths. */
function areAllMet(quorum: readonly PartyTest[], voices: readonly Party[]): boolean {
  /** Which matcher a voice is given to, by the voice's index. */
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
