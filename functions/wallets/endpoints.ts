/** The wallet endpoints. Infra and localstack read this list; the handler answers all of it. */
export const endpoints = [
  'POST /wallets',
  'GET /wallets',
  'GET /wallets/{id}',
  'PUT /wallets/{id}',
  'POST /wallets/{id}/proofs',
  'POST /wallets/{id}/access/!check',
  'GET /wallets/{id}/changes',
  'GET /wallets/{id}/changes/{change}',
  'DELETE /wallets/{id}',
  'POST /wallets/{id}/drop',
  'GET /wallets/{id}/balances',
  'GET /wallets/{id}/entries',
  'GET /wallets/{id}/limits',
  'GET /wallets/{id}/anchors',
  'POST /wallets/{id}/anchors/!lookup',
  'GET /wallets/{id}/domains',
] as const;
