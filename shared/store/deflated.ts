/** Texts as bytes, deflated. The same text is always the same bytes, so that items of it can be compared. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';

export function deflated(text: string): Uint8Array {
  return deflateRawSync(text);
}

export function inflated(bytes: Uint8Array): string {
  return inflateRawSync(bytes).toString();
}
