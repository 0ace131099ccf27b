/** The circle endpoints. Infra and localstack read this list; the handler answers all of it. */
export const endpoints = [
  'POST /circles',
  'GET /circles',
  'GET /circles/{id}',
  'PUT /circles/{id}',
  'POST /circles/{id}/proofs',
  'POST /circles/{id}/access/!check',
  'GET /circles/{id}/changes',
  'GET /circles/{id}/changes/{change}',
  'GET /circles/{id}/changes/{change}/receipt',
  'POST /circles/{id}/signers',
  'GET /circles/{id}/signers',
  'GET /circles/{id}/signers/{link}',
  'DELETE /circles/{id}/signers/{link}',
  'POST /circles/{id}/signers/{link}/drop',
] as const;
