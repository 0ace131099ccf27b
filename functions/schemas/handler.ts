import { checkAccess } from '../../shared/action/check-access.ts';
import { create } from '../../shared/action/create.ts';
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
  'POST /schemas': create('schema'),
  'GET /schemas': list('schema'),
  'GET /schemas/{id}': read('schema'),
  'PUT /schemas/{id}': update('schema'),
  'POST /schemas/{id}/proofs': prove('schema'),
  'POST /schemas/{id}/access/!check': checkAccess('schema'),
  'GET /schemas/{id}/changes': history('schema'),
  'GET /schemas/{id}/changes/{change}': change('schema'),
  'GET /schemas/{id}/changes/{change}/receipt': changeReceipt('schema'),
});
