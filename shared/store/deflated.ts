/**
 * Texts as bytes, deflated. Two machines may give different bytes of one text, so texts are compared and never bytes. `words`
 * are known to both sides (a preset dictionary, RFC 1950 section 2.2); they never change while anything needs them.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** A small window and state: most texts have a kilobyte or two, and making the state takes longer than deflating them. */
const options = { windowBits: 12, memLevel: 5 };

export function deflated(text: string, words?: Uint8Array): Uint8Array {
  return deflateRawSync(text, words ? { ...options, dictionary: words } : undefined);
}

export function inflated(bytes: Uint8Array, words?: Uint8Array): string {
  return inflateRawSync(bytes, words && { dictionary: words }).toString();
}
