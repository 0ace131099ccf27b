import { status } from '../../shared/action/status.ts';
import { api } from '../../shared/http/api.ts';
import { serveDocument } from '../../shared/reference/publish.ts';
import { openApi } from '../openapi.ts';
import { signing } from '../signing.ts';
import { endpoints } from './endpoints.ts';

export const handler = api(signing, endpoints, {
  'GET /': status,
  'GET /openapi.json': serveDocument(openApi),
});
