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
  'POST /domains': create('domain'),
  'GET /domains': list('domain'),
  'GET /domains/{id}': read('domain'),
  'PUT /domains/{id}': update('domain'),
  'POST /domains/{id}/proofs': prove('domain'),
  'POST /domains/{id}/access/!check': checkAccess('domain'),
  'GET /domains/{id}/changes': history('domain'),
  'GET /domains/{id}/changes/{change}': change('domain'),
  'GET /domains/{id}/changes/{change}/receipt': changeReceipt('domain'),
});
