/** The token of a signer, for requests without a signed body. Ruling 26. */
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { type ProofSigner, toBase64 } from './digest.ts';

const tokenSeconds = 60;

/** A token for a server that is good for a minute from now. */
export async function tokenFor(
  server: string,
  signer: ProofSigner,
  nowMs: number,
): Promise<string> {
  const iat = Math.floor(nowMs / 1000);
  const header = { alg: 'EdDSA', typ: 'JWT', kid: signer.public };
  const claims = { iss: signer.public, aud: server, iat, exp: iat + tokenSeconds };
  const text = [header, claims].map((part) => toUrl(utf8ToBytes(JSON.stringify(part)))).join('.');
  return `${text}.${toUrl(await signer.sign(utf8ToBytes(text)))}`;
}

function toUrl(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
