/**
 * Cosignatures: a witness states when it has seen a checkpoint, and that it followed from all that it saw before. C2SP
 * tlog-cosignature, with ed25519.
 */
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import {
  cosignatureType,
  keyOfVkey,
  type Note,
  type NoteKey,
  signatureLineOf,
  signaturesBy,
  type VerifyBytes,
} from './note.ts';

/** A cosignature that verifies. */
export interface Cosignature {
  /** When the witness made it, in seconds since 1970. */
  readonly seconds: number;
  /** Its signature line, with the line break. */
  readonly line: string;
}

const timeByteCount = 8;
const signatureByteCount = 64;
/** The last second of the year 9999: every client can say any earlier one as a moment. */
const secondsMax = 253_402_300_799;

/** The key of a witness by its vkey; undefined for a text that is none. */
export function witnessOf(vkey: string): NoteKey | undefined {
  const key = keyOfVkey(vkey);
  return key?.type === cosignatureType ? key : undefined;
}

/** The bytes that a witness signs: when, and the text of the checkpoint. */
export function cosignedBytes(text: string, seconds: number): Uint8Array {
  return utf8ToBytes(`cosignature/v1\ntime ${seconds}\n${text}`);
}

/** The signature line of a witness that made this signature at this time. */
export function cosignatureLineOf(key: NoteKey, seconds: number, signature: Uint8Array): string {
  const time = new DataView(new ArrayBuffer(timeByteCount));
  time.setBigUint64(0, BigInt(seconds));
  return signatureLineOf(key, concatBytes(new Uint8Array(time.buffer), signature));
}

/**
 * The newest cosignature of a witness on a note; undefined where it has none. A note with a wrong one under the name and
 * the id of the witness is refused, whatever else it holds.
 */
export function cosignatureBy(
  note: Note,
  witness: NoteKey,
  verify: VerifyBytes,
): Cosignature | undefined {
  const found = signaturesBy(note, witness).map(({ signature: timed }) => {
    const seconds = secondsIn(timed);
    const signature = timed.subarray(timeByteCount);
    const isGood =
      seconds !== undefined && verify(cosignedBytes(note.text, seconds), signature, witness);
    return isGood ? { seconds, line: signatureLineOf(witness, timed) } : undefined;
  });
  if (found.includes(undefined)) return undefined;
  return (found as Cosignature[]).sort((one, other) => one.seconds - other.seconds).at(-1);
}

function secondsIn(timed: Uint8Array): number | undefined {
  if (timed.length !== timeByteCount + signatureByteCount) return undefined;
  const seconds = Number(new DataView(timed.buffer, timed.byteOffset).getBigUint64(0));
  return seconds <= secondsMax ? seconds : undefined;
}
