/** Signed notes: a text, and signature lines of named keys behind an empty line. C2SP signed-note. */
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { fromBase64, toBase64 } from './bytes.ts';
import { hashOfBytes } from './sha256.ts';

/** A key that signs notes, by its name. */
export interface NoteKey {
  readonly name: string;
  /** The 32 bytes of an ed25519 key. */
  readonly public: Uint8Array;
  /** The type of its signatures; without one, they are over the text of the note. */
  readonly type?: SignatureType;
}

/** The types of signatures by ed25519 keys: over the text, or as a cosignature. C2SP signed-note, tlog-cosignature. */
export type SignatureType = 1 | 4;

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
const keyByteCount = 32;
const textType: SignatureType = 1;
export const cosignatureType: SignatureType = 4;
/** The most signatures that are read; a verifier must accept 16. */
const signatureCountMax = 64;
// Key names hold neither spaces nor plus signs; notes hold no control characters but line breaks.
const linePattern = /^\u2014 ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/u;
const vkeyPattern = /^([^\s+]{1,256})\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are refused.
const controlPattern = /[\u0000-\u0009\u000b-\u001f]/;

/** The first four bytes of the sha256 over name, line break, type and key. */
export function keyIdOf(key: NoteKey): Uint8Array {
  return hashOfBytes(concatBytes(utf8ToBytes(`${key.name}\n`), typedKeyOf(key))).subarray(
    0,
    idByteCount,
  );
}

function typedKeyOf({ public: key, type = textType }: NoteKey): Uint8Array {
  return concatBytes(Uint8Array.of(type), key);
}

/** A key as a text that names it: `<name>+<id>+<type and key>`, the vkey of C2SP signed-note. */
export function vkeyOf(key: NoteKey): string {
  return `${key.name}+${bytesToHex(keyIdOf(key))}+${toBase64(typedKeyOf(key))}`;
}

/** The key of such a text; undefined for any other text, and for a key whose type is not known here. */
export function keyOfVkey(text: string): (NoteKey & { readonly type: SignatureType }) | undefined {
  const [, name = '', id, typed = ''] = vkeyPattern.exec(text) ?? [];
  const [type, ...bytes] = fromBase64(typed) ?? [];
  if ((type !== textType && type !== cosignatureType) || bytes.length !== keyByteCount)
    return undefined;
  const key = { name, public: Uint8Array.from(bytes), type };
  return bytesToHex(keyIdOf(key)) === id ? key : undefined;
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
export function isSignedBy(note: Note, key: NoteKey, verify: VerifyBytes): boolean {
  const own = signaturesBy(note, key);
  const bytes = utf8ToBytes(note.text);
  return own.length > 0 && own.every(({ signature }) => verify(bytes, signature, key));
}

/** The signatures under the name and the id of a key; none of them is verified. */
export function signaturesBy({ signatures }: Note, key: NoteKey): NoteSignature[] {
  const id = bytesToHex(keyIdOf(key));
  return signatures.filter((one) => one.name === key.name && one.id === id);
}
