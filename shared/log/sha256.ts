/**
 * sha256 on every platform: natively where Node has it, which takes a tenth of the time, and in portable code elsewhere.
 * Node's module is asked for when this one starts, so no bundle for browsers has to resolve it.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** The part of a platform that is looked for. Node has it from 20.16 on. */
export interface HashPlatform {
  readonly process?: { readonly getBuiltinModule?: (name: string) => unknown };
}

type NativeHash = (name: 'sha256', data: Uint8Array | string, encoding: 'hex' | 'latin1') => string;

export interface HashFunctions {
  /** The 32 bytes of the hash. */
  readonly hashOfBytes: (bytes: Uint8Array) => Uint8Array;
  /** The same of the UTF-8 bytes of a text. */
  readonly hashOfText: (text: string) => Uint8Array;
  /** The same in hex. */
  readonly hexOfText: (text: string) => string;
}

/** The functions of a platform. */
export function sha256On(platform: HashPlatform): HashFunctions {
  const crypto = platform.process?.getBuiltinModule?.('node:crypto');
  const { hash } = Object(crypto) as { readonly hash?: NativeHash };
  if (!hash)
    return {
      hashOfBytes: sha256,
      hashOfText: (text) => sha256(utf8ToBytes(text)),
      hexOfText: (text) => bytesToHex(sha256(utf8ToBytes(text))),
    };
  return {
    // A short text costs less than a buffer.
    hashOfBytes: (bytes) => bytesOf(hash('sha256', bytes, 'latin1')),
    hashOfText: (text) => bytesOf(hash('sha256', text, 'latin1')),
    hexOfText: (text) => hash('sha256', text, 'hex'),
  };
}

/** The bytes of a text, one for each character. */
function bytesOf(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  return bytes;
}

export const { hashOfBytes, hashOfText, hexOfText } = sha256On(globalThis as HashPlatform);
