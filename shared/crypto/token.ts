/**
 * Signer tokens: a JWT that a signer makes and signs with their own ed25519 key. Ruling 26.
 *
 * Reading takes two steps, because the key is looked up between them: `parseBearer` tells which key
 * to look for, `verifyBearer` decides. The algorithm belongs to the key and is never chosen by the
 * header of the token (RFC 8725 3.1). Every refusal says what kind of fault it was and nothing of
 * the token.
 */

import { errors, jwtVerify } from 'jose';
import { LedgerError } from '../ledger/errors.ts';
import { isValidPublic, keyOf } from './key.ts';
import { type HashedRequest, requestHashOf } from './request-hash.ts';

/** The claims that the ledger reads, called "bearer claims" everywhere. Times are in seconds. */
export type BearerClaims = {
  readonly iss: string;
  readonly aud: string;
  readonly iat: number;
  readonly exp: number;
  readonly sub: string | undefined;
  readonly jti: string | undefined;
  readonly hsh: string | undefined;
};

/** A token that is well formed. Nothing it says is to be believed before `verifyBearer`. */
export type BearerToken = {
  readonly kid: string;
  readonly unverified: BearerClaims;
  readonly text: string;
};

/** Why a token is refused. `key`, `hsh` and `replay` are also for those who look these up. */
export type BearerFault =
  | 'format'
  | 'algorithm'
  | 'claims'
  | 'expired'
  | 'signature'
  | 'key'
  | 'hsh'
  | 'replay';

/** A request as it arrived, with every URL under which its sender may have known it. */
type ReceivedRequest = Omit<HashedRequest, 'url'> & { readonly urls: readonly string[] };

const algorithm = 'EdDSA';
const tokenSecondsMax = 24 * 60 * 60;
const clockToleranceSeconds = 60;
const headerLengthMax = 8192;
// A `kid` and a `jti` become keys of the table.
const textLengthMax = 256;

const bearerPattern = /^Bearer +(([\w-]+)\.([\w-]+)\.([\w-]+))$/i;

const faultByCode: Readonly<Record<string, BearerFault>> = {
  [errors.JWTExpired.code]: 'expired',
  [errors.JWTClaimValidationFailed.code]: 'claims',
  [errors.JWSSignatureVerificationFailed.code]: 'signature',
};

/** The one answer to a bad token, whatever is wrong with it. */
export function invalidToken(fault: BearerFault): LedgerError {
  const headers = { 'www-authenticate': 'Bearer error="invalid_token"' };
  return new LedgerError('auth.unauthorized', 'Invalid token.', { fault }, headers);
}

/** Reads an `authorization` header, or refuses it. The `kid` names a public key or a signer. */
export function parseBearer(header: string): BearerToken {
  const match = header.length > headerLengthMax ? null : bearerPattern.exec(header);
  const [, text = '', protectedPart = '', claimsPart = '', resultPart = ''] = match ?? [];
  bytesOf(resultPart);
  const { alg, kid } = objectOf(protectedPart);
  if (alg !== algorithm) throw invalidToken('algorithm');
  if (!isShortText(kid)) throw invalidToken('format');
  return { kid, unverified: parseClaims(objectOf(claimsPart)), text };
}

/**
 * The claims of a token, once the key has proved to be the one that signed them and the time is
 * within them, give or take a minute.
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
  if (!isValidPublic(publicText)) throw invalidToken('key');
  const options = {
    algorithms: [algorithm],
    clockTolerance: clockToleranceSeconds,
    currentDate: new Date(nowSeconds * 1000),
    // This is also what refuses a token issued in the future.
    maxTokenAge: tokenSecondsMax,
  };
  try {
    await jwtVerify(token.text, keyOf(publicText), options);
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    throw invalidToken(faultByCode[error.code] ?? 'format');
  }
  return token.unverified;
}

/**
 * Whether the claim `hsh` was made for this request, under one of its URLs. Ruling 27.
 *
 * The public client hashes an empty body as null, so `{}` matches both.
 */
export function checkRequestHash(hsh: string, request: ReceivedRequest): boolean {
  const [, nameList = ''] = hsh.split(':', 2);
  const names = nameList === '' ? [] : nameList.split(',');
  const { method, headers } = request;
  const bodies = isEmpty(request.body) ? [request.body, null] : [request.body];
  return request.urls.some((url) =>
    bodies.some((body) => requestHashOf({ method, url, body, headers }, names) === hsh),
  );
}

function parseClaims(claims: Readonly<Record<string, unknown>>): BearerClaims {
  const { iss, aud, iat, exp, sub, jti, hsh } = claims;
  if (!isText(iss) || !isText(aud) || !isMoment(iat) || !isMoment(exp)) {
    throw invalidToken('claims');
  }
  if (exp <= iat || exp - iat > tokenSecondsMax) throw invalidToken('claims');
  const texts = { sub: optionalText(sub), jti: optionalText(jti), hsh: optionalText(hsh) };
  if (texts.jti !== undefined && !isShortText(texts.jti)) throw invalidToken('claims');
  return { iss, aud, iat, exp, ...texts };
}

/** An empty text is as good as none: `hsh` counts when it is present and not empty. Ruling 27. */
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
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw invalidToken('format');
  }
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

const isEmpty = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && Object.keys(body).length === 0;
