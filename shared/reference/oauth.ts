/** Bodies, answers and errors of the token endpoints, as OAuth 2.0 defines them. RFC 6749, RFC 7517. */
import type { Response, Schema } from './openapi.ts';

const text: Schema = { type: 'string' };

const objectOf = (properties: Readonly<Record<string, Schema>>, required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
});

/** RFC 6749 4.4.2. */
export const tokenRequest: Schema = objectOf(
  {
    grant_type: { const: 'client_credentials' },
    client_id: { ...text, description: 'Here, or with `client_secret` in an HTTP Basic header.' },
    client_secret: text,
  },
  ['grant_type'],
);

/** RFC 6749 5.1. */
export const tokenAnswer: Schema = objectOf(
  {
    access_token: { ...text, description: 'A JWT, signed with RS256.' },
    token_type: { const: 'Bearer' },
    expires_in: { type: 'integer', minimum: 1, description: 'The lifetime in seconds.' },
  },
  ['access_token', 'token_type', 'expires_in'],
);

/** RFC 7517 5. */
export const jwksAnswer: Schema = objectOf(
  {
    keys: {
      type: 'array',
      items: objectOf(
        {
          kty: { const: 'RSA' },
          n: text,
          e: text,
          use: { const: 'sig' },
          alg: { const: 'RS256' },
          kid: text,
        },
        ['kty', 'n', 'e', 'use', 'alg', 'kid'],
      ),
    },
  },
  ['keys'],
);

export const basicScheme = {
  type: 'http',
  scheme: 'basic',
  description: 'The `clientId` and the `clientSecret` of a factor, each form-encoded.',
} as const;

const errorsByStatus: Readonly<
  Record<string, readonly [about: string, errors: readonly string[]]>
> = {
  400: ['The body is not a valid token request.', ['invalid_request', 'unsupported_grant_type']],
  401: ['The client is unknown, or the secret is wrong.', ['invalid_client']],
  429: ['Too many attempts: try again after `retry-after` seconds.', ['api.rate-limit-exceeded']],
  500: ['The service failed.', ['server_error']],
};

/** The errors of the token endpoint, by status. RFC 6749 5.2, Decision 35. */
export const oauthErrors: Readonly<Record<string, Response>> = Object.fromEntries(
  Object.entries(errorsByStatus).map(([status, [description, errors]]) => {
    const schema = objectOf({ error: { enum: errors }, error_description: text }, [
      'error',
      'error_description',
    ]);
    const retry = status === '429' && { 'retry-after': refTo('retry-after') };
    const headers = { 'x-request-id': refTo('x-request-id'), ...retry };
    return [status, { description, headers, content: { 'application/json': { schema } } }];
  }),
);

function refTo(header: string): { readonly $ref: string } {
  return { $ref: `#/components/headers/${header}` };
}
