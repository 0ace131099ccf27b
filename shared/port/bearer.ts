/** Whom a token speaks for, once it is verified. Rulings 26 and 32, Decision 33. */
import type { BearerClaims } from '../crypto/token.ts';

export interface Bearer {
  readonly claims: BearerClaims;
  /** Who has made the token: a signer, or the provider of the ledger for a client. */
  readonly kind: 'signer' | 'provider';
  /** The key of a signer's token. */
  readonly public?: string;
  /** The handle of the signer; absent for a key that belongs to none. */
  readonly signer?: string;
  /** The handle of the factor that asked the provider for the token. */
  readonly client?: string;
  /** Whether the token is bound to this very request. Ruling 27. */
  readonly hsh: boolean;
}
