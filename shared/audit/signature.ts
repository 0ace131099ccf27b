/**
 * Invariant 3: every proof of every version verifies. The code is independent of `crypto/proof.ts`, as a second
 * opinion, and runs on Node's threads, since an audit spends most of its time on signatures.
 */
import { verify as nativeVerify } from 'node:crypto';
import { digestOf } from '../crypto/digest.ts';
import { isResult, isResultText, isValidPublic, keyOf } from '../crypto/key.ts';
import { isSame } from '../ledger/alteration.ts';
import type { Version } from '../ledger/record.ts';
import type { Proof } from '../shape/proof.ts';
import { pairsOf } from './chain.ts';
import { handleOfHistory, type ItemHistory } from './history.ts';
import { isSameProof } from './proof.ts';
import { type AuditViolation, type ViolationSubject, violationOf } from './violation.ts';

/** The violations of proofs, and the number of proofs verified. */
export interface Verified {
  readonly proofs: number;
  readonly violations: readonly AuditViolation[];
}

/** Verifies the proofs of a history, each once: a version that adds a proof repeats those before. */
export async function verifyHistory(history: ItemHistory): Promise<Verified> {
  const results = await Promise.all(
    pairsOf(history).map(([version, previous]) => verifyVersion(history, version, previous)),
  );
  return {
    proofs: results.reduce((sum, { proofs }) => sum + proofs, 0),
    violations: results.flatMap(({ violations }) => violations),
  };
}

async function verifyVersion(
  history: ItemHistory,
  version: Version,
  previous: Version | undefined,
): Promise<Verified> {
  const handle = handleOfHistory(history);
  const subject: ViolationSubject = {
    scope: history.scope,
    kind: history.kind,
    luid: history.luid,
    change: version.change,
    ...(handle !== undefined && { handle }),
  };
  const { hash, meta } = version.record;
  const known = previous?.record.hash === hash ? previous.record.meta.proofs : [];
  const fresh = meta.proofs.filter((proof, index) => !isKnown(proof, known[index]));
  const drop = version.drop?.meta.proofs ?? [];
  const [faults, dropFaults] = await Promise.all([
    faultsOf(hash, fresh),
    faultsOf(version.drop?.hash ?? '', drop),
  ]);
  return {
    proofs: fresh.length + drop.length,
    violations: [
      ...found(subject, 'the version', fresh, faults),
      ...found(subject, 'the drop', drop, dropFaults),
    ],
  };
}

function isKnown(proof: Proof, known: Proof | undefined): boolean {
  // A stored digest need not be that of the stored statement.
  return known !== undefined && isSameProof(proof, known) && isSame(proof.custom, known.custom);
}

type SignatureDefect = string | undefined;

function faultsOf(hash: string, proofs: readonly Proof[]): Promise<SignatureDefect[]> {
  return Promise.all(proofs.map((proof) => faultOf(hash, proof)));
}

/** One violation for each proof that does not verify; one for all when none does: then the data is wrong. */
function found(
  subject: ViolationSubject,
  what: string,
  proofs: readonly Proof[],
  faults: readonly SignatureDefect[],
): AuditViolation[] {
  if (proofs.length > 1 && faults.every((fault) => fault !== undefined)) {
    const fact = `The hash of ${what} is not what was signed: none of its ${proofs.length} proofs verifies.`;
    return [violationOf(3, subject, fact)];
  }
  return proofs.flatMap((proof, index) => {
    const fault = faults[index];
    if (fault === undefined) return [];
    const status = proof.custom?.['status'];
    const whose = `The ${typeof status === 'string' ? `'${status}' ` : ''}proof of ${what} by ${proof.public}`;
    return [violationOf(3, subject, `${whose} does not verify: ${fault}.`)];
  });
}

async function faultOf(hash: string, proof: Proof): Promise<SignatureDefect> {
  const digest = digestOf(hash, proof.custom);
  if (proof.digest.toLowerCase() !== digest) return 'its digest is of something else';
  if (!isValidPublic(proof.public)) return 'its public key is none';
  if (!isResultText(proof.result)) return 'its result is no signature';
  const isSigned = await isSignedBy(proof, Buffer.from(digest, 'hex'));
  return isSigned ? undefined : 'its signature is not of its digest';
}

function isSignedBy(proof: Proof, digest: Uint8Array): Promise<boolean> {
  const key = keyOf(proof.public);
  const result = Buffer.from(proof.result, 'base64');
  if (!isResult(result)) return Promise.resolve(false);
  return new Promise((resolve, reject) => {
    nativeVerify(null, digest, key, result, (error, isValid) => {
      if (error) reject(error);
      else resolve(isValid);
    });
  });
}
