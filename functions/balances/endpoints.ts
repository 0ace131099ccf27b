/** The balances of all wallets, and their sums. Infra and localstack read this list; the handler answers all of it. */
export const endpoints = ['GET /balances', 'GET /balances/totals'] as const;
