/** What a signer's factor may look like: another key of theirs, or credentials for tokens. Ruling 63. */
import * as z from 'zod';
import { AddressHandle, commonData } from './record.ts';
import { EncryptedKey } from './signer.ts';

export const SignerFactorData = z.strictObject({
  ...commonData,
  handle: AddressHandle,
  /** The signer that it belongs to, who is also named by the path. */
  signer: AddressHandle,
  schema: z.literal(['key-pair', 'oauth-client-credentials']),
  public: z.string().max(1024).exactOptional(),
  format: z.literal(['ed25519-raw', 'rsa-2048']).exactOptional(),
  secret: EncryptedKey.exactOptional(),
});
export type SignerFactorData = z.infer<typeof SignerFactorData>;
