/** The token endpoints. Infra and localstack read this list; the handler answers all of it. */
export const endpoints = ['POST /oauth/token', 'GET /oauth/jwks'] as const;
