/** The policy endpoints. Infra and localstack read this list; the handler answers all of it. */
export const endpoints = [
  'POST /policies',
  'GET /policies',
  'GET /policies/{id}',
  'PUT /policies/{id}',
  'POST /policies/{id}/proofs',
  'POST /policies/{id}/access/!check',
  'GET /policies/{id}/changes',
  'GET /policies/{id}/changes/{change}',
  'GET /policies/{id}/changes/{change}/receipt',
  'DELETE /policies/{id}',
  'POST /policies/{id}/drop',
] as const;
