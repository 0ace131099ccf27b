/**
 * Verifies tokens: a JWT that a signer made and signed with an ed25519 key, or one from the provider of a ledger.
 * Ruling 26.
 *
 * Reading takes two steps, because the key is looked up between them: `parseBearer` returns the name of the key,
 * `verifyBearer` and `verifyProviderBearer` decide. The key determines the algorithm; the header of the token never
 * chooses it (RFC 8725 3.1). Every error names the kind of fault and reveals nothing of the token.
 */

import type { KeyObject } from 'node:crypto';
import { errors, jwtVerify } from 'jose';
import { LedgerError } from '../ledger/errors.ts';
import { isResult, isValidPublic, keyOf } from './key.ts';
import { isRsaPublic, rsaKeyOf } from './rsa.ts';

/** The claims that the ledger reads, called "bearer claims" everywhere. Times are in seconds. */
export type BearerClaims = {
  readonly iss: string;
  readonly aud: string;
  readonly iat: number;
  readonly exp: number;
  readonly sub: string | undefined;
  readonly jti: string | undefined;
  readonly hsh: string | undefined;
  /** Of a provider token: the factor that requested it, by its handle and by its `clientId`. Ruling 28. */
  readonly cid: string | undefined;
  readonly client_id: string | undefined;
};

/** A well-formed token. Its claims must not be trusted before `verifyBearer`. */
export type BearerToken = {
  readonly kid: string;
  readonly algorithm: string;
  readonly unverified: BearerClaims;
  readonly text: string;
};

/** The reason why a token is refused. Callers of this file check `key`, `claims`, `hsh` and `replay` too. */
export type BearerDefect =
  | 'format'
  | 'algorithm'
  | 'claims'
  | 'expired'
  | 'signature'
  | 'key'
  | 'hsh'
  | 'replay';

/** The algorithms of signers and of providers. */
const signerAlgorithm = 'EdDSA';
export const providerAlgorithm = 'RS256' as const;
const algorithms: readonly unknown[] = [signerAlgorithm, providerAlgorithm];

/** The longest life of a token. */
export const tokenSecondsMax = 24 * 60 * 60;
/** The largest difference between the clocks of a token's maker and the ledger. */
export const clockToleranceSeconds = 60;
const headerLengthMax = 8192;
// A `kid` and a `jti` become keys of the table.
const textLengthMax = 256;

/**
 * Header members that would bring a key along, or change how the token is read. RFC 8725 3.10, RFC 7797. The library
 * refuses `crit`, since it supports none of its extensions.
 */
const refusedMembers = ['jwk', 'jku', 'x5c', 'x5u', 'b64', 'zip', 'enc'];

const bearerPattern = /^Bearer +(([\w-]+)\.([\w-]+)\.([\w-]+))$/i;

const defectByCode: Readonly<Record<string, BearerDefect>> = {
  [errors.JWTExpired.code]: 'expired',
  [errors.JWTClaimValidationFailed.code]: 'claims',
  [errors.JWSSignatureVerificationFailed.code]: 'signature',
};

/** The one error for every bad token. */
export function invalidToken(defect: BearerDefect): LedgerError {
  const headers = { 'www-authenticate': 'Bearer error="invalid_token"' };
  return new LedgerError('auth.unauthorized', 'Invalid token.', { fault: defect }, headers);
}

/** Reads an `authorization` header, or throws `auth.unauthorized`. `kid` names a public key, a signer or a factor. */
export function parseBearer(authorization: string): BearerToken {
  const isLong = authorization.length > headerLengthMax;
  const match = isLong ? null : bearerPattern.exec(authorization);
  const [, text = '', protectedPart = '', claimsPart = '', resultPart = ''] = match ?? [];
  bytesOf(resultPart);
  const header = objectOf(protectedPart);
  const { alg, kid } = header;
  if (!algorithms.includes(alg)) throw invalidToken('algorithm');
  const hasRefusedMember = refusedMembers.some((member) => Object.hasOwn(header, member));
  if (hasRefusedMember || !isShortText(kid)) throw invalidToken('format');
  return { kid, algorithm: String(alg), unverified: parseClaims(objectOf(claimsPart)), text };
}

/**
 * The claims of a signer's token, once the key has verified and the time is within its life, give or take a minute.
 * Throws `auth.unauthorized`.
 *
 * @example
 * const token = parseBearer(headers.authorization);
 * const claims = await verifyBearer(token, await publicKeyNamed(token.kid), nowSeconds);
 */
export async function verifyBearer(
  token: BearerToken,
  publicText: string,
  nowSeconds: number,
): Promise<BearerClaims> {
  if (token.algorithm !== signerAlgorithm) throw invalidToken('algorithm');
  if (!isValidPublic(publicText)) throw invalidToken('key');
  if (!isResult(resultOf(token))) throw invalidToken('signature');
  return verifiedBy(token, keyOf(publicText), nowSeconds);
}

/** As `verifyBearer`, with the first of a signer's keys that verifies the token; undefined when none does. */
export async function verifyBearerByAny(
  token: BearerToken,
  publicTexts: readonly string[],
  nowSeconds: number,
): Promise<{ public: string; claims: BearerClaims } | undefined> {
  for (const publicText of publicTexts) {
    try {
      return { public: publicText, claims: await verifyBearer(token, publicText, nowSeconds) };
    } catch (error) {
      if (!isOtherKey(error)) throw error;
    }
  }
  return undefined;
}

/** As `verifyBearer`, for a provider's token and the text of an RSA key. */
export async function verifyProviderBearer(
  token: BearerToken,
  publicText: string,
  nowSeconds: number,
): Promise<BearerClaims> {
  if (token.algorithm !== providerAlgorithm) throw invalidToken('algorithm');
  if (!isRsaPublic(publicText)) throw invalidToken('key');
  return verifiedBy(token, rsaKeyOf(publicText), nowSeconds);
}

/** The signature of a token. RFC 7515 3.1. */
function resultOf({ text }: BearerToken): Buffer {
  return Buffer.from(text.slice(text.lastIndexOf('.') + 1), 'base64url');
}

/** The claims of a token that names the algorithm of this key and that the key has signed. */
async function verifiedBy(
  { text, algorithm, unverified }: BearerToken,
  key: KeyObject,
  nowSeconds: number,
): Promise<BearerClaims> {
  const options = {
    algorithms: [algorithm],
    clockTolerance: clockToleranceSeconds,
    currentDate: new Date(nowSeconds * 1000),
    // It also refuses a token from the future.
    maxTokenAge: tokenSecondsMax,
  };
  try {
    await jwtVerify(text, key, options);
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    throw invalidToken(defectByCode[error.code] ?? 'format');
  }
  return unverified;
}

function isOtherKey(error: unknown): boolean {
  return error instanceof LedgerError && error.custom?.['fault'] === 'signature';
}

function parseClaims(claims: Readonly<Record<string, unknown>>): BearerClaims {
  const { iss, aud, iat, exp, sub, jti, hsh, cid, client_id } = claims;
  if (!isText(iss) || !isText(aud) || !isMoment(iat) || !isMoment(exp)) {
    throw invalidToken('claims');
  }
  if (exp <= iat || exp - iat > tokenSecondsMax) throw invalidToken('claims');
  const texts = {
    sub: optionalText(sub),
    jti: optionalText(jti),
    hsh: optionalText(hsh),
    cid: optionalText(cid),
    client_id: optionalText(client_id),
  };
  if (texts.jti !== undefined && !isShortText(texts.jti)) throw invalidToken('claims');
  return { iss, aud, iat, exp, ...texts };
}

/** An empty text counts as absent: `hsh` is checked when it is present and not empty. Ruling 27. */
function optionalText(value: unknown): string | undefined {
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string') throw invalidToken('claims');
  return value;
}

function objectOf(part: string): Readonly<Record<string, unknown>> {
  const value = jsonOf(bytesOf(part));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidToken('format');
  }
  return { ...value };
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    // A byte order mark is kept, so that parsing fails on it.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    if (keyCountIn(text) === keyCountOf(value)) return value;
  } catch {
    // Thrown below, together with texts that are not JSON and those that are nested too deeply to parse.
  }
  throw invalidToken('format');
}

/** Counts the keys in a JSON text. It has more keys than the parsed value when one is repeated. RFC 7519 4. */
function keyCountIn(text: string): number {
  const strings = text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g);
  return [...strings].filter(([, colon]) => colon !== undefined).length;
}

function keyCountOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((sum, member) => sum + keyCountOf(member), own);
}

function bytesOf(part: string): Uint8Array {
  const bytes = Buffer.from(part, 'base64url');
  if (bytes.length === 0 || bytes.toString('base64url') !== part) throw invalidToken('format');
  return bytes;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const isShortText = (value: unknown): value is string =>
  isText(value) && value.length <= textLengthMax;

const isMoment = (value: unknown): value is number => Number.isFinite(value) && Number(value) > 0;
