import { api } from '../../shared/http/api.ts';
import { signing } from '../signing.ts';
import { endpoints } from './endpoints.ts';
import { serveFile, servePage } from './serve.ts';

export const handler = api(signing, endpoints, {
  'GET /docs': servePage(() => ''),
  'GET /docs/{page}': servePage(({ page }) => page),
  'GET /docs/concepts/{page}': servePage(({ page }) => `concepts/${page}`),
  'GET /docs/recipes/{page}': servePage(({ page }) => `recipes/${page}`),
  'GET /docs/assets/{file}': serveFile,
});
