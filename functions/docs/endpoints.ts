/** The reference as pages. Infra and localstack read this list; the handler answers all of it. */
export const endpoints = [
  'GET /docs',
  'GET /docs/{page}',
  'GET /docs/concepts/{page}',
  'GET /docs/recipes/{page}',
  'GET /docs/assets/{file}',
] as const;
