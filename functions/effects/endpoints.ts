/** The effect endpoints. Infra and localstack read this list; the handler answers all of it. */
export const endpoints = [
  'POST /effects',
  'GET /effects',
  'GET /effects/{id}',
  'PUT /effects/{id}',
  'POST /effects/{id}/proofs',
  'POST /effects/{id}/access/!check',
  'GET /effects/{id}/changes',
  'GET /effects/{id}/changes/{change}',
  'GET /effects/{id}/changes/{change}/receipt',
  'DELETE /effects/{id}',
  'POST /effects/{id}/drop',
  'GET /effects/{id}/events',
  'GET /effects/{id}/events/{delivery}',
  'POST /effects/{id}/events/retry',
  'POST /effects/{id}/activate',
] as const;
