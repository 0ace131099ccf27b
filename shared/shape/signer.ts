/** The shape of a signer. Ruling 63. */
import * as z from 'zod/mini';
import { publicText } from './proof.ts';
import { AddressHandle, commonData } from './record.ts';

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** Parses the DER of a PKCS#8 `EncryptedPrivateKeyInfo`: a sequence that starts with a sequence. RFC 5958 3. */
const isEncryptedKey = (text: string): boolean => {
  const der = Buffer.from(text, 'base64');
  if (der.toString('base64') !== text || der[0] !== 0x30) return false;
  const [length, content] = derLengthOf(der, 1);
  if (content + length !== der.length || der[content] !== 0x30) return false;
  const [algorithmLength, algorithm] = derLengthOf(der, content + 1);
  const value = algorithm + algorithmLength;
  if (der[value] !== 0x04) return false;
  const [valueLength, valueContent] = derLengthOf(der, value + 1);
  return valueLength > 0 && valueContent + valueLength === der.length;
};

/** The length at an offset, and the offset of the content. X.690 8.1.3. */
function derLengthOf(der: Buffer, offset: number): readonly [length: number, content: number] {
  const first = der[offset] ?? 0xff;
  if (first < 0x80) return [first, offset + 1];
  if (first === 0x81) return [der[offset + 1] ?? 0, offset + 2];
  if (first === 0x82 && offset + 2 < der.length) return [der.readUInt16BE(offset + 1), offset + 3];
  return [Number.MAX_SAFE_INTEGER, offset + 1];
}

/** A private key that only its owner can read; the service never holds a plain one. */
export const EncryptedKey = z.string().check(
  z.maxLength(8192),
  z.regex(base64),
  z.refine(isEncryptedKey, {
    params: { format: 'pkcs8-encrypted' },
    message:
      'must be an encrypted private key (PKCS#8, DER, base64): the service never holds a plain one',
  }),
);

export const SignerData = z
  .strictObject({
    handle: AddressHandle,
    public: z.exactOptional(z.string().check(publicText)),
    format: z.exactOptional(z.literal('ed25519-raw')),
    secret: z.exactOptional(EncryptedKey),
    ...commonData,
  })
  // The shape only documents this; the keys of a signer are checked by its actions.
  .check(z.meta({ dependentRequired: { public: ['format'], format: ['public'] } }));
export type SignerData = z.infer<typeof SignerData>;
