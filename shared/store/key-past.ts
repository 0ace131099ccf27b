/** The keys that a signer or a factor has ever shown, from all of its versions. Decision 157. */
import { authorsIn, isMadeBy, isProvenBy } from '../ledger/ownership.ts';
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
  const keys = [...new Set(versions.flatMap(publicsOf))];
  return keys.map((key) => signedPastOf(scope, versions, last, key));
}

/** A key in the changes that show or replace it, by those who signed them. */
function signedPastOf(
  scope: Scope,
  versions: readonly Version[],
  { kind, record }: Version,
  key: string,
): KeyPast {
  const shows = (version: Version | undefined): boolean =>
    version !== undefined && publicsOf(version).includes(key);
  const living = versions.filter((version) => !isDropped(version));
  const isOfOthers = !isMadeBy(key, record.meta.owners);
  const changes = living.flatMap((version, index) => {
    const before = living[index - 1];
    const mustName = kind === 'signer-factor' || (before !== undefined && isOfOthers);
    const isNew = shows(version) && !shows(before);
    const isTouched = shows(version) || shows(before);
    return isTouched ? [{ ...changeOf(version, before), mustName, isNew }] : [];
  });
  const provenWith = (isOwner: (by: string) => boolean) =>
    changes.filter(({ authors, mustName, isNew }) =>
      isProvenBy(authors, key, { handle: scope, mustName, isOwner: isNew ? isOwner : isNobody }),
    );
  return {
    key,
    isShown: shows(living.at(-1)) && living.length === versions.length,
    isProven: provenWith(isNobody).some(({ authors, signers }) =>
      authors.some(({ public: by, signer = '' }) => by === key && signers.includes(signer)),
    ),
    mayBeProven: (owners) => provenWith((by) => owners.includes(by)).length > 0,
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
