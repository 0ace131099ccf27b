/**
 * Ownership by keys. The owners of a record are the keys that made it (Ruling 13). A signer owns what any key of its own
 * has made, one that it has given up as well; a key that was taken away from its signer owns nothing. Decision 157.
 */
import type { Proof } from '../shape/proof.ts';

/** The signer of a key, and the signer that it was taken away from. */
export interface KeyHolder {
  /** The handle of the signer that holds the key; absent once it was taken away. */
  readonly signer?: string;
  /** True once it is certain that the key is that signer's: see `isProvenBy`. */
  readonly isProven?: true;
  /** The luid of the signer that it was taken away from, and of the record that showed it: that signer, or a factor. */
  readonly former?: string;
  readonly luid?: string;
}

/** A signer as it is now. */
export interface NamedSigner {
  readonly handle: string;
  /** Absent for one that is about to be made. */
  readonly luid?: string | undefined;
}

/** True when a key owns what it made itself: it belongs to no signer, or to one that still holds it. */
export function ownsItself(holder: KeyHolder | undefined): boolean {
  return !holder || holder.signer !== undefined;
}

/** True when a signer owns what the key of this holder made. */
export function ownsBySigner(
  { handle, luid }: NamedSigner,
  holder: KeyHolder | undefined,
): boolean {
  if (!holder) return false;
  const isHeld = holder.isProven === true && holder.signer === handle;
  return isHeld || (luid !== undefined && holder.former === luid);
}

/** True when a signer may hold a key: nobody holds it, or the signer itself, and it was taken away from no other one. */
export function mayHold({ handle, luid }: NamedSigner, holder: KeyHolder | undefined): boolean {
  const { signer, former } = holder ?? {};
  if (signer !== undefined) return signer === handle;
  return former === undefined || former === luid;
}

/** A record that shows or replaces a key, for `isProvenBy`. */
export interface KeyRecord {
  /** The handle of the ledger. */
  readonly handle: string;
  /** True where the key's own proof must name the ledger: in a factor, and in a signer that it did not make alone. */
  readonly mustName: boolean;
  /** True for an owner of the ledger, where the record begins to show the key; nobody, where it keeps or replaces it. */
  readonly isOwner: (key: string) => boolean;
}

/** True when a key alone has made a signer of these owners: then nobody else has given the signer to it. */
export function isMadeBy(key: string, owners: readonly string[]): boolean {
  return owners.every((by) => by === key);
}

/**
 * True when the authors of a record of a signer or a factor make certain that the key is that signer's: the key itself
 * signs, or an owner of the ledger, who may do everything, signs a record that begins to show it. An owner who changes
 * something else signs the key that is there with it. A proof beside those of others must name the ledger, or it could be
 * one from another ledger. So must that of a factor's key, since its signer is named by a handle, which is somebody else
 * in another ledger, and that of a key in a signer which it did not make alone: others can make one like that of another
 * ledger and give it to the key, and what the key signs there is a change here, too.
 */
export function isProvenBy(
  authors: readonly Pick<Proof, 'public' | 'custom'>[],
  key: string,
  { handle, mustName, isOwner }: KeyRecord,
): boolean {
  const isOfLedger = ({ custom }: Pick<Proof, 'custom'>) => custom?.['ledger'] === handle;
  const certain = authors.filter(
    (one) => isOwner(one.public) || (one.public === key && (isOfLedger(one) || !mustName)),
  );
  return (certain.length > 0 && certain.length === authors.length) || certain.some(isOfLedger);
}

/** The proofs of those who wrote the data of a record. Proofs that were added follow the first one of the ledger. */
export function authorsIn(proofs: readonly Proof[]): readonly Proof[] {
  const end = proofs.findIndex(({ origin }) => origin === undefined);
  return end < 0 ? proofs : proofs.slice(0, end);
}

/** The mark of a key that a record gives up; undefined for one that nothing made certain to be the signer's. */
export function givenUp(
  { isProven, former, luid }: KeyHolder,
  signer: string,
  record: string,
): KeyHolder | undefined {
  if (isProven) return { former: signer, luid: record };
  return former !== undefined && luid !== undefined ? { former, luid } : undefined;
}
