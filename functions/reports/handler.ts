import { readAsset } from '../../shared/action/assets.ts';
import { checkAccess } from '../../shared/action/check-access.ts';
import { create } from '../../shared/action/create.ts';
import { drop } from '../../shared/action/drop.ts';
import { change, history } from '../../shared/action/history.ts';
import { list } from '../../shared/action/list.ts';
import { prove } from '../../shared/action/prove.ts';
import { read } from '../../shared/action/read.ts';
import { changeReceipt } from '../../shared/action/receipt.ts';
import { api } from '../../shared/http/api.ts';
import { wiring } from '../wiring.ts';
import { endpoints } from './endpoints.ts';

export const handler = api(wiring, endpoints, {
  'POST /reports': create('report'),
  'GET /reports': list('report'),
  'GET /reports/{id}': read('report'),
  'POST /reports/{id}/proofs': prove('report'),
  'POST /reports/{id}/access/!check': checkAccess('report'),
  'GET /reports/{id}/changes': history('report'),
  'GET /reports/{id}/changes/{change}': change('report'),
  'GET /reports/{id}/changes/{change}/receipt': changeReceipt('report'),
  'DELETE /reports/{id}': drop('report'),
  'POST /reports/{id}/drop': drop('report'),
  'GET /reports/{id}/assets/{asset}': readAsset,
});
