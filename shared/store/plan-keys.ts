/** The part of a commit about the keys of its signers and factors: those that begin, end, or hand over. */
import type { Write } from '../port/ports.ts';
import { holderOf, retiredIn, signerOf } from './holders.ts';
import { type PlannedAction, put, remove } from './item-action.ts';
import { holderKeyOf } from './keys.ts';

const isAbsent = 'attribute_not_exists(pk)';
const isOfSigner = 'signer = :signer';
// Only the record that has a key puts it again or gives it up: others of the signer may show it. Decision 20.
const isOfNoOther = '(attribute_not_exists(luid) OR luid = :luid)';
const isOwn = `${isOfSigner} AND ${isOfNoOther}`;

/** The actions for the keys that a write takes and gives up. A key of another signer is a conflict. Ruling 63. */
export function planOfKeys(tableName: string, write: Write, index: number): PlannedAction[] {
  const { scope, next, previous = next } = write;
  const [holds, releases] = [new Set(write.holds), new Set(write.releases)];
  const conflict = { what: 'holder', write: index } as const;
  // The holder of a key is named by handle, so a renamed signer puts its keys again.
  const [signer, signerBefore] = [signerOf(next), signerOf(previous)];
  const isFree = `${isAbsent} OR ((${isOfSigner} OR signer = :before) AND ${isOfNoOther})`;
  const { luid } = next.record;
  const values = { ':signer': signer, ':before': signerBefore, ':luid': luid };
  const taken = [...holds].map((publicKey) => {
    const { key, attributes } = holderOf(scope, next, publicKey);
    return put(tableName, key, { ...attributes, luid }, isFree, values);
  });
  const given = { ':signer': signerBefore, ':luid': luid };
  const retired = retiredIn(scope, next, write.previous);
  if (retired) releases.delete(retired.from);
  const givenUp = [...releases].map((publicKey) =>
    remove(tableName, holderKeyOf(scope, publicKey), isOwn, given),
  );
  const handedOver = retired ? [put(tableName, retired.key, retired.attributes, isOwn, given)] : [];
  return [...taken, ...givenUp, ...handedOver].map((action) => ({ action, conflict }));
}
