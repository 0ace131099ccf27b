/**
 * Tokens that the provider of a ledger makes for clients, signed with RS256, and the public keys by which others check
 * them. Rulings 26 and 28.
 */
import type { KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { rsaKeyOf } from './rsa.ts';
import { providerAlgorithm } from './token.ts';

/** The claims of a provider's token. Times are in seconds. */
export type ProviderClaims = {
  /** The provider, and the signer that the token speaks for. */
  readonly iss: string;
  readonly sub: string;
  /** The factor that requested it, by its handle and by its `clientId`. */
  readonly cid: string;
  readonly client_id: string;
  readonly aud: string;
  readonly iat: number;
  readonly exp: number;
  readonly jti: string;
};

/** A public key of a provider, in the key set that it publishes. RFC 7517 4. */
export type ProviderJwk = {
  readonly kty: string;
  readonly n: string;
  readonly e: string;
  readonly use: 'sig';
  readonly alg: typeof providerAlgorithm;
  readonly kid: string;
};

/**
 * A token with these claims, signed by the private key that `kid` names.
 *
 * @example
 * const text = await signProviderToken(claims, factor.data.handle, rsaSecretKeyOf(privateDer));
 */
export function signProviderToken(
  claims: ProviderClaims,
  kid: string,
  key: KeyObject,
): Promise<string> {
  const header = { alg: providerAlgorithm, typ: 'JWT', kid };
  return new SignJWT({ ...claims }).setProtectedHeader(header).sign(key);
}

/** The text of an RSA key as a JSON Web Key. */
export function providerJwkOf(publicText: string, kid: string): ProviderJwk {
  const { n = '', e = '' } = rsaKeyOf(publicText).export({ format: 'jwk' });
  return { kty: 'RSA', n, e, use: 'sig', alg: providerAlgorithm, kid };
}
