/** The keys that a record of a signer, or of its factor, takes, keeps and gives up. Ruling 63, Decisions 5 and 157. */
import {
  authorsIn,
  givenUp,
  isMadeBy,
  isProvenBy,
  type KeyHolder,
  type NamedSigner,
  ownsItself,
} from '../ledger/ownership.ts';
import { isDropped, type LedgerRecord, type Version } from '../ledger/record.ts';
import type { Proof } from '../shape/proof.ts';

export type KeyHolders = ReadonlyMap<string, KeyHolder>;

/** The signer of a record: itself, or the one in `named` that a factor belongs to. */
export function signerAmong(
  handle: string,
  own: Version | undefined,
  named: readonly (Version | undefined)[],
): NamedSigner {
  const all = [own, ...named];
  const found = all.find((one) => one?.kind === 'signer' && one.record.data.handle === handle);
  return { handle, luid: found?.record.luid };
}

interface KeyChange {
  readonly holds?: readonly string[];
  readonly releases?: readonly string[];
  /** The holders before. */
  readonly holders: KeyHolders;
  /** The signer before. */
  readonly signer: NamedSigner;
  /** The authors of the change. */
  readonly authors: readonly Proof[];
  readonly version: Version;
  readonly previous?: Version;
  readonly home: LedgerRecord | undefined;
}

/** The holders of the keys after a change, for `Write.holders`. */
export function holdersAfter(change: KeyChange): Map<string, KeyHolder> {
  const { holds = [], releases = [], holders, signer, version, previous, home } = change;
  const { luid } = version.record;
  const handle = home?.data.handle ?? '';
  const isOwner = (key: string): boolean =>
    home?.meta.owners.includes(key) === true && ownsItself(holders.get(key));
  const mustName = (key: string): boolean =>
    version.kind === 'signer-factor' ||
    (previous !== undefined && !isMadeBy(key, previous.record.meta.owners));
  const isNobody = () => false;
  const isNew = (key: string): boolean =>
    holds.includes(key) && previous?.record.data['public'] !== key;
  const isProvenNow = (key: string): boolean =>
    // The end of a record says nothing of its key: who ends one that a stranger has made agrees to nothing.
    !isDropped(version) &&
    isProvenBy(change.authors, key, {
      handle,
      mustName: mustName(key),
      isOwner: isNew(key) ? isOwner : isNobody,
    });
  const before = authorsIn(previous?.record.meta.proofs ?? []);
  const isProven = (key: string): boolean =>
    holders.get(key)?.isProven === true ||
    isProvenNow(key) ||
    // A key of an earlier release, whose proof was not noted.
    (previous?.record.data['public'] === key &&
      isProvenBy(before, key, { handle, mustName: mustName(key), isOwner: isNobody }));
  const noted = (key: string): KeyHolder => ({
    ...holders.get(key),
    ...(isProven(key) && { isProven: true }),
  });
  const former = version.kind === 'signer' ? luid : signer.luid;
  const kept = releases.flatMap((key) => {
    const mark = former === undefined ? undefined : givenUp(noted(key), former, luid);
    return mark ? [[key, mark] as const] : [];
  });
  return new Map([...kept, ...holds.map((key) => [key, noted(key)] as const)]);
}
