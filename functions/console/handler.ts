import { api } from '../../shared/http/api.ts';
import { signing } from '../signing.ts';
import { endpoints } from './endpoints.ts';
import { servePart } from './serve.ts';

export const handler = api(signing, endpoints, {
  'GET /console': servePart('page'),
  'GET /console/app.js': servePart('script'),
  'GET /console/app.css': servePart('style'),
});
