/** The bridge endpoints. Infra and localstack read this list; the handler answers all of it. */
export const endpoints = [
  'POST /bridges',
  'GET /bridges',
  'GET /bridges/{id}',
  'PUT /bridges/{id}',
  'POST /bridges/{id}/proofs',
  'POST /bridges/{id}/access/!check',
  'GET /bridges/{id}/changes',
  'GET /bridges/{id}/changes/{change}',
  'GET /bridges/{id}/changes/{change}/receipt',
  'DELETE /bridges/{id}',
  'POST /bridges/{id}/drop',
  'GET /bridges/{id}/events',
  'GET /bridges/{id}/events/{delivery}',
  'POST /bridges/{id}/events/retry',
  'POST /bridges/{id}/activate',
] as const;
