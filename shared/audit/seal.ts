/** What is remembered of the proofs that make a record and end it. Ruling 16, Decision 7. */

import { freesHandles, type Kind } from '../ledger/kind.ts';
import type { Version } from '../ledger/record.ts';
import { sealedAdditionsOf, sealedOf } from '../ledger/seal.ts';
import type { Scope } from '../port/ports.ts';
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
  const { hash, data } = first.record;
  const firstData = versions.filter(({ record }) => record.hash === hash).at(-1) ?? first;
  const added = firstData.record.meta.proofs
    .slice(first.steps[0]?.proofs)
    .filter(({ origin }) => origin !== undefined);
  const sealsFor = (proofs: readonly Proof[], ofHash: string, isDue: boolean): Seal[] =>
    proofs.map((proof) => ({
      keys: [sealKeyOf(scope, kind, proof), oldSealKeyOf(scope, kind, proof)],
      hash: ofHash,
      isDue,
    }));
  const isDue = freesHandles(kind);
  return [
    ...sealsFor(sealedOf(kind, authored), hash, isDue),
    // Added proofs were not remembered at first.
    ...sealsFor(sealedAdditionsOf(kind, data, added), hash, false),
    ...sealsFor(sealedOf(kind, last.drop?.meta.proofs ?? []), last.record.hash, isDue),
  ];
}
