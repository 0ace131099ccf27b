import { issueToken } from '../../shared/action/issue-token.ts';
import { providerJwks } from '../../shared/action/provider-jwks.ts';
import { api } from '../../shared/http/api.ts';
import { wiring } from '../wiring.ts';
import { endpoints } from './endpoints.ts';

export const handler = api(wiring, endpoints, {
  'POST /oauth/token': issueToken,
  'GET /oauth/jwks': providerJwks,
});
