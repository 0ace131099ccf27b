/**
 * The keys of a signer of the service, `system` or `log`, over time: pure, and on every platform. Each key is signed by
 * the one before it and by itself, so that a verifier goes from any key that it trusts to those that follow. Ruling 99.
 */
import { canonicalOf } from '../crypto/canonical.ts';
import type { Proof } from '../shape/proof.ts';
import { hexOfText } from './sha256.ts';

/** A key of a signer, as its record shows it. Moments are ISO 8601 UTC. */
export interface KeyEntry {
  readonly public: string;
  /** The rotation to this key; of the first key, the creation of the signer. */
  readonly from: string;
  /** The last moment that a signature by it may state; absent for the newest key. */
  readonly until?: string;
  /** The number of leaves of the ledger's log when the next key came; absent for the newest key, and without a log. */
  readonly size?: number;
  /** The moment at which it was reported that others may have this key. */
  readonly compromised?: string;
  /** The proofs by the key before it and by itself; absent for the first key. */
  readonly proofs?: readonly Proof[];
}

/** The members of a signer's record from which its keys follow. */
export interface KeyedSigner {
  readonly luid: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly meta: { readonly moment: string };
}

/** Tells whether a proof signs a hash. */
export type IsProofOf = (hash: string, proof: Proof) => boolean;

/** The clocks of two instances of the service may differ by this much, in milliseconds. */
export const clockToleranceMs = 5 * 60_000;

/** The keys of a signer, oldest first. One that was never rotated has one key, and one without a key none. */
export function keysOf({ data, meta }: KeyedSigner): readonly KeyEntry[] {
  const { keys, public: newest } = data;
  if (Array.isArray(keys)) return keys as readonly KeyEntry[];
  return typeof newest === 'string' ? [{ public: newest, from: meta.moment }] : [];
}

/**
 * The key that a signer had for a signature: that of the proof, at the moment that the proof states. A signature without
 * a moment, as that of a checkpoint, is judged by the key alone. What the log had before the next key came counts whatever
 * it states, since a clock may have been wrong: `index` is the leaf of the change, where it is known. Undefined for a key
 * that was not the signer's then.
 */
export function keyFor(
  keys: readonly KeyEntry[],
  { public: by, custom = {} }: Pick<Proof, 'public' | 'custom'>,
  index?: number,
): KeyEntry | undefined {
  const found = keys.find((key) => key.public === by);
  const moment = custom['moment'];
  if (!found || typeof moment !== 'string' || isBefore(found, index)) return found;
  const atMs = Date.parse(moment);
  const isBegun = found.proofs === undefined || atMs >= Date.parse(found.from) - clockToleranceMs;
  const isEnded = found.until !== undefined && atMs > Date.parse(found.until);
  return isBegun && !isEnded ? found : undefined;
}

/** True for a leaf that the log had when the next key came. */
export function isBefore({ size }: KeyEntry, index: number | undefined): boolean {
  return size !== undefined && index !== undefined && index < size;
}

/** The hash that the proofs of a key sign: the signer, the key before it, and when it began. */
export function linkHashOf(
  luid: string,
  after: string,
  { public: key, from }: Pick<KeyEntry, 'public' | 'from'>,
): string {
  return hexOfText(canonicalOf({ luid, after, public: key, from }));
}

/** The faults of a table of keys, a sentence each: a link that is not signed by both keys, or another newest key. */
export function linkFaults(signer: KeyedSigner, isProofOf: IsProofOf): string[] {
  const { luid, data } = signer;
  const keys = keysOf(signer);
  const odd = keys.filter((key, index) => !isLinked(luid, key, keys[index - 1], isProofOf));
  const newest = keys.at(-1)?.public;
  return [
    ...odd.map((key) => `The key ${key.public} is not signed by the one before it and by itself.`),
    ...(newest === data['public'] ? [] : ['The last key of the signer is not the one it shows.']),
  ];
}

function isLinked(
  luid: string,
  key: KeyEntry,
  before: KeyEntry | undefined,
  isProofOf: IsProofOf,
): boolean {
  const { proofs = [] } = key;
  if (!before) return proofs.length === 0;
  if (before.until === undefined) return false;
  const hash = linkHashOf(luid, before.public, key);
  return [before.public, key.public].every((by) =>
    proofs.some((proof) => proof.public === by && isProofOf(hash, proof)),
  );
}

/** The keys that a verifier may go by, and why it may go by none. */
export interface FollowedKeys {
  readonly keys: readonly KeyEntry[];
  readonly faults: readonly string[];
}

/**
 * The keys of a signer for a verifier who trusts one of them. All keys follow from the newest one, which signs the
 * record; from an older one, if each key on the way there is signed by the one before it, and none of these was
 * reported as compromised. The caller verifies that the newest key has signed the record.
 */
export function followed(signer: KeyedSigner, trusted: string, isProofOf: IsProofOf): FollowedKeys {
  const keys = keysOf(signer);
  const start = keys.findIndex((key) => key.public === trusted);
  const newest = keys.at(-1)?.public;
  if (start < 0) {
    const fault = `The signer has the key ${newest}, and no link leads there from ${trusted}.`;
    return { keys: [], faults: [fault] };
  }
  const unsafe = keys.slice(start, -1).find((key) => key.compromised !== undefined);
  const faults = [
    ...linkFaults(signer, isProofOf),
    ...(unsafe
      ? [
          `The key ${unsafe.public} was reported as compromised at ${unsafe.compromised}: get the newest key, which this ledger says is ${newest}, from its operator.`,
        ]
      : []),
  ];
  return { keys: faults.length === 0 ? keys : [], faults };
}
