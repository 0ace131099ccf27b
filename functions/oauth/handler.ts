import { issueToken } from '../../shared/action/issue-token.ts';
import { providerJwks } from '../../shared/action/provider-jwks.ts';
import { api } from '../../shared/http/api.ts';
import { signing } from '../signing.ts';
import { endpoints } from './endpoints.ts';

export const handler = api(signing, endpoints, {
  'POST /oauth/token': issueToken,
  'GET /oauth/jwks': providerJwks,
});
