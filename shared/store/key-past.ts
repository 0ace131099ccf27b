/** The keys that a signer or a factor has ever shown, from all of its versions. Decision 157. */
import { authorsIn, isProvenBy } from '../ledger/ownership.ts';
import { isDropped, type Version } from '../ledger/record.ts';
import type { Scope } from '../port/ports.ts';
import { headKeyOf, holderKeyOf, type Key } from './keys.ts';
import { publicsOf, signerOf } from './projection.ts';

/** A key of a record, now or before. */
export interface KeyPast {
  readonly key: string;
  /** True while the record lives and shows the key. */
  readonly isShown: boolean;
  /** True when it is certain from these versions that the key was held and proven. */
  readonly isProven: boolean;
  /** True when it may be proven, where these keys own the ledger. */
  readonly mayBeProven: (owners: readonly string[]) => boolean;
}

const isNobody = (): boolean => false;

/** The keys of a record of authors; none of another kind, nor of one that the service has made. */
export function keyPastsOf(scope: Scope, versions: readonly Version[]): KeyPast[] {
  const last = versions.at(-1);
  if (!last || last.record.meta.owners.length === 0) return [];
  const isFactor = last.kind === 'signer-factor';
  const keys = [...new Set(versions.flatMap(publicsOf))].map((key) =>
    signedPastOf(scope, versions, key),
  );
  // A key need not name the ledger in a signer that has made itself: with the key that it had from the first.
  const isOf = (own: (by: string) => boolean) => last.record.meta.owners.every(own);
  const alone = keys.filter(({ key, isSigned }) => isSigned(isFactor || !isOf((by) => by === key)));
  const first = new Set(versions.slice(0, 1).flatMap(publicsOf));
  const certain = new Set(alone.flatMap(({ key }) => (first.has(key) ? key : [])));
  return keys.map(({ key, isShown, isSigned, provenWith }) => ({
    key,
    isShown,
    isProven: isSigned(isFactor || !isOf((by) => by === key || certain.has(by))),
    mayBeProven: (owners) => provenWith((by) => owners.includes(by), isFactor).length > 0,
  }));
}

/** The changes of a record that show or replace a key, by those who signed them. */
function signedPastOf(scope: Scope, versions: readonly Version[], key: string) {
  const shows = (version: Version | undefined): boolean =>
    version !== undefined && publicsOf(version).includes(key);
  const living = versions.filter((version) => !isDropped(version));
  const changes = living.flatMap((version, index) => {
    const before = living[index - 1];
    const isTouched = shows(version) || shows(before);
    return isTouched ? [{ ...changeOf(version, before), isShown: shows(version) }] : [];
  });
  const provenWith = (isOwner: (by: string) => boolean, mustName: boolean) =>
    changes.filter(({ authors, isShown }) =>
      isProvenBy(authors, key, { handle: scope, mustName, isOwner: isShown ? isOwner : isNobody }),
    );
  const isSigned = (mustName: boolean): boolean =>
    provenWith(isNobody, mustName).some(({ authors, signers }) =>
      authors.some(({ public: by, signer = '' }) => by === key && signers.includes(signer)),
    );
  return {
    key,
    isShown: shows(living.at(-1)) && living.length === versions.length,
    isSigned,
    provenWith,
  };
}

/** The items that tell of the keys of a record, and the record that names the owners of its ledger. */
export function heldKeysOf(scope: Scope, versions: readonly Version[]): Key[] {
  const pasts = keyPastsOf(scope, versions);
  const holders = pasts.map(({ key }) => holderKeyOf(scope, key));
  return pasts.length === 0 ? [] : [...holders, headKeyOf('', 'ledger', scope)];
}

/** The authors of a version, and the handles that its signer had. */
function changeOf(version: Version, before: Version | undefined) {
  const authors = authorsIn(version.record.meta.proofs);
  return { authors, signers: [version, before ?? version].map(signerOf) };
}
