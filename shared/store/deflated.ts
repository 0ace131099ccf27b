/** Texts as bytes, deflated. The same text is always the same bytes, so that items of it can be compared. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Little memory for little texts: most of the time would be spent on getting it. */
const smallBytes = 4_096;
const small = { windowBits: 12, memLevel: 5 };
/** More than any item can hold, deflated or not. */
const textBytesMax = 4 * 1024 * 1024;

export function deflated(text: string): Uint8Array {
  return deflateRawSync(text);
}

export function inflated(bytes: Uint8Array): string {
  return inflateRawSync(bytes).toString();
}

/** A text, deflated with a dictionary, which takes no bytes where the text says the same. */
export function deflatedBy(dictionary: Buffer, text: string): Uint8Array {
  const bytes = Buffer.from(text);
  return deflateRawSync(bytes, { dictionary, ...(bytes.length <= smallBytes && small) });
}

/** The text that was deflated with this dictionary. */
export function inflatedBy(dictionary: Buffer, bytes: Uint8Array): string {
  return inflateRawSync(bytes, { dictionary, maxOutputLength: textBytesMax }).toString();
}
