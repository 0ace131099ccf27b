/** What is remembered of the proofs that make a record and end it. Ruling 16, Decision 7. */
import type { Scope } from '../action/ports.ts';
import { freesHandles, type Kind } from '../ledger/kind.ts';
import type { Version } from '../ledger/record.ts';
import type { Proof } from '../shape/proof.ts';
import { type Key, sealKeyOf } from '../store/keys.ts';

/** Where an accepted proof of a create or a drop is remembered, and the hash of the record beside it. */
interface Seal {
  readonly key: Key;
  readonly hash: string;
}

/** The seals of a life with these versions, oldest first. */
export function sealsOf(scope: Scope, kind: Kind, versions: readonly Version[]): Seal[] {
  const [first] = versions;
  const last = versions.at(-1);
  if (!first || !last || !freesHandles(kind)) return [];
  const authored = first.record.meta.proofs
    .slice(0, first.steps[0]?.proofs)
    .filter(({ origin }) => origin !== undefined);
  const sealed = (proofs: readonly Proof[], hash: string): Seal[] =>
    proofs.map((proof) => ({ key: sealKeyOf(scope, kind, proof), hash }));
  return [
    ...sealed(authored, first.record.hash),
    ...sealed(last.drop?.meta.proofs ?? [], last.record.hash),
  ];
}
