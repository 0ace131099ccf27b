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
  'POST /anchors': create('anchor'),
  'GET /anchors': list('anchor'),
  'GET /anchors/{id}': read('anchor'),
  'PUT /anchors/{id}': update('anchor'),
  'POST /anchors/{id}/proofs': prove('anchor'),
  'POST /anchors/{id}/access/!check': checkAccess('anchor'),
  'GET /anchors/{id}/changes': history('anchor'),
  'GET /anchors/{id}/changes/{change}': change('anchor'),
  'GET /anchors/{id}/changes/{change}/receipt': changeReceipt('anchor'),
  'DELETE /anchors/{id}': drop('anchor'),
  'POST /anchors/{id}/drop': drop('anchor'),
});
