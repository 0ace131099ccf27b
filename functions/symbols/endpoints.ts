/** The symbol endpoints. Infra and localstack read this list; the handler answers all of it. */
export const endpoints = [
  'POST /symbols',
  'GET /symbols',
  'GET /symbols/{id}',
  'PUT /symbols/{id}',
  'POST /symbols/{id}/proofs',
  'POST /symbols/{id}/access/!check',
  'GET /symbols/{id}/changes',
  'GET /symbols/{id}/changes/{change}',
  'GET /symbols/{id}/changes/{change}/receipt',
  'GET /symbols/{id}/supply',
] as const;
