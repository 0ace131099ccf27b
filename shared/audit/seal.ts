/** What is remembered of the proofs that make a record and end it. Ruling 16, Decision 7. */
import type { Scope } from '../action/ports.ts';
import { freesHandles, type Kind } from '../ledger/kind.ts';
import type { Version } from '../ledger/record.ts';
import { sealedOf } from '../ledger/seal.ts';
import type { Proof } from '../shape/proof.ts';
import { type Key, oldSealKeyOf, sealKeyOf } from '../store/keys.ts';

/** Where an accepted proof of a create or a drop is remembered, and the hash of the record beside it. */
interface Seal {
  /** Where it is now, and where it was when proofs were remembered for their kinds alone. */
  readonly keys: readonly Key[];
  readonly hash: string;
  /** Whether it was always remembered. Of what frees no handle nothing was, at first. */
  readonly isDue: boolean;
}

/** The seals of a life with these versions, oldest first. */
export function sealsOf(scope: Scope, kind: Kind, versions: readonly Version[]): Seal[] {
  const [first] = versions;
  const last = versions.at(-1);
  if (!first || !last) return [];
  const authored = first.record.meta.proofs
    .slice(0, first.steps[0]?.proofs)
    .filter(({ origin }) => origin !== undefined);
  const sealed = (proofs: readonly Proof[], hash: string): Seal[] =>
    sealedOf(kind, proofs).map((proof) => ({
      keys: [sealKeyOf(scope, kind, proof), oldSealKeyOf(scope, kind, proof)],
      hash,
      isDue: freesHandles(kind),
    }));
  return [
    ...sealed(authored, first.record.hash),
    ...sealed(last.drop?.meta.proofs ?? [], last.record.hash),
  ];
}
