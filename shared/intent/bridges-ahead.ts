/**
 * Prefetching of bridges. The bridge of a wallet is known only once the wallet is read, so the bridge seen last is read
 * in the same round trip. A guess decides nothing: a wrong one costs a further read.
 */
import type { Services, Settings } from '../port/action.ts';
import type { Scope } from '../port/ports.ts';

/** The size of the cache; the oldest entry is dropped first. */
const seenCountMax = 10_000;

/** Handles of bridges by scope and wallet, cached in this process for each deployment. */
const seen = new WeakMap<Settings, Map<string, string>>();

export function sawBridge(
  { settings }: Services,
  scope: Scope,
  wallet: string,
  bridge: string,
): void {
  const known = seen.get(settings) ?? new Map<string, string>();
  seen.set(settings, known);
  known.set(nameOf(scope, wallet), bridge);
  const [first] = known.keys();
  if (known.size > seenCountMax && first !== undefined) known.delete(first);
}

/** The last known bridges of these wallets. */
export function guessedBridges(
  { settings }: Services,
  scope: Scope,
  wallets: readonly string[],
): string[] {
  const known = seen.get(settings);
  const guessed = wallets.flatMap((wallet) => known?.get(nameOf(scope, wallet)) ?? []);
  return [...new Set(guessed)];
}

function nameOf(scope: Scope, wallet: string): string {
  return `${scope} ${wallet}`;
}
