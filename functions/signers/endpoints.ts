/** The signer endpoints. Infra and localstack read this list; the handler answers all of it. */
export const endpoints = [
  'POST /signers',
  'GET /signers',
  'GET /signers/{id}',
  'PUT /signers/{id}',
  'POST /signers/{id}/proofs',
  'GET /signers/{id}/changes',
  'GET /signers/{id}/changes/{change}',
] as const;
