/** The shape of a signer factor: another key of a signer, or client credentials for tokens. Ruling 63. */
import * as z from 'zod/mini';
import { publicPattern } from './proof.ts';
import { AddressHandle, commonData } from './record.ts';
import { EncryptedKey } from './signer.ts';

/** Rules between members. The shape documents them; actions check them with the keys. Rulings 28 and 63. */
const members = {
  if: { properties: { schema: { const: 'oauth-client-credentials' } }, required: ['schema'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: { properties: { public: false, format: false, secret: false } },
  else: {
    required: ['public', 'format'],
    if: { properties: { format: { const: 'ed25519-raw' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { properties: { public: { pattern: publicPattern } } },
  },
};

const data = z.strictObject({
  ...commonData,
  handle: AddressHandle,
  /** The signer that it belongs to, as in the path. */
  signer: AddressHandle,
  /** A factor with `public` and no schema is a key pair. Ruling 77. */
  schema: z.exactOptional(z.literal(['key-pair', 'oauth-client-credentials'])),
  public: z.exactOptional(z.string().check(z.maxLength(1024))),
  format: z.exactOptional(z.literal(['ed25519-raw', 'rsa-2048'])),
  secret: z.exactOptional(EncryptedKey),
});
export const SignerFactorData = data.check(z.meta(members));
export type SignerFactorData = z.infer<typeof SignerFactorData>;
