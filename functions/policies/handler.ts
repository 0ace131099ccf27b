import { checkAccess } from '../../shared/action/check-access.ts';
import { create } from '../../shared/action/create.ts';
import { drop } from '../../shared/action/drop.ts';
import { change, history } from '../../shared/action/history.ts';
import { list } from '../../shared/action/list.ts';
import { prove } from '../../shared/action/prove.ts';
import { read } from '../../shared/action/read.ts';
import { changeReceipt } from '../../shared/action/receipt.ts';
import { update } from '../../shared/action/update.ts';
import { api } from '../../shared/http/api.ts';
import { wiring } from '../wiring.ts';
import { endpoints } from './endpoints.ts';

export const handler = api(wiring, endpoints, {
  'POST /policies': create('policy'),
  'GET /policies': list('policy'),
  'GET /policies/{id}': read('policy'),
  'PUT /policies/{id}': update('policy'),
  'POST /policies/{id}/proofs': prove('policy'),
  'POST /policies/{id}/access/!check': checkAccess('policy'),
  'GET /policies/{id}/changes': history('policy'),
  'GET /policies/{id}/changes/{change}': change('policy'),
  'GET /policies/{id}/changes/{change}/receipt': changeReceipt('policy'),
  'DELETE /policies/{id}': drop('policy'),
  'POST /policies/{id}/drop': drop('policy'),
});
