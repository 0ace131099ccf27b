/** Who sends a request: the token, when there is one, is always checked. Rulings 26 and 29. */
import { isPublicText, isValidPublic } from '../crypto/key.ts';
import { type BearerClaims, invalidToken, parseBearer, verifyBearer } from '../crypto/token.ts';
import { isHandleText } from '../ledger/address.ts';
import type { Identity, Services } from './action.ts';

/**
 * The claims of a signer token. Its `kid` is a public key or the handle of a signer of the ledger;
 * which key verifies it is decided by that record, never by the token.
 */
export async function authenticate(
  services: Services,
  ledger: Identity,
  authorization: string,
): Promise<BearerClaims> {
  const token = parseBearer(authorization);
  const publicKey = isPublicText(token.kid)
    ? token.kid
    : await publicOfSigner(services, ledger, token.kid);
  if (publicKey === undefined || !isValidPublic(publicKey)) throw invalidToken('key');
  return verifyBearer(token, publicKey, Math.floor(services.clock() / 1000));
}

async function publicOfSigner(
  { store }: Services,
  { handle: scope }: Identity,
  handle: string,
): Promise<string | undefined> {
  if (!isHandleText(handle)) return undefined;
  const [signer] = await store.load([{ what: 'record', scope, kind: 'signer', handle }]);
  const publicKey = signer?.record.data['public'];
  return typeof publicKey === 'string' ? publicKey : undefined;
}
