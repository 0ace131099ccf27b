/** What a signer's factor may look like: another key of theirs, or credentials for tokens. Ruling 63. */
import * as z from 'zod/mini';
import { AddressHandle, commonData } from './record.ts';
import { EncryptedKey } from './signer.ts';

export const SignerFactorData = z.strictObject({
  ...commonData,
  handle: AddressHandle,
  /** The signer that it belongs to, who is also named by the path. */
  signer: AddressHandle,
  schema: z.literal(['key-pair', 'oauth-client-credentials']),
  public: z.exactOptional(z.string().check(z.maxLength(1024))),
  format: z.exactOptional(z.literal(['ed25519-raw', 'rsa-2048'])),
  secret: z.exactOptional(EncryptedKey),
});
export type SignerFactorData = z.infer<typeof SignerFactorData>;
