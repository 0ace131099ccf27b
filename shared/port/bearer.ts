/** The identity behind a verified token. Rulings 26 and 32, Decision 33. */
import type { BearerClaims } from '../crypto/token.ts';

export interface Bearer {
  readonly claims: BearerClaims;
  /** The issuer: a signer, or the provider of the ledger on behalf of a client. */
  readonly kind: 'signer' | 'provider';
  /** The key that signed a signer's token. */
  readonly public?: string;
  /** The handle of the signer; absent for a key that belongs to none. */
  readonly signer?: string;
  /** The handle of the factor for which the provider issued the token. */
  readonly client?: string;
  /** True when the token is bound to this very request. Ruling 27. */
  readonly hsh: boolean;
}
