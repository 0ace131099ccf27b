/** The intent endpoints. Infra and localstack read this list; the handler answers all of it. */
export const endpoints = [
  'POST /intents',
  'GET /intents',
  'GET /intents/{id}',
  'POST /intents/{id}/proofs',
  'GET /intents/{id}/changes',
  'GET /intents/{id}/changes/{change}',
  'POST /intents/{id}/sign',
] as const;
