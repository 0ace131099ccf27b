import { checkAccess } from '../../shared/action/check-access.ts';
import { assign, create } from '../../shared/action/create.ts';
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
  'POST /circles': create('circle'),
  'GET /circles': list('circle'),
  'GET /circles/{id}': read('circle'),
  'PUT /circles/{id}': update('circle'),
  'POST /circles/{id}/proofs': prove('circle'),
  'POST /circles/{id}/access/!check': checkAccess('circle'),
  'GET /circles/{id}/changes': history('circle'),
  'GET /circles/{id}/changes/{change}': change('circle'),
  'GET /circles/{id}/changes/{change}/receipt': changeReceipt('circle'),
  'POST /circles/{id}/signers': assign,
  'GET /circles/{id}/signers': list('circle-signer'),
  'GET /circles/{id}/signers/{link}': read('circle-signer'),
  'DELETE /circles/{id}/signers/{link}': drop('circle-signer'),
  'POST /circles/{id}/signers/{link}/drop': drop('circle-signer'),
});
