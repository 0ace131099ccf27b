/**
 * What a client sends to get a token: a form, with its credentials in it or in the `authorization` header.
 * Read strictly, since whatever two readers may read differently helps only whoever attacks. RFC 6749 2.3.1,
 * 3.2, 4.4 and appendix B.
 */
import type { Sent } from '../port/action.ts';

/** Why no token is made, in the words of RFC 6749 5.2. */
export type TokenFault =
  | 'invalid_request'
  | 'invalid_client'
  | 'unsupported_grant_type'
  | 'server_error'
  | 'api.rate-limit-exceeded';

/** A refusal of the token endpoint. Its description repeats nothing of what was sent. */
export class TokenRefusal extends Error {
  override readonly name = 'TokenRefusal';
  readonly fault: TokenFault;
  readonly description: string;

  constructor(fault: TokenFault, description: string) {
    super(`${fault}: ${description}`);
    this.fault = fault;
    this.description = description;
  }
}

/** The name of a client and its secret, as they were sent. */
export interface Credentials {
  readonly id: string;
  readonly secret: string;
}

type Form = ReadonlyMap<string, string>;

const formType = /^application\/x-www-form-urlencoded\s*(;\s*charset=utf-8\s*)?$/i;
const basicPattern = /^Basic +([A-Za-z0-9+/]+={0,2})$/i;
const grant = 'client_credentials';

/** The credentials of a request for a token; refuses one that is none. */
export function parseTokenRequest({ type = '', text, authorization }: Sent): Credentials {
  if (!formType.test(type))
    throw new TokenRefusal(
      'invalid_request',
      'The body must be application/x-www-form-urlencoded.',
    );
  const form = parseForm(text);
  const credentials =
    authorization === undefined ? credentialsIn(form) : basicCredentials(authorization, form);
  const grantType = form.get('grant_type');
  if (grantType === undefined)
    throw new TokenRefusal('invalid_request', 'The parameter grant_type is missing.');
  if (grantType !== grant)
    throw new TokenRefusal('unsupported_grant_type', `The only grant_type is ${grant}.`);
  return credentials;
}

/** The parameters of a form, each once. One without a value is as good as none. RFC 6749 3.2. */
function parseForm(text: string): Form {
  const form = new Map<string, string>();
  const names = new Set<string>();
  for (const pair of text.split('&').filter((one) => one !== '')) {
    const [name = '', ...rest] = pair.split('=');
    const [key, value] = [decoded(name), decoded(rest.join('='))];
    if (key === undefined || value === undefined)
      throw new TokenRefusal('invalid_request', 'The body is not a valid form.');
    if (names.has(key)) throw new TokenRefusal('invalid_request', 'A parameter is repeated.');
    names.add(key);
    if (value !== '') form.set(key, value);
  }
  return form;
}

function credentialsIn(form: Form): Credentials {
  const [id, secret] = [form.get('client_id'), form.get('client_secret')];
  if (id === undefined || secret === undefined) throw unknownClient();
  return { id, secret };
}

/** What a header holds: `id:secret` in base64, each part encoded as in a form before. */
function basicCredentials(header: string, form: Form): Credentials {
  if (form.has('client_id') || form.has('client_secret'))
    throw new TokenRefusal('invalid_request', 'Credentials are sent in the header or in the body.');
  const [, base64 = ''] = basicPattern.exec(header) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  const isExact = base64 !== '' && bytes.toString('base64') === base64;
  const [id = '', ...rest] = isExact ? bytes.toString('latin1').split(':') : [];
  const [plainId, secret] = [decoded(id), decoded(rest.join(':'))];
  if (!plainId || !secret) throw unknownClient();
  return { id: plainId, secret };
}

/** The refusal of whoever is no client, whatever is wrong with the credentials. */
export function unknownClient(): TokenRefusal {
  return new TokenRefusal('invalid_client', 'The client is unknown, or its secret is another.');
}

/** A part of a form, decoded; undefined when it is not well encoded. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
