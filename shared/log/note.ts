/** Signed notes: a text, and signature lines of named keys behind an empty line. C2SP signed-note. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { fromBase64, toBase64 } from './bytes.ts';

/** A key that signs notes, by its name. */
export interface NoteKey {
  readonly name: string;
  /** The 32 bytes of an ed25519 key. */
  readonly public: Uint8Array;
}

/** A signature line. */
export interface NoteSignature {
  readonly name: string;
  /** The id of the key: 8 hex digits. */
  readonly id: string;
  readonly signature: Uint8Array;
}

export interface Note {
  /** The signed text, with the line break at its end. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

const idByteCount = 4;
const ed25519Type = Uint8Array.of(1);
/** The most signatures that are read; a verifier must accept 16. */
const signatureCountMax = 64;
// Key names hold neither spaces nor plus signs; notes hold no control characters but line breaks.
const linePattern = /^\u2014 ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are refused.
const controlPattern = /[\u0000-\u0009\u000b-\u001f]/;

/** The first four bytes of the sha256 over name, line break, type and key. */
export function keyIdOf({ name, public: key }: NoteKey): Uint8Array {
  return sha256(concatBytes(utf8ToBytes(`${name}\n`), ed25519Type, key)).subarray(0, idByteCount);
}

/** The signature line of a key. */
export function signatureLineOf(key: NoteKey, signature: Uint8Array): string {
  return `\u2014 ${key.name} ${toBase64(concatBytes(keyIdOf(key), signature))}\n`;
}

/** A note in parts; undefined for a text that is none. */
export function noteOf(note: string): Note | undefined {
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n') || controlPattern.test(note)) return undefined;
  const lines = note.slice(end + 2, -1).split('\n');
  const signatures = lines.flatMap((line) => signatureIn(line) ?? []);
  const isWhole = signatures.length === lines.length && lines.length <= signatureCountMax;
  return isWhole ? { text: note.slice(0, end + 1), signatures } : undefined;
}

function signatureIn(line: string): NoteSignature | undefined {
  const [, name = '', text = ''] = linePattern.exec(line) ?? [];
  const bytes = name === '' ? undefined : fromBase64(text);
  if (!bytes || bytes.length <= idByteCount) return undefined;
  return {
    name,
    id: bytesToHex(bytes.subarray(0, idByteCount)),
    signature: bytes.subarray(idByteCount),
  };
}

/** Tells whether the holder of a key signed these bytes. */
export type VerifyBytes = (bytes: Uint8Array, signature: Uint8Array, key: NoteKey) => boolean;

/**
 * True when the key has signed the note. A note with a wrong signature under the name and the id of the key is refused,
 * whatever else it holds.
 */
export function isSignedBy({ text, signatures }: Note, key: NoteKey, verify: VerifyBytes): boolean {
  const id = bytesToHex(keyIdOf(key));
  const own = signatures.filter((one) => one.name === key.name && one.id === id);
  const bytes = utf8ToBytes(text);
  return own.length > 0 && own.every(({ signature }) => verify(bytes, signature, key));
}
