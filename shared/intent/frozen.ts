/**
 * Freezing: an inactive wallet neither pays nor receives, and nothing moves in an inactive symbol. Ruling 94, Decision
 * 109.
 */
import { handleOf } from '../ledger/address.ts';
import { balanceKeyOf, type Entry } from '../ledger/balance.ts';
import { isLimit } from '../ledger/limit.ts';
import type { Version } from '../ledger/record.ts';
import type { Call } from '../port/action.ts';
import type { Write } from '../port/ports.ts';
import { isInactive } from '../record/inactive.ts';
import type { Claim } from '../shape/intent.ts';
import type { IntentContext } from './context.ts';
import type { ThreadFailure } from './thread.ts';

/** The failure of the first claim that moves an inactive symbol. A limit moves nothing. */
export function frozenSymbolIn(
  { symbols }: Pick<IntentContext, 'symbols'>,
  claims: readonly Claim[],
): ThreadFailure | undefined {
  for (const [index, claim] of claims.entries()) {
    const symbol = handleOf(claim.symbol);
    const version = symbols.get(symbol);
    if (isLimit(claim) || !version || !isInactive(version)) continue;
    const detail = `Symbol ${symbol} of claim ${index} is inactive.`;
    return { reason: 'core.symbol-inactive', detail };
  }
  return undefined;
}

/** The wallets with a watched balance that the entries move: the commit depends on their versions. */
export function watchedIn(
  { balances, wallets }: Pick<IntentContext, 'balances' | 'wallets'>,
  entries: readonly Entry[],
): Version[] {
  return entries.flatMap(({ holder, symbol }) => {
    if (holder === 'supply') return [];
    const { wallet } = holder;
    const isWatched = balances.get(balanceKeyOf(wallet, symbol))?.isWatched ?? false;
    return isWatched ? (wallets.get(wallet) ?? []) : [];
  });
}

/** The most balances of which one transaction takes the marks back. */
const unwatchedMax = 50;

/**
 * Watches all balances of a wallet that is being frozen, and returns the condition that there are no others. An intent
 * that has read the wallet before cannot be stored after it. Of one that becomes active again, the balances that are watched
 * no more: all but those beyond what fits into the transaction.
 */
export async function freezing(
  { services, ledger }: Call,
  previous: Version,
  next: Version,
): Promise<Pick<Write, 'watches' | 'unwatches'>> {
  if (next.kind !== 'wallet' || isInactive(next) === isInactive(previous)) return {};
  const { handle } = previous.record.data;
  const balances = await services.store.balances(ledger.handle, handle, 'rough');
  if (!isInactive(next))
    return { unwatches: balances.filter(({ isWatched }) => isWatched).slice(0, unwatchedMax) };
  await services.store.watch(ledger.handle, balances);
  return { watches: balances.length };
}
