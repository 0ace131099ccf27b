/** Signs the requests of bundles by the SDK's own signer, with the credentials of the function. */
import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';

type Bytes = string | ArrayBuffer | ArrayBufferView;

/** Node's hash, in the shape that the signer asks for. */
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

interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

let known: AwsCredentials | undefined;

/**
 * The credentials of the function's role. Lambda puts them into the environment, where they stay the same for as long
 * as the sandbox lives. https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 */
async function credentials(): Promise<AwsCredentials> {
  known ??= read();
  return known;
}

function read(): AwsCredentials {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = process.env;
  if (!accessKeyId || !secretAccessKey)
    throw new Error('There are no credentials in the environment.');
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
}
