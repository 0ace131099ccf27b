/** The schema endpoints. Infra and localstack read this list; the handler answers all of it. */
export const endpoints = [
  'POST /schemas',
  'GET /schemas',
  'GET /schemas/{id}',
  'PUT /schemas/{id}',
  'POST /schemas/{id}/proofs',
  'POST /schemas/{id}/access/!check',
  'GET /schemas/{id}/changes',
  'GET /schemas/{id}/changes/{change}',
  'GET /schemas/{id}/changes/{change}/receipt',
] as const;
