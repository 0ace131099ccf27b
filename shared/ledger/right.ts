/** Derives from each claim the permissions that the signers of an intent need. Ruling 49. */
import type { Claim } from '../shape/intent.ts';
import { handleOf } from './address.ts';

/** A required permission: an action on a symbol or a wallet, which a rule must grant. */
export interface Right {
  readonly action: 'issue' | 'spend' | 'destroy' | 'limit';
  readonly kind: 'symbol' | 'wallet';
  readonly handle: string;
  /** True for a `minBalance` below zero: it is credit, which the owner of a wallet cannot grant to it. Decision 80. */
  readonly isCredit?: true;
}

/** The permissions that the claims require, each once. `walletOf` resolves an address to a wallet. Ruling 42. */
export function rightsOf(
  claims: readonly Claim[],
  walletOf: (handle: string) => string = (handle) => handle,
): Right[] {
  const rights = claims.flatMap((claim) => rightsOfClaim(claim, walletOf));
  const named = rights.map(
    (right) => [`${right.action} ${right.handle} ${right.isCredit}`, right] as const,
  );
  return [...new Map(named).values()];
}

function rightsOfClaim(claim: Claim, walletOf: (handle: string) => string): Right[] {
  const symbol = handleOf(claim.symbol);
  if (claim.action === 'issue') return [{ action: 'issue', kind: 'symbol', handle: symbol }];
  if (claim.action === 'limit') {
    const handle = walletOf(handleOf(claim.wallet));
    const isCredit = claim.metric === 'minBalance' && claim.amount < 0;
    return [{ action: 'limit', kind: 'wallet', handle, ...(isCredit && { isCredit }) }];
  }
  const spend: Right = {
    action: 'spend',
    kind: 'wallet',
    handle: walletOf(handleOf(claim.source)),
  };
  if (claim.action === 'transfer') return [spend];
  return [{ action: 'destroy', kind: 'symbol', handle: symbol }, spend];
}
