/**
 * Four eyes on money: a quorum on an intent is met by different signers, and never by those alone who made it. Ruling
 * 94, Decision 106.
 */
import type { Proof } from '../shape/proof.ts';
import { consentsIn } from './intent.ts';
import type { Principal, PrincipalTest, SignerMatcher } from './matcher.ts';
import { areAllMet } from './quorum.ts';
import type { LedgerRecord } from './record.ts';

/** The statuses of an intent that a quorum can decide: it is taken on, it takes effect, it is given up. */
export const intentStatuses = ['prepared', 'committed', 'aborted'] as const;
export type IntentStatus = (typeof intentStatuses)[number];

/** A proof of an intent, by one of its makers or by another author. */
export interface Vote {
  /** The signer as the ledger knows it now. */
  readonly principal: Principal;
  /** The handle of the signer when the proof was stored. */
  readonly formerly?: string | undefined;
  /** True for a key that made the intent, or that the one which did has handed over to. */
  readonly isMaker: boolean;
  /** True when the proof agrees to what the quorum is about. */
  readonly agrees: boolean;
}

/**
 * The votes of the authors' proofs for a status: consents for what moves money, and for giving it up the proofs that ask
 * for that. What is said of an entry, as in reports of bridges, agrees to nothing, and still tells whose a key is.
 */
export function votesFor(
  status: IntentStatus,
  { proofs, owners }: LedgerRecord['meta'],
  principalOf: (proof: Proof) => Principal,
): Vote[] {
  const consents = new Set(consentsIn(proofs));
  const agrees = (proof: Proof): boolean => {
    const { custom = {} } = proof;
    if (custom['handle'] !== undefined) return false;
    return status === 'aborted' ? custom['status'] === status : consents.has(proof);
  };
  return proofs.filter(isOfAuthor).map((proof) => {
    const principal = principalOf(proof);
    return {
      principal,
      formerly: proof.signer,
      isMaker: owners.includes(proof.public) || principal.owns.has('record'),
      agrees: agrees(proof),
    };
  });
}

/** True for any proof that is no statement of the ledger. */
export function isOfAuthor({ origin }: Proof): boolean {
  return origin !== undefined;
}

/** A matcher of a quorum. A key that belongs to no signer counts only where `namesKeys` is true. */
export interface QuorumTest {
  readonly isMeant: PrincipalTest;
  readonly namesKeys: boolean;
}

/**
 * True when each matcher is met by a different signer, and one of all who agree has not made the intent, or two have. A
 * key that nobody is known by could be another key of the same person, so it counts only where the policy names it.
 */
export function isSeenByOthers(quorum: readonly QuorumTest[], votes: readonly Vote[]): boolean {
  if (quorum.length === 0) return true;
  const meets = ({ isMeant, namesKeys }: QuorumTest, principal: Principal) =>
    (namesKeys || principal.handle !== undefined) && isMeant(principal);
  const counts = ({ agrees, principal }: Vote) =>
    agrees && (principal.handle !== undefined || quorum.some((test) => meets(test, principal)));
  const voters = votersOf(votes).filter((voter) => voter.some(counts));
  const isShared = voters.length > 1 || voters.some((voter) => !voter.some(isOfMaker));
  const tests = quorum.map(
    (test) => (voter: readonly Vote[]) =>
      voter.some((vote) => counts(vote) && meets(test, vote.principal)),
  );
  return isShared && areAllMet(tests, voters);
}

function isOfMaker({ isMaker }: Vote): boolean {
  return isMaker;
}

/** The votes of each signer. Two keys are of one signer when they are now, or were when the proofs were stored. */
function votersOf(votes: readonly Vote[]): Vote[][] {
  let voters: { readonly names: ReadonlySet<string>; readonly votes: readonly Vote[] }[] = [];
  for (const vote of votes) {
    const names = namesOf(vote);
    const isSame = (one: { readonly names: ReadonlySet<string> }) =>
      [...names].some((name) => one.names.has(name));
    const same = voters.filter(isSame);
    const all = new Set([...names, ...same.flatMap((one) => [...one.names])]);
    const whole = { names: all, votes: [...same.flatMap((one) => one.votes), vote] };
    voters = [...voters.filter((one) => !isSame(one)), whole];
  }
  return voters.map((one) => [...one.votes]);
}

function namesOf({ principal, formerly }: Vote): Set<string> {
  const handles = [principal.handle, formerly].filter((handle) => handle !== undefined);
  return new Set([`key ${principal.public}`, ...handles.map((handle) => `signer ${handle}`)]);
}

/** True for a matcher that only keys which it names, or those of the ledger's owners, can meet. */
export function namesKeys({ public: key, $ledger, $in = [] }: SignerMatcher): boolean {
  const isNamed =
    typeof key === 'string' || ['$in', '$eq'].some((one) => Object.hasOwn(Object(key), one));
  return isNamed || $ledger !== undefined || ($in.length > 0 && $in.every(namesKeys));
}
