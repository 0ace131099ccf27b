/** The items of keys: the signer that a key belongs to, and the key that one has handed over to. */
import { handoverIn } from '../ledger/handover.ts';
import { withinOf } from '../ledger/kind.ts';
import type { Version } from '../ledger/record.ts';
import type { KeyHolder, Scope } from '../port/ports.ts';
import { holderKeyOf } from './keys.ts';
import type { Item } from './request.ts';

/**
 * The item that names the signer of a key of a signer or a factor, and the keys that have handed over to it. Ruling 63,
 * Decision 157.
 */
export function holderOf(scope: Scope, version: Version, publicKey: string) {
  const { predecessors } = version.record.meta;
  const attributes = {
    signer: signerOf(version),
    // A key that has taken over is always of one record; of others, earlier releases did not say which.
    ...(predecessors && {
      luid: version.record.luid,
      predecessors: predecessors.join(' '),
    }),
  };
  const missing = 'A key owns by other keys than those that have handed over to it.';
  // Another signer may hold the key, unless it has taken over.
  const found = { mayBeMissing: !predecessors, isExact: true, missing } as const;
  return { item: 'holder', key: holderKeyOf(scope, publicKey), attributes, ...found } as const;
}

/** The item of a key that hands over in a version. It stays, so that no signer takes the key again. Decision 157. */
export function retiredIn(scope: Scope, next: Version, previous: Version | undefined) {
  const { from, to } = handoverIn(scope, next, previous) ?? {};
  if (from === undefined) return undefined;
  return {
    from,
    item: 'holder',
    key: holderKeyOf(scope, from),
    attributes: { luid: next.record.luid, successor: to },
    isExact: true,
    missing: 'A key owns what it has handed over.',
  } as const;
}

/** A key as its item tells of it. */
export function unpackHolder({ signer, luid, successor, predecessors }: Item): KeyHolder {
  const all = predecessors as string | undefined;
  return {
    ...(signer !== undefined && { signer: signer as string }),
    ...(luid !== undefined && { luid: luid as string }),
    ...(successor !== undefined && { successor: successor as string }),
    ...(all !== undefined && { predecessors: all.split(' ') }),
  };
}

/** The handle of a signer; of a factor, that of its signer. */
export function signerOf({ kind, record }: Version): string {
  return withinOf(kind, record.data) ?? record.data.handle;
}
