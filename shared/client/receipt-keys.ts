/** The keys of a ledger and its log in a receipt, after rotations. Rulings 98 and 99. */
import { fromBase64, toBase64 } from '../log/bytes.ts';
import { type Checkpoint, checkpointOf } from '../log/checkpoint.ts';
import {
  followed,
  type IsProofOf,
  isBefore,
  type KeyEntry,
  keyFor,
  keysOf,
} from '../log/key-table.ts';
import { isSignedBy, type Note } from '../log/note.ts';
import { proofOfText } from '../log/proof-text.ts';
import type { Proof } from '../shape/proof.ts';
import { hashOf } from './digest.ts';

const signerPrefix = '$snr.';

/** A record of a receipt. */
export interface SignedPart {
  readonly luid: string;
  readonly hash: string;
  readonly data: Readonly<Record<string, unknown>> & { readonly handle?: string };
  readonly meta: { readonly proofs: readonly Proof[]; readonly moment: string };
}

/** Tells whether the holder of a public key signed these bytes. */
export type IsSigned = (bytes: Uint8Array, signature: string, publicText: string) => boolean;

/** The checks of signatures. */
export interface Checks {
  readonly isSigned: IsSigned;
  readonly isProofOf: IsProofOf;
}

/** The parts of a receipt in which keys are named. */
interface ShownReceipt {
  readonly record: SignedPart;
  readonly proof: string;
  readonly signers: { readonly system: SignedPart; readonly log: SignedPart };
}

/** True when this key of a log has signed the checkpoint. */
export function hasSigned(
  { public: text }: KeyEntry,
  { origin, note }: Checkpoint & { readonly note: Note },
  signs: IsSigned,
): boolean {
  const key = fromBase64(text);
  return (
    key !== undefined &&
    isSignedBy(note, { name: origin, public: key }, (bytes, signature, { public: by }) =>
      signs(bytes, toBase64(signature), toBase64(by)),
    )
  );
}

/** The given key leads to the keys of the receipt: by its own table, or by that of the ledger's signer of today. */
export function trustFaults(
  system: SignedPart,
  { key, signer }: { readonly key: string; readonly signer: unknown },
  { isProofOf }: Checks,
): string[] {
  const known = keysOf(system);
  if (known.some((one) => one.public === key)) return [...followed(system, key, isProofOf).faults];
  const newest = String(system.data['public']);
  const other = `The receipt is of the ledger with the key ${newest}, not of that with ${key}.`;
  if (signer === undefined) return [other];
  const later = signer as SignedPart;
  const isOfSame = later.luid === system.luid && isSignedByNewest(later, keysOf(later), isProofOf);
  const { keys, faults } = followed(later, key, isProofOf);
  return isOfSame && keys.some((one) => one.public === newest)
    ? []
    : [other, ...(isOfSame ? faults : ['The signer is not that of the ledger of the receipt.'])];
}

/** The newest key has signed the record of its signer, as it is shown. */
export function isSignedByNewest(
  { hash, data, meta }: SignedPart,
  keys: readonly KeyEntry[],
  isProofOf: IsProofOf,
): boolean {
  const newest = keys.at(-1)?.public;
  const isSignedByIt = meta.proofs.some(
    (proof) => proof.public === newest && isProofOf(hash, proof),
  );
  return hashOf(data) === hash.toLowerCase() && isSignedByIt;
}

/**
 * The newest key has signed the record as that of a signer, or an earlier one in its time that nobody else may have had.
 * It states the luid: a factor has a key and a free name too, and the ledger signs that of every client.
 */
export function isVouchedFor(
  { luid, hash, data, meta }: SignedPart,
  keys: readonly KeyEntry[],
  isProofOf: IsProofOf,
): boolean {
  const safe = keys.filter(({ compromised }) => compromised === undefined);
  const isSignedBySafe = meta.proofs.some(
    (proof) => keyFor(safe, proof) && proof.custom?.['luid'] === luid && isProofOf(hash, proof),
  );
  return luid.startsWith(signerPrefix) && hashOf(data) === hash.toLowerCase() && isSignedBySafe;
}

/** The facts about earlier keys of the ledger and its log that an auditor has to know. */
export function rotationFacts(
  { record, signers, proof: text }: ShownReceipt,
  keys: readonly KeyEntry[],
  signs: IsSigned,
): string[] {
  const proof = proofOfText(text);
  const checkpoint = checkpointOf(proof?.checkpoint ?? '');
  const newest = keys.at(-1)?.public;
  const earlier = keys
    .slice(0, -1)
    .filter((key) => record.meta.proofs.some(({ public: by }) => by === key.public));
  const ofLog = keysOf(signers.log).filter(
    (key) => checkpoint && hasSigned(key, checkpoint, signs),
  );
  const isLeaked = ({ compromised }: KeyEntry): boolean => compromised !== undefined;
  return [
    ...earlier.map(
      (key) =>
        `The ledger signed it with an earlier key, ${key.public}, which counts up to ${key.until}; it signs with ${newest} since.`,
    ),
    ...earlier
      .filter(isLeaked)
      .map((key) =>
        isBefore(key, proof?.index)
          ? `Others may have had that key since ${key.compromised}: by then the log had this change.`
          : `Others may have had that key since ${key.compromised}: only a checkpoint from before, kept elsewhere, shows that this change is older.`,
      ),
    ...(ofLog.length > 0 && ofLog.every(isLeaked)
      ? [
          'The checkpoint is signed by a key of the log that others may have had: ask for a receipt under a newer one.',
        ]
      : []),
  ];
}
