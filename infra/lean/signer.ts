/** How requests of bundles are signed: by the SDK's own signer, with the credentials of the function. */
import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { credentials } from './credentials.ts';

type Bytes = string | ArrayBuffer | ArrayBufferView;

/** The hash that the signer asks for, as Node has it. */
class Sha256 {
  readonly #hash: Hash | Hmac;

  constructor(secret?: Bytes) {
    this.#hash = secret ? createHmac('sha256', viewOf(secret)) : createHash('sha256');
  }

  update(bytes: Bytes): void {
    this.#hash.update(viewOf(bytes));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): never {
    throw new Error('A hash is used once.');
  }
}

function viewOf(bytes: Bytes): string | Uint8Array {
  if (typeof bytes === 'string') return bytes;
  return ArrayBuffer.isView(bytes)
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
}

/** A signer for a service, by the name that it has in signatures. */
export function signerOf(service: string, region: string): SignatureV4 {
  return new SignatureV4({ service, region, credentials, sha256: Sha256 });
}
