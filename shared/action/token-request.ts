/**
 * Parser of token requests: a form, with the credentials in it or in the `authorization` header. It is strict, since
 * two readings of one request would help an attacker. RFC 6749 2.3.1, 3.2, 4.4 and appendix B.
 */
import type { SentBody } from '../port/action.ts';

/** Error codes of the token endpoint. RFC 6749 5.2. */
export type TokenErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'unsupported_grant_type'
  | 'server_error'
  | 'api.rate-limit-exceeded';

/** An error of the token endpoint. Its description repeats nothing of the request. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
  readonly code: TokenErrorCode;
  readonly description: string;

  constructor(code: TokenErrorCode, description: string) {
    super(`${code}: ${description}`);
    this.code = code;
    this.description = description;
  }
}

export interface ClientCredentials {
  readonly id: string;
  readonly secret: string;
}

type Form = ReadonlyMap<string, string>;

const formType = /^application\/x-www-form-urlencoded\s*(;\s*charset=utf-8\s*)?$/i;
const basicPattern = /^Basic +([A-Za-z0-9+/]+={0,2})$/i;
const grant = 'client_credentials';

/** Reads the credentials of a token request; throws `TokenRefusal`. */
export function parseTokenRequest({ type = '', text, authorization }: SentBody): ClientCredentials {
  if (!formType.test(type))
    throw new TokenError('invalid_request', 'The body must be application/x-www-form-urlencoded.');
  const form = parseForm(text);
  const grantType = form.get('grant_type');
  if (grantType === undefined)
    throw new TokenError('invalid_request', 'The parameter grant_type is missing.');
  if (grantType !== grant)
    throw new TokenError('unsupported_grant_type', `The only grant_type is ${grant}.`);
  return authorization === undefined ? credentialsIn(form) : basicCredentials(authorization, form);
}

/** The parameters of a form. A repeated one is an error, and one without a value counts as missing. RFC 6749 3.2. */
function parseForm(text: string): Form {
  const form = new Map<string, string>();
  const names = new Set<string>();
  for (const pair of text.split('&').filter((one) => one !== '')) {
    const [name = '', ...rest] = pair.split('=');
    const [key, value] = [decoded(name), decoded(rest.join('='))];
    if (key === undefined || value === undefined)
      throw new TokenError('invalid_request', 'The body is not a valid form.');
    if (names.has(key)) throw new TokenError('invalid_request', 'A parameter is repeated.');
    names.add(key);
    if (value !== '') form.set(key, value);
  }
  return form;
}

function credentialsIn(form: Form): ClientCredentials {
  const [id, secret] = [form.get('client_id'), form.get('client_secret')];
  if (id === undefined || secret === undefined) throw unknownClient();
  return { id, secret };
}

/** Reads `id:secret` in base64, each part URL-encoded before. */
function basicCredentials(header: string, form: Form): ClientCredentials {
  if (form.has('client_id') || form.has('client_secret'))
    throw new TokenError('invalid_request', 'Credentials are sent in the header or in the body.');
  const [, base64 = ''] = basicPattern.exec(header) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  const isExact = base64 !== '' && bytes.toString('base64') === base64;
  const [id = '', ...rest] = isExact ? bytes.toString('latin1').split(':') : [];
  const [plainId, secret] = [decoded(id), decoded(rest.join(':'))];
  if (!plainId || !secret) throw unknownClient();
  return { id: plainId, secret };
}

/** One error for every defect of the credentials, so that nothing is revealed. */
export function unknownClient(): TokenError {
  return new TokenError('invalid_client', 'The client is unknown, or its secret is another.');
}

/** Undefined when a part is not URL-encoded properly. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
