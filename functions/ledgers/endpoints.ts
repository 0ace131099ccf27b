/** The ledgers endpoints. Infra and localstack read this list; the handler answers all of it. */
export const endpoints = [
  'POST /ledgers',
  'GET /ledgers',
  'GET /ledgers/{id}',
  'PUT /ledgers/{id}',
] as const;
