/**
 * What is remembered of the proofs that make a record and end it, so that none of them does so twice. What is
 * signed names data and not a kind, so a proof that says when it was signed counts once among all kinds of a
 * ledger. Ruling 16, Decision 7.
 */
import type { SentProof } from '../shape/proof.ts';
import { freesHandles, isApart, type Kind } from './kind.ts';

/** A proof as far as it is remembered. */
export type Sealed = Pick<SentProof, 'public' | 'digest' | 'custom'>;

/** Whether a proof says when it was signed, so that its author does not sign the same again. */
export function isDated({ custom }: Pick<Sealed, 'custom'>): boolean {
  return typeof custom?.['moment'] === 'string';
}

/** Those of the proofs that make or end a record of this kind which are remembered. */
export function sealedOf<P extends Sealed>(kind: Kind, proofs: readonly P[]): readonly P[] {
  if (freesHandles(kind)) return proofs;
  // What never frees its handle is not made twice, but the same could make something else.
  return isApart(kind) ? [] : proofs.filter(isDated);
}

/**
 * Those of the proofs that are added to first data of this kind which are remembered: they are over what a create
 * would be over, and could make a record as well. Of later data its parent tells that it makes none.
 */
export function sealedAdditionsOf<P extends Sealed>(
  kind: Kind,
  data: { readonly parent?: string },
  proofs: readonly P[],
): readonly P[] {
  return isApart(kind) || data.parent !== undefined ? [] : proofs.filter(isDated);
}

/** The kind among whose records a proof counts once; undefined when that is among all kinds. */
export function sealKindOf(kind: Kind, proof: Pick<Sealed, 'custom'>): Kind | undefined {
  return isDated(proof) ? undefined : kind;
}
