/**
 * Stands for `@aws-sdk/client-kms` in bundles: the two commands of the keyring, written as the SDK's schemas.
 * The package's own schemas name all errors of its 53 operations.
 */
import { AwsJson1_1Protocol } from '@aws-sdk/core/protocols';
import { makeBuilder } from '@smithy/core/client';
import { type ClientOptions, SlimClient } from './client.ts';
import { getEndpointPlugin } from './endpoints.ts';

const namespace = 'com.amazonaws.kms';

/** Types in the SDK's schemas: a text, bytes, a map of texts; a structure and an operation. */
const [text, blob, texts, struct, call] = [0, 21, 128, 3, 9];
const bytesOf = (name: string) => [struct, namespace, name, 0, [name], [blob]];
const requestOf = (name: string) => [
  ...[struct, namespace, `${name}Request`, 0],
  ...[
    ['KeyId', name, 'EncryptionContext'],
    [text, blob, texts],
  ],
];

const command = makeBuilder({}, 'TrentService', 'KMSClient', getEndpointPlugin);
const operationOf = (name: string, input: string, output: string) =>
  command({}, () => [], name, [
    ...[call, namespace, name, 0, () => requestOf(input), () => bytesOf(output)],
  ] as never);

export class EncryptCommand extends operationOf('Encrypt', 'Plaintext', 'CiphertextBlob') {}
export class DecryptCommand extends operationOf('Decrypt', 'CiphertextBlob', 'Plaintext') {}

export class KMSClient extends SlimClient {
  constructor(options?: ClientOptions) {
    const protocolSettings = {
      defaultNamespace: namespace,
      errorTypeRegistries: [],
      version: '2014-11-01',
      serviceTarget: 'TrentService',
    };
    const names = { name: 'kms', variable: 'AWS_ENDPOINT_URL_KMS' };
    super({ ...names, protocol: AwsJson1_1Protocol, protocolSettings }, options);
  }
}
