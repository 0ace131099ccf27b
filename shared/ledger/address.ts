/** Handles, addresses and luids as they appear in paths and claims. Rulings 10, 11 and 45. */
import type { Party } from '../shape/intent.ts';

/** The handle of a wallet or symbol, however it was written. */
export function handleOf(party: Party): string {
  return typeof party === 'string' ? party : party.handle;
}

/** Whether a path parameter is a luid; no handle looks like one. */
export function isLuidText(text: string): boolean {
  return /^\$[a-z]{3}\./.test(text);
}

/**
 * Whether a text could be a handle at all: the alphabet of all handles together. Anything else that a
 * path or header names is simply not there, and never becomes part of a key. Ruling 11.
 */
export function isHandleText(text: string): boolean {
  return /^[a-zA-Z0-9_\-:.=$/+@]{1,256}$/.test(text);
}
