/**
 * Bridges that are read ahead: which one a wallet has is known only once the wallet is read, so the one that it had
 * the last time is read together with it. A guess decides nothing: what was guessed wrong is read in its turn.
 */
import type { Services, Settings } from '../port/action.ts';
import type { Scope } from '../port/ports.ts';

/** Of how many wallets it is remembered; the one that was seen first is forgotten first. */
const seenCountMax = 10_000;

/** Handles of bridges, by scope and wallet, as long as a deployment runs in this process. */
const seen = new WeakMap<Settings, Map<string, string>>();

/** Remembers which bridge a wallet has. */
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

/** The bridges that these wallets had when they were last seen. */
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
