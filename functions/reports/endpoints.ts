/** The report endpoints. Infra and localstack read this list; the handler answers all of it. */
export const endpoints = [
  'POST /reports',
  'GET /reports',
  'GET /reports/{id}',
  'POST /reports/{id}/proofs',
  'POST /reports/{id}/access/!check',
  'GET /reports/{id}/changes',
  'GET /reports/{id}/changes/{change}',
  'GET /reports/{id}/changes/{change}/receipt',
  'DELETE /reports/{id}',
  'POST /reports/{id}/drop',
  'GET /reports/{id}/assets/{asset}',
] as const;
