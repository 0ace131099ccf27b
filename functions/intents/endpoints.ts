/** The intent endpoints. Infra and localstack read this list; the handler answers all of it. */
export const endpoints = [
  'POST /intents',
  'GET /intents',
  'POST /intents/!batch',
  'POST /intents/!preview',
  'GET /intents/{id}',
  'POST /intents/{id}/proofs',
  'POST /intents/{id}/access/!check',
  'GET /intents/{id}/receipt',
  'GET /intents/{id}/changes',
  'GET /intents/{id}/changes/{change}',
  'GET /intents/{id}/changes/{change}/receipt',
  'POST /intents/{id}/sign',
] as const;
