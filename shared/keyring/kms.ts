/** The keyring on AWS: KMS wraps each secret, bound to its ledger by the encryption context. */
import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import type { Keyring } from '../port/ports.ts';

/** A keyring under a KMS key, by its id or ARN. */
export function kmsKeyring(keyId: string, client = new KMSClient({})): Keyring {
  return {
    wrap: async (secret, context) => {
      const { CiphertextBlob } = await client.send(
        new EncryptCommand({
          KeyId: keyId,
          Plaintext: secret,
          EncryptionContext: { ledger: context },
        }),
      );
      return bytesOf(CiphertextBlob, 'ciphertext');
    },
    unwrap: async (wrapped, context) => {
      const { Plaintext } = await client.send(
        new DecryptCommand({
          KeyId: keyId,
          CiphertextBlob: wrapped,
          EncryptionContext: { ledger: context },
        }),
      );
      return bytesOf(Plaintext, 'plaintext');
    },
  };
}

function bytesOf(bytes: Uint8Array | undefined, member: string): Uint8Array {
  if (!bytes) throw new Error(`KMS answered without the ${member}.`);
  return bytes;
}
