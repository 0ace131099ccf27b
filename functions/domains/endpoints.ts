/** The domain endpoints. Infra and localstack read this list; the handler answers all of it. */
export const endpoints = [
  'POST /domains',
  'GET /domains',
  'GET /domains/{id}',
  'PUT /domains/{id}',
  'POST /domains/{id}/proofs',
  'POST /domains/{id}/access/!check',
  'GET /domains/{id}/changes',
  'GET /domains/{id}/changes/{change}',
  'GET /domains/{id}/changes/{change}/receipt',
] as const;
