/** The endpoint of load balancers and operators. Infra and localstack read this list; the handler answers all of it. */
export const endpoints = ['GET /health'] as const;
