/**
 * The replay guard: chooses the proofs to remember when a record is created or dropped, so that none does so twice. A
 * proof signs data without their kind, so one with a moment counts once among all kinds. Ruling 16, Decision 7.
 */
import type { SentProof } from '../shape/proof.ts';
import { freesHandles, isApart, type Kind } from './kind.ts';

/** The parts of a proof that identify it. */
export type GuardedProof = Pick<SentProof, 'public' | 'digest' | 'custom'>;

/** True when a proof states when it was signed. Its author signs no second one with the same content. */
export function hasMoment({ custom }: Pick<GuardedProof, 'custom'>): boolean {
  return typeof custom?.['moment'] === 'string';
}

/** The proofs to remember of a create or a drop of this kind. */
export function guardedProofs<P extends GuardedProof>(
  kind: Kind,
  proofs: readonly P[],
): readonly P[] {
  if (freesHandles(kind)) return proofs;
  // This kind never frees a handle, so it cannot be created twice; the proofs could still create another kind.
  return isApart(kind) ? [] : proofs.filter(hasMoment);
}

/**
 * The proofs to remember when they are added to an existing record. Over first data they sign the same as a create
 * would, so they could create a record too. Later data have a `parent`, which no create has.
 */
export function guardedAdditions<P extends GuardedProof>(
  kind: Kind,
  data: { readonly parent?: string },
  proofs: readonly P[],
): readonly P[] {
  return isApart(kind) || data.parent !== undefined ? [] : proofs.filter(hasMoment);
}

/** The kind among whose records a proof counts once; undefined when it counts once among all kinds. */
export function guardKindOf(kind: Kind, proof: Pick<GuardedProof, 'custom'>): Kind | undefined {
  return hasMoment(proof) ? undefined : kind;
}
