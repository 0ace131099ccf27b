/**
 * Emulates KMS: encrypts and decrypts under one key, bound to the encryption context. A call without a ledger in the
 * context is refused, as by the policies of the functions.
 */
import { canonicalOf } from '../../shared/crypto/canonical.ts';
import { masterKeyring } from '../../shared/keyring/local.ts';
import { type Fields, type Service, ServiceError, serve } from './aws-json.ts';

/** Serves KMS with one key of this ARN, whose bytes are in a file. */
export function serveKms(keyArn: string, masterKeyPath: string): Promise<Service> {
  const keyring = masterKeyring(masterKeyPath);

  const contextOf = ({ KeyId, EncryptionContext }: Fields): string => {
    if (KeyId !== keyArn) throw new ServiceError('NotFoundException', `There is no ${KeyId}.`);
    const context = (EncryptionContext ?? {}) as Fields;
    if (context['ledger'] === undefined)
      throw new ServiceError('AccessDeniedException', 'The context names no ledger.');
    return canonicalOf(context);
  };

  return serve('TrentService', {
    Encrypt: async (input) => {
      const wrapped = await keyring.wrap(bytesOf(input['Plaintext']), contextOf(input));
      const algorithm = { EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' };
      return { ...algorithm, CiphertextBlob: textOf(wrapped), KeyId: keyArn };
    },
    Decrypt: async (input) => {
      const context = contextOf(input);
      const secret = await keyring
        .unwrap(bytesOf(input['CiphertextBlob']), context)
        .catch((error: Error) => {
          throw new ServiceError('InvalidCiphertextException', error.message);
        });
      const algorithm = { EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' };
      return { ...algorithm, Plaintext: textOf(secret), KeyId: keyArn };
    },
  });
}

function bytesOf(value: unknown): Uint8Array {
  return Buffer.from(String(value), 'base64');
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
