/**
 * RSA keys of signers, which sign tokens and never records. A key has one text: the base64 of its
 * `SubjectPublicKeyInfo` in DER. Ruling 63, Decision 23.
 */
import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { assert } from '../ledger/assert.ts';
import { cached } from './cache.ts';

const generate = promisify(generateKeyPair);

const modulusBitCount = 2048;
const exponent = 65_537n;
/** The most keys that stay imported: those of ledgers that issue tokens. */
const keyCountMax = 1_000;
/** The SPKI of a 2048-bit key takes 294 bytes. */
const textLengthMax = 1024;

/** True for an RSA key of 2048 bits with the exponent 65537, in its canonical text. */
export function isRsaPublic(text: string): boolean {
  if (text.length > textLengthMax) return false;
  const der = Buffer.from(text, 'base64');
  if (der.toString('base64') !== text) return false;
  const key = importedKeyOf(der);
  if (key?.asymmetricKeyType !== 'rsa') return false;
  const details = key.asymmetricKeyDetails;
  const isUsual = details?.modulusLength === modulusBitCount && details.publicExponent === exponent;
  // OpenSSL tolerates trailing bytes, which would give the same key a second text.
  return isUsual && key.export({ format: 'der', type: 'spki' }).equals(der);
}

function importedKeyOf(der: Buffer): KeyObject | undefined {
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}

/** A new pair: the text of the public key, and the private key as PKCS#8 in DER, which the caller wraps at once. */
export async function createRsaPair(): Promise<{ public: string; privateDer: Uint8Array }> {
  const { publicKey, privateKey } = await generate('rsa', {
    modulusLength: modulusBitCount,
    publicExponent: Number(exponent),
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  });
  return { public: publicKey.toString('base64'), privateDer: privateKey };
}

/** The native key of a text that passed `isRsaPublic`; any other text is a bug of the caller. */
export const rsaKeyOf = cached(keyCountMax, (text: string): KeyObject => {
  assert(isRsaPublic(text), 'only a valid RSA key is imported');
  return createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
});

/** The native private key of a pair. */
export function rsaSecretKeyOf(privateDer: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.from(privateDer), format: 'der', type: 'pkcs8' });
}
