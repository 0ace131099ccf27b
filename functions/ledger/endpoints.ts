/** The addressed ledger endpoints. Infra and localstack read this list; the handler answers all of it. */
export const endpoints = [
  'GET /ledger',
  'PUT /ledger',
  'POST /ledger/proofs',
  'POST /ledger/access/!check',
  'GET /ledger/changes',
  'GET /ledger/changes/{change}',
  'GET /ledger/changes/{change}/receipt',
] as const;
