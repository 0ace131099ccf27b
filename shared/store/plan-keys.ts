/** The keys that a write of a signer or a factor takes and gives up. Decisions 5 and 157. */
import type { Write } from '../port/ports.ts';
import { type PlannedAction, put, remove } from './item-action.ts';
import { holderKeyOf } from './keys.ts';
import { packHolder, signerOf } from './projection.ts';

const isAbsent = 'attribute_not_exists(pk)';
const isOfSigner = 'signer = :signer';
const isGivenUp = 'attribute_not_exists(signer) AND former = :former';

/** One action for each key. A key that is given up is marked where the write says so. */
export function planOfKeys(tableName: string, write: Write, index: number): PlannedAction[] {
  const { scope, next, previous = next, holds = [], releases = [], holders } = write;
  // The holder of a key is named by handle, so a renamed signer puts its keys again.
  const [signer, signerBefore] = [signerOf(next), signerOf(previous)];
  const isFree = `${isAbsent} OR ${isOfSigner} OR signer = :before OR ${isGivenUp}`;
  const conflict = { what: 'holder', write: index } as const;
  const actionOf = (publicKey: string, isHeld: boolean) => {
    const key = holderKeyOf(scope, publicKey);
    const holder = holders?.get(publicKey);
    // One that was taken away is taken again only from where it was read.
    const values = { ':signer': signer, ':before': signerBefore, ':former': holder?.former ?? '' };
    if (isHeld) return put(tableName, key, packHolder({ ...holder, signer }), isFree, values);
    const own = { ':signer': signerBefore };
    return holder
      ? put(tableName, key, packHolder(holder), isOfSigner, own)
      : remove(tableName, key, isOfSigner, own);
  };
  return [
    ...[...new Set(holds)].map((key) => ({ action: actionOf(key, true), conflict })),
    ...[...new Set(releases)].map((key) => ({ action: actionOf(key, false), conflict })),
  ];
}
