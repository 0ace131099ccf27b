/** A quorum: several matchers, each to be met by the proof of a different signer. Ruling 66, Decision 28. */
import type { Principal, PrincipalTest } from './matcher.ts';

/**
 * True when the newest proof, together with those of others that ask for the same, completes the quorum. The newest
 * must itself meet one of the matchers.
 */
export function completesQuorum(
  quorum: readonly PrincipalTest[],
  newest: Principal,
  others: readonly Principal[],
): boolean {
  if (quorum.length === 0) return true;
  const votes = otherVotes(newest, others);
  return quorum.some(
    (isMeant, index) =>
      isMeant(newest) &&
      areAllMet(
        quorum.filter((_, other) => other !== index),
        votes,
      ),
  );
}

/** One vote for each signer, without that of the newest: a signer with two keys has one vote. */
function otherVotes(newest: Principal, others: readonly Principal[]): Principal[] {
  const votes = new Map(others.map((principal) => [voterOf(principal), principal]));
  votes.delete(voterOf(newest));
  return [...votes.values()];
}

function voterOf({ handle, public: key }: Principal): string {
  return handle === undefined ? `key ${key}` : `signer ${handle}`;
}

/** Assigns a different vote to each matcher, by augmenting paths. */
export function areAllMet<Vote>(
  quorum: readonly ((vote: Vote) => boolean)[],
  votes: readonly Vote[],
): boolean {
  /** The matcher that each vote is assigned to, by the index of the vote. */
  const assigned = new Map<number, number>();
  const canAssign = (matcher: number, tried: Set<number>): boolean =>
    votes.some((vote, index) => {
      if (tried.has(index) || !quorum[matcher]?.(vote)) return false;
      tried.add(index);
      const before = assigned.get(index);
      if (before !== undefined && !canAssign(before, tried)) return false;
      assigned.set(index, matcher);
      return true;
    });
  return quorum.every((_, matcher) => canAssign(matcher, new Set()));
}
