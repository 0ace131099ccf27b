/** The status endpoints. Infra and localstack read this list; the handler answers all of it. */
export const endpoints = ['GET /', 'GET /openapi.json'] as const;
