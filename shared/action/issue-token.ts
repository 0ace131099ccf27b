/**
 * OAuth token endpoint: a client sends its credentials and gets a token of the ledger's provider, which stands for the
 * client's signer. Answers and errors follow RFC 6749, 4.4 and 5. Ruling 28, Decision 35.
 */
import { open } from '../access/required-permission.ts';
import { type ProviderClaims, signProviderToken } from '../crypto/provider-token.ts';
import { createSecret, isSecretOf, saltedHashOf } from '../crypto/secret.ts';
import { tokenSecondsMax } from '../crypto/token.ts';
import type { LedgerError } from '../ledger/errors.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import type { Action, Answer, Call, Identity, Services } from '../port/action.ts';
import { isInactive } from '../record/inactive.ts';
import { privateKeyOf, providerOf, signingKey } from '../record/provider.ts';
import { readerFor } from '../record/reader.ts';
import { assertRateLimit, countFailure } from './attempts.ts';
import {
  type ClientCredentials,
  parseTokenRequest,
  TokenError,
  type TokenErrorCode,
  unknownClient,
} from './token-request.ts';

const tokenSecondsDefault = 3600;

/** No cache may store a token. RFC 6749 5.1. */
const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** An unknown client is compared with this hash, so that both cases take equally long. */
const unknownClientHash = saltedHashOf(createSecret());
const clientId = /^[\w-]{22}$/;
const noClientId = '-'.repeat(22);

const statusOfTokenError: Readonly<Record<TokenErrorCode, 400 | 401 | 429 | 500>> = {
  invalid_request: 400,
  unsupported_grant_type: 400,
  invalid_client: 401,
  'api.rate-limit-exceeded': 429,
  server_error: 500,
};

/**
 * `POST /oauth/token`. Errors, in the format of RFC 6749:
 * - `invalid_request`, `unsupported_grant_type` (400): the form
 * - `invalid_client` (401): unknown client, wrong secret, or its factor or signer is inactive
 * - `api.rate-limit-exceeded` (429): too many attempts, with `retry-after`
 * - `server_error` (500): anything else
 */
export const issueToken: Action = {
  requires: open('Whoever has the secret of a client may ask for its tokens. RFC 6749 4.4.'),
  reads: 'form',
  refuse: refusedFor,
  run: async (call) => {
    try {
      return await answerTo(call);
    } catch (error) {
      if (error instanceof TokenError) return refused(error, { ledger: call.ledger });
      throw error;
    }
  },
};

async function answerTo({ services, ledger, sent }: Call): Promise<Answer> {
  if (!sent) throw new Error('An action that reads a form is given one.');
  const credentials = parseTokenRequest(sent);
  const requester = { client: credentials.id, address: sent.address };
  await assertRateLimit(services, ledger, requester);
  const known = await clientOf(services, ledger, credentials);
  if (!known) {
    await countFailure(services, ledger, requester);
    throw unknownClient();
  }
  const { factor, home } = known;
  const provider = providerOf(home);
  const key = await signingKey(services, ledger, provider);
  const claims = claimsOf(services, { factor, home, provider });
  const privateKey = await privateKeyOf(services, ledger.handle, key);
  const token = await signProviderToken(claims, key.record.data.handle, privateKey);
  const { exp, iat } = claims;
  return jsonAnswer(200, { access_token: token, token_type: 'Bearer', expires_in: exp - iat });
}

interface KnownClient {
  readonly factor: LedgerRecord;
  readonly home: LedgerRecord | undefined;
}

/** The factor of a client with the right secret, while factor and signer are active. */
async function clientOf(
  services: Services,
  ledger: Identity,
  { id, secret }: ClientCredentials,
): Promise<KnownClient | undefined> {
  const reader = readerFor({ services, ledger });
  const [home, client] = await Promise.all([
    reader.home(),
    reader.client(clientId.test(id) ? id : noClientId),
  ]);
  const isRight = isSecretOf(secret, client ?? unknownClientHash);
  if (!client || !isRight) return undefined;
  const [signerHandle = ''] = client.factor.split('/');
  const [factor, signer] = await Promise.all([
    reader.record('signer-factor', client.factor),
    reader.record('signer', signerHandle),
  ]);
  if (factor?.record.luid !== client.luid) return undefined;
  const stands = (version: Version | undefined) => version && !isInactive(version);
  return stands(factor) && stands(signer) ? { factor: factor.record, home } : undefined;
}

function claimsOf(
  { clock, settings }: Services,
  { factor, home, provider }: KnownClient & { readonly provider: string },
): ProviderClaims {
  const iat = Math.floor(clock() / 1000);
  return {
    iss: provider,
    sub: String(factor.data['signer']),
    cid: factor.data.handle,
    client_id: factor.meta.clientId ?? '',
    aud: settings.servers[0] ?? '',
    iat,
    exp: iat + tokenSecondsOf(home),
    jti: createSecret(),
  };
}

/** The lifetime of tokens, as the ledger configures it. */
function tokenSecondsOf(home: LedgerRecord | undefined): number {
  const config = (home?.data['config'] ?? {}) as Readonly<Record<string, unknown>>;
  const seconds = config['oauth.tokenSeconds'] ?? tokenSecondsDefault;
  // A release before took a longer one.
  return Math.min(Number(seconds), tokenSecondsMax);
}

/** Errors from outside the action, in the format of RFC 6749. The log has the original reason. */
function refusedFor({ reason, detail, headers }: LedgerError): Answer {
  if (reason === 'api.rate-limit-exceeded')
    return refused(new TokenError(reason, detail), { headers });
  if (reason === 'api.body-malformed')
    return refused(new TokenError('invalid_request', detail), { headers });
  return refused(new TokenError('server_error', detail), { headers });
}

function refused(
  { code, description }: TokenError,
  { ledger, headers }: { ledger?: Identity; headers?: Readonly<Record<string, string>> },
): Answer {
  const challenge = { 'www-authenticate': `Basic realm="${ledger?.handle}"` };
  const body = { error: code, error_description: description };
  return jsonAnswer(statusOfTokenError[code], body, {
    ...headers,
    ...(code === 'invalid_client' && challenge),
  });
}

function jsonAnswer(
  status: Answer['status'],
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const text = JSON.stringify(body);
  return {
    status,
    document: { type: 'application/json', text, headers: { ...headers, ...noStore } },
  };
}
