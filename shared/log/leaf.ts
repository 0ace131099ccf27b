/**
 * The leaves of a log: one for each change of each record. A leaf names the change, and has the hashes of what was
 * signed and of the signatures. Decision 115.
 */
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalOf } from '../crypto/canonical.ts';
import { changesOf, type Version } from '../ledger/record.ts';
import type { Proof } from '../shape/proof.ts';
import { hexOfText } from './sha256.ts';
import { type Hash, leafHashOf } from './tree.ts';

export interface Leaf {
  readonly luid: string;
  /** The number of the change in the history of the record, from 1. */
  readonly change: number;
  /** The hash of the record's data after the change. */
  readonly hash: string;
  /** When the change was made, ISO 8601 UTC. */
  readonly moment: string;
  /** Hex sha256 of the canonical JSON of all proofs after the change; after a drop, with those of the drop. */
  readonly proofs: string;
}

/** The ledger whose log has the changes of a record: a ledger's own record lies with the server, and is in its own. */
export function logOf(scope: string, { kind, record }: Pick<Version, 'kind' | 'record'>): string {
  return kind === 'ledger' ? record.data.handle : scope;
}

/** The leaves of all changes that a version holds, in their order. */
export function leavesOf(version: Version): Leaf[] {
  // The proofs of a change are among those of each later one.
  const texts = new Map<Proof, string>();
  const textOf = (proof: Proof): string => {
    const text = texts.get(proof) ?? canonicalOf(proof);
    texts.set(proof, text);
    return text;
  };
  return changesOf(version).map(({ luid, hash, meta }) => {
    const all = meta.drop ? [...meta.proofs, ...meta.drop.meta.proofs] : meta.proofs;
    const of = { luid, change: meta.change, hash, moment: meta.moment };
    return { ...of, proofs: hashOfTexts(all.map(textOf)) };
  });
}

/** The hash of proofs, as a leaf has it. */
export function proofsHashOf(proofs: readonly Proof[]): string {
  return hashOfTexts(proofs.map(canonicalOf));
}

/** The same, by the canonical JSON of each. */
function hashOfTexts(texts: readonly string[]): string {
  return hexOfText(`[${texts.join(',')}]`);
}

/** The entry of a leaf: the bytes that the log has. */
export function entryOf(leaf: Leaf): Uint8Array {
  return utf8ToBytes(entryTextOf(leaf));
}

function entryTextOf({ luid, change, hash, moment, proofs }: Leaf): string {
  return canonicalOf({ luid, change, hash, moment, proofs });
}

export function hashOfLeaf(leaf: Leaf): Hash {
  return leafHashOf(entryTextOf(leaf));
}

/** Entries as a bundle: each behind its length, two bytes, the higher first. C2SP tlog-tiles. */
export function bundleOf(entries: readonly Uint8Array[]): Uint8Array {
  const bundle = new Uint8Array(entries.reduce((sum, { length }) => sum + 2 + length, 0));
  let at = 0;
  for (const entry of entries) {
    bundle.set([entry.length >> 8, entry.length & 0xff], at);
    bundle.set(entry, at + 2);
    at += 2 + entry.length;
  }
  return bundle;
}
