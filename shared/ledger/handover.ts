/**
 * The handover of what a key owns. Records belong to the keys that made them (Ruling 13). A key that a signer or a factor
 * replaces may sign that the new one owns all of that from now on; it then owns nothing itself. Decision 157.
 */
import type { Proof, SentProof } from '../shape/proof.ts';
import { LedgerError } from './errors.ts';
import { hasKeys, type Kind } from './kind.ts';
import type { Meta, RecordData, Version } from './record.ts';

/** A successor owns what at most so many keys have made. */
export const predecessorCountMax = 200;

/** The keys of a handover. */
export interface Handover {
  readonly from: string;
  readonly to: string;
}

/** The data before and after an update, and the authors' proofs of it. */
export interface KeyChange {
  readonly kind: Kind;
  readonly before: RecordData | undefined;
  readonly after: RecordData;
  readonly proofs: readonly (Proof | SentProof)[];
}

/** The keys that a key owns by, and what became of it. */
export interface KeyOwnership {
  /** Present once it has handed over: it owns nothing any more. */
  readonly successor?: string | undefined;
  /** The keys that have handed over to it, and those that had handed over to them, the last one first. */
  readonly predecessors?: readonly string[] | undefined;
}

/** True when a key owns what these owners have made. */
export function isOwnedBy(
  owners: readonly string[],
  key: string,
  { successor, predecessors = [] }: KeyOwnership = {},
): boolean {
  if (successor !== undefined) return false;
  return [key, ...predecessors].some((one) => owners.includes(one));
}

/** The handover in a version of a signer or a factor of this ledger; undefined for any other change. */
export function handoverIn(
  ledger: string,
  { kind, record }: Version,
  previous: Version | undefined,
): Handover | undefined {
  const before = previous?.record.data;
  return handoverOf(ledger, { kind, before, after: record.data, proofs: record.meta.proofs });
}

/**
 * The handover that an update asks for: `custom.successor` in the proof of the key that is replaced. Refuses with
 * `record.invalid` a successor that another key names, that is not the new key, or that could be of any ledger.
 */
export function statedHandover(ledger: string, change: KeyChange): Handover | undefined {
  const { kind, before, after, proofs } = change;
  const [from, to] = [before?.['public'], after['public']];
  for (const stated of successorsIn(kind, proofs)) {
    const { index, proof, successor } = stated;
    if (proof.public !== from || from === to) throw notReplaced(stated);
    if (successor !== to) throw refused(index, 'is not the new key.', { key: to });
    if (proof.custom?.['ledger'] !== ledger)
      throw refused(index, `needs the ledger beside it: custom.ledger = '${ledger}'.`);
  }
  return handoverOf(ledger, change);
}

/** Refuses with `record.invalid` a key after so many others. */
export function assertFewPredecessors(predecessors: readonly string[] = []): void {
  if (predecessors.length <= predecessorCountMax) return;
  const detail = `A key takes over from at most ${predecessorCountMax} keys, one after the other.`;
  throw new LedgerError('record.invalid', detail);
}

/** Refuses with `record.invalid` a successor in a change that replaces no key. */
export function assertNoHandover(kind: Kind, proofs: KeyChange['proofs']): void {
  for (const stated of successorsIn(kind, proofs)) throw notReplaced(stated);
}

/** True for a change in which a key names its successor. */
export function namesSuccessor(kind: Kind, proofs: KeyChange['proofs']): boolean {
  return successorsIn(kind, proofs).length > 0;
}

/** The predecessors of the key after an update; undefined for one without any. */
export function predecessorsAfter(
  { before, after }: Pick<KeyChange, 'before' | 'after'>,
  { predecessors }: Pick<Meta, 'predecessors'>,
  handover: Handover | undefined,
): Meta['predecessors'] {
  if (handover) return [handover.from, ...(predecessors ?? [])];
  return before?.['public'] === after['public'] ? predecessors : undefined;
}

function handoverOf(
  ledger: string,
  { kind, before, after, proofs }: KeyChange,
): Handover | undefined {
  const [from, to] = [before?.['public'], after?.['public']];
  const isKeys = typeof from === 'string' && typeof to === 'string' && from !== to;
  if (!hasKeys(kind) || !isKeys) return undefined;
  const isSaid = proofs.some(
    ({ public: by, custom = {} }) =>
      by === from && custom['successor'] === to && custom['ledger'] === ledger,
  );
  return isSaid ? { from, to } : undefined;
}

/** A proof that names a successor. */
interface Stated {
  readonly index: number;
  readonly proof: KeyChange['proofs'][number];
  readonly successor: unknown;
}

function successorsIn(kind: Kind, proofs: KeyChange['proofs']): Stated[] {
  if (!hasKeys(kind)) return [];
  return proofs.flatMap((proof, index) => {
    const successor = proof.custom?.['successor'];
    return successor === undefined ? [] : { index, proof, successor };
  });
}

function notReplaced({ index, proof }: Stated): LedgerError {
  const { public: key } = proof;
  return refused(index, 'is named by a key that this does not replace.', { key });
}

function refused(index: number, fault: string, custom: object = {}): LedgerError {
  return new LedgerError('record.invalid', `The successor in proof ${index} ${fault}`, {
    index,
    ...custom,
  });
}
