/** The shape of a proof. A client sends a `SentProof`; the service adds signer and origin: a `Proof`. Ruling 9. */
import * as z from 'zod/mini';
import { hexPattern } from './patterns.ts';

/** 64 hexadecimal characters in either case. SPEC, Signing. */
export const Hex64 = z.string().check(z.regex(hexPattern));

/** Free-form data of a client: a JSON object. */
export const Custom = z.record(z.string(), z.unknown());

/**
 * The canonical base64 of a public key, and of a signature. Only the OpenAPI document uses these patterns. The check is
 * in `shared/crypto/key.ts`, since an invalid key is a failed signature rather than a wrong shape. Ruling 7.
 */
export const publicPattern = '^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$';
export const publicText = z.meta({ minLength: 44, maxLength: 44, pattern: publicPattern });
const resultText = z.meta({
  minLength: 88,
  maxLength: 88,
  pattern: '^[A-Za-z0-9+/]{85}[AQgw]==$',
});

/** A proof as a client sends it. `signer` and `origin` of an earlier answer are ignored. Ruling 12. */
export const SentProof = z.looseObject({
  method: z.literal('ed25519-v2'),
  public: z.string().check(z.minLength(1), z.maxLength(64), publicText),
  digest: Hex64,
  result: z.string().check(z.minLength(1), z.maxLength(128), resultText),
  custom: z.exactOptional(Custom),
});
export type SentProof = z.infer<typeof SentProof>;

/** A signature over a digest, with the key, the author's `custom`, and the signer. */
export interface Proof {
  readonly method: 'ed25519-v2';
  /** The raw ed25519 key, 32 bytes in base64. */
  readonly public: string;
  readonly digest: string;
  /** The signature over the 32 digest bytes, in base64. */
  readonly result: string;
  readonly custom?: Readonly<Record<string, unknown>>;
  /** Handle of the signer that the key belonged to when the proof was accepted. Ruling 9. */
  readonly signer?: string;
  readonly origin?: 'key-pair';
}
