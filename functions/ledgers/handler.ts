import { createLedger } from '../../shared/action/create-ledger.ts';
import { list } from '../../shared/action/list.ts';
import { read } from '../../shared/action/read.ts';
import { update } from '../../shared/action/update.ts';
import { api } from '../../shared/http/api.ts';
import { judging } from '../judging.ts';
import { endpoints } from './endpoints.ts';

export const handler = api(judging, endpoints, {
  'POST /ledgers': createLedger,
  'GET /ledgers': list('ledger'),
  'GET /ledgers/{id}': read('ledger'),
  'PUT /ledgers/{id}': update('ledger'),
});
