/** Reads handles, addresses and luids as they appear in paths and claims. Rulings 10, 11, 42 and 45. */
import type { ClaimReference } from '../shape/intent.ts';
import { domainOfHandle } from './domain.ts';
import { type Kind, kinds } from './kind.ts';

const kindByPrefix: ReadonlyMap<string, Kind> = new Map(
  Object.entries(kinds).map(([kind, { prefix }]) => [`$${prefix}.`, kind as Kind]),
);

/** The handle of a wallet or symbol, which a claim names by a text or by an object. */
export function handleOf(reference: ClaimReference): string {
  return typeof reference === 'string' ? reference : reference.handle;
}

/** True for the form of a luid, which no handle has. */
export function isLuidText(text: string): boolean {
  return /^\$[a-z]{3}\./.test(text);
}

/** Finds the kind by the prefix of a luid. */
export function kindOfLuid(luid: string): Kind | undefined {
  return kindByPrefix.get(luid.slice(0, '$wlt.'.length));
}

/**
 * True for a text in the alphabet of all kinds of handles. A path or header with any other text names a record that
 * does not exist, and never becomes part of a key. Ruling 11.
 */
export function isHandleText(text: string): boolean {
  return /^[a-zA-Z0-9_\-:.=$/+@]{1,256}$/.test(text);
}

/**
 * The handles of the wallets that an address may mean, the most exact first: the address itself, then `schema@domain`,
 * `domain` and `schema`. Ruling 42.
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

/** A wallet, as far as resolving an address needs it. */
export interface Addressed {
  readonly handle: string;
  /** The domain of the wallet, in a ledger that has domains; `{}` for a wallet outside all domains. */
  readonly lies?: { readonly domain?: string | undefined };
}

/**
 * True when a wallet that `candidatesOf` found may be used for the address. In a ledger with domains, a credit reaches
 * a wallet in the domain that the address names. A wallet whose handle names no domain is also reached by exactly that
 * handle, or if it is in no domain. Otherwise the owners of one domain could create wallets that receive the money of
 * another. A debit by the wallet's own handle is always allowed. Ruling 42, Decision 81.
 */
export function canResolveTo(
  address: string,
  { handle, lies }: Addressed,
  side: 'debit' | 'credit',
): boolean {
  if (!lies || (side === 'debit' && handle === address)) return true;
  const [addressDomain, handleDomain] = [address, handle].map(domainOfHandle);
  if (handleDomain !== undefined) return lies.domain === addressDomain;
  return handle === address || lies.domain === undefined || lies.domain === addressDomain;
}
