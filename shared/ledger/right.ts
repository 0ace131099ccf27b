/** What those who sign an intent must have a right to, claim by claim. Ruling 49. */
import type { Claim } from '../shape/intent.ts';
import { handleOf } from './address.ts';

/** An action that a rule must grant on a symbol or a wallet. */
export interface Right {
  readonly action: 'issue' | 'spend' | 'destroy';
  readonly kind: 'symbol' | 'wallet';
  readonly handle: string;
}

/** The rights that the claims need, each once. */
export function rightsOf(claims: readonly Claim[]): Right[] {
  const rights = claims.flatMap(rightsOfClaim);
  const named = rights.map((right) => [`${right.action} ${right.handle}`, right] as const);
  return [...new Map(named).values()];
}

function rightsOfClaim(claim: Claim): Right[] {
  const symbol = handleOf(claim.symbol);
  if (claim.action === 'issue') return [{ action: 'issue', kind: 'symbol', handle: symbol }];
  const spend: Right = { action: 'spend', kind: 'wallet', handle: handleOf(claim.source) };
  if (claim.action === 'transfer') return [spend];
  return [{ action: 'destroy', kind: 'symbol', handle: symbol }, spend];
}
