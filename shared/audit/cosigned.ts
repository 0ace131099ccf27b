/**
 * The answers of witnesses: the cosigned checkpoint is one of this log, and every cosignature verifies. Its own
 * signature is judged when it is newest, as is that of every checkpoint. Decision 117.
 */
import { isSignedBytes } from '../crypto/proof.ts';
import { isSameBytes, toBase64 } from '../log/bytes.ts';
import { checkpointOf } from '../log/checkpoint.ts';
import { cosignatureBy, witnessOf } from '../log/cosignature.ts';
import { type Note, signaturesBy, type VerifyBytes } from '../log/note.ts';
import type { Hash } from '../log/tree.ts';
import type { Scope } from '../port/ports.ts';
import { unpackCosigned } from '../store/cosigned.ts';
import type { Item } from '../store/request.ts';
import { type Finding, violationOf } from './violation.ts';

const verify: VerifyBytes = (bytes, signature, { public: key }) =>
  isSignedBytes(bytes, signature, toBase64(key));

/** Checks the answers of witnesses; `root` is that of the leaves at the size of the cosigned checkpoint. */
export function* auditCosigned(
  scope: Scope,
  item: Item | undefined,
  root: Hash | undefined,
): Finding {
  const { checkpoint, progress } = item ? unpackCosigned(item) : {};
  if (!checkpoint) return;
  const read = checkpointOf(checkpoint.note);
  if (!read || !root || read.size !== checkpoint.size || !isSameBytes(read.root, root))
    yield violationOf(3, { scope }, 'The cosigned checkpoint is not one of the leaves of the log.');
  else if (!isCosigned(read.note, Object.keys(progress ?? {})))
    yield violationOf(3, { scope }, 'A cosignature of the log does not verify.');
}

/** True when every cosignature of these witnesses verifies. */
function isCosigned(note: Note, vkeys: readonly string[]): boolean {
  const witnesses = vkeys.flatMap((vkey) => witnessOf(vkey) ?? []);
  return witnesses.every(
    (one) => signaturesBy(note, one).length === 0 || cosignatureBy(note, one, verify),
  );
}
