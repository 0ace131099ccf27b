import { health } from '../../shared/action/health.ts';
import { api } from '../../shared/http/api.ts';
import { judging } from '../judging.ts';
import { endpoints } from './endpoints.ts';

export const handler = api(judging, endpoints, {
  'GET /health': health(judging.backlogs, judging.audits),
});
