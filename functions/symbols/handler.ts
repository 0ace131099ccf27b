import { checkAccess } from '../../shared/action/check-access.ts';
import { create } from '../../shared/action/create.ts';
import { change, history } from '../../shared/action/history.ts';
import { list } from '../../shared/action/list.ts';
import { prove } from '../../shared/action/prove.ts';
import { read } from '../../shared/action/read.ts';
import { changeReceipt } from '../../shared/action/receipt.ts';
import { supply } from '../../shared/action/supply.ts';
import { update } from '../../shared/action/update.ts';
import { api } from '../../shared/http/api.ts';
import { wiring } from '../wiring.ts';
import { endpoints } from './endpoints.ts';

export const handler = api(wiring, endpoints, {
  'POST /symbols': create('symbol'),
  'GET /symbols': list('symbol'),
  'GET /symbols/{id}': read('symbol'),
  'PUT /symbols/{id}': update('symbol'),
  'POST /symbols/{id}/proofs': prove('symbol'),
  'POST /symbols/{id}/access/!check': checkAccess('symbol'),
  'GET /symbols/{id}/changes': history('symbol'),
  'GET /symbols/{id}/changes/{change}': change('symbol'),
  'GET /symbols/{id}/changes/{change}/receipt': changeReceipt('symbol'),
  'GET /symbols/{id}/supply': supply,
});
