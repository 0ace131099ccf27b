/** The anchor endpoints. Infra and localstack read this list; the handler answers all of it. */
export const endpoints = [
  'POST /anchors',
  'GET /anchors',
  'GET /anchors/{id}',
  'PUT /anchors/{id}',
  'POST /anchors/{id}/proofs',
  'POST /anchors/{id}/access/!check',
  'GET /anchors/{id}/changes',
  'GET /anchors/{id}/changes/{change}',
  'GET /anchors/{id}/changes/{change}/receipt',
  'DELETE /anchors/{id}',
  'POST /anchors/{id}/drop',
] as const;
