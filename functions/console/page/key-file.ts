/** The key of whoever signs in: out of the file that `countersign key` makes, into the memory of this tab. */
import { bytesIn, type ProofSigner } from '../../../shared/client/digest.ts';
import { keyFrom } from '../../../shared/client/key.ts';

/** PKCS #8 of an ed25519 key, up to its 32 secret bytes. RFC 8410 7. */
const pkcs8Prefix = [48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32];
const secretByteCount = 32;
const fileBytesMax = 4_096;

/** The signer of a key file. Throws a `TypeError` in words for a file that contains no key. */
export async function signerIn(file: Blob): Promise<ProofSigner> {
  const text = file.size > fileBytesMax ? '' : (await file.text()).trim();
  const secret = bytesIn(text, secretByteCount);
  if (!secret)
    throw new TypeError('The file contains no key. `countersign key <file>` makes one that does.');
  const portable = keyFrom(text);
  const native = await nativeSign(secret);
  secret.fill(0);
  return native ? { public: portable.public, sign: native } : portable;
}

/**
 * Signs by the browser's own cryptography, from which no script can export the key. Undefined where the browser lacks
 * Ed25519, and on a page without TLS.
 */
async function nativeSign(secret: Uint8Array): Promise<ProofSigner['sign'] | undefined> {
  try {
    const { subtle } = crypto;
    const encoded = Uint8Array.from([...pkcs8Prefix, ...secret]);
    const key = await subtle.importKey('pkcs8', encoded, 'Ed25519', false, ['sign']);
    encoded.fill(0);
    return async (bytes) =>
      new Uint8Array(await subtle.sign('Ed25519', key, Uint8Array.from(bytes)));
  } catch {
    return undefined;
  }
}
