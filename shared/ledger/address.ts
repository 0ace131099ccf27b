/** Handles, addresses and luids as they appear in paths and claims. Rulings 10, 11, 42 and 45. */
import type { Party } from '../shape/intent.ts';
import { domainOfHandle } from './domain.ts';
import { type Kind, kinds } from './kind.ts';

const kindByPrefix: ReadonlyMap<string, Kind> = new Map(
  Object.entries(kinds).map(([kind, { prefix }]) => [`$${prefix}.`, kind as Kind]),
);

/** The handle of a wallet or symbol, however it was written. */
export function handleOf(party: Party): string {
  return typeof party === 'string' ? party : party.handle;
}

/** Whether a path parameter is a luid; no handle looks like one. */
export function isLuidText(text: string): boolean {
  return /^\$[a-z]{3}\./.test(text);
}

/** The kind of the records whose luids begin like this one. */
export function kindOfLuid(luid: string): Kind | undefined {
  return kindByPrefix.get(luid.slice(0, '$wlt.'.length));
}

/**
 * Whether a text could be a handle at all: the alphabet of all handles together. Anything else that a
 * path or header names is simply not there, and never becomes part of a key. Ruling 11.
 */
export function isHandleText(text: string): boolean {
  return /^[a-zA-Z0-9_\-:.=$/+@]{1,256}$/.test(text);
}

/**
 * The handles of the wallets that an address may mean, the most exact one first: itself, then those of
 * `schema@domain`, `domain` and `schema`. Ruling 42.
 *
 * @example
 * candidatesOf('savings:1001@bank'); // ['savings:1001@bank', 'savings@bank', 'bank', 'savings']
 */
export function candidatesOf(handle: string): string[] {
  const [, schema, domain] = /^(?:([^:@]+):)?[^:@]+(?:@([^:@]+))?$/.exec(handle) ?? [];
  const general = schema !== undefined && domain !== undefined ? [`${schema}@${domain}`] : [];
  const candidates = [handle, ...general, domain, schema].filter((one) => one !== undefined);
  return [...new Set(candidates)];
}

/** A wallet as far as addresses may mean it. */
export interface Addressed {
  readonly handle: string;
  /** Where it lies, in a ledger that has domains; `{}` for a wallet in none. */
  readonly lies?: { readonly domain?: string | undefined };
}

/**
 * Whether an address means a wallet that it may mean by its handle. Where there are domains, money comes only to a wallet
 * that lies in the domain of the address, or in none and says none: else whoever may make wallets in one domain would be
 * paid in the place of another one. What a wallet is called by its own handle goes out of it wherever it lies.
 * Ruling 42, Decision 81.
 */
export function isMeant(
  address: string,
  { handle, lies }: Addressed,
  side: 'debit' | 'credit',
): boolean {
  if (!lies || (side === 'debit' && handle === address)) return true;
  const [asked, said] = [address, handle].map(domainOfHandle);
  if (said !== undefined) return lies.domain === asked;
  return handle === address || lies.domain === undefined || lies.domain === asked;
}
